"""Arrow types of leaf columns, and their bounds as values of these types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ..generated.parquet import SchemaElement, Statistics, Type
from ..runtime.errors import DecodeError
from .bounds import decode_value, int96_nanoseconds, logical_kind
from .schema import leaves

if TYPE_CHECKING:
    import pyarrow as pa

_UNITS = {"MILLIS": "ms", "MICROS": "us", "NANOS": "ns"}
_TEXTS = ("STRING", "ENUM", "JSON")
#: Logical types without an order (LogicalTypes.md). Their bounds mean nothing.
_UNORDERED = ("INTERVAL", "GEOMETRY", "GEOGRAPHY", "VARIANT", "MAP", "LIST", "MAP_KEY_VALUE", "UNKNOWN")
_NUMBERS: dict[Any, Struct] = {
    Type.INT32: Struct("<i"),
    Type.INT64: Struct("<q"),
    Type.FLOAT: Struct("<f"),
    Type.DOUBLE: Struct("<d"),
}
_SIGNED = (Type.BOOLEAN, Type.INT32, Type.INT64, Type.FLOAT, Type.DOUBLE)


@dataclass(frozen=True)
class LeafType:
    """The type of a leaf column.

    Attributes:
        element: the SchemaElement of the leaf column.
        order: what ``column_orders`` of the footer says of the column: a member of ColumnOrder, None if nothing known.
    """

    element: SchemaElement
    order: str | None = "TYPE_ORDER"

    @cached_property
    def kind(self) -> tuple[str, Any]:
        """Name and parameter of the logical type, as `logical_kind` returns them."""
        return logical_kind(self.element)

    @property
    def is_text(self) -> bool:
        """True if values are UTF-8."""
        return self.kind[0] in _TEXTS and self.element.type == Type.BYTE_ARRAY

    @cached_property
    def is_ordered(self) -> bool:
        """True if the type has an order, unlike INTERVAL and some others (LogicalTypes.md)."""
        logical = self.element.logicalType
        unknown = logical is not None and logical.kind is None
        return isinstance(self.element.type, Type) and not unknown and self.kind[0] not in _UNORDERED

    @property
    def has_order(self) -> bool:
        """True if ``order`` gives ``min_value`` and ``max_value`` a meaning (parquet.thrift, ColumnOrder).

        INT96 needs an order of its own: writers that named none compared its bytes.
        """
        if self.order == "IEEE_754_TOTAL_ORDER":
            return self.is_real
        return self.order == ("INT96_TIMESTAMP_ORDER" if self.element.type == Type.INT96 else "TYPE_ORDER")

    @property
    def trusts_deprecated(self) -> bool:
        """True if the deprecated ``min`` and ``max``, which were compared as signed values, are in the type's order."""
        kind, parameter = self.kind
        return self.element.type in _SIGNED and (kind != "INTEGER" or bool(parameter))

    @cached_property
    def compares_bytes(self) -> bool:
        """True if values are ordered as the bytes that they are encoded in."""
        import pyarrow as pa

        is_binary = pa.types.is_binary(self.arrow) or pa.types.is_fixed_size_binary(self.arrow)
        return self.is_text or self.arrow == pa.uuid() or (is_binary and self.kind[0] != "DECIMAL")

    @cached_property
    def plain_key(self) -> Struct | None:
        """The encoding of bounds that compare as the numbers that they are stored as, None for other types."""
        import pyarrow as pa

        if self.element.type in (Type.INT32, Type.INT64):
            is_whole = self.arrow.bit_width == (32 if self.element.type == Type.INT32 else 64)
            if not is_whole or pa.types.is_decimal(self.arrow) or pa.types.is_unsigned_integer(self.arrow):
                return None
        return _NUMBERS.get(self.element.type)

    @property
    def is_real(self) -> bool:
        """True for numbers that can be NaN."""
        return self.element.type in (Type.FLOAT, Type.DOUBLE) or self.kind[0] == "FLOAT16"

    @cached_property
    def arrow(self) -> pa.DataType:
        """The Arrow type of the column's values."""
        import pyarrow as pa

        element, (kind, parameter) = self.element, self.kind
        plain: dict[Any, pa.DataType] = {
            Type.BOOLEAN: pa.bool_(),
            Type.INT32: pa.int32(),
            Type.INT64: pa.int64(),
            Type.INT96: pa.timestamp("ns"),
            Type.FLOAT: pa.float32(),
            Type.DOUBLE: pa.float64(),
        }
        if element.type in (Type.INT32, Type.INT64):
            wide = element.type == Type.INT64
            if kind == "INTEGER":
                return _integer(element, parameter, plain[element.type])
            if kind == "DATE" and not wide:
                return pa.date32()
            unit = _UNITS.get(parameter[0]) if kind in ("TIME", "TIMESTAMP") else None
            if kind == "TIME" and unit is not None and wide == (unit != "ms"):
                return pa.time64(unit) if wide else pa.time32(unit)
            if kind == "TIMESTAMP" and unit is not None and wide:
                return pa.timestamp(unit, "UTC" if parameter[1] else None)
        if kind == "DECIMAL" and element.type not in (Type.FLOAT, Type.DOUBLE, Type.BOOLEAN, Type.INT96):
            logical = element.logicalType
            precision = logical.value.precision if logical is not None else element.precision
            if precision is not None and 1 <= precision <= 76 and 0 <= parameter <= precision:
                return pa.decimal128(precision, parameter) if precision <= 38 else pa.decimal256(precision, parameter)
        if self.is_text:
            return pa.string()
        if element.type == Type.FIXED_LEN_BYTE_ARRAY:
            if kind == "FLOAT16" and element.type_length == 2:
                return pa.float16()
            if kind == "UUID" and element.type_length == 16:
                return pa.uuid()
            return pa.binary(element.type_length) if (element.type_length or 0) > 0 else pa.binary()
        return plain.get(element.type, pa.binary())

    def value(self, raw: bytes) -> Any:
        """Returns a bound as a Python value that `arrow` takes, None for a NaN or one that the Arrow type cannot hold.

        Raises:
            DecodeError: the number of bytes does not fit the physical type.
        """
        import pyarrow as pa

        is_int96 = self.element.type == Type.INT96
        value: Any = int96_nanoseconds(raw, self.element.name) if is_int96 else decode_value(raw, self.element)
        if self.is_text or value != value:
            return None if value != value else value
        if pa.types.is_binary(self.arrow) or pa.types.is_fixed_size_binary(self.arrow):
            return bytes(raw)
        if self.arrow == pa.uuid():
            return value.bytes
        try:
            pa.scalar(value, self.arrow)
        except (pa.ArrowException, ValueError, TypeError, OverflowError):
            return None
        return value

    def array(self, values: list[Any]) -> pa.Array:
        """Returns values, as `value` gives them, as an array of the type `arrow`."""
        import pyarrow as pa

        if self.arrow == pa.uuid():
            return pa.ExtensionArray.from_storage(self.arrow, pa.array(values, pa.binary(16)))
        return pa.array(values, self.arrow)

    def text(self, raw: bytes) -> str:
        """Returns a bound as text: numbers, decimals, dates and times as Arrow writes them, binary values in hex.

        Bytes that do not fit the type are given in hex, invalid UTF-8 is escaped.
        """
        try:
            value = decode_value(raw, self.element)
            if isinstance(value, (float, str, UUID)):
                return str(value)
            value = self.value(raw)
        except DecodeError:
            value = None
        return bytes(raw).hex() if value is None else self.value_text(value)

    def value_text(self, value: Any) -> str:
        """Returns a value, as `value` gives it, as `text` does."""
        import pyarrow as pa

        if isinstance(value, bytes):
            return str(UUID(bytes=value)) if self.arrow == pa.uuid() else value.hex()
        if isinstance(value, (float, str)):
            return str(value)
        return str(self.array([value]).cast(pa.string())[0].as_py())

    def raw_bounds(self, statistics: Statistics | None) -> tuple[bytes | None, bytes | None, bool]:
        """Returns (lower bound, upper bound, whether they are ``min_value`` and ``max_value``), encoded; only trusted bounds.

        The deprecated pair was compared as signed values whatever the type: it is used for types that are ordered so.
        """
        if statistics is None or not self.is_ordered:
            return None, None, True
        if self.has_order and (statistics.min_value is not None or statistics.max_value is not None):
            return statistics.min_value, statistics.max_value, True
        return (statistics.min, statistics.max, False) if self.trusts_deprecated else (None, None, False)

    def bounds(self, statistics: Statistics | None) -> tuple[Any, Any, bool | None, bool | None]:
        """Returns smallest and largest value, as `value` gives them, and whether each is exact; None for unknown.

        A bound of text that was cut within a character is shortened to whole ones below, and unknown above. Zeros are
        -0.0 below and 0.0 above, whatever the writer chose, unless the order tells them apart (parquet.thrift, ColumnOrder).
        """
        low, high, flagged = self.raw_bounds(statistics)
        exact: list[bool | None] = [None, None]
        if statistics is not None and flagged:
            exact = [statistics.is_min_value_exact, statistics.is_max_value_exact]
        if self.is_text and low is not None and (whole := _whole(low)) != low:
            low, exact[0] = whole, False
        if self.is_text and high is not None and _whole(high) != high:
            high = None
        smallest = None if low is None else self.value(low)
        largest = None if high is None else self.value(high)
        if self.is_real and self.order != "IEEE_754_TOTAL_ORDER":
            smallest = -0.0 if smallest == 0 else smallest
            largest = 0.0 if largest == 0 else largest
        return (
            smallest,
            largest,
            None if smallest is None else exact[0],
            None if largest is None else exact[1],
        )


