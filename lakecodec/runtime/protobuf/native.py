"""The native backend: converts messages to the rows from which the extension makes its codecs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..compact.native import type_row
from ..compact.values import fresh_default
from ..native import _compact
from ..spec import FieldSpec, Spec
from .table import Entry, table_of

if TYPE_CHECKING:
    from ..native._compact import Codec


def define(specs: Sequence[Spec], format: str) -> dict[type, Codec]:
    """Returns the codecs of a module's messages and oneofs; modules that they use have been defined before.

    Args:
        specs: the module's messages and oneofs.
        format: the module's name, the first part of what errors call the format.
    """
    numbers = {spec.cls: number for number, spec in enumerate(specs)}
    codecs = _compact.define([_row(spec, format, numbers) for spec in specs])
    return {spec.cls: codec for spec, codec in zip(specs, codecs, strict=True)}


def _row(spec: Spec, format: str, numbers: dict[type, int]) -> tuple[Any, ...]:
    fields: tuple[tuple[Any, ...], ...]
    if spec.kind == "oneof":
        fields = tuple(_member(member, numbers) for member in spec.fields)
    else:
        fields = tuple(_field(entry, numbers) for entry in table_of(spec.cls).entries)
    return spec.cls, spec.kind, spec.name, f"{format}.{spec.name}", {}, fields


def _member(member: FieldSpec, numbers: dict[type, int]) -> tuple[Any, ...]:
    return member.name, member.attr, member.id, False, None, None, type_row(member.type, numbers)


def _field(entry: Entry, numbers: dict[type, int]) -> tuple[Any, ...]:
    field = entry.field
    oneof = None if entry.oneof is None else numbers.get(entry.oneof, getattr(entry.oneof, "__codec__", None))
    type_ = field.type if entry.oneof is None else entry.type
    absent = fresh_default(field) if field.requiredness == "default" and type_.kind not in ("list", "map") else None
    required = field.requiredness == "required"
    row = type_row(type_, numbers)
    member = None if oneof is None else entry.name.rpartition(".")[2]
    return (
        entry.name, field.attr, entry.number, required, absent, None, row, type_.packed, entry.implicit, entry.type.group,
        oneof, member,
    )  # fmt: skip
