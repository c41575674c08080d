"""What changes of the log decide without Spark: cubes, curves, counts, and tables restored and converted."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.changes.cubes import Candidate, Clustering, files_to_rewrite, packed
from lakecodec.lake.changes.extents import Extent, Range, halvings
from lakecodec.lake.log import Log, LogError, SchemaMismatchError, VersionNotFoundError
from lakecodec.lake.read import count as counting
from lakecodec.lake.writing.hilbert import hilbert_axes
from lakecodec.lake.writing.zorder import ZOrder
from lakecodec.pipeline import check, convert, count, restore, scan
from tests.lake.log.tables import append, ids, overwrite, rows
from tests.spark.lakes import write_lake

TARGET = 100


def test_a_year_of_weekly_runs_writes_each_row_three_times() -> None:
    """The first time when it is appended; and no more cubes are left than a query can look into."""
    by = Clustering("hilbert", ("a", "b"))
    numbers = itertools.count()
    files: dict[int, Candidate] = {}
    written = 0
    for week in range(52):
        for _ in range(7):
            number = next(numbers)
            files[number] = Candidate(number, 10, ())
            written += 10
        for group in files_to_rewrite(files.values(), by, TARGET):
            size = sum(files.pop(number).size for number in group)
            written += size
            for _ in range(-(-size // TARGET)):
                number = next(numbers)
                files[number] = Candidate(
                    number, size * TARGET // (TARGET * -(-size // TARGET)), (), by.tags(f"{week}")
                )
    assert written / (52 * 70) <= 3
    assert len({file.tags["ZCUBE_ID"] for file in files.values()}) <= 14


@pytest.mark.parametrize("columns", [(), ("a",)])
def test_what_is_left_alone(columns: tuple[str, ...]) -> None:
    by = Clustering("zorder" if columns else "none", columns)
    files = [
        Candidate(0, 10, ("x",)),
        Candidate(1, 90, ("x",)),
        Candidate(2, 10, ("x",), by.tags("c")),
        Candidate(3, 10, ("y",)),
        Candidate(4, 10, ("y",)),
        Candidate(5, 10, ("z",), by.tags("c")),
    ]
    expected = [[0, 1], [3, 4]] if columns else [[3, 4]]
    assert files_to_rewrite(files, by, TARGET) == expected
    other = Clustering("hilbert", ("b",))
    assert files_to_rewrite(files, other, TARGET) == [[0, 1, 2], [3, 4], [5]]
    assert [[file.number for file in part] for part in packed(files, TARGET)] == [[0, 1], [2, 3, 4, 5]]


@pytest.mark.parametrize(("dimensions", "bits"), [(1, 5), (2, 4), (3, 3), (4, 2)])
def test_neighbours_on_the_hilbert_curve_are_neighbours(dimensions: int, bits: int) -> None:
    cells = np.array(list(itertools.product(range(1 << bits), repeat=dimensions)))
    axes = hilbert_axes(list(cells.T), bits)
    places = [
        int("".join(str(axis[i] >> bit & 1) for bit in range(bits - 1, -1, -1) for axis in axes), 2)
        for i in range(len(cells))
    ]
    assert sorted(places) == list(range(len(cells)))
    steps = np.abs(np.diff(cells[np.argsort(places)], axis=0)).sum(axis=1)
    assert set(steps.tolist()) == {1}


def test_hilbert_skips_more_than_z_order() -> None:
    random = np.random.default_rng(3)
    columns = [pa.array(random.normal(size=20_000)), pa.array(random.integers(0, 10**6, 20_000))]
    touched = {}
    for curve in ("zorder", "hilbert"):
        order = ZOrder.of(pa.array(np.zeros(20_000, np.int64)), columns, 1, curve)  # type: ignore[arg-type]
        keys = np.array(order.keys(columns).to_pylist())
        files = np.array_split(np.argsort(keys, kind="stable"), 100)
        boxes = [[(column.take(pa.array(file)).to_numpy().min(), column.take(pa.array(file)).to_numpy().max())
                  for column in columns] for file in files]  # fmt: skip
        queries = [(random.normal(), random.integers(0, 9 * 10**5)) for _ in range(200)]
        touched[curve] = sum(
            (x[0] <= a + 0.1) & (x[1] >= a) & (y[0] <= b + 30_000) & (y[1] >= b) for a, b in queries for x, y in boxes
        )
    assert touched["hilbert"] < touched["zorder"]


def _extent(low: int, high: int, cube: str | None = None, partition: str = "", other: Range = (0, 9)) -> Extent:
    return Extent(partition, cube or object(), 10, ((low, high), other))


def test_a_cube_of_a_growing_column_is_a_strip_of_the_tables_grid() -> None:
    cubes = [_extent(week, week, f"w{week}") for week in range(8) for _ in range(3)]
    days = [_extent(80 + day, 80 + day) for day in range(8)]
    # The whole table: it will grow to ten such parts. A 16th of it beside older cubes: that counts as well.
    assert halvings(cubes, range(len(cubes))) == (3, 0)
    assert halvings([*days, *(_extent(day, day, "old") for _ in range(5) for day in range(80))], range(8)) == (6, 0)
    # Rows of all times, a column that the log does not know, and two that grow: nothing to tell.
    assert halvings([_extent(0, 9) for _ in range(8)], range(8)) == (0, 0)
    assert halvings([*days, Extent("", 0, 10, (None, (0, 9)))], range(8)) == (0, 0)
    assert halvings([_extent(day, day, other=(day, day)) for day in range(8)], range(8)) == (0, 0)
    # Other partitions have grids of their own.
    assert halvings([*days, *(_extent(day, day, partition="p") for day in range(80))], range(8)) == (3, 0)


def test_halved_ranks_leave_the_cuts_to_the_other_column() -> None:
    random = np.random.default_rng(3)
    columns = [pa.array(random.integers(0, 10**6, 20_000)) for _ in range(2)]
    spans = []
    for counts in ((0, 0), (3, 0)):
        order = ZOrder.of(pa.array(np.zeros(20_000, np.int64)), columns, 1, "hilbert", counts)
        files = np.array_split(np.argsort(np.array(order.keys(columns).to_pylist()), kind="stable"), 64)
        spans.append([np.mean([np.ptp(column.to_numpy()[file]) for file in files]) / 10**6 for column in columns])
    (first, second), (wide, narrow) = spans
    assert first == pytest.approx(second, rel=0.3)
    assert wide > 2 * first
    assert narrow < second / 2


def test_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lake(tmp_path / "t", rows(0, 400), partition_by=("city",), file_rows=50)
    write_lake(tmp_path / "t", rows(400, 100, None), partition_by=("city",), file_rows=50, statistics=False)
    assert count(tmp_path / "t") == 500
    assert count(tmp_path / "t", version=0) == 400
    for where, expected in [
        ("id < 120", 120),
        ("city IS NULL", 100),
        ("id >= 390 OR city = 'x'", 110),
        ("id IS NULL", 0),
    ]:
        assert count(tmp_path / "t", where=where) == expected == scan(tmp_path / "t", where=where).read_all().num_rows
    opened: list[Any] = []
    original = counting.read_ahead
    monkeypatch.setattr(
        counting, "read_ahead", lambda reader, files, **_: original(reader, opened.extend(files) or files, **_)
    )
    assert count(tmp_path / "t", where="id BETWEEN 50 AND 120 AND city = 'Zürich'") == 71
    assert len(opened) == 1, "one of two files has only rows that match"
    with pytest.raises(ValueError, match="only Spark can decide"):
        count(tmp_path / "t", where="upper(city) = 'X'")


def test_restore(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    append(tmp_path, rows(10))
    overwrite(tmp_path, rows(20))
    info = restore(None, tmp_path, 1)
    assert (info.version, info.operation, info.parameters["version"]) == (3, "RESTORE", "1")
    assert ids(scan(tmp_path).read_all()) == ids(DeltaTable(tmp_path).to_pyarrow_table()) == [0, 1, 2, 10, 11, 12]
    assert check(tmp_path) == []
    restore(None, tmp_path, timestamp=Log(tmp_path).info(2).timestamp)
    assert ids(scan(tmp_path).read_all()) == [20, 21, 22]
    assert ids(scan(tmp_path, version=3).read_all()) == [0, 1, 2, 10, 11, 12]
    with pytest.raises(VersionNotFoundError):
        restore(None, tmp_path, 99)
    with pytest.raises(ValueError, match="one of them is needed"):
        restore(None, tmp_path)
    (tmp_path / Log(tmp_path).snapshot(0).files[0].path).unlink()
    with pytest.raises(LogError, match="1 files of the version are missing"):
        restore(None, tmp_path, 0)


def test_convert(tmp_path: Path) -> None:
    data = pa.table({"id": range(10), "x": [i / 2 for i in range(10)], "name": [f"n{i}" for i in range(10)]})
    for month, name in [("1", "a b.parquet"), ("2", "c.parquet"), ("__HIVE_DEFAULT_PARTITION__", "d.parquet")]:
        (tmp_path / "year=2024" / f"month={month}").mkdir(parents=True)
        pq.write_table(data, tmp_path / "year=2024" / f"month={month}" / name)
    pq.write_table(data.select(["id"]), tmp_path / "year=2024" / "month=2" / "less.parquet")
    (tmp_path / "_SUCCESS").touch()
    with pytest.raises(ValueError, match=r"directories of year, month; give their types"):
        convert(None, tmp_path)
    with pytest.raises(ValueError, match="directories of year, month, not of month"):
        convert(None, tmp_path, partition_schema={"month": pa.int32()})
    assert not (tmp_path / "_delta_log").exists()
    info = convert(None, tmp_path, partition_schema={"year": pa.int32(), "month": pa.int32()})
    assert (info.version, info.operation, info.num_files, info.num_rows) == (0, "CONVERT", 4, 40)
    found = scan(tmp_path).read_all()
    assert found.schema.names == ["id", "x", "name", "year", "month"]
    theirs = DeltaTable(tmp_path).to_pyarrow_table().select(found.schema.names)
    assert sorted(map(str, found.to_pylist())) == sorted(map(str, theirs.to_pylist()))
    assert count(tmp_path, where="month = 2 AND x IS NULL") == 10
    assert check(tmp_path, deep=True) == []
    with pytest.raises(FileExistsError, match="a table"):
        convert(None, tmp_path)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "day=2024-01-01").mkdir()
    pq.write_table(pa.table({"id": [1, 2]}), tmp_path / "day=2024-01-01" / "a.parquet")
    assert lakecodec(["convert", str(tmp_path), "--partition-by", "day:dates"]) == 2
    assert lakecodec(["convert", str(tmp_path / "day=2024-01-01" / "a.parquet")]) == 2
    capsys.readouterr()
    for command, expected in [
        (["convert", str(tmp_path), "--partition-by", "day:date"], "version 0"),
        (["count", str(tmp_path), "--where", "day = '2024-01-01' AND id > 1"], "1"),
        (["restore", str(tmp_path), "--version", "0"], "version 1"),
        (["check-table", str(tmp_path), "--deep"], "table checked, no problems"),
    ]:
        assert lakecodec(command) == 0
        assert capsys.readouterr().out.strip() == expected


def test_convert_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no files"):
        convert(None, tmp_path)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(ValueError, match=r"parquet_directory: '.*1.parquet' is a file"):
        convert(None, tmp_path / "1.parquet")
    with pytest.raises(SchemaMismatchError, match=r"'a' is int64 in '1.parquet' and string in '2.parquet'"):
        convert(None, tmp_path)
    (tmp_path / "2.parquet").write_text("no file")
    with pytest.raises(ValueError, match=r"2\.parquet|PAR1"):
        convert(None, tmp_path)
