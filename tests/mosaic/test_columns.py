"""Columns of files with the same schema block, which are kept for the next file."""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

from lakecodec import DecodeError, mosaic
from lakecodec.generated.mosaic import Column, Schema, TypeDescriptor, TypeParams
from lakecodec.mosaic.columns import Columns, RecentColumns, recent_columns

from .raw import NONE, ZSTD, column, file, frame, row_group, schema

INT = b"\x04\x01"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    recent_columns.clear()
    yield
    recent_columns.clear()


def written(rows: int, names: str) -> io.BytesIO:
    target = io.BytesIO()
    mosaic.write_table(pa.table({name: list(range(rows)) for name in names}), target)
    return target


def test_files_with_one_schema_block_share_their_columns() -> None:
    first, second, other = (
        mosaic.MosaicFile(written(rows, names)) for rows, names in ((3, "ba"), (5, "ba"), (5, "bc"))
    )
    assert first.schema is second.schema
    assert first.schema.names == ["b", "a"]
    assert other.schema.names == ["b", "c"]
    assert second.read(["a"]).to_pydict() == {"a": [0, 1, 2, 3, 4]}
    assert first.read().to_pydict() == {"b": [0, 1, 2], "a": [0, 1, 2]}


@pytest.mark.parametrize("nullable", [True, False, None])
def test_fields_have_their_names_types_and_nullability(nullable: bool | None) -> None:
    kinds = [pa.int32(), pa.string(), pa.timestamp("us", "UTC"), pa.decimal128(19, 2), pa.list_(pa.int8())]
    fields = [
        pa.field(f"{'é€' * (number % 3)}{99 - number}", kinds[number % len(kinds)], number % 2 == 0)
        if nullable is None
        else pa.field(f"\1{99 - number}", kinds[number % len(kinds)], nullable)
        for number in range(40)
    ]
    target = io.BytesIO()
    mosaic.write_table(pa.schema(fields).empty_table(), target)
    assert mosaic.read_schema(target) == pa.schema(fields)
    for chosen in (fields[7:29:3], fields[:1], fields[::-1]):
        assert mosaic.read_table(target, [field.name for field in chosen]).schema == pa.schema(chosen)


def test_columns_are_known_by_all_that_they_are_read_by() -> None:
    body = schema(column(b"a", INT), num_buckets=1)
    good = file(b"", body, row_group(0), num_row_groups=1)
    assert mosaic.read_schema(good).names == ["a"]
    with pytest.raises(DecodeError, match="footer num_buckets does not match schema"):
        mosaic.read_schema(file(b"", body, row_group(0), num_row_groups=1, num_buckets=2))
    with pytest.raises(DecodeError, match="zstd"):
        mosaic.read_schema(file(b"", body, row_group(0), num_row_groups=1, compression=ZSTD, stored=body))
    packed = file(b"", body, row_group(0), num_row_groups=1, compression=ZSTD, stored=frame(body))
    assert mosaic.read_schema(packed).names == ["a"]
    with pytest.raises(DecodeError, match=r"schema"):
        mosaic.read_schema(file(b"", body, row_group(0), num_row_groups=1, compression=NONE, stored=frame(body)))


def test_a_broken_block_is_refused_each_time() -> None:
    broken = file(b"", schema(column(b"a", b"\x63\x01")), row_group(0), num_row_groups=1)
    for _ in range(3):
        with pytest.raises(DecodeError):
            mosaic.read_schema(broken)


def test_the_last_used_columns_are_kept_up_to_a_size() -> None:
    def made(name: str) -> Columns:
        types = TypeDescriptor(nullable=1, params=TypeParams.BIGINT())
        return Columns(Schema(num_buckets=1, name_encoding=0, rules=None, columns=[Column(name=name, type=types)]))

    recent = RecentColumns()
    kept = {name: made(name) for name in "abc"}
    keys = {name: (0, 1, name.encode()) for name in kept}
    for name, columns in kept.items():
        recent.add(keys[name], columns, 6 * 2**20)
        assert recent.get(keys["a"]) is kept["a"]
    assert recent.get(keys["b"]) is None
    assert recent.get(keys["c"]) is kept["c"]
    recent.add((0, 1, b"large"), made("large"), 17 * 2**20)
    assert recent.get((0, 1, b"large")) is None
    assert recent.get(keys["a"]) is kept["a"]
    recent.add(keys["a"], kept["b"], 1)
    assert recent.get(keys["a"]) is kept["b"]
    recent.clear()
    assert recent.get(keys["a"]) is None


def test_threads_read_files_with_one_schema_block() -> None:
    files = [written(rows, "dacb").getvalue() for rows in range(1, 9)]
    with ThreadPoolExecutor(8) as pool:
        for rows, table in enumerate(pool.map(lambda data: mosaic.read_table(data, ["c", "d"]), files), 1):
            assert table.to_pydict() == {"c": list(range(rows)), "d": list(range(rows))}
