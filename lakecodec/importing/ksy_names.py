"""The IDL's names of the types, enums and attributes of .ksy files."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import Any

from lakecodec.generator.resolve.scope import BASE_TYPES, MESSAGE_TYPES
from lakecodec.generator.words import THRIFT_KEYWORDS, is_reserved

from .ksy_kinds import Types
from .ksy_model import KsyEnum, KsyType

_TAKEN = {*THRIFT_KEYWORDS, *BASE_TYPES, *MESSAGE_TYPES}
#: Words that have another meaning in expressions or behind types, or that cannot be names there.
_WORDS = {
    "and", "at_end", "const", "cpp_include", "end", "enum", "exception", "include", "is", "list", "map", "namespace", "not",
    "null", "or", "rest", "senum", "service", "set", "struct", "typedef", "union", "until",
}  # fmt: skip


class Names:
    """The names of all files of an import."""

    def __init__(self, types: Types) -> None:
        self._found: dict[int, str] = {}
        for found in types.by_idl.values():
            self._name(found)

    def __call__(self, what: Any, within: KsyType) -> str:
        """Returns the name of a type or enum, with the file's in front in another one; of (type or enum, member)."""
        if isinstance(what, tuple):
            holder, called = what
            if isinstance(holder, KsyEnum):
                return member_name(called)
            own = (*holder.seq, *holder.instances.values())
            return attribute_name(called) if any(each.id == called for each in own) else parameter_name(called)
        owner = what.owner.file if isinstance(what, KsyEnum) else what.file
        name = self._found[id(what)]
        return name if owner.idl == within.file.idl else f"{PurePosixPath(owner.idl).stem}.{name}"

    def _name(self, types: list[KsyType]) -> None:
        defined: list[KsyType | KsyEnum] = [*types, *(enum for each in types for enum in each.enums.values())]
        defined.sort(key=lambda each: len(each.path))
        lengths = {id(each): min(len(each.path), 1 if _is_plain(each) else 2) for each in defined}
        for _ in range(max((len(each.path) for each in defined), default=1)):
            names = {id(each): _camel(each.path[-lengths[id(each)] :]) for each in defined}
            twice = {name for name, count in Counter(names.values()).items() if count > 1}
            seen: set[str] = set()
            for each in defined:
                name = names[id(each)]
                if name in twice and name in seen:
                    lengths[id(each)] = min(lengths[id(each)] + 1, len(each.path))
                seen.add(name)
        taken: set[str] = set()
        for each in defined:
            name = _camel(each.path[-lengths[id(each)] :])
            while name in taken or name in _TAKEN:
                name += "_"
            taken.add(name)
            self._found[id(each)] = name


def _is_plain(each: KsyType | KsyEnum) -> bool:
    return isinstance(each, KsyEnum) or each.variant is None


def _camel(path: tuple[str, ...]) -> str:
    return "".join(part[:1].upper() + part[1:] for name in path for part in name.split("_") if part)


def member_name(name: str) -> str:
    """Returns the IDL's name of a member of an enum."""
    return f"{name}_" if name in THRIFT_KEYWORDS else name


def parameter_name(name: str) -> str:
    """Returns the IDL's name of a parameter."""
    found = attribute_name(name)
    return f"{found}_" if is_reserved(found) else found


def attribute_name(name: str) -> str:
    """Returns the IDL's name of a field or computed attribute."""
    return f"{name}_" if name in _WORDS or is_reserved(name, field=True) else name
