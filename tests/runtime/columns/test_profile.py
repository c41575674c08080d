"""Profiles of columns against a plain rendering of what they mean, on both backends."""

from __future__ import annotations

import math
import os
import random
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec import EncodeError
from lakecodec.runtime.columns import (
    BatchColumns,
    Bits,
    CollectedColumns,
    Kind,
    Profile,
    ValueLayout,
    encoded_sizes,
    profile,
    profile_columns,
    pure_profile,
    pure_write,
)

NANOS = 1_000_000
PAIR = ValueLayout(Kind.PAIR, 12, True, NANOS)
TEXT, BYTES = ValueLayout(Kind.TEXT, 0), ValueLayout(Kind.BYTES, 0)
INTEGER = ValueLayout(Kind.INTEGER, 0, True, least=1, most=16)
BOOLEAN = ValueLayout(Kind.BOOLEAN, 1)
UNLIMITED = 1 << 30


def number(width: int, big: bool = True) -> ValueLayout:
    return ValueLayout(Kind.NUMBER, width, big)


def varint(n: int) -> bytes:
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def prefixed(data: bytes) -> bytes:
    return varint(len(data)) + data


def signed(width: int) -> Callable[[int], bytes]:
    return lambda value: value.to_bytes(width, "big", signed=True)


def shortest(value: int) -> bytes:
    return prefixed(value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True))


#: Arrow type, layout, values that storage may hold, what each is encoded as.
SHAPES: dict[str, tuple[Any, ValueLayout, list[Any], Callable[[Any], bytes]]] = {
    "bool": (pa.bool_(), BOOLEAN, [False, True], lambda v: bytes([v])),
    "int8": (pa.int8(), number(1), [-128, -1, 0, 1, 127], signed(1)),
    "int16": (pa.int16(), number(2), [-(2**15), -1, 0, 258, 2**15 - 1], signed(2)),
    "int32": (pa.int32(), number(4), [-(2**31), -1, 0, 0x01020304, 2**31 - 1], signed(4)),
    "int64": (pa.int64(), number(8), [-(2**63), -1, 0, 0x0102030405060708, 2**63 - 1], signed(8)),
    "int32 little": (pa.int32(), number(4, False), [-1, 0x01020304], lambda v: struct.pack("<i", v)),
    "float32": (pa.float32(), number(4), [0.0, -0.0, 1.5, math.nan, math.inf], lambda v: struct.pack(">f", v)),
    "float64": (pa.float64(), number(8), [0.0, -0.0, 0.1, math.nan, -math.inf], lambda v: struct.pack(">d", v)),
    "small decimal": (pa.decimal128(18, 0), number(8), [-(10**18) + 1, -1, 0, 10**18 - 1], signed(8)),
    "decimal": (
        pa.decimal128(38, 0),
        INTEGER,
        [0, -1, 127, 128, -128, -129, 255, 2**63 - 1, 2**63, -(2**63), 2**64, 10**38 - 1, 1 - 10**38],
        shortest,
    ),
    "nanoseconds": (
        pa.timestamp("ns", "UTC"),
        PAIR,
        [-(2**63), -NANOS, -1, 0, 1, NANOS - 1, NANOS, 2**63 - 1],
        lambda v: struct.pack(">qi", v // NANOS, v % NANOS),
    ),
    "text": (pa.string(), TEXT, ["", "a", "é" * 70, "x" * 16, "x" * 17, "y" * 130], lambda v: prefixed(v.encode())),
    "bytes": (pa.binary(), BYTES, [b"", b"\xff", b"\0" * 8, b"\0" * 9, b"z" * 127, b"z" * 20000], prefixed),
}
FRESH: dict[str, Callable[[random.Random], Any]] = {
    "int16": lambda r: r.randrange(-(2**15), 2**15),
    "int32": lambda r: r.randrange(-(2**31), 2**31),
    "int64": lambda r: r.randrange(-(2**63), 2**63),
    "int32 little": lambda r: r.randrange(-(2**31), 2**31),
    "float64": lambda r: r.random(),
    "small decimal": lambda r: r.randrange(-(10**17), 10**17),
    "decimal": lambda r: r.randrange(-(10 ** r.randrange(1, 38)), 10 ** r.randrange(1, 38)),
    "nanoseconds": lambda r: r.randrange(-(2**62), 2**62),
    "text": lambda r: "".join(r.choices("abö€", k=r.randrange(40))),
    "bytes": lambda r: r.randbytes(r.randrange(40)),
}


@pytest.fixture(params=["chosen", "pure"], autouse=True)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pure":
        monkeypatch.setattr(profile, "_profile", pure_profile.profile)
        monkeypatch.setattr(profile, "_encoded_sizes", pure_write.encoded_sizes)
    return str(request.param)


def to_array(values: list[Any], type: Any) -> pa.Array:
    if pa.types.is_decimal(type):
        return pa.array([None if v is None else Decimal(v) for v in values], type)
    if pa.types.is_timestamp(type):
        return pa.array(values, pa.int64()).cast(type)
    return pa.array(values, type)


def chunked(values: list[Any], type: Any, rng: random.Random) -> list[pa.Array]:
    """The values in chunks: some sliced out of longer arrays, some empty."""
    chunks, at = [], 0
    while at < len(values) or not chunks:
        step = rng.choice([0, 1, 7, 8, 9, 63, 64, 65, 300, len(values)])
        part = values[at : at + step]
        before, after = (rng.choice([[], [None], part[:3], part[:1] * 9]) for _ in range(2))
        chunks.append(to_array([*before, *part, *after], type).slice(len(before), len(part)))
        at += step
    return chunks


def check(found: Profile, values: list[Any], encode: Callable[[Any], bytes], entries: int, nbytes: int) -> None:
    """Everything that a profile says, against the encoded values one by one."""
    live = [encode(v) for v in values if v is not None]
    distinct = list(dict.fromkeys(live))
    assert (found.rows, found.live, found.nbytes) == (len(values), len(live), sum(map(len, live)))
    assert found.constant == (len(distinct) == 1)
    assert found.plain().to_bytes() == b"".join(live)
    assert len(found.plain()) == len(live)
    assert found.nulls() == (Bits.pack([v is None for v in values], 1) if None in values else None)
    if live:
        assert found.first().to_bytes() == live[0]
    limited = len(distinct) > entries or (found.layout.width in (0, 12) and sum(map(len, distinct)) > nbytes)
    assert found.entries == (None if limited else len(distinct))
    if limited:
        assert found.entries_nbytes == 0
        with pytest.raises(ValueError, match=r"^dictionary: there are more distinct values than the limits allow"):
            found.dictionary()
    else:
        table, codes = found.dictionary()
        assert (table.to_bytes(), len(table)) == (b"".join(distinct), len(distinct))
        assert found.entries_nbytes == len(table.to_bytes())
        number_of = {value: code for code, value in enumerate(distinct)}
        assert codes == Bits.pack([number_of[value] for value in live], max(0, len(distinct) - 1).bit_length())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(12))
