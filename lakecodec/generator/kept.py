"""The compiler's cache: a folder of the user, which later processes read instead of compiling again.

Kept are the generated texts of IDL files that `compile_idl` compiled, and the parser. They are code, so that the folder must
belong to the user and be writable by nobody else; where it is not, or cannot be made, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..runtime.compiled import Bundle

if TYPE_CHECKING:
    from .model import Module

#: Names another folder than the user's cache; empty: nothing is kept.
VARIABLE = "LAKECODEC_CACHE"
#: Files of the folder; those written longest ago go first.
_MOST_FILES = 500
#: Folders of the package whose code decides what is printed.
_MAKERS = ("generator", "runtime")
_SUFFIXES = (".py", ".lark", ".j2")


class Printed(NamedTuple):
    """Generated modules before they run.

    Attributes:
        bundle: the IDL texts that they were made of.
        modules: name, and text by file name, of each module; included ones first.
        externs: the modules outside lakecodec whose externs they name.
    """

    bundle: Bundle
    modules: list[tuple[str, dict[str, str]]]
    externs: frozenset[str] = frozenset()


def folder() -> Path | None:
    """Returns the folder for what is kept, which is made if it is missing; None where nothing can be kept safely."""
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        found = Path(named) if named else Path(base) / "lakecodec"
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
        stat = found.stat()
    except (OSError, RuntimeError):
        return None
    if hasattr(os, "getuid") and (stat.st_uid != os.getuid() or stat.st_mode & 0o022):
        return None
    return found


def read(key: str) -> bytes | None:
    """Returns the bytes kept under a key, None where there are none."""
    found = folder()
    with suppress(OSError):
        return None if found is None else (found / key).read_bytes()
    return None


def write(key: str, data: bytes) -> None:
    """Keeps bytes under a key, where that is possible; other processes see all of them or none."""
    found = folder()
    if found is None:
        return
    with suppress(OSError):
        partial = found / f"{key}.{os.getpid()}.partial"
        partial.write_bytes(data)
        partial.replace(found / key)
        by_age = sorted(found.iterdir(), key=lambda each: each.stat().st_mtime_ns)
        for old in by_age[:-_MOST_FILES]:
            old.unlink()


class KeptIdl:
    """The place of what was printed for an IDL file, by its path, name and include paths."""

    def __init__(self, file: Path, name: str | None, include_paths: Sequence[Path]) -> None:
        self._include_paths = include_paths
        told = [str(file), name, *map(str, include_paths), str(Path.cwd())]
        self._key = f"{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]}.json"

    def read(self) -> Printed | None:
        """Returns the modules printed before, None where the IDL files that it takes or the compiler changed since then."""
        data = read(self._key)
        if data is None:
            return None
        try:
            kept = json.loads(data)
            if kept["made"] != _makers() or any(_digest(path) != then for path, then in kept["files"].items()):
                return None
            if any(map(os.path.isfile, kept["missing"])):
                return None
            bundle = tuple((name, file, text, tuple(map(tuple, paths))) for name, file, text, paths in kept["bundle"])
            return Printed(bundle, [(name, texts) for name, texts in kept["modules"]], frozenset(kept["externs"]))
        except (ValueError, KeyError, TypeError, OSError):
            return None

    def write(self, modules: Iterable[Module], printed: Printed) -> None:
        """Keeps what was printed for the modules of an IDL file and of all that it includes."""
        modules = list(modules)
        try:
            files = {each.file: _digest(each.file) for each in modules}
        except OSError:
            return
        missing = sorted({path for each in modules for path in self._missing(each)})
        kept = {
            "made": _makers(),
            "files": files,
            "missing": missing,
            "bundle": printed.bundle,
            "modules": printed.modules,
            "externs": sorted(printed.externs),
        }
        if all(files[each.file] == each.digest for each in modules):
            write(self._key, json.dumps(kept).encode())

    def _missing(self, module: Module) -> Iterator[str]:
        """Yields the paths at which a file would be included in place of those that were found."""
        for include in module.included:
            folders = [Path(module.file).parent, *self._include_paths]
            yield from takewhile(
                lambda path: not os.path.isfile(path), (os.path.join(each, include) for each in folders)
            )


def _digest(file: str) -> str:
    """Returns the digest of an IDL file's text, as `Module` has it."""
    from .comments import decoded

    text, _ = decoded(Path(file).read_bytes())
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@cache
def _makers() -> str:
    """Returns a digest of the files that decide what is printed: names, sizes and times of change."""
    found = hashlib.sha256(sys.version.encode())
    pending = [os.fspath(Path(__file__).parents[1] / each) for each in _MAKERS]
    while pending:
        for each in sorted(os.scandir(pending.pop()), key=lambda each: each.name):
            if each.is_dir() and each.name != "__pycache__":
                pending.append(each.path)
            elif each.name.endswith(_SUFFIXES):
                stat = each.stat()
                found.update(f"{each.path} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()
