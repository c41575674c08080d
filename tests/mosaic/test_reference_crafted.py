"""Valid files that no writer makes any more, or never made: read as the reference reads them."""

from __future__ import annotations

import io
import random
import struct

import pyarrow as pa
import pytest
import zstandard

from lakecodec import DecodeError, mosaic
from lakecodec.generated.mosaic import File

from .raw import (
    BYTE,
    INT,
    LIST,
    MAP,
    PLAIN,
    TEXT,
    TWO,
    ZSTD,
    column,
    entry,
    file,
    one_bucket,
    one_paged_bucket,
    paged,
    row_group,
    schema,
    sized,
    uvarint,
)
from .tables import random_options, random_table, reference_read, reference_write, same

_STRINGS = PLAIN + sized(b"a") + sized(b"b")
_LONGS = PLAIN + struct.pack(">qq", -1, 2)
_NANOS = PLAIN + struct.pack(">qiqi", -1, 999_999, 0, 2)
TYPES = {
    "CHAR": (b"\x08\1\5", _STRINGS, pa.string(), ["a", "b"]),
    "VARCHAR": (b"\x09\1\5", _STRINGS, pa.string(), ["a", "b"]),
    "BINARY": (b"\x0b\1\5", _STRINGS, pa.binary(), [b"a", b"b"]),
    "VARBINARY": (b"\x0c\1\5", _STRINGS, pa.binary(), [b"a", b"b"]),
    "TIME(0)": (b"\x0f\1\0", TWO, pa.time32("ms"), [1, 2]),
    "TIME(9)": (b"\x0f\1\x09", TWO, pa.time32("ms"), [1, 2]),
    "TIMESTAMP(0)": (b"\x10\1\0", _LONGS, pa.timestamp("ms"), [-1, 2]),
    "TIMESTAMP(4)": (b"\x10\1\4", _LONGS, pa.timestamp("us"), [-1, 2]),
    "TIMESTAMP(8)": (b"\x10\1\x08", _NANOS, pa.timestamp("ns"), [-1, 2]),
    "TIMESTAMP_LTZ(0)": (b"\x11\1\0" + sized(b"UTC"), _LONGS, pa.timestamp("ms", "UTC"), [-1, 2]),
    "TIMESTAMP_LTZ(7)": (b"\x11\1\7" + sized(b"UTC"), _NANOS, pa.timestamp("ns", "UTC"), [-1, 2]),
}


def _compressed(stored: bytes) -> bytes:
    return file(stored, schema(INT), row_group(2, entry(0, 0, len(stored), len(TWO))), compression=ZSTD)


