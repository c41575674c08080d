"""Files that break a rule of the format, and odd ones that break none."""

from __future__ import annotations

import io
import random
import struct
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pyarrow as pa
import pytest

from lakecodec import DecodeError, mosaic

from .raw import (
    ZSTD,
    column,
    entry,
    file,
    frame,
    one_bucket,
    one_paged_bucket,
    row_group,
    schema,
    sized,
    uvarint,
)
from .tables import random_options, random_table

INT = column(b"x", b"\x03\x01")
TEXT = column(b"x", b"\x0a\x01")
LIST = column(b"x", b"\x12\x01" + sized(b"item") + b"\x01\x01")
MAP = column(b"x", b"\x13\x01" + sized(b"entries") + sized(b"key") + b"\x01\x00" + sized(b"value") + b"\x01\x01")
PLAIN = b"\0\0"
TWO = PLAIN + struct.pack(">ii", 1, 2)
GOOD = one_bucket(TWO, 2, INT)


def test_the_files_of_these_tests_are_files() -> None:
    assert mosaic.read_table(GOOD).to_pydict() == {"x": [1, 2]}


@pytest.mark.parametrize(
    ("descriptor", "bucket", "type", "values"),
    [
        (b"\x08\x01\x05", PLAIN + sized(b"a") + sized(b"b"), pa.string(), ["a", "b"]),
        (b"\x09\x01\x05", PLAIN + sized(b"a") + sized(b"b"), pa.string(), ["a", "b"]),
        (b"\x0b\x01\x05", PLAIN + sized(b"a") + sized(b"b"), pa.binary(), [b"a", b"b"]),
        (b"\x0c\x01\x05", PLAIN + sized(b"a") + sized(b"b"), pa.binary(), [b"a", b"b"]),
        (b"\x0f\x01\x09", TWO, pa.time32("ms"), [1, 2]),
        (b"\x10\x01\x00", PLAIN + struct.pack(">qq", 1, 2), pa.timestamp("ms"), [1, 2]),
        (b"\x10\x01\x04", PLAIN + struct.pack(">qq", 1, 2), pa.timestamp("us"), [1, 2]),
        (b"\x10\x01\x08", PLAIN + struct.pack(">qiqi", -1, 999_999, 0, 2), pa.timestamp("ns"), [-1, 2]),
    ],
    ids=["CHAR", "VARCHAR", "BINARY", "VARBINARY", "TIME(9)", "TIMESTAMP(0)", "TIMESTAMP(4)", "TIMESTAMP(8)"],
)
def test_types_that_the_reference_only_reads(
    descriptor: bytes, bucket: bytes, type: pa.DataType, values: list[object]
) -> None:
    table = mosaic.read_table(one_bucket(bucket, 2, column(b"x", descriptor)))
    assert table.equals(pa.table({"x": pa.array(values, type)}))


def test_a_file_without_the_original_order() -> None:
    body = schema(column(b"a", b"\x01\x01"), column(b"b", b"\x01\x01"), order=b"")
    bucket = b"\0\0\1\2"
    table = mosaic.read_table(file(bucket, body, row_group(1, entry(0, 0, 4, 4))))
    assert table.to_pydict() == {"a": [1], "b": [2]}


def test_buckets_that_are_left_out_hold_nulls() -> None:
    body = schema(column(b"a", b"\x01\x01"), column(b"b", b"\x0a\x01"), num_buckets=2)
    data = file(b"\0\0\7\7", body, row_group(2, entry(0, 0, 4, 4)), row_group(1), num_buckets=2)
    assert mosaic.read_table(data).to_pydict() == {"a": [7, 7, None], "b": [None] * 3}
    required = schema(column(b"a", b"\x01\x01"), column(b"b", b"\x0a\x00"), num_buckets=2)
    data = file(b"\0\0\7\7", required, row_group(2, entry(0, 0, 4, 4)), num_buckets=2)
    assert mosaic.read_table(data, ["a"]).num_rows == 2
    with pytest.raises(DecodeError, match=r'columns\["b"\]'):
        mosaic.read_table(data)