def test_random_columns(shape: str, seed: int) -> None:
    rng = random.Random(f"{shape} {seed}")
    type, layout, samples, encode = SHAPES[shape]
    columns, expected = [], []
    for _ in range(8):
        pool = rng.sample(samples, rng.randint(1, len(samples)))
        if shape in FRESH:
            pool += [FRESH[shape](rng) for _ in range(rng.choice([0, 0, 3, 260, 1000]))]
        missing = rng.choice([0, 0, 0.01, 0.3, 0.97, 1])
        values = [None if rng.random() < missing else rng.choice(pool) for _ in range(rng.choice([0, 1, 9, 256, 700]))]
        chunks = chunked(values, type, rng)
        assert encoded_sizes([layout] * len(chunks), chunks)[0] == sum(len(encode(v)) for v in values if v is not None)
        columns.append((layout, chunks))
        expected.append(values)
    entries, nbytes = rng.choice([0, 1, 2, 255, 256, 257, UNLIMITED]), rng.choice([0, 1, 9, 200, UNLIMITED])
    for found, values in zip(profile_columns(columns, max_entries=entries, max_nbytes=nbytes), expected, strict=True):
        check(found, values, encode, entries, nbytes)


@pytest.mark.parametrize("distinct", [255, 256, 257, 65536, 65537, 100_000])
def test_dictionaries_grow(distinct: int) -> None:
    values = [k * 0x9E3779B97F4A7C15 % 2**63 for k in range(distinct)] * 2
    texts = [str(value) for value in values]
    columns = [(number(8), [pa.array(values)]), (TEXT, [pa.array(texts)])]
    found = profile_columns(columns, max_entries=distinct, max_nbytes=UNLIMITED)
    check(found[0], values, signed(8), distinct, 0)
    check(found[1], texts, lambda v: prefixed(v.encode()), distinct, UNLIMITED)
    for dropped in profile_columns(columns, max_entries=distinct - 1, max_nbytes=UNLIMITED):
        assert dropped.entries is None
        assert not dropped.constant