ODD = {
    "varints of other than the shortest form": file(TWO, schema(INT), b"\x82\x80\0\1" + entry(0, 0, 10, 10) + b"\0"),
    "an unknown name encoding": file(TWO, schema(INT, names=b"\2"), row_group(2, entry(0, 0, 10, 10))),
    "reserved bytes": one_bucket(TWO, 2, INT)[:-6] + b"\7\7MOSA",
    "bytes between the buckets": file(b"junk" + TWO + b"junk", schema(INT), row_group(2, entry(0, 4, 10, 10))),
    "buckets in another order": file(
        b"\0\0\1" + b"\0\0\2",
        schema(column(b"a", b"\1\1"), column(b"b", b"\1\1"), num_buckets=2),
        row_group(1, entry(1, 0, 3, 3), entry(0, 3, 3, 3)),
        num_buckets=2,
    ),
    "more buckets than columns": file(
        b"\0\0\7", schema(BYTE, num_buckets=5), row_group(1, entry(0, 0, 3, 3)), num_buckets=5
    ),
    "nulls marked in a column of nulls": one_bucket(b"\3\1\1", 2, INT),
    "bits behind the last null": one_bucket(b"\0\1\xfd\0\0\0\7", 2, INT),
    "bits behind the last flag": one_bucket(b"\xfc\xfe" + TWO[2:], 2, INT),
    "bits behind the last index": one_bucket(b"\2\0\2\1\2\xfe", 2, BYTE),
    "an entry twice": one_bucket(b"\2\0\2\1\1\2", 2, BYTE),
    "an entry without use": one_bucket(b"\2\0\3\1\2\3\1", 2, BYTE),
    "one entry": one_bucket(b"\2\0\1\1", 2, BYTE),
    "a constant of nulls": one_bucket(b"\1\1\7\3", 2, BYTE),
    "no rows": file(PLAIN, schema(INT), row_group(0, entry(0, 0, 2, 2))),
    "no rows of lists": one_bucket(b"\1\1\0\0\0", 0, LIST),
    "no row groups": file(b"", schema(INT)),
    "rows without columns": file(b"", schema(), row_group(5), row_group(2)),
    "no columns": file(b"", b"\0\1\0"),
    "a frame without its size": _compressed(zstandard.ZstdCompressor(write_content_size=False).compress(TWO)),
    "a frame with a checksum": _compressed(zstandard.ZstdCompressor(write_checksum=True).compress(TWO)),
    "a page of nulls": one_paged_bucket(paged(b""), 2, INT),
    "nullable by another number": one_bucket(TWO, 2, column(b"x", b"\3\2")),
    "nanoseconds of ten digits": one_bucket(_NANOS, 2, column(b"x", b"\x10\1\x0a")),
    "no time zone": one_bucket(_LONGS, 2, column(b"x", b"\x11\1\3\0")),
    "a decimal of more bytes than needed": one_bucket(PLAIN + sized(b"\0\0\7"), 1, column(b"x", b"\x0e\1\x14\0")),
    "a decimal with a negative scale": one_bucket(
        PLAIN + struct.pack(">q", 7), 1, column(b"x", b"\x0e\1\3" + uvarint(2**32 - 2))
    ),
    "text longer than its type": one_bucket(PLAIN + sized(b"abc"), 1, column(b"x", b"\x08\1\1")),
    "constant lengths and elements": one_bucket(b"\1\1\4\5\0" + struct.pack(">i", 2) + b"\7", 2, LIST),
    "an element without a name": one_bucket(
        b"\1\1\1\0\0" + struct.pack(">i", 1) + b"\1", 1, column(b"x", b"\x12\1\0\1\1")
    ),
    "a key twice": one_bucket(b"\1\2\2\2\0\0" + struct.pack(">i", 2) + b"\1\1\2\2", 1, MAP),
    "bounds that are none": one_bucket(TWO, 2, INT, stats=[b"\0\0" + struct.pack(">ii", 9, 3)]),
    "statistics twice": one_bucket(TWO, 2, INT, stats=[b"\0\0" + struct.pack(">ii", 1, 2)] * 2),
    "bounds of bytes": one_bucket(_STRINGS, 2, column(b"x", b"\x0d\1"), stats=[b"\0\0" + sized(b"a") * 2]),
    "text": one_bucket(_STRINGS, 2, TEXT),
}


@pytest.mark.parametrize("name", TYPES)
def test_types_that_are_only_read(name: str) -> None:
    descriptor, bucket, type, values = TYPES[name]
    data = one_bucket(bucket, 2, column(b"x", descriptor))
    table = mosaic.read_table(data)
    assert same(table, pa.table({"x": pa.array(values, type)}))
    assert same(table, reference_read(data))


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str) -> None:
    data = ODD[name]
    file = mosaic.MosaicFile(data)
    for number in range(file.num_row_groups):
        file.statistics(number)
    assert same(file.read(), reference_read(data))


@pytest.mark.parametrize("seed", range(40))
def test_files_without_the_original_order(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng, columns=12, rows=40)
    data = reference_write(table, **random_options(rng, table))
    end = File.from_bytes(data)
    start = end.footer.schema_offset
    end.schema.body.order = None
    rewritten = io.BytesIO(data[:start])
    rewritten.seek(start)
    end.write_to(rewritten, start=start)
    old = rewritten.getvalue()
    assert len(old) < len(data) or not table.num_columns
    assert mosaic.read_schema(old).names == sorted(table.column_names, key=str.encode)
    assert same(mosaic.read_table(old), reference_read(old))
    assert same(mosaic.read_table(old, table.column_names), mosaic.read_table(data))


def test_buckets_that_are_left_out_hold_nulls() -> None:
    body = schema(column(b"a", b"\x01\x01"), column(b"b", b"\x0a\x01"), num_buckets=2)
    data = file(b"\0\0\7\7", body, row_group(2, entry(0, 0, 4, 4)), row_group(1), num_buckets=2)
    assert mosaic.read_table(data).to_pydict() == {"a": [7, 7, None], "b": [None] * 3}
    required = schema(column(b"a", b"\x01\x01"), column(b"b", b"\x0a\x00"), num_buckets=2)
    data = file(b"\0\0\7\7", required, row_group(2, entry(0, 0, 4, 4)), num_buckets=2)
    assert mosaic.read_table(data, ["a"]).num_rows == 2
    with pytest.raises(DecodeError, match=r'columns\["b"\]'):
        mosaic.read_table(data)
