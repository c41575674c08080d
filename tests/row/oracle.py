"""A slow reading of the layouts, value by value on Python objects: the oracle of the row tests.

Arrays become trees of raw Python values first (``values``), and every value is then written by the rule its layout gives
it. Nothing of the planner or the kernels is used, only the declared tables.
"""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa

from lakecodec.generated.row import Nesting
from lakecodec.row import SortOptions, shapes
from lakecodec.row.arrow_types import type_name
from lakecodec.row.layout import Layout


def invert(data: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in data)


def values(array: pa.Array) -> list[Any]:
    """Raw values: ints for everything stored as a number (floats as their bits), bytes for text, None for null."""
    kind, n = array.type, len(array)
    name = type_name(kind)
    if name == "null":
        return [None] * n
    if name in ("bool", "fixed_size_binary", "binary", "large_binary", "binary_view"):
        return list(array.to_pylist())
    if "utf8" in name:
        return [None if v is None else v.encode() for v in array.to_pylist()]
    if name == "dictionary":
        shown = values(array.dictionary)
        # Under a null parent a key may point anywhere, as in what pyarrow itself builds.
        return [shown[key] if key is not None and key < len(shown) else None for key in array.indices.to_pylist()]
    if name == "run_end_encoded":
        shown, ends = values(array.values), array.run_ends.to_pylist()
        return [shown[next(j for j, end in enumerate(ends) if end > i + array.offset)] for i in range(n)]
    if name == "union":
        return _union_values(array)
    valid = array.is_valid().to_pylist()
    if name == "struct":
        children = [values(array.field(i)) for i in range(kind.num_fields)]
        return [[child[i] for child in children] if ok else None for i, ok in enumerate(valid)]
    if name == "fixed_size_list":
        shown, size = values(array.values), kind.list_size
        starts = [(array.offset + i) * size for i in range(n)]
        return [shown[start : start + size] if ok else None for start, ok in zip(starts, valid, strict=True)]
    if name in ("list", "large_list", "list_view", "large_list_view") or name == "map":
        return _list_values(array, valid, name)
    return _numbers(array, valid)


def _numbers(array: pa.Array, valid: list[bool]) -> list[Any]:
    name, width = type_name(array.type), array.type.bit_width // 8
    raw = array.buffers()[1].to_pybytes() if len(array) else b""
    cells = [raw[(array.offset + i) * width :][:width] for i in range(len(array))]
    if name == "interval_month_day_nano":
        return [struct.unpack("<iiq", cell) if ok else None for cell, ok in zip(cells, valid, strict=True)]
    signed = not name.startswith(("uint", "float"))
    numbers = [int.from_bytes(cell, "little", signed=signed) for cell in cells]
    return [number if ok else None for number, ok in zip(numbers, valid, strict=True)]


def _list_values(array: pa.Array, valid: list[bool], name: str) -> list[Any]:
    shown = values(array.values)
    offsets = array.offsets.to_pylist()
    ends = [a + b for a, b in zip(offsets, array.sizes.to_pylist(), strict=True)] if "view" in name else offsets[1:]
    return [shown[offsets[i] : ends[i]] if ok else None for i, ok in enumerate(valid)]


def _union_values(array: pa.Array) -> list[Any]:
    children = [values(array.field(i)) for i in range(array.type.num_fields)]
    codes = array.type_codes.to_pylist()
    places = array.offsets.to_pylist() if array.type.mode == "dense" else range(len(array))
    which = {code: i for i, code in enumerate(array.type.type_codes)}
    return [(code, children[which[code]][place]) for code, place in zip(codes, places, strict=True)]