def test_more_buckets_than_columns() -> None:
    body = schema(column(b"a", b"\x01\x01"), num_buckets=5)
    data = file(b"\0\0\7", body, row_group(1, entry(0, 0, 3, 3)), num_buckets=5)
    assert mosaic.read_table(data).to_pydict() == {"a": [7]}


def paged(*pages: bytes, head: bytes = b"") -> bytes:
    slots = [page and uvarint(len(page)) + frame(page) for page in pages]
    return head + struct.pack(f"<{len(slots)}I", *map(len, slots)) + b"".join(slots)


BUCKETS = {
    "bytes are left over in a bucket": (one_bucket(TWO + b"\0", 2, INT), "trailing bytes in bucket"),
    "a bucket ends early": (one_bucket(TWO[:-1], 2, INT), ""),
    "an empty bucket of a block": (one_bucket(b"\0", 2, INT), ""),
    "nulls in a column without": (
        one_bucket(b"\0\1\1\0\0\0\7", 2, column(b"x", b"\x03\x00")),
        "the column has nulls, its type allows none",
    ),
    "a negative length": (one_bucket(b"\1\1\2\0\0" + struct.pack(">ii", -1, 3) + b"\1\2", 2, LIST), "negative"),
    "lengths of more elements": (
        one_bucket(b"\1\1\2\0\0" + struct.pack(">ii", 1, 2) + b"\1\2", 2, LIST),
        "add up to 3",
    ),
    "lengths of fewer elements": (
        one_bucket(b"\1\1\2\0\0" + struct.pack(">ii", 1, 0) + b"\1\2", 2, LIST),
        "add up to 1",
    ),
    "a null key": (
        one_bucket(b"\1\2\1\1\0\2\1" + struct.pack(">i", 1) + b"\1", 1, MAP),
        "",
    ),
    "keys without values": (one_bucket(b"\1\2\1\0\0\0" + struct.pack(">i", 1) + b"\1", 1, MAP), ""),
    "no children of a list": (one_bucket(b"\1\0\0\0" + struct.pack(">ii", 0, 0), 2, LIST), ""),
    "more children than there are": (one_bucket(b"\1\2\0\0\0\0" + struct.pack(">ii", 0, 0), 2, LIST), ""),
    "another number of columns": (one_bucket(b"\2\1\0\0\0" + struct.pack(">ii", 0, 0), 2, LIST), ""),
    "text that is not UTF-8": (one_bucket(PLAIN + sized(b"\xff"), 1, TEXT), "not valid UTF-8"),
    "a boolean that is neither": (one_bucket(PLAIN + b"\2", 1, column(b"x", b"\0\1")), "neither 0 nor 1"),
    "an index outside the dictionary": (
        one_bucket(b"\2\0" + b"\3\1\2\3" + b"\x0f", 2, column(b"x", b"\1\1")),
        "dict index",
    ),
    "an index into no dictionary": (one_bucket(b"\2\0\0", 1, column(b"x", b"\1\1")), ""),
    "a dictionary of more entries than bytes": (one_bucket(b"\2\0" + uvarint(2**32 - 1), 1, INT), ""),
    "a decimal without digits": (one_bucket(PLAIN + b"\0", 1, column(b"x", b"\x0e\1\x26\0")), ""),
    "a decimal of 17 bytes": (one_bucket(PLAIN + sized(bytes(17)), 1, column(b"x", b"\x0e\1\x26\0")), ""),
    "nanoseconds over a millisecond": (
        one_bucket(PLAIN + struct.pack(">qi", 0, 10**6), 1, column(b"x", b"\x10\1\x09")),
        "the remainder is outside its range",
    ),
    "nanoseconds outside 64 bits": (
        one_bucket(PLAIN + struct.pack(">qi", 2**60, 0), 1, column(b"x", b"\x10\1\x09")),
        "",
    ),
    "more rows than bytes": (one_bucket(TWO, 2**32 - 1, INT), ""),
    "four billion equal rows": (one_bucket(b"\1\0\0\0\0\7", 2**32 - 1, INT), "limit"),
    "four billion nulls": (one_bucket(b"\3\0", 2**32 - 1, INT), "limit"),
    "four billion rows in a bucket that is left out": (file(b"", schema(INT), row_group(2**32 - 1)), "limit"),
    "a paged bucket of another size": (
        one_paged_bucket(paged(TWO) + b"\0", 2, INT),
        "total size",
    ),
    "a paged bucket shorter than its directory": (one_paged_bucket(b"\1\0", 2, INT), ""),
    "a page of no values": (one_paged_bucket(paged(b"\3\0"), 2, INT), "unsupported encoding"),
    "a page of unknown encoding": (one_paged_bucket(paged(b"\4\0"), 2, INT), ""),
    "unknown flags of a page": (one_paged_bucket(paged(b"\0\2" + TWO[2:]), 2, INT), "unknown flags"),
    "a page that is too short": (one_paged_bucket(paged(b"\0"), 2, INT), ""),
    "bytes left over in a page": (one_paged_bucket(paged(b"\0\0" + TWO[2:] + b"\0"), 2, INT), "trailing bytes in page"),
    "a block that holds less than it says": (
        one_paged_bucket(struct.pack("<I", len(frame(TWO)) + 1) + uvarint(len(TWO) + 1) + frame(TWO), 2, INT),
        "declared",
    ),
    "a block that holds more than it says": (
        one_paged_bucket(struct.pack("<I", len(frame(TWO)) + 1) + uvarint(len(TWO) - 1) + frame(TWO), 2, INT),
        "declared",
    ),
    "a block that is no frame": (one_paged_bucket(struct.pack("<I", 5) + b"\4abcd", 2, INT), "zstd"),
}