def test_limits_hold_for_good_even_where_a_column_is_constant() -> None:
    columns = [(TEXT, [pa.array(["long"] * 5)]), (number(4), [pa.array([1] * 5, pa.int32())])]
    text, numbers = profile_columns(columns, max_entries=9, max_nbytes=4)
    assert (text.constant, text.entries, text.first().to_bytes()) == (True, None, b"\4long")
    assert (numbers.constant, numbers.entries) == (True, 1)
    text, numbers = profile_columns(columns, max_entries=0, max_nbytes=5)
    assert (text.constant, text.entries, numbers.constant, numbers.entries) == (True, None, True, None)
    assert numbers.first().to_bytes() == b"\0\0\0\1"


def test_float_bits_are_kept_and_told_apart() -> None:
    patterns = [0x7FF8000000000000, 0x7FF8000000000001, 0xFFF0DEADBEEF0000, 0x8000000000000000, 0] * 3
    array = pa.array(patterns, pa.uint64()).view(pa.float64())
    (found,) = profile_columns([(number(8), [array])], max_entries=255, max_nbytes=0)
    check(found, patterns, lambda v: struct.pack(">Q", v), 255, 0)


def test_bytes_under_nulls_do_not_count() -> None:
    offsets, data = pa.py_buffer(struct.pack("<4i", 0, 3, 203, 204)), pa.py_buffer(b"abc" + b"?" * 200 + b"d")
    array = pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), offsets, data])
    (found,) = profile_columns([(TEXT, [array])], max_entries=255, max_nbytes=UNLIMITED)
    check(found, ["abc", None, "d"], lambda v: prefixed(v.encode()), 255, UNLIMITED)
    wide = pa.array([Decimal(1), Decimal(10**30)], pa.decimal128(38, 0)).buffers()[1]
    hidden = pa.Array.from_buffers(pa.decimal128(18, 0), 2, [pa.py_buffer(b"\x01"), wide])
    (found,) = profile_columns([(number(8), [hidden])], max_entries=255, max_nbytes=0)
    check(found, [1, None], signed(8), 255, 0)


def test_bytes_under_few_nulls_do_not_count() -> None:
    texts = [None if row in (3, 64, 129) else "x" * (row % 150) for row in range(130)]
    sizes = [200 if text is None else len(text) for text in texts]
    offsets = [sum(sizes[:row]) for row in range(131)]
    valid = sum(1 << row for row, text in enumerate(texts) if text is not None).to_bytes(17, "little")
    buffers = [
        valid,
        struct.pack("<131i", *offsets),
        b"".join(("?" * 200 if text is None else text).encode() for text in texts),
    ]
    array = pa.Array.from_buffers(pa.string(), 130, list(map(pa.py_buffer, buffers)))
    for start in (0, 5):
        (found,) = profile_columns([(TEXT, [array.slice(start)])], max_entries=255, max_nbytes=UNLIMITED)
        check(found, texts[start:], lambda v: prefixed(v.encode()), 255, UNLIMITED)


def test_short_values_are_told_apart() -> None:
    values = [bytes(length) for length in range(20)]
    values += [
        b"a" * length + last + b"a" * after for length in range(18) for after in (0, 1) for last in (b"b", b"\0")
    ]
    columns = [(BYTES, [pa.array(values * 2)]), (BYTES, [pa.array([value]) for value in values * 2])]
    for found in profile_columns(columns, max_entries=255, max_nbytes=UNLIMITED):
        check(found, values * 2, prefixed, 255, UNLIMITED)


def test_unaligned_buffers() -> None:
    data = pa.py_buffer(b"?" + struct.pack("<5q", *range(5))).slice(1)
    array = pa.Array.from_buffers(pa.int64(), 5, [None, data])
    (found,) = profile_columns([(number(8), [array])], max_entries=255, max_nbytes=0)
    check(found, list(range(5)), signed(8), 255, 0)


def test_a_decimal_that_does_not_fit() -> None:
    for value in (2**63, -(2**63) - 1):
        array = pa.array([None, Decimal(1), Decimal(value)], pa.decimal128(19, 0))
        with pytest.raises(EncodeError, match="a decimal does not fit 64 bits") as caught:
            profile_columns([(number(8), []), (number(8), [array])], max_entries=0, max_nbytes=0)
        assert caught.value.path == "[1]"


def test_columns_without_values() -> None:
    columns = [(TEXT, []), (number(8), [pa.nulls(3, pa.int64())]), (number(2), [pa.array([], pa.int16())])]
    for found, rows in zip(profile_columns(columns, max_entries=255, max_nbytes=9), (0, 3, 0), strict=True):
        assert (found.rows, found.live, found.nbytes, found.constant, found.entries) == (rows, 0, 0, False, 0)
        assert found.plain().to_bytes() == b""
        assert [part.to_bytes() for part in found.dictionary()] == [b"", b""]
        with pytest.raises(ValueError, match=r"^first: all rows are null$"):
            found.first()