class Oracle:
    """Writes values of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def rows(self, columns: list[tuple[pa.Array, SortOptions]]) -> list[bytes]:
        """Rows of the columns."""
        cells = [[self.cell(array.type, v, options) for v in values(array)] for array, options in columns]
        return [b"".join(row) for row in zip(*cells, strict=True)]

    def null_byte(self, o: SortOptions) -> bytes:
        return b"\x00" if o.nulls_first else b"\xff"

    def cell(self, kind: pa.DataType, v: Any, o: SortOptions) -> bytes:
        """One value; None is null (and a union's None the null of its first child)."""
        shape = self.layout.shape(kind)
        assert shape is not None
        turn = invert if o.descending and "invert" in getattr(shape, "transforms", ()) else bytes
        match shape:
            case shapes.Constant():
                return turn(shape.value)
            case shapes.Fixed():
                return self._fixed(kind, v, o, shape)
            case shapes.PackedDecimal():
                return self._decimal(kind, v, o)
            case shapes.Blocks():
                return self.null_byte(o) if v is None else self._blocks(shape, v, o)
            case shapes.Terminated():
                return self.null_byte(o) if v is None else turn(bytes(b + shape.add for b in v) + bytes([shape.end]))
            case shapes.Counted():
                if v is None:
                    return bytes([shape.null])
                long = len(v) >= shape.long
                return (bytes([shape.long]) + struct.pack("<I", len(v)) if long else bytes([len(v)])) + v
            case shapes.Struct():
                kids = [kind.field(i).type for i in range(kind.num_fields)]
                inside = self._nested(shape.nesting, o)
                first = self.null_byte(o) if v is None else bytes([shape.present])
                return first + b"".join(
                    self.cell(t, x, inside) for t, x in zip(kids, v or [None] * len(kids), strict=True)
                )
            case shapes.Array():
                if v is None and not shape.null_elements:
                    return self.null_byte(o)
                first = self.null_byte(o) if v is None else bytes([shape.present])
                inside = self._nested(shape.nesting, o)
                items = v if v is not None else [None] * kind.list_size
                return first + b"".join(self.cell(kind.value_type, x, inside) for x in items)
            case shapes.Sequence():
                if v is None:
                    return self.null_byte(o)
                inside, more = self._nested(shape.nesting, o), turn(bytes([shape.more]))
                element = pa.struct([kind.key_field, kind.item_field]) if pa.types.is_map(kind) else kind.value_type
                items = [more + self.cell(element, x, inside) for x in v]
                return b"".join(items) + turn(bytes([shape.end]))
            case shapes.WrappedList():
                if v is None:
                    return self.null_byte(o)
                rows = self._elements(kind, v, self._nested(shape.nesting, o))
                return b"".join(self._blocks(shape.blocks, row, o) for row in [*rows, b""])
            case shapes.PackedList():
                if v is None:
                    return self.null_byte(o)
                rows = self._elements(kind, v, self._nested(shape.nesting, o))
                lengths = b"".join(struct.pack(">I", len(row)) for row in rows)
                whole = b"".join(rows) + lengths + struct.pack(">I", len(rows)) if rows else b""
                return self._blocks(shape.blocks, whole, o)
            case shapes.Union():
                code, inner = v if v is not None else (kind.type_codes[0], None)
                child = kind.field(list(kind.type_codes).index(code)).type
                return turn(bytes([code])) + self.cell(child, inner, self._nested(shape.nesting, o))
            case shapes.Values():
                return self.cell(kind.value_type, v, o)
            case shapes.Runs():
                return self._blocks(shape.blocks, self.cell(kind.value_type, v, self._nested(shape.nesting, o)), o)
        raise AssertionError(shape)

    def _elements(self, kind: pa.DataType, v: list[Any], o: SortOptions) -> list[bytes]:
        if not pa.types.is_map(kind):
            return [self.cell(kind.value_type, x, o) for x in v]
        return [self.cell(kind.key_type, key, o) + self.cell(kind.item_type, item, o) for key, item in v]

    @staticmethod
    def _nested(nesting: Nesting, o: SortOptions) -> SortOptions:
        match nesting:
            case Nesting.SAME:
                return o
            case Nesting.WRAPPED:
                return SortOptions(False, o.nulls_first != o.descending)
            case Nesting.SMALLEST:
                return SortOptions(o.descending, not o.descending)
            case _:
                return SortOptions(False, True)

    def _fixed(self, kind: pa.DataType, v: Any, o: SortOptions, shape: shapes.Fixed) -> bytes:
        name = type_name(kind)
        if name == "fixed_size_binary":
            widths, parts = [1] * kind.byte_width, list(v or b"")
        elif name == "bool":
            widths, parts = [1], [int(v or 0) + shape.add]
        else:
            widths = list(shape.parts) or [kind.bit_width // 8]
            parts = list(v) if isinstance(v, tuple) else [v]
        before = b"" if shape.present is None else bytes([shape.present])
        if v is None:
            return self.null_byte(o) + bytes(sum(widths) - (shape.present is None))
        out = b"".join(self._number(x, 8 * w, shape.transforms) for x, w in zip(parts, widths, strict=True))
        return before + (invert(out) if o.descending and "invert" in shape.transforms else out)

    @staticmethod
    def _number(x: int, bits: int, transforms: tuple[str, ...]) -> bytes:
        top = 1 << (bits - 1)
        if "canonical" in transforms:
            exponent, mantissa = {16: (5, 10), 32: (8, 23), 64: (11, 52)}[bits]
            infinity = ((1 << exponent) - 1) << mantissa
            if x & (top - 1) > infinity:
                x = infinity | 1 << (mantissa - 1)
            x = 0 if x == top else x
        if "ieee_order" in transforms and x & top:
            x ^= top - 1
        x &= (1 << bits) - 1
        return (x ^ top if "flip_sign" in transforms else x).to_bytes(bits // 8, "big")

    def _decimal(self, kind: pa.DataType, v: int | None, o: SortOptions) -> bytes:
        bits = len(bin(10**kind.precision)) - 2
        width = (bits + 2 + 7) // 8
        if v is None:
            return self.null_byte(o) + bytes(width - 1)
        number = v + (1 << bits)
        if o.descending:
            number = (1 << (bits + 1)) - 1 - number
        return (number | (0x80 << 8 * (width - 1) if o.nulls_first else 0)).to_bytes(width, "big")

    @staticmethod
    def _blocks(blocks: shapes.Blocks, value: bytes, o: SortOptions) -> bytes:
        out = bytes([blocks.filled if value else blocks.empty])
        widths = list(blocks.widths)
        while value:
            width = widths.pop(0) if len(widths) > 1 else widths[0]
            out += value[:width].ljust(width, b"\0") + bytes([0xFF if len(value) > width else len(value)])
            value = value[width:]
        return invert(out) if o.descending else out