FILES = {
    "too small": (b"MOSA", ""),
    "magic": (file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), magic=b"MOSB"), "bad magic"),
    "version": (file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), version=2), "version"),
    "compression": (file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), compression=2), "compression"),
    "footer offsets": (GOOD[:-32] + struct.pack(">QQ", 3, 2**63) + GOOD[-16:], "corrupted footer offsets"),
    "no buckets": (file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), num_buckets=0), "num_buckets must be > 0"),
    "other buckets": (file(TWO, schema(INT, num_buckets=2), row_group(2)), "num_buckets does not match"),
    "row groups beyond the bytes": (file(b"", schema(INT), num_row_groups=2**32 - 1), ""),
    "bytes after the index": (
        file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), b"\0", num_row_groups=1),
        "trailing",
    ),
    "bucket number": (file(TWO, schema(INT), row_group(2, entry(1, 0, 10, 10))), "corrupted row group index"),
    "bucket twice": (
        file(
            TWO + TWO,
            schema(INT, num_buckets=2),
            row_group(2, entry(0, 0, 10, 10), entry(0, 10, 10, 10)),
            num_buckets=2,
        ),
        "duplicate bucket_id",
    ),
    "bucket outside": (file(TWO, schema(INT), row_group(2, entry(0, 1, 10, 10))), "past schema block"),
    "bucket far outside": (file(TWO, schema(INT), row_group(2, entry(0, 2**64 - 5, 10, 10))), "past schema block"),
    "no bytes of a block": (file(TWO, schema(INT), row_group(2, entry(0, 0, 0, 10))), "invalid bucket layout"),
    "pages in a file without compression": (file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 0))), "requires ZSTD"),
    "buckets that overlap": (
        file(TWO, schema(INT), row_group(2, entry(0, 0, 10, 10)), row_group(2, entry(0, 0, 10, 10))),
        "overlaps",
    ),
    "statistics of no column": (one_bucket(TWO, 2, INT, stats=[b"\1\2"]), "column_index out of range"),
    "more nulls than rows": (one_bucket(TWO, 2, INT, stats=[b"\0\3"]), "null_count exceeds"),
    "no column name": (one_bucket(TWO, 2, column(b"", b"\3\1")), "empty column name"),
    "a name twice": (
        one_bucket(b"\0\0\1\1", 1, column(b"x", b"\1\1"), column(b"", b"\1\1", 1)),
        "duplicate column name",
    ),
    "names not in order": (
        one_bucket(b"\0\0\1\1", 1, column(b"y", b"\1\1"), column(b"x", b"\1\1")),
        "order of their names",
    ),
    "a name that is not UTF-8": (one_bucket(TWO, 2, column(b"\xff", b"\3\1")), "UTF-8"),
    "a prefix that is too long": (one_bucket(TWO, 2, column(b"x", b"\3\1", 1)), "corrupted column name"),
    "columns beyond the bytes": (file(b"", uvarint(2**32 - 1) + b"\1\0"), ""),
    "unknown type": (one_bucket(TWO, 2, column(b"x", b"\x14\1")), ""),
    "order that is none": (file(TWO, schema(INT, order=b"\2"), row_group(2, entry(0, 0, 10, 10))), "permutation"),
    "bytes after the schema": (
        file(TWO, schema(INT) + b"\0", row_group(2, entry(0, 0, 10, 10))),
        "trailing bytes in schema",
    ),
    "a rule of itself": (file(b"", schema(column(b"\x80", b"\3\1"), names=b"\1\1\x80\x80")), ""),
    "rules in a circle": (file(b"", schema(column(b"\x80", b"\3\1"), names=b"\1\2\x81a\x80b")), ""),
    "an unknown rule": (file(b"", schema(column(b"\x85", b"\3\1"), names=b"\1\1ab")), ""),
    "rules beyond the bytes": (file(b"", b"\1\1\1" + uvarint(2**32 - 1) + b"ab"), ""),
    "a name that grows": (
        file(
            b"",
            schema(
                column(b"\xfe", b"\3\1"), names=b"\1\x7f" + b"aa" + b"".join(bytes((n, n)) for n in range(128, 254))
            ),
        ),
        "",
    ),
    "types without end": (one_bucket(TWO, 2, column(b"x", (b"\x12\1" + sized(b"i")) * 50_000 + b"\3\1")), "deep"),
    "decimals of no digits": (one_bucket(TWO, 2, column(b"x", b"\x0e\1\0\0")), "1..38"),
    "decimals of 39 digits": (one_bucket(TWO, 2, column(b"x", b"\x0e\1\x27\0")), "1..38"),
    "decimals of more digits after the point": (one_bucket(TWO, 2, column(b"x", b"\x0e\1\5\7")), "scale"),
    "a schema that says it is large": (
        file(b"", schema(INT), compression=ZSTD, inflated=2**32 - 1),
        "what the block can hold",
    ),
    "a bucket that says it is large": (
        file(frame(TWO), schema(INT), row_group(2, entry(0, 0, len(frame(TWO)), 2**32 - 1)), compression=ZSTD),
        "what the block can hold",
    ),
}


