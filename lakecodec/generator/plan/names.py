"""Names of generated Python: what the IDL says, with an underscore where Python or the generated API takes the name."""

from __future__ import annotations

import keyword

#: Methods of every generated class, and Python's own names in its annotations.
_METHODS = frozenset(("from_bytes", "read", "to_bytes", "skip", "self"))
_UNION = frozenset(("kind", "value", "id", "raw", "wire"))
_ENUM = frozenset(("mro", "name", "value"))
_RECORD = _METHODS
_LOCATED = _METHODS | {"open", "place", "span", "transposed", "write_to"}
_VARIANT = _METHODS | {"kind", "tag", "from_arrow", "to_arrow"}
#: Variables of the methods that read and write records.
_VARIABLES = frozenset((
    "at", "begin", "begun", "buf", "cls", "coded", "data", "error", "found", "index", "item", "items", "made", "out",
    "outer", "pos", "previous", "raw", "self", "size", "start", "state", "step", "stop", "tag", "value",
))  # fmt: skip
_BUILTINS = frozenset((
    "int", "str", "bytes", "bool", "float", "list", "set", "dict", "tuple", "frozenset", "object", "memoryview", "super",
    "len", "range", "enumerate", "max", "min", "property", "classmethod", "globals", "bound", "made",
))  # fmt: skip


def type_name(name: str) -> str:
    return _free(name, _BUILTINS)


def field_name(name: str) -> str:
    return _free(name, _METHODS)


def attribute_name(name: str, *, located: bool = False, variant: bool = False) -> str:
    """A field or parameter of a record or variant."""
    return _free(name, _VARIANT if variant else _LOCATED if located else _RECORD)


def argument_name(name: str) -> str:
    """A parameter as an argument of the methods that read and write."""
    return _free(name, _VARIABLES)


def member_name(name: str) -> str:
    """The constructor of a union's member."""
    return _free(name, _METHODS | _UNION)


def enum_member_name(name: str) -> str:
    sunder = name.startswith("_") and name.endswith("_")
    return f"{name}_" if sunder else _free(name, _ENUM)


def _free(name: str, taken: frozenset[str]) -> str:
    reserved = keyword.iskeyword(name) or name in taken or (name.startswith("__") and name.endswith("__"))
    return f"{name}_" if reserved else name
