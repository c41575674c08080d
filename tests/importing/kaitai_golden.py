"""Values that Kaitai's Python runtime found in files, kept as JSON: to compare with them takes no compiler of Kaitai's.

`python -m tests.importing.kaitai_golden FILES COMPILED FORMATS` makes `tests/data/kaitai/gallery.zip` anew: of files *.NAME, of
NAME.py (what kaitai-struct-compiler made of NAME.ksy), and of a checkout of kaitai_struct_formats.
"""

from __future__ import annotations

import enum
import importlib.util
import io
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

from ..paths import DATA

ARCHIVE = DATA / "kaitai/gallery.zip"
#: Licences under which formats are copied.
_FREE = ("CC0-1.0", "MIT", "Unlicense", "WTFPL", "Apache-2.0", "BSD-2-Clause")
#: Objects of one file that are kept; what is behind them is not compared.
_MOST_OBJECTS = 2_000


class Theirs:
    """An object of Kaitai's runtime, as `Comparison` looks at it."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._io = None
        vars(self).update(values)


def loaded(value: Any) -> Any:
    """Returns what `kept` kept."""
    match value:
        case {"values": values}:
            return Theirs({name: loaded(each) for name, each in values.items()})
        case {"bytes": text}:
            return bytes.fromhex(text)
        case {"enum": [name, number]}:
            return enum.Enum("E", {name: number})(number)
        case list():
            return list(map(loaded, value))
    return value


class _Keeper:
    def __init__(self) -> None:
        self._left = _MOST_OBJECTS

    def kept(self, value: Any) -> Any:
        """Returns a value as JSON."""
        if isinstance(value, list):
            return list(map(self.kept, value))
        if isinstance(value, enum.Enum):
            return {"enum": [value.name, value.value]}
        if isinstance(value, bytes | bytearray):
            return {"bytes": bytes(value).hex()}
        return self._object(value) if hasattr(value, "_io") else value

    def _object(self, value: Any) -> Any:
        self._left -= 1
        found: dict[str, Any] = {}
        names = [name for name in vars(value) if not name.startswith("_")]
        names += [name for name, each in vars(type(value)).items() if isinstance(each, property)]
        for name in dict.fromkeys(names) if self._left > 0 else ():
            try:
                each = getattr(value, name)
            except Exception:  # what Kaitai cannot read is no value
                continue
            found[name] = self.kept(each)
        return {"values": found}


def _imports(path: Path, folder: Path, found: dict[str, Path]) -> bool:
    """Adds a format and what it imports; returns whether all of them may be copied."""
    found[path.relative_to(folder).as_posix()] = path
    text = path.read_text()
    licence = re.search(r"^  license: *(\S+)", text, re.MULTILINE)
    if licence is None or licence[1] not in _FREE:
        return False
    listed = re.search(r"^  imports:\n((?:    *- .*\n)+)", text, re.MULTILINE)
    for name in re.findall(r"- *(\S+)", listed[1]) if listed else ():
        inner = (
            (folder / name.lstrip("/") if name.startswith("/") else path.parent / name).with_suffix(".ksy").resolve()
        )
        if inner.relative_to(folder).as_posix() not in found and not _imports(inner, folder, found):
            return False
    return True


def compiled_class(path: Path) -> Any:
    """Returns the class of a format that Kaitai's compiler made; the folder of those that it imports is in `sys.path`."""
    spec = importlib.util.spec_from_file_location(f"kaitai_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "".join(part[:1].upper() + part[1:] for part in path.stem.split("_")))


def main(files: Path, compiled: Path, formats: Path) -> None:
    from kaitaistruct import KaitaiStream

    sys.path.append(str(compiled))
    with zipfile.ZipFile(ARCHIVE, "w") as archive:

        def add(name: str, data: bytes) -> None:
            if name not in archive.namelist():
                info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, data, compresslevel=9)

        for path in sorted(files.glob("*.*")):
            name = path.suffix[1:]
            source = next(formats.rglob(f"{name}.ksy"))
            needed: dict[str, Path] = {}
            if not _imports(source, formats.resolve(), needed):
                print(f"{name} is not copied: its licence, or that of an import")
                continue
            cls = compiled_class(compiled / f"{name}.py")
            theirs = cls(KaitaiStream(io.BytesIO(path.read_bytes())))
            for inner, each in needed.items():
                add(f"formats/{inner}", each.read_bytes())
            add(f"files/{path.name}", path.read_bytes())
            add(f"values/{path.name}.json", json.dumps(_Keeper().kept(theirs)).encode())
            for each in needed.values():
                add(f"compiled/{each.stem}.py", (compiled / f"{each.stem}.py").read_bytes())


if __name__ == "__main__":
    main(*(Path(each).resolve() for each in sys.argv[1:4]))