def leaf_types(schema: list[SchemaElement], orders: list[Any] | None, file: str = "") -> list[tuple[str, LeafType]]:
    """Returns dotted path and type of each leaf column, with its order by the footer's ``column_orders``."""
    found = leaves(schema, file=file)
    known: list[str | None] = [order.kind for order in orders or ()]
    known += [None] * (len(found) - len(known))
    return [(path, LeafType(element, known[number])) for number, (path, element) in enumerate(found)]


def _integer(element: SchemaElement, signed: bool, plain: pa.DataType) -> pa.DataType:
    """Returns the Arrow type of an INTEGER; an annotation that does not fit the physical type is ignored."""
    import pyarrow as pa

    logical = element.logicalType
    if logical is not None and logical.kind is not None:
        bits = logical.value.bitWidth
    else:
        converted: Any = element.converted_type
        bits = int(converted.name.rpartition("_")[2])
    types = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}
    if not signed:
        types = {8: pa.uint8(), 16: pa.uint16(), 32: pa.uint32(), 64: pa.uint64()}
    return types.get(bits, plain) if bits <= plain.bit_width else plain


def _whole(raw: bytes) -> bytes:
    """Returns the bytes up to the first that is not UTF-8."""
    try:
        bytes(raw).decode("utf-8")
    except UnicodeDecodeError as error:
        return bytes(raw)[: error.start]
    return raw


def text_bounds(table: pa.Table, schemas: list[list[SchemaElement]]) -> pa.Table:
    """Returns a table of column chunks with its binary columns ``min`` and ``max`` as text.

    Args:
        table: columns ``source`` and ``column`` are positions in ``schemas`` and among the leaf columns.
        schemas: the schema of each footer, empty where it has no rows in the table.
    """
    import pyarrow as pa

    types = [leaf_types(schema, None) if schema else [] for schema in schemas]
    places = list(zip(table["source"].to_pylist(), table["column"].to_pylist(), strict=True))
    for name in ("min", "max"):
        if name in table.column_names:
            texts = [
                None
                if raw is None
                else types[source][column][1].text(raw)
                if column < len(types[source])
                else raw.hex()
                for (source, column), raw in zip(places, table[name].to_pylist(), strict=True)
            ]
            table = table.set_column(table.column_names.index(name), name, pa.array(texts, pa.string()))
    return table
