"""The native backend: converts specs to the rows from which the extension makes its codecs."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal

from ..guarded import of_struct
from ..limits import Limits
from ..native import _compact
from ..spec import FieldSpec, Spec, TypeSpec
from .program import Column, Columns, Program
from .values import empty_struct, fresh_default, hashable

if TYPE_CHECKING:
    from ..native._compact import Codec

OnError = Literal["raise", "collect"]
Keep = tuple[int, Collection[Any]] | None

#: The largest span of an enum's numbers that is looked up in a tuple.
_DENSE = 1024


def define(specs: Sequence[Spec], format: str) -> dict[type, Codec]:
    """Returns the codecs of a module's structs and unions.

    Args:
        specs: the module's types; other modules' types that they use have been defined before.
        format: the module's name, the first part of what errors call the format.
    """
    wired = [spec for spec in specs if spec.kind in ("struct", "union")]
    numbers = {spec.cls: number for number, spec in enumerate(wired)}
    codecs = _compact.define([_row(spec, format, numbers) for spec in wired])
    return {spec.cls: codec for spec, codec in zip(wired, codecs, strict=True)}


def skip(data: Any, pos: int, wire_type: int, limits: Limits) -> int:
    """Returns the position after a value of ``wire_type`` at ``pos``."""
    return _compact.skip(data, pos, wire_type, limits.max_depth)


def columns(
    program: Program, buffers: Sequence[Any], limits: Limits, *, keep: Keep = None, on_error: OnError = "raise"
) -> Columns:
    """Returns the columns that ``program`` reads from each of ``buffers``; the limits apply per buffer.

    Args:
        keep: a leaf of the innermost level, by number, and its values (bytes or ints) in the rows to keep; what
            follows that leaf in another row is skipped, not checked.
        on_error: raise the first buffer's DecodeError, its number in the attribute ``buffer``, or collect all errors.
    """
    import numpy as np

    leaves = tuple((leaf.level, tuple(leaf.path), leaf.kind, leaf.separator.encode()) for leaf in program.leaves)
    lowered = (tuple(map(tuple, program.levels)), leaves)
    codec: Any = program.root.__codec__
    levels, made, errors = _compact.columns(
        codec, lowered, buffers, limits.max_depth, limits.max_elements, keep, on_error
    )
    return Columns(
        rows=[rows for rows, _, _ in levels],
        parents=[np.frombuffer(memoryview(parents), np.int32) for _, parents, _ in levels],
        ordinals=[np.frombuffer(memoryview(ordinals), np.int32) for _, _, ordinals in levels],
        columns=[Column(*column) for column in made],
        errors=errors,
    )


def names(numbers: Any, width: int, texts: dict[int, str]) -> tuple[Any, Any]:
    """Returns the names of numbers as offsets and bytes, like `columns.names`."""
    return _compact.names(numbers, width, texts)


list_length = _compact.list_length
Places = _compact.Places


def _row(spec: Spec, format: str, numbers: dict[type, int]) -> tuple[Any, ...]:
    cls: Any = spec.cls
    kind: str = spec.kind
    extra = None
    fields = spec.fields
    if "lakecodec.codec" in spec.annotations:
        kind, extra, fields = "custom", of_struct(cls), ()
    elif kind == "union":
        extra = cls.__singletons__
    elif not fields:
        kind, extra = "empty", empty_struct(cls)
    return cls, kind, spec.name, f"{format}.{spec.name}", extra, tuple(_field(field, numbers) for field in fields)


def _field(field: FieldSpec, numbers: dict[type, int]) -> tuple[Any, ...]:
    default = factory = None
    if field.requiredness == "default":
        default = fresh_default(field)
        if default is not field.default:
            default, factory = None, _Default(field)
    required = field.requiredness == "required"
    return field.name, field.attr, field.id, required, default, factory, type_row(field.type, numbers)


class _Default:
    """A callable that makes a field's mutable default."""

    def __init__(self, field: FieldSpec) -> None:
        self._field = field

    def __call__(self) -> Any:
        return fresh_default(self._field)


def type_row(type_: TypeSpec, numbers: dict[type, int]) -> tuple[Any, ...]:
    """Returns the row of a type; ``numbers`` are the row numbers of the classes in the same module."""
    key = None if type_.key is None else type_row(type_.key, numbers)
    value = None if type_.value is None else type_row(type_.value, numbers)
    hashed = False
    if type_.kind == "set":
        hashed = type_.value is not None and hashable(type_.value)
    elif type_.kind == "map":
        hashed = type_.key is not None and hashable(type_.key)
    return type_.kind, _reference(type_, numbers), key, value, hashed


def _reference(type_: TypeSpec, numbers: dict[type, int]) -> Any:
    """Returns the object behind a type: a codec or its number, an enum's members, the UUID class; else None."""
    if type_.kind == "uuid":
        return uuid.UUID
    cls: Any = type_.cls
    if type_.kind == "struct":
        number = numbers.get(cls)
        return cls.__codec__ if number is None else number
    return _members(cls) if type_.kind == "enum" else None


def _members(cls: type[IntEnum]) -> tuple[int, tuple[IntEnum | None, ...]] | dict[int, IntEnum]:
    known: dict[int, IntEnum] = {int(number): member for number, member in cls._value2member_map_.items()}  # type: ignore[misc]
    if not known:
        return {}
    low, high = min(known), max(known)
    if high - low >= _DENSE:
        return known
    return low, tuple(known.get(number) for number in range(low, high + 1))
