"""Files that break a rule of the format."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest

from lakecodec import DecodeError, mosaic

from ..memory import traced
from .bombs import ROWS
from .broken_buckets import BUCKETS
from .broken_headers import GOOD, HEADERS
from .outcomes import Reader, outcome, read_all
from .raw import (
    INT,
    PLAIN,
    TEXT,
    TWO,
    ZSTD,
    column,
    entry,
    file,
    frame,
    one_bucket,
    one_paged_bucket,
    paged,
    row_group,
    schema,
    sized,
)

IN_BUCKET = "row_groups[0].buckets[0]"
CASES = HEADERS | {name: (data, IN_BUCKET + path, rule) for name, (data, path, rule) in BUCKETS.items()}


@pytest.fixture(scope="module")
def pure() -> dict[str, object]:
    """What the pure backend makes of the cases."""
    files = {name: data for name, (data, _, _) in CASES.items()} | ROWS
    with Reader() as backend:
        return dict(zip(files, backend.outcomes(list(files.values())), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_broken_files(case: str, pure: dict[str, object]) -> None:
    data, path, rule = CASES[case]

    def read() -> None:
        with pytest.raises(DecodeError) as raised:
            read_all(data)
        error = raised.value
        assert rule in error.rule
        assert error.path.startswith(path)
        assert error.offset is not None

    assert traced(read).peak < 32 * 2**20
    assert outcome(data) == pure[case]


@pytest.mark.parametrize("case", ROWS)
def test_rows_that_take_no_bytes(case: str, pure: dict[str, object]) -> None:
    data = ROWS[case]
    with pytest.raises(DecodeError, match="more memory than the limit") as raised:
        read_all(data)
    assert raised.value.path.startswith(f"{IN_BUCKET}.columns[")
    assert outcome(data) == pure[case]


def test_the_limit_can_be_changed() -> None:
    data = one_bucket(b"\1\0\0\0\0\7", 10_000, INT)
    assert mosaic.MosaicFile(data, limit=50_000).read() == pa.table({"x": pa.array([7] * 10_000, pa.int32())})
    with pytest.raises(DecodeError, match="limit"):
        mosaic.MosaicFile(data, limit=10_000).read()


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
    place = bad.index(sized(b"\xff"))
    assert raised.value.rule == f"the text is not valid UTF-8 (byte {place} of the inflated block)"
    assert raised.value.offset == 0
    pages = paged(b"\0\0" + sized(b"good"), b"\0\0" + sized(b"\xff"))
    data = one_paged_bucket(pages, 1, TEXT, column(b"y", b"\x0a\1"))
    with pytest.raises(DecodeError) as raised:
        mosaic.read_table(data)
    assert raised.value.path == 'row_groups[0].buckets[0].columns["y"]'
    assert "byte 2 of the inflated block" in raised.value.rule
    assert mosaic.read_table(data, ["x"]).to_pydict() == {"x": ["good"]}


def test_errors_in_statistics_say_where() -> None:
    stats = [b"\0\0" + sized(b"good") * 2, b"\1\0" + sized(b"ok") + sized(b"\xff\xfe")]
    data = one_bucket(b"\0\0\1a\1b", 1, column(b"w", b"\x0a\1"), TEXT, stats=stats)
    with pytest.raises(DecodeError, match="UTF-8") as raised:
        mosaic.MosaicFile(data).statistics(0)
    assert raised.value.path == "index.row_groups[0].stats[1]"
    assert raised.value.offset == data.index(sized(b"\xff\xfe"))
    with pytest.raises(DecodeError, match="UTF-8") as raised:
        mosaic.read_table(data, filters=[("x", "=", "ok")])
    assert raised.value.path == "index.row_groups[0].stats[1]"
    assert mosaic.read_table(data, filters=[("w", "=", "a")]).num_rows == 0


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.mosaic"
    for data in (GOOD[:-1], one_bucket(TWO[:-1], 2, INT)):
        path.write_bytes(data)
        for memory_map in (True, False):
            with pytest.raises(DecodeError, match=r"broken\.mosaic"):
                mosaic.read_table(path, memory_map=memory_map)


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
