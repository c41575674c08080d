"""Statistics of many footers at once rule out what they rule out one by one, and are the only thing that is looked at there."""

from __future__ import annotations

import decimal
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import ColumnOrder, FileMetaData
from lakecodec.parquet import search
from lakecodec.runtime.errors import DecodeError

from .test_without_paths import without_paths

#: A type, and its value for a number from 0 on, in order.
TYPES: dict[str, tuple[pa.DataType, Callable[[int], Any]]] = {
    "int8": (pa.int8(), lambda n: n - 60),
    "uint8": (pa.uint8(), lambda n: n + 100),
    "int32": (pa.int32(), lambda n: n * 10**7 - 10**9),
    "uint32": (pa.uint32(), lambda n: n * 10**7 + 2**31 - 10**9),
    "int64": (pa.int64(), lambda n: n - 2**62),
    "uint64": (pa.uint64(), lambda n: n + 2**63 - 60),
    "float": (pa.float32(), lambda n: n / 8 - 5),
    "half": (pa.float16(), lambda n: np.float16(n - 60)),
    "double": (pa.float64(), lambda n: n / 7 - 5),
    "bool": (pa.bool_(), lambda n: n >= 60),
    "text": (pa.string(), lambda n: f"{n:03}é"),
    "bytes": (pa.binary(), lambda n: bytes([n, 255])),
    "fixed": (pa.binary(2), lambda n: bytes([n + 100, 1])),
    "decimal4": (pa.decimal128(7, 2), lambda n: decimal.Decimal(n - 60) / 100),
    "decimal16": (pa.decimal128(30, 5), lambda n: decimal.Decimal(n - 60) * 10**15),
    "decimal32": (pa.decimal256(60, 8), lambda n: decimal.Decimal(n - 60) * 10**40),
    "date": (pa.date32(), lambda n: n - 60),
    "time": (pa.time32("ms"), lambda n: n * 1000),
    "time64": (pa.time64("ns"), lambda n: n * 1000),
    "stamp": (pa.timestamp("us", "UTC"), lambda n: (n - 60) * 10**6),
    "nanoseconds": (pa.timestamp("ns"), lambda n: (n - 60) * 10**9 + 1),
}
_FILES, _ROWS = 6, 20
_NULL_ROW = 3


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Six files, each with twenty rows of its own in two row groups, and a null in all but one."""
    folder = tmp_path_factory.mktemp("lake")
    paths = []
    for number in range(_FILES):
        rows = range(number * _ROWS, (number + 1) * _ROWS)
        cells = {
            name: [None if at % _ROWS == _NULL_ROW and number else value(at) for at in rows]
            for name, (_, value) in TYPES.items()
        }
        table = pa.table({name: pa.array(cells[name], kind) for name, (kind, _) in TYPES.items()})
        paths.append(str(folder / f"{number}.parquet"))
        pq.write_table(table, paths[-1], row_group_size=10, store_decimal_as_integer=number % 2 == 0)
    return paths


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are looked at one by one."""
    names: list[str] = []
    look = search._search_file

    def noted(file: Any, footer: Any, column: Any) -> Any:
        names.append(file.name)
        return look(file, footer, column)

    monkeypatch.setattr(search, "_search_file", noted)
    return names


def one_by_one(monkeypatch: pytest.MonkeyPatch, *arguments: Any, **options: Any) -> pa.Table:
    with monkeypatch.context() as patch:
        patch.setattr(search, "ruled_out", lambda metadata, searched: [False] * len(metadata))
        return parquet.row_groups_with(*arguments, **options)


