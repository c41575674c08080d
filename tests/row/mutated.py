"""Rows of nested columns, and mutations of their bytes, from one seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from lakecodec.row import SortOptions

LEAVES: list[pa.DataType] = [
    pa.bool_(), pa.int8(), pa.uint16(), pa.int64(), pa.float32(), pa.float64(), pa.date32(), pa.timestamp("us"),
    pa.decimal128(9, 2), pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.null(),
]  # fmt: skip


def kind(rng: random.Random, variant: str, depth: int = 3) -> pa.DataType:
    """A random type, nested up to ``depth``: lists and dictionaries more often than others."""
    if not depth or rng.random() < 0.2:
        return rng.choice(LEAVES)
    inner = kind(rng, variant, depth - 1)
    choices = [pa.list_(inner), pa.large_list(inner), pa.struct([("a", inner), ("b", rng.choice(LEAVES))])]
    if variant != "legacy":
        choices += [pa.list_(inner, rng.randrange(4)), pa.dictionary(pa.int8(), rng.choice([pa.string(), pa.int32()]))]
    if variant in ("arrow", "polars"):
        choices.append(pa.map_(pa.string(), inner))
    if variant in ("arrow", "sql"):
        choices.append(pa.list_view(inner))
    return rng.choice(choices)


def value(rng: random.Random, of: pa.DataType) -> Any:
    """A random value of a type, or None."""
    t = pa.types
    if t.is_null(of) or rng.random() < 0.15:
        return None
    if t.is_dictionary(of):
        return plain(rng, of.value_type)
    if t.is_struct(of):
        return {of.field(i).name: value(rng, of.field(i).type) for i in range(of.num_fields)}
    if t.is_map(of):
        return [(plain(rng, of.key_type), value(rng, of.item_type)) for _ in range(rng.randrange(3))]
    if t.is_nested(of):
        size = of.list_size if t.is_fixed_size_list(of) else rng.randrange(4)
        return [value(rng, of.value_type) for _ in range(size)]
    return plain(rng, of)


def plain(rng: random.Random, of: pa.DataType) -> Any:
    t = pa.types
    if t.is_boolean(of):
        return rng.random() < 0.5
    if t.is_floating(of):
        return rng.choice([0.0, -1.5, float("nan"), float("inf")])
    if t.is_string(of) or t.is_large_string(of) or t.is_string_view(of):
        return "aé" * rng.choice([0, 1, 5, 30])
    if t.is_binary(of):
        return rng.randbytes(rng.choice([0, 1, 8, 40]))
    return rng.randrange(100)


def columns(rng: random.Random, variant: str) -> list[tuple[pa.Array, SortOptions]]:
    """Up to three columns of a few rows."""
    rows = rng.randrange(1, 6)
    made = []
    for _ in range(rng.randrange(1, 4)):
        of = kind(rng, variant)
        options = SortOptions(rng.random() < 0.5, rng.random() < 0.5)
        made.append((pa.array([value(rng, of) for _ in range(rows)], of), options))
    return made


def mutations(rng: random.Random, row: bytes) -> Iterator[bytes]:
    """A few of a row: flipped bits and bytes, cut, joined, doubled."""
    if not row:
        yield bytes([rng.randrange(256)])
        return
    at = rng.randrange(len(row))
    flipped, replaced, counted = bytearray(row), bytearray(row), bytearray(row)
    flipped[at] ^= 1 << rng.randrange(8)
    replaced[at] = rng.choice([0, 1, 2, 3, 0x7F, 0x80, 0xFD, 0xFE, 0xFF])
    for place in rng.sample(range(len(row)), min(len(row), 3)):
        counted[place] = rng.randrange(256)
    yield from (bytes(flipped), bytes(replaced), bytes(counted), row[:at], row[at:], row[:at] + row[at + 1 :])
    yield from (row[:at] + bytes([rng.randrange(256)]) + row[at:], row + row[at:], row[: at + 1] + row[at:])
