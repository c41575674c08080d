"""The shape of a field from its syntax: wire type, lists, length and codecs; and the number of bytes it takes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from weakref import WeakKeyDictionary

from ..builtin_names import FIXED_WIDTHS, TEXT_TYPES, VARINT_BITS
from ..check.wire_forms import WIRE_FORMS
from ..model import Definition, Extension, Record, Struct
from ..paths import fields_of, has_fields, list_dimensions, own_codec
from ..syntax import Dimension, EncodingDef, Expr, Literal_, RecordField, VariantDef
from ..syntax.walk import called_name, enum_argument
from .expressions import UnsupportedExpression
from .field_layout import FieldKind

#: Cached sizes, since other types often contain these: the bytes that a record always takes, and the fewest bytes of a
#: record or of a codec with fields.
_sizes: WeakKeyDictionary[Record, int | None] = WeakKeyDictionary()
_smallest: WeakKeyDictionary[Record | Extension, int] = WeakKeyDictionary()


def check_shape(field: RecordField) -> None:
    """Raises UnsupportedExpression for a field that no record holds."""
    kind, (lists, length), codecs = kind_of(field), lists_of(field), codecs_of(field)
    if kind is None:
        message = f"{field.type.name!r} is only for encodings, not for records"
        raise UnsupportedExpression(message, field.type.location)
    own, sized = own_codec(field), field.size is not None
    for step, found in codecs:
        if has_fields(found):
            raise UnsupportedExpression("a codec with fields must be the last step of `via`", step)
    ends = own is not None or length is not None or field.until is not None or sized
    if kind in ("bytes", "utf8") and not ends:
        raise UnsupportedExpression(
            f'{field.type.name} needs a length, [n] or [..], or an end: until "\\0"', field.location
        )
    if len(lists) > 1:
        raise UnsupportedExpression(
            "a field has one dimension beside a length: make the inner list a record", field.location
        )
    if kind == "bits" and length is None:
        raise UnsupportedExpression("bits need a number of them: [n]", field.location)
    if kind == "bits" and (field.present is not None and field.dimensions[-1].kind == "index"):
        raise UnsupportedExpression("packed bits cannot be left out one by one", field.location)
    if codecs and own is None and not sized and kind not in ("bytes", "utf8"):
        raise UnsupportedExpression("what goes through a codec needs a `size`", codecs[0][0])
    if field.arrow:
        raise UnsupportedExpression("`arrow` belongs to the alternatives of variants", field.arrow[0])


def lists_of(field: RecordField) -> tuple[tuple[Dimension, ...], Dimension | None]:
    """Returns the dimensions that make lists, and how many bytes, bits or values one element has."""
    lists = list_dimensions(field)
    length = field.dimensions[-1] if len(lists) < len(field.dimensions) else None
    kind = kind_of(field)
    if lists and (kind == "bits" or (kind == "values" and lists[-1].kind == "count")):
        return lists[:-1], lists[-1]
    return lists, length


def codecs_of(field: RecordField) -> list[tuple[Expr, Definition | None]]:
    """Returns the codecs of a field, and their definitions: without the one with fields that reads the bytes itself."""
    found = [
        (step, called)
        for step, called in zip(field.via, field.called, strict=True)
        if enum_argument(step) is None and called_name(step) not in (*WIRE_FORMS, "identity")
    ]
    return found[:-1] if own_codec(field) is not None else found


def kind_of(field: RecordField) -> FieldKind | None:
    """Returns the kind of one element of a field; None for what records cannot hold. `record` stands for variants too."""
    name, found = field.type.name, field.target
    if field.bits is not None:
        return "part"
    if name in FIXED_WIDTHS:
        return "number"
    if name in VARINT_BITS:
        return "varint"
    if name in ("bool8", "bytes", "utf8", "bits"):
        return name  # type: ignore[return-value]
    if isinstance(found, Struct):
        return "struct"
    if isinstance(found, Record) or (isinstance(found, Extension) and isinstance(found.syntax, VariantDef)):
        return "record"
    if isinstance(found, Extension) and isinstance(found.syntax, EncodingDef):
        return "values"
    return None


def constant_of(expr: Expr | None) -> int | None:
    return expr.value if isinstance(expr, Literal_) and isinstance(expr.value, int) else None


def fixed_size(field: RecordField) -> int | None:
    """Returns the fixed size of a field in bytes; None if it varies."""
    if field.bits is not None:
        return 0
    if field.present is not None or field.until is not None or (field.via and enum_argument(field.via[0]) is None):
        return None
    counts = [
        constant_of(dimension.expression) if dimension.kind in ("count", "index") else None
        for dimension in field.dimensions
    ]
    if None in counts or (field.type.name in TEXT_TYPES and not counts):
        return None
    if not all(counts):
        return 0
    found = field.target
    size = FIXED_WIDTHS.get(field.type.name) or {"bytes": 1, "utf8": 1, "bool8": 1}.get(field.type.name)
    if isinstance(found, Record):
        size = record_size(found)
    return None if size is None else size * prod(count for count in counts if count is not None)


def taken_size(field: RecordField) -> int | None:
    """Returns the bytes that a field takes in its row whatever its values are, also by a constant `size`; None if it varies."""
    known = fixed_size(field)
    if known is None and field.present is None and all(each.kind != "index" for each in field.dimensions):
        return constant_of(field.size)
    return known


def bytes_before(fields: Sequence[RecordField], name: str) -> int | None:
    """Returns the bytes that always stand before one of the fields that follow each other; None where their number varies."""
    total = 0
    for each in fields:
        if each.name == name:
            return total
        size = taken_size(each)
        if size is None:
            break
        total += size
    return None


def record_size(record: Record) -> int | None:
    """Returns the fixed size of a record in bytes."""
    if record not in _sizes:
        total: int | None = 0
        for field in record.fields:
            if field.at is None:
                size = taken_size(field)
                total = None if size is None or total is None else total + size
            elif not field.from_source:
                total = None
        _sizes[record] = total
    return _sizes[record]


def smallest_size(field: RecordField) -> int:
    """Returns the bytes that one element of a field takes at least; a dimension of `field` itself is not counted."""
    name = field.type.name
    if field.present is not None and all(dimension.kind == "index" for dimension in field.dimensions):
        return 0
    if (own := own_codec(field)) is not None:
        return _smallest_body(own)
    if field.until is not None:
        return len(field.ending or b"")
    if any(enum_argument(step) is None and called_name(step) != "compact" for step in field.via):
        return 0
    if name in FIXED_WIDTHS:
        return FIXED_WIDTHS[name]
    if name in VARINT_BITS or name == "bool8":
        return 1
    found = field.target
    if isinstance(found, Struct):
        return 1
    return _smallest_body(found) if isinstance(found, Record) else 0


def _smallest_body(body: Record | Extension) -> int:
    """Returns the bytes that a record, or what a codec with fields writes, takes at least."""
    if body not in _smallest:
        total = 0
        for field in fields_of(body):
            if field.at is None:
                total += (fixed_size(field) if field.dimensions else smallest_size(field)) or 0
        _smallest[body] = total
    return _smallest[body]