def read_all(data: bytes) -> None:
    opened = mosaic.MosaicFile(data)
    meta = opened.metadata
    for group in meta.row_groups:
        _ = group.statistics
    opened.read()


@pytest.mark.parametrize("case", [*FILES, *BUCKETS])
def test_broken_files(case: str) -> None:
    data, rule = (FILES | BUCKETS)[case]
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError) as raised:
            read_all(data)
        assert tracemalloc.get_traced_memory()[1] < 32 * 2**20
    finally:
        tracemalloc.stop()
    error = raised.value
    assert rule in error.rule
    assert error.format.startswith("mosaic")
    assert error.offset is None or 0 <= error.offset <= len(data)
    if case in BUCKETS:
        assert error.path.startswith("row_groups[0].buckets[0]")


def test_errors_say_where() -> None:
    body = schema(column(b"a", b"\1\1"), column(b"b", b"\x0a\1"), num_buckets=2)
    good, bad = b"\0\0\7", PLAIN + sized(b"\xff")
    groups = row_group(1, entry(0, 0, 3, 3), entry(1, 3, 4, 4)), row_group(1, entry(0, 7, 3, 3), entry(1, 10, 4, 4))
    data = file(good + PLAIN + sized(b"z") + good + bad, body, *groups, num_buckets=2)
    with pytest.raises(DecodeError) as raised:
        mosaic.read_table(data)
    assert raised.value.path == 'row_groups[1].buckets[1].columns["b"]'
    # Where the value begins; in files with compression that would be a place in the inflated block.
    assert data[raised.value.offset :].startswith(sized(b"\xff"))
    assert mosaic.MosaicFile(data).read_row_group(0).num_rows == 1


