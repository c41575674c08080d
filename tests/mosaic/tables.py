"""Random tables and options over everything that both Mosaic writers take, and the reference as functions."""

from __future__ import annotations

import decimal
import io
import random
import string
from typing import Any

import mosaic
import pyarrow as pa

SCALARS = [
    pa.bool_(),
    pa.int8(),
    pa.int16(),
    pa.int32(),
    pa.int64(),
    pa.float32(),
    pa.float64(),
    pa.date32(),
    pa.time32("ms"),
    pa.string(),
    pa.binary(),
    pa.decimal128(9, 2),
    pa.decimal128(18, 0),
    pa.decimal128(38, 10),
    pa.decimal128(20, -3),
    *(pa.timestamp(unit, zone) for unit in ("ms", "us", "ns") for zone in (None, "UTC", "Asia/Shanghai")),
]
_FLOATS = [0.0, -0.0, float("nan"), float("inf"), -float("inf"), 1.5, -2.25]


def random_type(rng: random.Random, depth: int = 0) -> pa.DataType:
    if depth < 3 and rng.random() < 0.15:
        if rng.random() < 0.6:
            return pa.list_(pa.field(rng.choice(["item", "element", "é"]), random_type(rng, depth + 1)))
        return pa.map_(rng.choice(SCALARS), random_type(rng, depth + 1))
    return rng.choice(SCALARS)


def random_array(rng: random.Random, type: pa.DataType, n: int, nulls: float, distinct: int) -> pa.Array:
    """``n`` values of which a part is null, the others of ``distinct`` values."""
    values = [_value(rng, type) for _ in range(max(1, min(n, distinct)))]
    return pa.array([None if rng.random() < nulls else rng.choice(values) for _ in range(n)], type)


def _value(rng: random.Random, type: pa.DataType) -> Any:
    t = pa.types
    if t.is_map(type):
        return [(_value(rng, type.key_type), _maybe(rng, type.item_type)) for _ in range(rng.randint(0, 3))]
    if t.is_list(type):
        return [_maybe(rng, type.value_type) for _ in range(rng.randint(0, 4))]
    if t.is_boolean(type):
        return rng.random() < 0.5
    if t.is_floating(type):
        return rng.choice([*_FLOATS, rng.uniform(-1e3, 1e3)])
    if t.is_string(type):
        return "".join(rng.choice(string.ascii_letters + "äß€😀") for _ in range(rng.choice([0, 1, 7, 40, 200])))
    if t.is_binary(type):
        return rng.randbytes(rng.choice([0, 1, 12, 300]))
    if t.is_decimal(type):
        digits = 10 ** rng.randint(1, type.precision)
        with decimal.localcontext(prec=60):
            return decimal.Decimal(rng.randint(1 - digits, digits - 1)).scaleb(-type.scale)
    if t.is_time32(type):
        return rng.randrange(86_400_000)
    if t.is_date32(type):
        return rng.randint(-100_000, 100_000)
    bits = 62 if t.is_timestamp(type) else type.bit_width - 1
    bits = rng.choice([min(3, bits), bits])
    return rng.randint(-(2**bits), 2**bits - 1)


def _maybe(rng: random.Random, type: pa.DataType) -> Any:
    return None if rng.random() < 0.2 else _value(rng, type)


def random_names(rng: random.Random, n: int) -> list[str]:
    style = rng.randrange(5)
    if style == 0:
        names = {f"column_{rng.randrange(10**6):06}" for _ in range(n)}
    elif style == 1:
        words = ["left", "right", "status", "temperature", "sensor", "value", "avg"]
        names = {"_".join(rng.choices(words, k=rng.randint(1, 4))) + str(rng.randrange(50)) for _ in range(n)}
    elif style == 2:
        names = {"".join(rng.choices("ab", k=rng.randint(1, 12))) for _ in range(n)}
    elif style == 3:
        names = {"".join(rng.choices("äöß😀xy", k=rng.randint(1, 6))) for _ in range(n)}
    else:
        names = {"".join(rng.choices(string.printable, k=rng.randint(1, 30))) for _ in range(n)}
    listed = sorted(names)
    rng.shuffle(listed)
    return listed