@pytest.mark.parametrize(
    ("layout", "type"),
    [
        (number(4), pa.int64()), (number(8), pa.int32()), (number(8), pa.decimal256(40, 0)), (number(1), pa.bool_()),
        (number(8), pa.string()), (BOOLEAN, pa.int8()), (PAIR, pa.int32()), (PAIR, pa.decimal128(9, 0)),
        (INTEGER, pa.int64()), (INTEGER, pa.decimal256(40, 0)), (TEXT, pa.large_string()), (TEXT, pa.string_view()),
        (BYTES, pa.binary(4)), (BYTES, pa.int8()), (TEXT, pa.list_(pa.int8())), (number(4), pa.dictionary(pa.int32(), pa.int8())),
    ],
)  # fmt: skip
def test_types_that_cannot_hold_values(layout: ValueLayout, type: Any) -> None:
    array = pa.nulls(3, type)
    with pytest.raises(TypeError):
        profile_columns([(layout, [array])], max_entries=1, max_nbytes=1)
    with pytest.raises(TypeError):
        encoded_sizes([layout], [array])


def test_the_backend_that_is_expected_runs() -> None:
    """``LAKECODEC_REQUIRE_NATIVE=1`` says that everything was built."""
    if lakecodec.backend() == "pure" or os.environ.get("LAKECODEC_REQUIRE_NATIVE") == "1":
        assert lakecodec.backend() == profile.BACKEND


def test_limits_beyond_any_number_of_values() -> None:
    (found,) = profile_columns([(TEXT, [pa.array(["a", "b"])])], max_entries=1 << 80, max_nbytes=1 << 80)
    assert found.entries == 2


def test_negative_limits() -> None:
    with pytest.raises(ValueError, match=r"^max_entries: -1 is negative"):
        profile_columns([], max_entries=-1, max_nbytes=0)
    with pytest.raises(ValueError, match=r"^max_nbytes: -1 is negative"):
        profile_columns([], max_entries=0, max_nbytes=-1)


def test_profiles_outlive_the_arrays_that_callers_hold() -> None:
    chunks = [pa.array([f"value {k % 5}" for k in range(1000)])]
    found = profile_columns([(TEXT, chunks)], max_entries=255, max_nbytes=UNLIMITED)[0]
    chunks.clear()
    check(found, [f"value {k % 5}" for k in range(1000)], lambda v: prefixed(v.encode()), 255, UNLIMITED)


def test_threads() -> None:
    rng = random.Random(5)
    texts = [[str(rng.randrange(10 ** rng.randrange(1, 9))) for _ in range(5000)] for _ in range(16)]

    def run(values: list[str]) -> bytes:
        columns = [(TEXT, [pa.array(values)]), (number(8), [pa.array(values).cast(pa.int64())])]
        return b"".join(p.plain().to_bytes() for p in profile_columns(columns, max_entries=255, max_nbytes=32768))

    with ThreadPoolExecutor(4) as pool:
        for values, found in zip(texts, pool.map(run, texts), strict=True):
            encoded = [v.encode() for v in values]
            assert found == b"".join(map(prefixed, encoded)) + b"".join(signed(8)(int(v)) for v in values)