@pytest.mark.parametrize("name", TYPES)
def test_every_type(name: str, lake: list[str], looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, value = TYPES[name]
    for number in (0, 45, 59, 60, 119):
        found = parquet.row_groups_with(lake, name, value(number))
        assert lake[number // _ROWS] in found["file"].to_pylist()
        assert sorted(set(looked)) == sorted(set(found["file"].to_pylist())), "others are not looked at"
        assert found == one_by_one(monkeypatch, lake, name, value(number))
        looked.clear()
    several = [value(1), value(70), None]
    found = parquet.row_groups_with(lake, name, several)
    assert found == one_by_one(monkeypatch, lake, name, several)
    looked.clear()
    found = parquet.row_groups_with(lake, name, None)
    assert looked == found["file"].to_pylist() == lake[1:]


def test_bounds_that_mean_nothing(tmp_path: Path, looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No order named, deprecated bounds alone, NaN, no statistics, no paths, a file without the column, none at all."""
    rows = {"x": [1.5, 2.5], "n": pa.array([-1, 5], pa.int32()), "u": pa.array([3, 2**32 - 1], pa.uint32())}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    sound = (tmp_path / "a.parquet").read_bytes()

    def edited(name: str, edit: Callable[[FileMetaData], Any]) -> None:
        metadata = parquet.read_metadata(sound)
        edit(metadata)
        footer = parquet.write_metadata(metadata)
        size = int.from_bytes(sound[-8:-4], "little") + 8
        (tmp_path / f"{name}.parquet").write_bytes(sound[:-size] + footer)

    def bounds(metadata: FileMetaData, old: bool, **values: Any) -> None:
        for chunk in metadata.row_groups[0].columns:
            statistics = chunk.meta_data.statistics
            if not old:
                statistics.min = statistics.max = None
            for name, value in values.items():
                setattr(statistics, name, value)

    none = {"min_value": None, "max_value": None}
    edited("no order", lambda m: (setattr(m, "column_orders", None), bounds(m, False)))
    edited("no order, deprecated", lambda m: setattr(m, "column_orders", None))
    edited("deprecated", lambda m: bounds(m, True, **none))
    edited("short orders", lambda m: (setattr(m, "column_orders", m.column_orders[:1]), bounds(m, False)))
    edited("total order", lambda m: setattr(m, "column_orders", [ColumnOrder.IEEE_754_TOTAL_ORDER()] * 3))
    edited("none", lambda m: bounds(m, False, null_count=None, **none))
    edited("all null", lambda m: bounds(m, False, null_count=2, **none))
    edited(
        "nan", lambda m: setattr(m.row_groups[0].columns[0].meta_data.statistics, "max_value", b"\0\0\0\0\0\0\xf8\x7f")
    )
    edited("nan counts", lambda m: bounds(m, True, nan_count=0))
    edited("fewer rows", lambda m: setattr(m, "num_rows", 1))
    edited("two row groups", lambda m: setattr(m, "row_groups", m.row_groups * 2))
    (tmp_path / "no paths.parquet").write_bytes(without_paths(sound))
    pq.write_table(pa.table({"other": [1]}), tmp_path / "other.parquet")
    pq.write_table(pa.table(rows).slice(0, 0), tmp_path / "empty.parquet")
    for column, values in {
        "x": [0.5, 2.0, 9.0, float("nan")],
        "n": [-9, 0, 9],
        "u": [1, 4, 2**32 - 1],
        "other": [0],
    }.items():
        for value in [*values, None, values]:
            looked.clear()
            found = parquet.row_groups_with(tmp_path, column, value)
            assert looked or not found.num_rows
            assert found == one_by_one(monkeypatch, tmp_path, column, value), (column, value)
    (tmp_path / "a wrong size.parquet").write_bytes(b"")
    edited("bad", lambda m: bounds(m, False, min_value=b"\1", max_value=b"\1"))
    for each in ("n", "x"):
        expected = one_by_one(monkeypatch, tmp_path, each, 2, errors="column")
        assert parquet.row_groups_with(tmp_path, each, 2, errors="column") == expected
        assert len(expected["error"].drop_null()) == 2


def test_footers_without_paths(lake: list[str], looked: list[str], tmp_path: Path) -> None:
    """They are ruled out at once as well, beside others."""
    paths = []
    for number, path in enumerate(lake):
        paths.append(str(tmp_path / f"{number}.parquet"))
        data = Path(path).read_bytes()
        Path(paths[-1]).write_bytes(without_paths(data) if number % 2 else data)
    for number in (5, 45, 60, 119):
        _, value = TYPES["int64"]
        found = parquet.row_groups_with(paths, "int64", value(number))
        assert looked == found["file"].to_pylist() == [paths[number // _ROWS]]
        looked.clear()


@pytest.mark.skipif("PARQUET_TEST_DATA" not in os.environ, reason="the corpus is elsewhere")
def test_the_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted(str(path) for path in Path(os.environ["PARQUET_TEST_DATA"], "data").glob("*.parquet"))
    chunks = parquet.column_chunks(files, errors="column", fields=["path"])["path"].unique().drop_null().to_pylist()
    for column in chunks:
        for value in (0, "a", 1.5, None):
            try:
                expected = one_by_one(monkeypatch, files, column, value, errors="column")
            except ValueError:
                continue
            assert parquet.row_groups_with(files, column, value, errors="column") == expected, (column, value)


def test_damaged_footers(lake: list[str], tmp_path: Path) -> None:
    draw = random.Random(18)
    path = tmp_path / "a.parquet"
    for source in lake[:2]:
        data = Path(source).read_bytes()
        size = int.from_bytes(data[-8:-4], "little")
        for _ in range(60):
            damaged = bytearray(data)
            for _ in range(draw.randint(1, 4)):
                damaged[len(data) - 8 - draw.randint(1, size)] = draw.randrange(256)
            path.write_bytes(damaged)
            try:
                parquet.row_groups_with(path, draw.choice(list(TYPES)), None)
                parquet.row_groups_with([path, source], "int32", 5)
            except (DecodeError, KeyError, ValueError):
                pass
