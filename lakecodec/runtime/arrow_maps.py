"""Conversion between Arrow types and variants, declared by `arrow ... when ... write` clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

_PLAIN = {
    "null": pa.null(), "bool": pa.bool_(), "int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64(),
    "uint8": pa.uint8(), "uint16": pa.uint16(), "uint32": pa.uint32(), "uint64": pa.uint64(), "float16": pa.float16(),
    "float32": pa.float32(), "float64": pa.float64(), "date32": pa.date32(), "date64": pa.date64(), "utf8": pa.utf8(),
    "binary": pa.binary(), "large_utf8": pa.large_utf8(), "large_binary": pa.large_binary(), "utf8_view": pa.string_view(),
    "binary_view": pa.binary_view(), "interval_month_day_nano": pa.month_day_nano_interval(),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hole:
    """A placeholder for a value. ``variant`` is the class of the values for a nested type."""

    number: int
    variant: Callable[[], Any] | None = None


class Shape:
    """A pattern of an Arrow type or field whose arguments are constants, holes and other shapes."""

    __slots__ = ("arguments", "name")

    def __init__(self, name: str, *arguments: Any) -> None:
        self.name = name
        self.arguments = arguments

    def match(self, found: Any, bound: dict[int, Any]) -> bool:
        """Returns whether a type has the shape; stores each hole's value in ``bound`` under the hole's number."""
        parts = parts_of(self.name, found, len(self.arguments))
        return parts is not None and all(
            _matches(argument, part, bound) for argument, part in zip(self.arguments, parts, strict=True)
        )

    def build(self, values: Sequence[Any]) -> Any:
        """Returns the type whose holes have these values."""
        return type_of(self.name, [_built(argument, values) for argument in self.arguments])


def _matches(argument: Any, part: Any, bound: dict[int, Any]) -> bool:
    if isinstance(argument, Shape):
        return argument.match(part, bound)
    if not isinstance(argument, Hole):
        return bool(argument == part)
    bound[argument.number] = part if argument.variant is None else argument.variant().from_arrow(part)
    return bound[argument.number] is not None


def _built(argument: Any, values: Sequence[Any]) -> Any:
    if isinstance(argument, Shape):
        return argument.build(values)
    if not isinstance(argument, Hole):
        return argument
    value = values[argument.number]
    return value if argument.variant is None else value.to_arrow()


@dataclass(frozen=True, slots=True)
class ArrowMap:
    """One `arrow` clause of an alternative."""

    shape: Shape
    values: Callable[[Any], Sequence[Any]] = lambda _: ()
    made: Callable[[dict[int, Any]], Any] | None = None
    condition: Callable[[Any], bool] | None = None

    def bind(self, type: Any) -> Any:
        """Returns the variant for an Arrow type, or None where the clause does not cover the type."""
        bound: dict[int, Any] = {}
        return self.made(bound) if self.made is not None and self.shape.match(type, bound) else None

    def make(self, value: Any) -> Any:
        return self.shape.build(self.values(value))


def only(shape: Shape, *values: Any, **parts: Any) -> tuple[ArrowMap]:
    """Returns the clauses of an alternative that has exactly one."""
    return (ArrowMap(shape, *values, **parts),)


def parts_of(name: str, found: Any, count: int) -> tuple[Any, ...] | None:
    """Returns the ``count`` arguments of a type, or None if the type has another name."""
    if name == "field":
        parts: tuple[Any, ...] = (found.name, found.type, found.nullable) if isinstance(found, pa.Field) else ()
    elif not isinstance(found, pa.DataType):
        parts = ()
    elif name in _PLAIN:
        return () if count == 0 and found == _PLAIN[name] else None
    elif name in ("timestamp", "time32", "time64", "duration"):
        zone = (found.tz,) if name == "timestamp" and found.id == pa.timestamp("s").id and found.tz is not None else ()
        parts = (found.unit, *zone) if _is(name, found) else ()
    elif name.startswith("decimal"):
        parts = (found.precision, found.scale) if _is(name, found) else ()
    elif name == "fixed_size_binary":
        parts = (found.byte_width,) if _is(name, found) else ()
    elif name in ("list", "large_list"):
        parts = (found.value_field,) if _is(name, found) else ()
    else:
        parts = (found.key_field, found.item_field, found.field(0).name)[:count] if _is(name, found) else ()
    return parts if len(parts) == count else None


def _is(name: str, found: Any) -> bool:
    return bool(getattr(pa.types, f"is_{name}")(found))


def type_of(name: str, arguments: Sequence[Any]) -> Any:
    """Returns the Arrow type, or field, of a name with arguments."""
    if name in _PLAIN:
        return _PLAIN[name]
    if name == "field":
        label, type_, nullable = arguments
        return pa.field(label, type_, bool(nullable))
    if name == "map":
        key, item = arguments[:2]
        return pa.map_(key.with_nullable(False), item)
    constructor = {"list": pa.list_, "large_list": pa.large_list, "fixed_size_binary": pa.binary}.get(name) or getattr(
        pa, name
    )
    return constructor(*arguments)
