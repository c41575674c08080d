"""Types of a table's columns: Thrift's scalars, lists of some of them, and Arrow's timestamps, durations and decimals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .paths import Target

#: Arrow's names of column types.
_ARROW_NAMES = {
    "bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "double": "double", "string": "string",
    "binary": "binary", "list<string>": "list<string>", "list<i64>": "list<int64>", "u64": "uint64",
    # The type of a query's column is unknown.
    "": "",
}  # fmt: skip
_UNITS = ("s", "ms", "us", "ns")
#: The largest number of digits of Arrow's 128-bit decimals.
_MOST_DIGITS = 38
#: The kinds of values that fit a type with arguments, and their descriptions.
_VALUES = {
    "timestamp": (("int", "null", "any"), "an integer, the units since 1970"),
    "duration": (("int", "null", "any"), "an integer, a number of units"),
    "decimal": (("int", "bytes", "null", "any"), "its digits as an integer, or as bytes in two's complement"),
}
#: The syntax of a type with arguments.
FORMS = {
    "timestamp": "timestamp<unit> or timestamp<unit, zone>, with a unit of s, ms, us or ns, such as timestamp<us, UTC>",
    "duration": "duration<unit>, with a unit of s, ms, us or ns, such as duration<ms>",
    "decimal": "decimal<precision, scale>, with a precision from 1 to 38 and a scale from 0 to the precision, such as "
    "decimal<18, 2>",
}


def with_arguments(type_name: str) -> bool:
    """Returns True for one of Arrow's types, which has arguments."""
    name, bracket, _ = type_name.partition("<")
    return bracket == "<" and name in FORMS


def arrow_name(type_name: str) -> str | None:
    """Returns Arrow's name of a column's type; None for any other type."""
    if not with_arguments(type_name):
        return _ARROW_NAMES.get(type_name)
    name, _, rest = type_name.partition("<")
    arguments = rest.removesuffix(">").split(", ")
    if name == "decimal":
        digits = [int(each) for each in arguments if each.isdigit()]
        fits = len(arguments) == len(digits) == 2 and 1 <= digits[0] <= _MOST_DIGITS and digits[1] <= digits[0]
        return f"decimal128({digits[0]}, {digits[1]})" if fits else None
    if arguments[0] not in _UNITS or len(arguments) > (2 if name == "timestamp" else 1):
        return None
    return f"{name}[{', tz='.join(arguments)}]"


def refused_value(type_name: str, value: Target) -> str | None:
    """Returns a description of the values that a type with arguments takes if a kind of value does not fit; else None."""
    if not with_arguments(type_name):
        return None
    kinds, words = _VALUES[type_name.partition("<")[0]]
    return words if value.lists or value.kind not in kinds else None
