"""Names of generated Python: what the IDL says, with an underscore where Python or the generated API takes the name."""

from __future__ import annotations

import keyword

#: Methods of every generated class, and Python's own names in its annotations.
_METHODS = frozenset(("from_bytes", "read", "to_bytes", "skip", "self"))
_UNION = frozenset(("kind", "value", "id", "raw", "wire"))
_WRITER = frozenset(("out", "value"))
_ENUM = frozenset(("mro", "name", "value"))
_BUILTINS = frozenset(
    (
        "int",
        "str",
        "bytes",
        "bool",
        "float",
        "list",
        "set",
        "dict",
        "tuple",
        "frozenset",
        "object",
        "memoryview",
        "super",
    )
)


def type_name(name: str) -> str:
    return _free(name, _BUILTINS)


def field_name(name: str) -> str:
    return _free(name, _METHODS)


def local_name(name: str) -> str:
    """The variable of a derived field in a method that writes a record."""
    return _free(name, _METHODS | _WRITER)


def member_name(name: str) -> str:
    """The constructor of a union's member."""
    return _free(name, _METHODS | _UNION)


def enum_member_name(name: str) -> str:
    sunder = name.startswith("_") and name.endswith("_")
    return f"{name}_" if sunder else _free(name, _ENUM)


def _free(name: str, taken: frozenset[str]) -> str:
    reserved = keyword.iskeyword(name) or name in taken or (name.startswith("__") and name.endswith("__"))
    return f"{name}_" if reserved else name
