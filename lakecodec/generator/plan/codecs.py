"""Plans of codecs with fields: private classes that read and write them."""

from __future__ import annotations

from collections.abc import Iterator

from ..expressions import called_name
from ..model import Extension, Record
from ..syntax import CodecDef, RecordField, VariantDef
from .expressions import UnsupportedExpression
from .record_plan import RecordPlan
from .records import hint_of, plan_unit
from .units import unit_of_codec


def plan_codec(codec: Extension) -> list[RecordPlan]:
    """The class of a codec's fields; none where only encodings use it, whose kernels know it as data."""
    syntax: CodecDef = codec.syntax
    orders = {order for field, order in _uses(codec) if called_name(field.via[-1]) == codec.name}
    if not orders:
        return []
    if len(orders) > 1:
        raise UnsupportedExpression("the codec is used in both byte orders", codec.location)
    unit = unit_of_codec(codec, orders.pop())
    plan = plan_unit(
        unit,
        spec_name=codec.name,
        doc=f"The fields of codec {codec.name}, and the value they stand for.",
        source_line=syntax.location.line,
        slots=["value", *(unit.attr(name) for name, _ in unit.params)],
        value_hint=hint_of(syntax.result.name, codec.module),
    )
    return [plan]


def _uses(codec: Extension) -> Iterator[tuple[RecordField, str]]:
    """The fields of records and variants that have a `via`, with their byte order."""
    for item in codec.module.definitions:
        if isinstance(item, Record):
            fields, attributes = item.fields, item.attributes
        elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
            fields, attributes = [f for case in item.syntax.cases for f in case.fields or ()], item.syntax.attributes
        else:
            continue
        yield from ((field, "big" if "big" in attributes else "little") for field in fields if field.via)
