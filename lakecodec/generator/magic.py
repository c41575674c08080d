"""Magic bytes of a record: constants whose places follow from the declaration, counted from either end of a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .builtin_names import FIXED_WIDTHS
from .lower import nodes
from .lower.bodies import lower_record
from .lower.field_layout import FieldLayout
from .lower.nesting import self_containing
from .lower.record_layout import RecordLayout
from .model import Record


@dataclass(frozen=True, slots=True)
class Magic:
    """Bytes at an offset; a negative offset counts from the end. ``values`` are the alternatives, all of one
    length."""

    offset: int
    values: tuple[bytes, ...]

    @property
    def length(self) -> int:
        return len(self.values[0])


def magic_of(record: Record) -> tuple[Magic, ...]:
    """Returns the magic bytes that all files of a record have; an empty tuple where the declaration fixes none.

    Those are `bytes` fields that are derived from a constant, or must equal one of several, and a number of that kind at the
    very beginning. Fields of records are included, except those with a condition or a codec, or that may be absent.
    """
    return tuple(_in_record(record, 0))


def _in_record(record: Record, start: int | None) -> Iterator[Magic]:
    layout = lower_record(record, nested=self_containing(record.module))
    offset = start
    for field in layout.fields:
        if field.place is not None:
            offset = _place(field.place)
        if offset is None:
            continue
        if field.presence is None and not field.codecs:
            yield from _in_field(layout, field, offset)
        size = _constant(field.size) if field.size is not None else field.fixed
        offset = offset + size if isinstance(size, int) and field.presence is None and offset + size != 0 else None


def _in_field(layout: RecordLayout, field: FieldLayout, offset: int) -> Iterator[Magic]:
    if field.kind == "record" and isinstance(field.target, Record):
        # A list that ends after its last element has at least one element.
        if field.dimension is None or field.dimension.kind == "until":
            yield from _in_record(field.target, offset)
        return
    is_number = field.kind == "number" and offset == 0
    if field.dimension is not None or not (is_number or field.kind == "bytes"):
        return
    values = [value for wanted in _expected_constants(field) if (value := _as_bytes(wanted, layout, field)) is not None]
    if values and len({len(value) for value in values}) == 1 and any(values[0]):
        yield Magic(offset, tuple(dict.fromkeys(values)))


def _expected_constants(field: FieldLayout) -> Iterator[object]:
    """Yields the constants that a field is derived from, or compared with by the first rule that has any."""
    if field.derivation is not None:
        yield _constant(field.derivation.condition)
        return
    for rule in field.rules:
        choices = _compared(rule.condition, field)
        if choices:
            yield from choices
            return


def _compared(node: nodes.Node, field: FieldLayout) -> list[object]:
    match node:
        case nodes.Logical(word="or"):
            return [value for operand in node.operands for value in _compared(operand, field)]
        case nodes.Comparison(operators=("==",), operands=(nodes.FieldValue(field=name), other)) if name == field.name:
            return [_constant(other)]
    return []


def _as_bytes(value: object, layout: RecordLayout, field: FieldLayout) -> bytes | None:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int) and field.kind == "number" and (field.order or layout.order is None):
        width = FIXED_WIDTHS[field.type]
        is_big = field.order == "be" if field.order else layout.big
        return (value % (1 << 8 * width)).to_bytes(width, "big" if is_big else "little")
    return value if isinstance(value, bytes) else None


def _place(node: nodes.Node) -> int | None:
    """Returns a constant offset, or one relative to the end."""
    match node:
        case nodes.Arithmetic(operator="-", left=nodes.SpanWord(word="end"), right=right):
            back = _constant(right)
            return -back if isinstance(back, int) and back else None
    found = _constant(node)
    return found if isinstance(found, int) else None


def _constant(node: nodes.Node | None) -> object:
    """Returns the value of a constant expression; None for others."""
    match node:
        case nodes.Constant():
            return node.value
        case nodes.Encode() | nodes.InRange():
            return _constant(node.operand)
        case nodes.Global():
            found = node.module.constant(".".join(node.path))
            return None if found is None else found.value
    return None
