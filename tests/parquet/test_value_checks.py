"""The deep check: each statement about values that is changed is found, in files of every type there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import ColumnIndex, FileMetaData

from .files import FILES, encrypted_file
from .test_search_writers import COLUMNS

TABLE = pa.table(
    {
        "n": pa.array([*range(1, 40), None]),
        "x": [n / 4 for n in range(39)] + [float("nan")],
        "list": [None, [], *([n, n + 1] for n in range(38))],
        "map": pa.array([[("k", n), ("l", None)] for n in range(40)], pa.map_(pa.string(), pa.int64())),
        "s": [{"t": f"x{n:02}", "l": [n]} for n in range(40)],
    }
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    blooms: Any = {"n": {"ndv": 50}}
    file = tmp_path / "a.parquet"
    pq.write_table(
        TABLE, file, row_group_size=20, write_page_index=True, max_rows_per_page=5, bloom_filter_options=blooms
    )
    return file


def rules(path: Path) -> list[str]:
    return [each.rule for each in parquet.verify(path, deep=True) if each.is_error]


@pytest.mark.parametrize(
    "name", ["page index", "nested", "decimals as integers", "int96", "bloom filters", "fastparquet"]
)
def test_sound_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(FILES[name]())
    assert rules(tmp_path / "a.parquet") == []


def test_values_that_are_not_at_hand(path: Path, tmp_path: Path) -> None:
    """Encrypted columns, and those of other files, are left out; the others are still compared."""
    (tmp_path / "encrypted.parquet").write_bytes(encrypted_file(plaintext_footer=True))
    assert rules(tmp_path / "encrypted.parquet") == []
    footer = parquet.write_metadata(parquet.merge_metadata([path], base=tmp_path))
    (tmp_path / "_metadata").write_bytes(b"PAR1" + footer)
    assert rules(tmp_path / "_metadata") == []
    data = encrypted_file(plaintext_footer=True)
    metadata = FileMetaData.from_bytes(parquet.write_metadata(parquet.read_metadata(data))[:-8])
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    (plain,) = (each for each in metadata.row_groups[0].columns if each.crypto_metadata is None)
    assert plain.meta_data is not None
    assert plain.meta_data.statistics is not None
    plain.meta_data.statistics.null_count = 7
    (tmp_path / "lie.parquet").write_bytes(data[:start] + parquet.write_metadata(metadata))
    assert len(rules(tmp_path / "lie.parquet")) == 1


def test_every_type(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    names = [name for name in COLUMNS if name not in ("half", "uuid")]
    columns = {name: pa.array([0, 1, None, 1], pa.int32()) for name in names}
    table = pa.table({name: _cast(array, COLUMNS[name][0]) for name, array in columns.items()})
    pq.write_table(table, path, write_page_index=True)
    assert rules(path) == []


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_fixed_size_binary(kind):
        return pa.array([None if each is None else bytes([each]) * kind.byte_width for each in array.to_pylist()], kind)
    if pa.types.is_decimal(kind):
        return array.cast(pa.decimal256(60, 0)).cast(kind)
    if pa.types.is_date(kind) or pa.types.is_time32(kind) or pa.types.is_floating(kind):
        return array.cast(kind)
    return array.cast(pa.int64()).cast(pa.string() if pa.types.is_binary(kind) else kind).cast(kind)


def _statistics(metadata: FileMetaData, column: int, **values: Any) -> None:
    meta = metadata.row_groups[1].columns[column].meta_data
    for name, value in values.items():
        setattr(meta.statistics, name, value)  # type: ignore[union-attr]


def _number(value: int) -> bytes:
    return value.to_bytes(8, "little", signed=True)


LIES: dict[str, tuple[Callable[[FileMetaData], Any], str]] = {
    "min": (lambda m: _statistics(m, 0, min_value=_number(30)), "column n: min is 30, a value is 21"),
    "exact": (lambda m: _statistics(m, 0, max_value=_number(90), is_max_value_exact=True), "no value is 90"),
    "nulls": (lambda m: _statistics(m, 0, null_count=3), "column n: null_count is 3, there are 1"),
    "nans": (lambda m: _statistics(m, 1, nan_count=0), "column x: nan_count is 0, there are 1"),
    "list": (lambda m: _statistics(m, 2, max_value=_number(30)), "column list.list.element: max is 30"),
    "key": (lambda m: _statistics(m, 3, max_value=b"k"), "column map.key_value.key: max is 'k', a value is 'l'"),
    "item": (lambda m: _statistics(m, 4, min_value=_number(25)), "column map.key_value.value: min is 25"),
    "text": (lambda m: _statistics(m, 5, min_value=b"x3"), "column s.t: min is 'x3', a value is 'x20'"),
    "in a struct": (
        lambda m: _statistics(m, 6, max_value=_number(38)),
        "column s.l.list.element: max is 38, a value is 39",
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_lies(name: str, path: Path) -> None:
    edit, expected = LIES[name]
    assert rules(path) == []
    metadata = parquet.read_metadata(path)
    start = path.stat().st_size - len(parquet.write_metadata(metadata))
    edit(metadata)
    path.write_bytes(path.read_bytes()[:start] + parquet.write_metadata(metadata))
    (found,) = rules(path)
    assert expected in found


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("min_values", [_number(n) for n in (21, 26, 32, 36)], "column n, page 2: min is 32, a value is 31"),
        ("null_counts", [0, 1, 0, 1], "column n, page 1: null_count is 1, there are 0"),
        ("null_pages", [False, False, False, True], "column n, page 3: null_page is True, where 4 values are not null"),
    ],
)
def test_lies_of_pages(field: str, value: Any, expected: str, path: Path) -> None:
    data, metadata = path.read_bytes(), parquet.read_metadata(path)
    chunk = metadata.row_groups[1].columns[0]
    place = chunk.column_index_offset or 0
    index = ColumnIndex.from_bytes(data[place : place + (chunk.column_index_length or 0)])
    setattr(index, field, value)
    start = len(data) - len(parquet.write_metadata(metadata))
    chunk.column_index_offset, chunk.column_index_length = start, len(index.to_bytes())
    path.write_bytes(data[:start] + index.to_bytes() + parquet.write_metadata(metadata))
    assert rules(path) == [expected]


def test_a_filter_without_a_value(path: Path) -> None:
    pytest.importorskip("xxhash")
    metadata = parquet.read_metadata(path)
    start = path.stat().st_size - len(parquet.write_metadata(metadata))
    metas = [group.columns[0].meta_data for group in metadata.row_groups]
    metas[1].bloom_filter_offset = metas[0].bloom_filter_offset  # type: ignore[union-attr]
    path.write_bytes(path.read_bytes()[:start] + parquet.write_metadata(metadata))
    from lakecodec.parquet.sources import Source
    from lakecodec.parquet.value_checks import contradictions

    ((_, found),) = contradictions(Source(str(path), str(path)))
    assert found.startswith("column n: the Bloom filter does not have the value ")