def test_errors_in_compressed_blocks_say_where() -> None:
    bad = PLAIN + sized(b"good") + sized(b"\xff")
    stored = frame(bad)
    data = file(stored, schema(TEXT), row_group(2, entry(0, 0, len(stored), len(bad))), compression=ZSTD)
    with pytest.raises(DecodeError) as raised:
        mosaic.read_table(data)
    assert (
        raised.value.rule
        == f"the text is not valid UTF-8 (byte {bad.index(sized(bytes([255])))} of the inflated block)"
    )
    assert raised.value.offset == 0
    pages = paged(b"\0\0" + sized(b"good"), b"\0\0" + sized(b"\xff"))
    data = one_paged_bucket(pages, 1, TEXT, column(b"y", b"\x0a\1"))
    with pytest.raises(DecodeError) as raised:
        mosaic.read_table(data)
    assert raised.value.path == 'row_groups[0].buckets[0].columns["y"]'
    assert "byte 2 of the inflated block" in raised.value.rule
    assert mosaic.read_table(data, ["x"]).to_pydict() == {"x": ["good"]}
    cut = file(stored[:-1], schema(TEXT), row_group(2, entry(0, 0, len(stored) - 1, len(bad))), compression=ZSTD)
    with pytest.raises(DecodeError, match="zstd"):
        mosaic.read_table(cut)


def test_errors_name_the_file(tmp_path: object) -> None:
    path = f"{tmp_path}/broken.mosaic"
    for data in (GOOD[:-1], one_bucket(TWO[:-1], 2, INT)):
        with open(path, "wb") as out:
            out.write(data)
        for memory_map in (True, False):
            with pytest.raises(DecodeError, match=r"broken\.mosaic"):
                mosaic.read_table(path, memory_map=memory_map)


def flip(rng: random.Random, data: bytearray) -> None:
    for _ in range(rng.choice([1, 1, 2, 8])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def cut(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.choice([1, 2, 30])]


def repeat(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    data[start:start] = data[start : start + rng.choice([1, 4, 30])]


def overwrite(rng: random.Random, data: bytearray) -> None:
    start = rng.randrange(len(data))
    data[start : start + 4] = rng.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", rng.randbytes(4)])


@pytest.mark.parametrize("mutate", [flip, cut, repeat, overwrite])
@pytest.mark.parametrize("seed", range(8))
def test_mutated_files(mutate: Callable[[random.Random, bytearray], None], seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng, columns=6, rows=30)
    stream = io.BytesIO()
    mosaic.write_table(table, stream, **random_options(rng, table) | {"compression": rng.choice(["none", "zstd"])})
    original = stream.getvalue()
    for _ in range(40):
        data = bytearray(original)
        mutate(rng, data)
        with suppress(DecodeError):
            read_all(bytes(data))


def test_checksums_find_what_changed() -> None:
    table = pa.table({"a": list(range(1000)), "b": [f"text {number % 90}" for number in range(1000)]})
    stream = io.BytesIO()
    mosaic.write_table(table, stream, checksum=True)
    data = stream.getvalue()
    end = mosaic.read_metadata(data).index_offset
    for bit in range(0, 8 * end, 97):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with suppress(DecodeError):
            assert mosaic.read_table(bytes(changed)).equals(table)