def random_table(rng: random.Random, *, columns: int = 30, rows: int = 300) -> pa.Table:
    """A table of one or more chunks."""
    names = random_names(rng, rng.randint(0, columns))
    types = [random_type(rng) for _ in names]
    fields = [pa.field(name, type, rng.random() < 0.9) for name, type in zip(names, types, strict=True)]
    shapes = [(rng.choice([0, 0, 0.1, 0.5, 1]), rng.choice([1, 2, 5, 20, 300, 10**6])) for _ in names]
    batches = []
    for _ in range(rng.choice([1, 1, 2, 4])):
        n = rng.choice([0, 1, 2, 7, 64, rows])
        arrays = [
            random_array(rng, field.type, n, nulls if field.nullable else 0, distinct)
            for field, (nulls, distinct) in zip(fields, shapes, strict=True)
        ]
        batches.append(pa.record_batch(arrays, schema=pa.schema(fields)))
    return pa.Table.from_batches(batches, pa.schema(fields))


def random_options(rng: random.Random, table: pa.Table) -> dict[str, Any]:
    """Options as this project's writer calls them."""
    with_stats = [field.name for field in table.schema if has_statistics(field.type)]
    return {
        "compression": rng.choice(["zstd", "zstd", "none"]),
        "compression_level": rng.choice([1, 1, 3]),
        "num_buckets": rng.choice([100, 1, 2, 7]),
        "row_group_max_bytes": rng.choice([2**28, 2**28, 1, 5000]),
        "max_dict_bytes": rng.choice([32768, 0, 40, 1000]),
        "max_dict_entries": rng.choice([255, 0, 1, 3, 5000]),
        "stats_columns": rng.sample(with_stats, rng.randint(0, len(with_stats))),
        "page_size_threshold": rng.choice([32768, 0, 1, 50, 2000]),
    }


def has_statistics(type: pa.DataType) -> bool:
    if pa.types.is_decimal(type):
        return type.precision <= 18
    return not (pa.types.is_nested(type) or pa.types.is_binary(type))


def reference_options(options: dict[str, Any]) -> mosaic.WriterOptions:
    """The same options as the reference calls them."""
    return mosaic.WriterOptions(
        compression=0 if options.get("compression") == "none" else 1,
        zstd_level=options.get("compression_level", 1),
        num_buckets=options.get("num_buckets", 100),
        row_group_max_size=options.get("row_group_max_bytes", 2**28),
        max_dict_total_bytes=options.get("max_dict_bytes", 32768),
        max_dict_entries=options.get("max_dict_entries", 255),
        stats_columns=list(options.get("stats_columns", [])),
        page_size_threshold=options.get("page_size_threshold", 32768),
    )


def reference_write(table: pa.Table, **options: Any) -> bytes:
    file = io.BytesIO()
    mosaic.write_table(table, file, reference_options(options))
    return file.getvalue()


def reference_read(data: bytes, columns: list[str] | None = None) -> pa.Table:
    return mosaic.read_table(lambda offset, length: data[offset : offset + length], len(data), columns)


def same(one: pa.Table, other: pa.Table) -> bool:
    """Whether two tables have equal schemas and values: NaN equals NaN, and zeros have signs."""
    if not one.schema.equals(other.schema) or one.num_rows != other.num_rows:
        return False
    return all(_plain(one[name]) == _plain(other[name]) for name in one.column_names)


def _plain(array: Any) -> list[Any]:
    """Values without dates, which Python has too few of, and as text where equality is not identity."""
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in _plain(chunk)]
    if pa.types.is_nested(array.type):
        return _plain_nested(array)
    if pa.types.is_temporal(array.type):
        array = array.cast(pa.int32() if array.type.bit_width == 32 else pa.int64())
    values = array.to_pylist()
    return list(map(repr, values)) if pa.types.is_floating(array.type) else values


def _plain_nested(array: Any) -> list[Any]:
    if pa.types.is_map(array.type):
        elements = list(zip(_plain(array.keys), _plain(array.items), strict=True))
    else:
        elements = _plain(array.values)
    offsets = array.offsets.to_pylist()
    spans = zip(offsets[:-1], offsets[1:], array.is_valid().to_pylist(), strict=True)
    return [elements[start:end] if valid else None for start, end, valid in spans]
