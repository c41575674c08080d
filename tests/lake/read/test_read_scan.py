"""Scans without Spark against DuckDB, which orders NaN and treats nulls as Spark does; and what scans skip."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec import DecodeError
from lakecodec.lake.log import Log, VersionNotFoundError
from lakecodec.pipeline import count, explain, open_scan, scan
from tests.spark.lakes import write_lake

ROWS = 400
NAN = float("nan")


def rows() -> pa.Table:
    """Clustered by id; each column with nulls and what is hard about its type."""
    numbers = range(ROWS)
    start = datetime(2024, 3, 1, tzinfo=UTC)
    return pa.table(
        {
            "id": pa.array(numbers, pa.int32()),
            "region": [["north", "São", None, "x=1/2"][i % 4] for i in numbers],
            "part": [[1.5, NAN, None, -0.0, 2.5][i // 80] for i in numbers],
            "n": pa.array([None if i % 9 == 0 else i // 10 for i in numbers], pa.int64()),
            "x": [NAN if i in (7, 250) else None if i % 11 == 0 else i / 7 for i in numbers],
            "f": pa.array([i / 10 for i in numbers], pa.float32()),
            "price": pa.array([None if i == 3 else Decimal(i) / 8 for i in numbers], pa.decimal128(12, 3)),
            "name": [None if i % 50 == 0 else f"{'prefix of many characters ' * 2}{i:04}" for i in numbers],
            "day": [date(2024, 1, 1) + timedelta(days=i // 4) for i in numbers],
            "moment": [start + timedelta(seconds=i, microseconds=i) for i in numbers],
            "local": pa.array([datetime(2024, 3, 1, 0, 0, 0, 1) + timedelta(hours=i) for i in numbers]),
            "flag": [None if i % 7 == 0 else i % 3 == 0 for i in numbers],
            "nothing": pa.nulls(ROWS, pa.int32()),
        }
    )


@pytest.fixture(scope="module", params=["parquet", "mosaic", "partitioned", "without statistics"])
def lake(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lake") / "t"
    kind = str(request.param)
    write_lake(
        root,
        rows(),
        format="mosaic" if kind == "mosaic" else "parquet",
        partition_by=("region", "part") if kind == "partitioned" else (),
        statistics=kind != "without statistics",
    )
    return root


def ids(batches: pa.RecordBatchReader) -> list[int]:
    return sorted(batches.read_all()["id"].to_pylist())


def expected(where: str) -> list[int]:
    sql = where.replace("TIMESTAMP'", "TIMESTAMPTZ'").replace("TIMESTAMP_NTZ'", "TIMESTAMP'")
    sql = re.sub(r"([\d.]+)D\b", r"CAST(\1 AS DOUBLE)", sql.replace("<=>", "IS NOT DISTINCT FROM"))
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.register("t", rows())
        return sorted(row[0] for row in connection.execute(f"SELECT id FROM t WHERE {sql}").fetchall())


LITERALS: dict[str, list[str]] = {
    "id": ["0", "57", "200.5", "-1", "3000000000", "399", "1e2"],
    "region": ["'north'", "'o'''", "'''x'", "'São'", "'x=1/2'", "''", "'o'"],
    "part": ["1.5", "0", "2.5", "100"],
    "n": ["0", "20", "19.5", "39", "100", "5D"],
    "x": ["0", "30.25", "1e300", "57.0D"],
    "f": ["0.5", "20", "39.75"],
    "price": ["0.375", "25", "12.3456", "1e1", "100000000000"],
    "name": ["'prefix of many characters prefix of many characters 0100'", "'prefix of many characters prefix'", "'z'"],
    "day": ["DATE'2024-01-01'", "DATE'2024-02-10'", "'2024-03-03'"],
    "moment": ["TIMESTAMP'2024-03-01 00:01:00.000060'", "TIMESTAMP'2024-03-01T00:05:00Z'", "'2024-03-01 00:02:00'"],
    "local": ["TIMESTAMP_NTZ'2024-03-05 00:00:00'", "TIMESTAMP_NTZ'2024-03-05 04:00:00.000001'"],
    "flag": ["TRUE", "FALSE"],
    "nothing": ["1"],
}


@st.composite
def atoms(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(sorted(LITERALS)))
    value = st.sampled_from(LITERALS[name])
    kind = draw(st.sampled_from(["compare"] * 5 + ["in", "between", "null", "prefix"]))
    if kind == "compare":
        return f"{name} {draw(st.sampled_from(['=', '!=', '<', '<=', '>', '>=', '<=>']))} {draw(value)}"
    if kind == "null":
        return f"{name} IS {draw(st.sampled_from(['', 'NOT ']))}NULL"
    negation = draw(st.sampled_from(["", "NOT "]))
    if kind == "between":
        return f"{name} {negation}BETWEEN {draw(value)} AND {draw(value)}"
    if kind == "in" and name not in ("day", "moment"):
        # Decimals and doubles in one list are left to Spark.
        values = [text for text in LITERALS[name] if not text.endswith("D") and "1e" not in text]
        return f"{name} {negation}IN ({', '.join(draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)))})"
    return f"name LIKE '{draw(st.sampled_from(['prefix of many characters prefix of many characters 01', 'q', '']))}%'"


PREDICATES = st.recursive(
    atoms(),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map(" AND ".join).map("({})".format),
        st.tuples(parts, parts).map(" OR ".join).map("({})".format),
        parts.map("NOT ({})".format),
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=PREDICATES)
def test_same_rows_as_duckdb(lake: Path, where: str) -> None:
    assert ids(scan(lake, columns=["id"], where=where)) == expected(where)


@pytest.mark.parametrize(
    ("where", "files", "groups"),
    [
        ("id < 30", 1, 2),
        ("id = 399", 1, 1),
        ("id > 1000", 0, 0),
        ("day BETWEEN '2024-02-10' AND '2024-02-11'", 1, 1),
        ("moment >= TIMESTAMP'2024-03-01 00:06:00'", 1, 2),
        ("name LIKE 'prefix of many characters prefix of many characters 03%'", 4, 4),
        ("nothing IS NOT NULL", 0, 0),
        ("x > 1000", 4, 16),  # NaN is larger, and bounds need not tell of it
        ("x > 50 AND x < 1000", 3, 2),
        ("price IN (1, 49)", 2, 2),
        ("id < 30 OR upper(region) = 'X'", 4, 16),
    ],
)
def test_what_is_read(tmp_path: Path, where: str, files: int, groups: int) -> None:
    write_lake(tmp_path / "t", rows())
    summary = explain(tmp_path / "t", where=where)
    assert (summary.files, summary.row_groups, summary.files_total) == (files, groups, 4)


def test_partitions_are_skipped(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", rows(), partition_by=("region", "part"))
    for where, files in (("region = 'São'", 5), ("region IS NULL AND part = 0", 1), ("part > 2", 8), ("part < 2", 8)):
        assert explain(tmp_path / "t", where=where).files == files


def test_summary_of_a_scan(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", rows())
    found = open_scan(tmp_path / "t", where="id < 30")
    assert found.reader().read_all().num_rows == 30
    summary = found.summary()
    assert (summary.rows, summary.row_groups, summary.row_groups_total) == (30, 2, 4)
    assert str(summary).startswith("version 0: 30 rows from 1 of 4 files")


def test_columns_come_in_the_order_asked_for(lake: Path) -> None:
    found = scan(lake, columns=["Price", "id", "part"], where="n = 3").read_all()
    assert found.column_names == ["price", "id", "part"]
    assert found.schema.field("price").type == pa.decimal128(12, 3)
    assert scan(lake, columns=[], where="id < 10").read_all().num_columns == 0
    only = scan(lake, columns=["region"]).read_all()
    assert sorted(map(str, only["region"].to_pylist())) == sorted(map(str, rows()["region"].to_pylist()))


def test_versions(tmp_path: Path) -> None:
    root = tmp_path / "t"
    for number in range(12):
        write_lake(root, pa.table({"id": [number]}))
    assert ids(scan(root)) == list(range(12))
    assert ids(scan(root, version=3)) == [0, 1, 2, 3]
    moment = Log(root).info(5).timestamp
    assert ids(scan(root, timestamp=moment)) == list(range(len(ids(scan(root, timestamp=moment)))))
    with pytest.raises(VersionNotFoundError):
        scan(root, version=99)
    with pytest.raises(VersionNotFoundError):
        scan(tmp_path / "nothing")


def test_tables_of_deltalake(tmp_path: Path) -> None:
    table = rows().drop_columns(["nothing", "part"])
    write_deltalake(tmp_path / "t", table, partition_by=["region", "day"])
    for where in ("region = 'São' AND day > '2024-02-10'", "x > 30", "moment < '2024-03-01 00:02:00' AND NOT flag"):
        assert ids(scan(tmp_path / "t", where=where)) == expected(where)
    assert ids(scan(tmp_path / "t")) == sorted(DeltaTable(tmp_path / "t").to_pyarrow_table()["id"].to_pylist())


def test_same_table_as_polars(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", rows().drop_columns(["part"]), partition_by=("region",))
    ours = pl.DataFrame(scan(tmp_path / "t").read_all()).sort("id")
    theirs = pl.read_delta(str(tmp_path / "t")).sort("id")
    assert ours.select(theirs.columns).equals(theirs)


def test_columns_that_old_files_lack_are_null(tmp_path: Path) -> None:
    write_deltalake(tmp_path / "t", pa.table({"id": [1]}))
    write_deltalake(tmp_path / "t", pa.table({"id": [2], "new": ["x"]}), mode="append", schema_mode="merge")
    assert sorted(map(tuple, (row.values() for row in scan(tmp_path / "t").read_all().to_pylist())), key=str) == [
        (1, None),
        (2, "x"),
    ]
    assert ids(scan(tmp_path / "t", where="new IS NULL")) == [1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"where": "upper(name) = 'X'"}, ValueError, "only Spark can decide .upper.name. = 'X'.; use pipeline.read"),
        ({"where": "id = 1 AND missing = 2"}, KeyError, "where: 'missing' is not a column"),
        ({"where": " "}, ValueError, "where: the predicate is empty"),
        ({"where": [("id", "~", 1)]}, ValueError, "where: unknown operator '~'"),
        ({"where": [("id", "in", "abc")]}, ValueError, "where: 'in' needs a list"),
        ({"where": 5}, TypeError, "where: a SQL predicate or a list"),
        ({"columns": ["id", "nope"]}, KeyError, "columns: 'nope' is not a column"),
        ({"columns": ["id", "ID"]}, ValueError, "columns: 'ID' is named twice"),
        ({"columns": "id"}, TypeError, "columns: a list of names"),
        ({"version": 0, "timestamp": "2024-01-01"}, ValueError, "version, timestamp"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    write_lake(tmp_path / "t", rows())
    with pytest.raises(error, match=message):
        scan(tmp_path / "t", **arguments)


def test_terms(lake: Path) -> None:
    assert ids(scan(lake, where=[("id", ">", 5), ("id", "<=", 7)])) == [6, 7]
    assert ids(scan(lake, where=[[("id", "=", 5)], [("id", "in", [1, 2]), ("n", "!=", None)]])) == [1, 2, 5]
    assert ids(scan(lake, where=[("moment", "=", datetime(2024, 3, 1, 0, 0, 9, 9, UTC))])) == [9]
    assert ids(scan(lake, where=[("region", "=", None), ("id", "<", 9)])) == [2, 6]


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process in another time zone than UTC."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_terms_of_times_without_a_zone(tmp_path: Path, new_york: None) -> None:
    """They are in UTC, as in SQL, whatever the zone of the process; also where its clocks have no such time."""
    times = [datetime(2024, 1, 1), datetime(2024, 3, 10, 2, 30), datetime(2024, 11, 3, 1, 30)]
    instants = pa.array([moment.replace(tzinfo=UTC) for moment in times], pa.timestamp("us", "UTC"))
    table = pa.table({"id": [0, 1, 2], "n": pa.array(times, pa.timestamp("us")), "t": instants})
    write_lake(tmp_path / "t", table, file_rows=1)
    for number, moment in enumerate(times):
        for column in ("n", "t"):
            for term in ((column, "=", moment), (column, "in", [moment])):
                assert ids(scan(tmp_path / "t", where=[term])) == [number]
            sql = f"{column} = TIMESTAMP_NTZ'{moment.isoformat()}'"
            assert ids(scan(tmp_path / "t", where=sql)) == [number]
        assert ids(scan(tmp_path / "t", where=[("n", "=", moment.replace(tzinfo=UTC))])) == [number]
        assert count(tmp_path / "t", where=[("n", ">=", moment), ("t", ">=", moment)]) == 3 - number


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_broken_and_missing_files(tmp_path: Path, format: str) -> None:
    write_lake(tmp_path / "t", rows(), format=format)
    file = next((tmp_path / "t").glob(f"*.{format}"))
    data = file.read_bytes()
    for broken in (data[: len(data) // 2], b"", bytes(len(data))):
        file.write_bytes(broken)
        with pytest.raises(DecodeError) as caught:
            scan(tmp_path / "t").read_all()
        assert file.name in str(caught.value)
    file.unlink()
    with pytest.raises(FileNotFoundError):
        scan(tmp_path / "t").read_all()


def test_statistics_that_make_no_sense_skip_nothing(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", pa.table({"id": [1, 2, 3]}), statistics=False)
    log = tmp_path / "t" / "_delta_log" / f"{0:020}.json"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for stats in ("{", '{"minValues": {"id": "x"}, "maxValues": {"id": []}, "nullCount": {"id": "many"}}', "[]"):
        for line in lines:
            if "add" in line:
                line["add"]["stats"] = stats
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert ids(scan(tmp_path / "t", where="id >= 2")) == [2, 3]


def test_large_whole_numbers_against_doubles(tmp_path: Path) -> None:
    """Spark casts them to doubles, which rounds those beyond 2**53."""
    numbers = [1, 2**53 + 1, 2**53 + 3, -(2**63), 2**63 - 1]
    write_lake(tmp_path / "t", pa.table({"id": pa.array(numbers, pa.int64())}))
    found = scan(tmp_path / "t", where="id > 1e3").read_all()["id"].to_pylist()
    assert found == [2**53 + 1, 2**53 + 3, 2**63 - 1]
    assert scan(tmp_path / "t", where="id = 9007199254740992D").read_all()["id"].to_pylist() == [2**53 + 1]


def test_times_without_zone_skip_files(tmp_path: Path) -> None:
    """Compared with texts and with instants, as Spark's predicates are written."""
    start = datetime(2024, 1, 1)
    write_lake(tmp_path / "t", pa.table({"ts": [start + timedelta(days=i) for i in range(300)]}), file_rows=30)
    expected = [datetime(2024, 6, 1), datetime(2024, 6, 2)]
    for where in (
        "ts BETWEEN '2024-06-01' AND '2024-06-02'",
        "ts BETWEEN timestamp'2024-06-01' AND timestamp'2024-06-02'",
        "ts BETWEEN timestamp_ntz'2024-06-01' AND timestamp_ntz'2024-06-02'",
        "ts IN ('2024-06-01', '2024-06-02')",
    ):
        found = open_scan(tmp_path / "t", where=where)
        assert found.reader().read_all()["ts"].to_pylist() == expected
        assert found.summary().files == 1