def test_many_columns_at_once() -> None:
    """The facts and forms of `profile_columns`, and columns of a batch in place of arrays."""
    rng = random.Random(11)
    layouts, arrays = [], []
    for type_, layout, values, _ in SHAPES.values():
        for count in (0, 1, 2, 40):
            layouts.append(layout)
            arrays.append(to_array([rng.choice([None, *values]) for _ in range(count)], type_))
    limits = {"max_entries": 8, "max_nbytes": 100}
    singles = profile.profile_columns(
        [(layout, [array]) for layout, array in zip(layouts, arrays, strict=True)], **limits
    )
    many = profile.profile_many(layouts, [[array] for array in arrays], **limits)
    for name in ("rows", "live", "nbytes", "constant", "entries_nbytes"):
        assert getattr(many, name).tolist() == [getattr(single, name) for single in singles]
    assert many.entries.tolist() == [-1 if single.entries is None else single.entries for single in singles]
    for form in profile.Form:
        chosen = [form if s.live and (form != profile.Form.DICTIONARY or s.entries is not None) else 0 for s in singles]
        found = many.forms(slice(None), chosen)
        for at, single in enumerate(singles):
            has_nulls = chosen[at] and single.live < single.rows
            assert found.nulls[at] == (single.nulls() if has_nulls else None)
            assert found.plain[at] == (single.plain() if chosen[at] == profile.Form.PLAIN else None)
            assert found.first[at] == (single.first() if chosen[at] == profile.Form.CONSTANT else None)
            is_dictionary = chosen[at] == profile.Form.DICTIONARY
            assert (found.entries[at], found.codes[at]) == (single.dictionary() if is_dictionary else (None, None))
    sizes = [encoded_sizes([layout], [array])[0] for layout, array in zip(layouts, arrays, strict=True)]
    most = max(size + len(array) // 8 for size, array in zip(sizes, arrays, strict=True))
    assert profile.encoded_sizes(layouts, arrays) == (sum(sizes), most)


def test_columns_of_a_batch(backend: str) -> None:
    if backend == "pure":
        pytest.skip("pyarrow's own arrays")
    arrays = [
        pa.array([1, None, 3, 4] * 5),
        pa.array(["a", None, "bcd", ""] * 5),
        pa.array([True, False, None, None] * 5),
    ]
    layouts = [number(8), TEXT, BOOLEAN]
    batch = pa.record_batch([array.slice(3, 11) for array in arrays], names=["a", "b", "c"])
    columns = BatchColumns(batch.schema).of(batch)
    del batch
    for layout, column, array in zip(layouts, columns, arrays, strict=True):
        for start, length in ((0, 11), (2, 5), (10, 9), (11, 1), (0, 0)):
            part, wanted = column.slice(start, length), array.slice(3, 11).slice(start, length)
            assert (len(part), part.null_count) == (len(wanted), wanted.null_count)
            assert encoded_sizes([layout], [part]) == encoded_sizes([layout], [wanted])
            found, expected = (
                profile.profile_columns([(layout, [each])], max_entries=9, max_nbytes=99)[0] for each in (part, wanted)
            )
            assert (found.rows, found.plain(), found.nulls()) == (expected.rows, expected.plain(), expected.nulls())
    rule = "cannot hold the values of the layout" if lakecodec.backend() == "native" else "cannot hold values of text"
    with pytest.raises(TypeError, match=rule):
        profile.profile_columns([(TEXT, [columns[0]])], max_entries=9, max_nbytes=99)


def test_short_batches_are_copied_one_behind_the_other(backend: str) -> None:
    random.seed(11)
    types = [pa.int8(), pa.int64(), pa.float32(), pa.bool_(), pa.string(), pa.binary(), pa.decimal128(30, 2)]
    types += [pa.date32(), pa.timestamp("us", "UTC"), pa.null()]
    layouts = [number(1), number(8), number(4), BOOLEAN, TEXT]
    makers = [
        lambda: random.randrange(-100, 100),
        lambda: random.randrange(-(2**60), 2**60),
        random.random,
        lambda: random.random() < 0.5,
        lambda: "ab€" * random.randrange(5),
        lambda: bytes(random.randrange(90)),
        lambda: Decimal(random.randrange(10**20)) / 100,
        lambda: random.randrange(10**4),
        lambda: random.randrange(10**15),
        lambda: None,
    ]
    batches = []
    for rows in (1, 0, 3, 64, 1, 1, 130, 7, 200):
        arrays = [
            pa.array([None if random.random() < 0.3 * (rows % 2) else make() for _ in range(rows + 5)], type).slice(
                2, rows
            )
            for make, type in zip(makers, types, strict=True)
        ]
        batches.append(pa.record_batch(arrays, names=[str(type) for type in types]))
    reader = BatchColumns(batches[0].schema) if backend == "native" else None
    columns = [batch.columns if reader is None else reader.of(batch) for batch in batches]
    # Arrays beside them stay arrays.
    given = [[*found, batch.column(1)] for found, batch in zip(columns, batches, strict=True)]
    collected = CollectedColumns(given[0])
    for more in given[1:]:
        collected.add(more)
    del columns, given
    wanted = pa.Table.from_batches(batches).combine_chunks().to_batches()[0]
    found = collected.columns()
    assert found[-1].equals(wanted.column(1))
    assert [len(column) for column in found[:-1]] == [wanted.num_rows] * len(types)
    assert [column.null_count for column in found[:5]] == [column.null_count for column in wanted.columns[:5]]
    for layout, column, array in zip(layouts, found, wanted.columns, strict=False):
        ours, theirs = (
            profile.profile_columns([(layout, [each])], max_entries=300, max_nbytes=9999)[0] for each in (column, array)
        )
        assert (ours.rows, ours.plain(), ours.nulls()) == (theirs.rows, theirs.plain(), theirs.nulls())
