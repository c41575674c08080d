"""What `ingest` does to a table that exists: modes, replacing, repeating, refusing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from lakecodec import EncodeError
from lakecodec.lake.log import CommitInfo, ConflictError, Log, SchemaMismatchError, Transaction
from lakecodec.pipeline import check, history, ingest, vacuum
from tests.spark.tables import files_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DAYS = [date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 3)]


def days(spark: SparkSession, numbers: dict[int, int]) -> DataFrame:
    """Rows of the given days of January 2024, each with the given number."""
    rows = [(date(2024, 1, day), number) for day, number in numbers.items()]
    return spark.createDataFrame(rows, "day date, n bigint")


def contents(table: Path, version: int | None = None) -> dict[int, list[int]]:
    """Numbers by day, as deltalake reads the table."""
    found: dict[int, list[int]] = {}
    for row in DeltaTable(table, version=version).to_pyarrow_table().to_pylist():
        found.setdefault(row["day"].day, []).append(row["n"])
    return {day: sorted(numbers) for day, numbers in sorted(found.items())}


@pytest.fixture
def table(spark: SparkSession, tmp_path: Path) -> Path:
    """Partitioned by day, one row a day."""
    path = tmp_path / "table"
    ingest(spark, days(spark, {1: 10, 2: 20, 3: 30}), path, partition_by="day", progress=False)
    return path


def test_append(spark: SparkSession, table: Path) -> None:
    info = ingest(spark, days(spark, {3: 31, 4: 40}).select("n", "day"), table, mode="append", progress=False)
    assert (info.version, info.num_files, info.num_rows) == (1, 2, 2)
    assert contents(table) == {1: [10], 2: [20], 3: [30, 31], 4: [40]}
    assert contents(table, 0) == {1: [10], 2: [20], 3: [30]}


def test_append_to_nothing_creates(spark: SparkSession, tmp_path: Path) -> None:
    assert ingest(spark, days(spark, {1: 1}), tmp_path / "t", mode="append", progress=False).version == 0


def test_overwrite(spark: SparkSession, table: Path) -> None:
    other = spark.createDataFrame([("x", 1)], "name string, n int")
    ingest(spark, other, table, mode="overwrite", partition_by="name", progress=False)
    assert DeltaTable(table).to_pyarrow_table().to_pylist() == [{"name": "x", "n": 1}]
    assert contents(table, 0) == {1: [10], 2: [20], 3: [30]}
    assert vacuum(table, retention=timedelta(days=1)) == []
    assert len(vacuum(table, retention=timedelta(0))) == 3


def test_overwrite_keeps_partitions(spark: SparkSession, table: Path) -> None:
    ingest(spark, days(spark, {7: 70}), table, mode="overwrite", progress=False)
    assert contents(table) == {7: [70]}
    assert Log(table).snapshot().partition_columns == ("day",)


def test_overwrite_partitions(spark: SparkSession, table: Path) -> None:
    ingest(spark, days(spark, {2: 21, 4: 40}), table, mode="overwrite_partitions", progress=False)
    assert contents(table) == {1: [10], 2: [21], 3: [30], 4: [40]}


def test_overwrite_partitions_of_another_writer(spark: SparkSession, tmp_path: Path) -> None:
    """Partitions are the same whose values are, however the texts differ: deltalake writes 0, we write 0.0."""
    write_deltalake(tmp_path / "t", pa.table({"p": [0.0, 1.5], "n": [1, 2]}), partition_by=["p"])
    rows = spark.createDataFrame([(0.0, 3)], "p double, n bigint")
    ingest(spark, rows, tmp_path / "t", mode="overwrite_partitions", progress=False)
    found = DeltaTable(tmp_path / "t").to_pyarrow_table().to_pylist()
    assert sorted((row["p"], row["n"]) for row in found) == [(0.0, 3), (1.5, 2)]


@pytest.mark.parametrize(
    "predicate",
    ["day >= DATE'2024-01-02'", [("day", ">=", DAYS[1])], [[("day", "in", DAYS[1:])], [("day", "=", None)]]],
    ids=["sql", "terms", "groups"],
)
def test_replace_where(spark: SparkSession, table: Path, predicate: Any) -> None:
    ingest(spark, days(spark, {3: 33}), table, mode="overwrite", replace_where=predicate, progress=False)
    assert contents(table) == {1: [10], 3: [33]}
    with pytest.raises(EncodeError, match=r"day: .*replace_where"):
        ingest(spark, days(spark, {1: 1}), table, mode="overwrite", replace_where=predicate, progress=False)
    assert contents(table) == {1: [10], 3: [33]}
    assert check(table) == []


def test_ignore_and_error(spark: SparkSession, table: Path) -> None:
    assert ingest(spark, days(spark, {1: 1}), table, mode="ignore", progress=False) == history(table)[0]
    with pytest.raises(FileExistsError, match="another mode"):
        ingest(spark, days(spark, {1: 1}), table, progress=False)
    assert len(history(table)) == 1


def test_repeated_transaction(spark: SparkSession, table: Path) -> None:
    first = ingest(spark, days(spark, {5: 50}), table, mode="append", txn_id="load-5", progress=False)
    ingest(spark, days(spark, {6: 60}), table, mode="append", txn_id="load-6", progress=False)
    for mode in ("append", "overwrite"):
        again = ingest(spark, days(spark, {5: 50}), table, mode=mode, txn_id="load-5", progress=False)
        assert again == first
    assert contents(table) == {1: [10], 2: [20], 3: [30], 5: [50], 6: [60]}


def test_one_transaction_twice_at_once(spark: SparkSession, table: Path) -> None:
    """Both callers get the one version that was made; the files of the other are gone."""

    def load(_: int) -> int:
        return ingest(spark, days(spark, {5: 50}), table, mode="append", txn_id="load-5", progress=False).version

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(load, range(2))) == [1, 1]
    assert contents(table) == {1: [10], 2: [20], 3: [30], 5: [50]}
    assert check(table) == []


def test_appends_at_once(spark: SparkSession, table: Path) -> None:
    def load(day: int) -> int:
        return ingest(spark, days(spark, {day: day}), table, mode="append", progress=False).version

    with ThreadPoolExecutor(4) as pool:
        versions = list(pool.map(load, range(11, 15)))
    assert sorted(versions) == [1, 2, 3, 4]
    assert contents(table) == {1: [10], 2: [20], 3: [30]} | {day: [day] for day in range(11, 15)}


def test_overwrites_at_once(spark: SparkSession, table: Path) -> None:
    """One wins or both follow each other; who loses is told so, and leaves nothing behind."""

    def load(number: int) -> int | None:
        try:
            return ingest(spark, days(spark, {1: number}), table, mode="overwrite", progress=False).version
        except ConflictError:
            return None

    with ThreadPoolExecutor(3) as pool:
        versions = list(pool.map(load, range(3)))
    made = [version for version in versions if version is not None]
    assert sorted(made) == list(range(1, len(made) + 1))
    assert contents(table) == {1: [versions.index(max(made))]}
    assert check(table) == []


@pytest.mark.parametrize("made", [False, True])
def test_interrupted_at_the_commit(
    spark: SparkSession, table: Path, monkeypatch: pytest.MonkeyPatch, made: bool
) -> None:
    """Files are deleted only if no version has them."""
    before = files_in(table)
    commit = Transaction.commit

    def interrupted(transaction: Transaction) -> CommitInfo:
        if made:
            commit(transaction)
        raise KeyboardInterrupt

    monkeypatch.setattr(Transaction, "commit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ingest(spark, days(spark, {4: 40}), table, mode="append", progress=False)
    assert contents(table) == {1: [10], 2: [20], 3: [30]} | ({4: [40]} if made else {})
    assert len(files_in(table)) == len(before) + made
    assert check(table) == []


def test_partitions_are_replaced_next_to_each_other(spark: SparkSession, table: Path) -> None:
    """Overwriting different partitions is no conflict."""

    def load(day: int) -> int:
        return ingest(spark, days(spark, {day: day}), table, mode="overwrite_partitions", progress=False).version

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(load, (1, 2, 3))) == [1, 2, 3]
    assert contents(table) == {1: [1], 2: [2], 3: [3]}


def test_append_that_does_not_fit(spark: SparkSession, table: Path) -> None:
    before = files_in(table)
    rows = spark.createDataFrame([("2024-01-01", 1.5, True)], "day string, n double, extra boolean")
    with pytest.raises(SchemaMismatchError) as caught:
        ingest(spark, rows, table, mode="append", progress=False)
    assert set(caught.value.columns) == {"day", "n", "extra"}
    with pytest.raises(SchemaMismatchError, match="day"):
        ingest(spark, days(spark, {1: 1}).select("n"), table, mode="append", progress=False)
    with pytest.raises(ValueError, match="partition_by: n is requested, but the table is partitioned by day"):
        ingest(spark, days(spark, {1: 1}), table, mode="append", partition_by="n", progress=False)
    with pytest.raises(ValueError, match="format: 'mosaic' is requested, but the table's files are 'parquet'"):
        ingest(spark, days(spark, {1: 1}), table, mode="append", format="mosaic", progress=False)
    assert files_in(table) == before


def test_append_fills_columns_that_are_missing(spark: SparkSession, table: Path) -> None:
    ingest(spark, days(spark, {4: 0}).select("day"), table, mode="append", progress=False)
    assert DeltaTable(table).to_pyarrow_table(filters=[("day", "=", date(2024, 1, 4))])["n"].to_pylist() == [None]


def test_tables_of_other_writers(spark: SparkSession, tmp_path: Path) -> None:
    schema = pa.schema([pa.field("day", pa.date32()), pa.field("n", pa.int64(), nullable=False)])
    rows = pa.table({"day": [DAYS[0]], "n": pa.array([1], pa.int64())}, schema=schema)
    write_deltalake(tmp_path / "t", rows, partition_by=["day"])
    ingest(spark, days(spark, {2: 2}), tmp_path / "t", mode="append", progress=False)
    assert contents(tmp_path / "t") == {1: [1], 2: [2]}
    with pytest.raises(EncodeError, match="n"):
        ingest(spark, days(spark, {2: 2}).selectExpr("day", "nullif(n, 2) AS n"), tmp_path / "t", mode="append")
    assert contents(tmp_path / "t") == {1: [1], 2: [2]}


def test_reading_what_is_overwritten(spark: SparkSession, tmp_path: Path) -> None:
    """Files of the version read stay, so a table can be made of itself."""
    ingest(spark, days(spark, {1: 1, 2: 2}), tmp_path / "t", progress=False)
    rows = spark.read.parquet(*[str(path) for path in files_in(tmp_path / "t")])
    ingest(spark, rows.selectExpr("day", "n * 10 AS n"), tmp_path / "t", mode="overwrite", progress=False)
    assert contents(tmp_path / "t") == {1: [10], 2: [20]}