def test_a_scan_shows_its_plan(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", rows(), partition_by=("region",))
    found = open_scan(tmp_path / "t", columns=["id", "n"], where="region = 'north'")
    expected = f"TableScan({str(tmp_path / 't')!r}, version=0, columns=['id', 'n'], files=1, files_total=4)"
    assert repr(found) == expected
    assert "<td>files_total</td><td>4</td>" in found._repr_html_()


def test_explain_names_files_and_row_groups(tmp_path: Path) -> None:
    write_lake(tmp_path / "t", pa.table({"id": range(2000), "p": ["x y"] * 2000}), partition_by=("p",), group_rows=10)
    found = explain(tmp_path / "t", where="id IN (5, 115, 125, 155)")
    names = [add.file for add in Log(tmp_path / "t").snapshot().files]
    assert found.chosen == {names[0]: (0,), names[1]: (1, 2, 5)}
    lines = str(found).splitlines()
    assert lines[0].startswith("version 0: 2 of 20 files (")
    assert lines[1:] == [f"  {names[0]}: row groups 0", f"  {names[1]}: row groups 1-2, 5"]
    assert names[0].startswith("p=x y/")
    assert str(explain(tmp_path / "t")).endswith("\n  and 10 more files")
    assert "\n" not in str(open_scan(tmp_path / "t").summary())
