"""The .proto files of an import: those of the caller, and all that they import."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path, PurePosixPath

from lakecodec.generator.comments import decoded
from lakecodec.generator.diagnostics import Diagnostics, Location
from lakecodec.generator.module_names import ModuleNames

from .imported import Note
from .proto_parse import parse
from .proto_syntax import Import, Proto

#: The longest chain of imports.
_DEEPEST = 100


@dataclass(eq=False, slots=True)
class ProtoFile:
    """A .proto file with the files that it imports; ``idl`` is the name of the IDL that is made of it."""

    proto: Proto
    idl: str
    imports: list[tuple[Import, ProtoFile]] = field(default_factory=list)
    missing: list[Import] = field(default_factory=list)

    def visible(self) -> list[ProtoFile]:
        """Returns the files whose types this one sees: itself, what it imports, and what those import publicly."""
        found = [self]
        pending = [each for _, each in self.imports]
        while pending:
            file = pending.pop(0)
            if file not in found:
                found.append(file)
                pending += [each for statement, each in file.imports if statement.is_public]
        return found


class ProtoFiles:
    """The files of one import, each read once. ``found`` has them in order, imported ones first."""

    def __init__(self, roots: Iterable[Path], diagnostics: Diagnostics) -> None:
        """``roots``: folders in which imported files are searched, in this order; protobuf's own come last."""
        self.found: list[ProtoFile] = []
        self.notes: list[Note] = []
        self._roots = list(dict.fromkeys(roots))
        self._diagnostics = diagnostics
        self._by_key: dict[str, ProtoFile] = {}
        self._reading: list[str] = []
        self._stems = ModuleNames()

    def add(self, path: Path, name: str) -> ProtoFile:
        """Returns the file at a path. Its name is ``name``, unless it was read under another name."""
        key = str(path.resolve())
        if key not in self._by_key:
            self._read(key, path.read_bytes(), str(path), name)
        return self._by_key[key]

    def add_text(self, text: str) -> ProtoFile:
        self._read("", text.encode(errors="surrogatepass"), "<text>", "text.proto")
        return self._by_key[""]

    def _read(self, key: str, data: bytes, shown: str, name: str) -> None:
        text, wrong = decoded(data)
        if wrong is not None:
            place = Location(shown, text.count("\n", 0, wrong) + 1, 1)
            self._diagnostics.error("a .proto file must be UTF-8 text, except in comments", place)
            text = ""
        proto = parse(text, shown, self._diagnostics)
        folder = PurePosixPath(name).parent
        stem = self._stems.of(Path("/", folder, PurePosixPath(name).stem))
        made = ProtoFile(proto, (folder / f"{stem}.idl").as_posix())
        self._by_key[key] = made
        self._reading.append(key)
        for each in proto.imports:
            self._import(each, made)
        self._reading.pop()
        self.found.append(made)

    def _import(self, statement: Import, importing: ProtoFile) -> None:
        path = PurePosixPath(statement.path)
        inside = not path.is_absolute() and ".." not in path.parts and "\\" not in statement.path
        candidates = [root / path for root in self._roots] if inside else []
        found = next((each for each in candidates if each.is_file()), None)
        own = files(__package__).joinpath("well_known", *path.parts) if inside else None
        if found is not None:
            key = str(found.resolve())
        elif own is not None and path.suffix == ".proto" and own.is_file():
            key = f"well_known:{path}"
        else:
            importing.missing.append(statement)
            text = f"'{statement.path}' is not found in the folders of the imported files or above them"
            self.notes.append(Note(importing.proto.file, statement.line, text, "import"))
            return
        if len(self._reading) > _DEEPEST:
            place = Location(importing.proto.file, statement.line, 1)
            self._diagnostics.error(f"files import each other more than {_DEEPEST} deep", place)
        elif key in self._reading:
            place = Location(importing.proto.file, statement.line, 1)
            self._diagnostics.error(f"'{statement.path}' imports this file, directly or not", place)
        elif found is not None:
            importing.imports.append((statement, self.add(found, statement.path)))
        else:
            assert own is not None
            if key not in self._by_key:
                self._read(key, own.read_bytes(), statement.path, statement.path)
            importing.imports.append((statement, self._by_key[key]))
