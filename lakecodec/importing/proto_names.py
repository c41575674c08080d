"""The names of a .proto file's types: their meaning in a scope, and their names in the IDL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from lakecodec.generator.resolve.scope import BASE_TYPES, MESSAGE_TYPES
from lakecodec.generator.words import THRIFT_KEYWORDS, is_reserved

from .imported import Note
from .proto_files import ProtoFile
from .proto_syntax import Enum, Extend, Field, Message, Oneof

#: Thrift's words and names of types, which definitions cannot have. Words of the extensions are allowed as names.
_TAKEN = THRIFT_KEYWORDS | set(BASE_TYPES) | set(MESSAGE_TYPES)

#: Declarations that have their own names in the IDL.
Defined = Message | Enum | Oneof


class Names:
    """The names of all files of an import."""

    def __init__(self, files: list[ProtoFile]) -> None:
        self.notes: list[Note] = []
        self._types: dict[ProtoFile, dict[str, Message | Enum]] = {}
        self._idl: dict[int, str] = {}
        self._taken: dict[ProtoFile, set[str]] = {}
        for file in files:
            self._name(file)
        self._visible = {file: file.visible() for file in files}

    def of(self, defined: Defined) -> str:
        """Returns the IDL's name of a message, enum or oneof."""
        return self._idl[id(defined)]

    def fresh(self, wanted: str, file: ProtoFile) -> str:
        """Returns a name that no other type of a file's IDL has."""
        taken = self._taken[file]
        name = f"{wanted}_" if wanted in _TAKEN else wanted
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    def find(self, name: str, scope: str, file: ProtoFile) -> tuple[ProtoFile, Message | Enum] | None:
        """Returns the type that a name means within a message or package, with its file; None for an unknown one."""
        while True:
            full = name[1:] if name.startswith(".") else f"{scope}.{name}" if scope else name
            for each in self._visible[file]:
                if full in self._types[each]:
                    return each, self._types[each][full]
            if not scope or name.startswith("."):
                return None
            scope = scope.rpartition(".")[0]

    def reference(self, defined: Message | Enum, owner: ProtoFile, file: ProtoFile) -> str:
        """Returns the name that a file's IDL has for a type, with a prefix for one of another file."""
        name = self.of(defined)
        return name if owner is file else f"{PurePosixPath(owner.idl).stem}.{name}"

    def _name(self, file: ProtoFile) -> None:
        types: dict[str, Message | Enum] = {}
        self._taken[file] = set()
        for path, defined in _defined(file.proto.parts, ()):
            wanted = "_".join(path)
            name = self._idl[id(defined)] = self.fresh(wanted, file)
            if name != wanted:
                text = f"'{'.'.join(path)}' is called '{name}', since the IDL has another '{wanted}'"
                self.notes.append(Note(file.proto.file, defined.line, text, "renamed"))
            if not isinstance(defined, Oneof):
                types[".".join([*([file.proto.package] if file.proto.package else []), *path])] = defined
        self._types[file] = types


def _defined(parts: Sequence[object], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Defined]]:
    for each in parts:
        found = each.group if isinstance(each, Field) else each
        if isinstance(found, Message | Enum | Oneof):
            yield (*above, found.name), found
        if isinstance(found, Message):
            yield from _defined(found.parts, (*above, found.name))
        elif isinstance(found, Oneof | Extend):
            yield from _defined(found.fields, above)


def member_name(name: str) -> str:
    """Returns the IDL's name of a member of an enum: its own, unless that is a word of Thrift."""
    return f"{name}_" if name in THRIFT_KEYWORDS else name


def field_name(name: str) -> str:
    """Returns the IDL's name of a field: its own, unless fields cannot have that name."""
    return f"{name}_" if is_reserved(name, field=True) else name
