"""The data source ``parquet_metadata`` against pyarrow's own reading of the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from tests.spark.corpus import pyarrow_rows, write_corpus

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    directory = tmp_path_factory.mktemp("corpus")
    return directory, write_corpus(directory)


@pytest.fixture
def damaged(tmp_path: Path, corpus: tuple[Path, list[Path]]) -> Path:
    """One good file between a cut, a foreign and an empty one, and a link to nothing."""
    whole = corpus[1][-1].read_bytes()
    (tmp_path / "a_cut.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "b_good.parquet").write_bytes(whole)
    (tmp_path / "c_text.parquet").write_text("no Parquet at all, only a line of text\n")
    (tmp_path / "d_empty.parquet").write_bytes(b"")
    (tmp_path / "e_gone.parquet").symlink_to(tmp_path / "nowhere")
    return tmp_path


def load(spark: SparkSession, paths: Path | list[Path], **options: Any) -> DataFrame:
    where = str(paths) if isinstance(paths, Path) else [str(path) for path in paths]
    return spark.read.format("parquet_metadata").options(**options).load(where)


def in_order(table: pa.Table) -> list[dict[str, Any]]:
    return table.sort_by([(name, "ascending") for name in ("file", "row_group", "column")]).to_pylist()


def test_rows_equal_pyarrow(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    directory, files = corpus
    rows = in_order(load(spark, directory).toArrow())
    expected = pyarrow_rows(files)
    assert len(rows) == len(expected) > 100
    for row, wanted in zip(rows, expected, strict=True):
        row["encodings"] = sorted(row["encodings"])
        if wanted["min"] is None:  # pyarrow does not show every bound that is there
            wanted = {name: value for name, value in wanted.items() if name not in ("min", "max")}
        assert {name: row[name] for name in wanted} == wanted
        assert row["error"] is None


def test_schema_is_plain(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    types = dict(load(spark, corpus[0]).dtypes)
    assert types["file"] == types["path"] == types["physical_type"] == types["codec"] == types["error"] == "string"
    assert types["encodings"] == "array<string>"
    assert types["min"] == types["max"] == "binary"
    assert types["num_values"] == types["total_compressed_size"] == "bigint"


def test_spark_queries_run_on_it(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    directory, files = corpus
    load(spark, directory).createOrReplaceTempView("chunks")
    query = "SELECT sum(num_values) v, count(DISTINCT file) f FROM chunks WHERE path = 'id' AND codec = 'ZSTD'"
    ids = [row for row in pyarrow_rows(files) if row["path"] == "id" and row["codec"] == "ZSTD"]
    assert spark.sql(query).first() == (sum(row["num_values"] for row in ids), len({row["file"] for row in ids}))


def test_list_of_paths_and_patterns(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    directory, files = corpus
    found = load(spark, [files[0], directory / "key=2" / "*.parquet"]).select("file").distinct().collect()
    assert {row.file for row in found} == {str(files[0]), *(str(f) for f in (directory / "key=2").iterdir())}


def test_columns_and_fields(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    rows = load(spark, corpus[1][-1], columns="place.y.z,id", fields="path,codec", errors="fail").toArrow()
    assert rows.column_names == ["path", "codec"]
    assert set(rows["path"].to_pylist()) == {"id", "place.y.z"}
    listed = load(spark, corpus[1][-1], columns=json.dumps(["id"])).toArrow()
    assert set(listed["path"].to_pylist()) == {"id"}


def test_columns_that_only_some_files_have(spark: SparkSession, corpus: tuple[Path, list[Path]], damaged: Path) -> None:
    pq.write_table(pa.table({"id": [1], "other": [2]}), damaged / "f_other.parquet")
    for partitions in (1, 9):
        frame = load(spark, damaged, columns="other,flag", fields="file,num_values", numPartitions=partitions)
        rows = [(Path(row.file).name[0], row.num_values) for row in frame.collect()]
        good = [("b", 100), ("b", 300), ("b", 300), ("b", 300), ("f", 1)]
        assert sorted(rows, key=str) == sorted(good + [(name, None) for name in "acde"], key=str)
    assert load(spark, corpus[0], columns="absent").count() == 0


def test_broken_files_are_rows(spark: SparkSession, damaged: Path) -> None:
    rows = load(spark, damaged).toArrow().to_pylist()
    failed = {Path(row["file"]).name: row for row in rows if row["error"] is not None}
    assert sorted(failed) == ["a_cut.parquet", "c_text.parquet", "d_empty.parquet", "e_gone.parquet"]
    assert all(row["path"] is None and row["num_values"] is None and row["error"] for row in failed.values())
    good = [row for row in rows if row["error"] is None]
    assert {Path(row["file"]).name for row in good} == {"b_good.parquet"}
    assert len(good) == len(pyarrow_rows([damaged / "b_good.parquet"]))


def test_broken_files_stay_when_fields_are_chosen(spark: SparkSession, damaged: Path) -> None:
    rows = load(spark, damaged, fields="file,num_values").toArrow()
    assert rows.column_names == ["file", "num_values", "error"]
    assert len(rows) - rows["error"].null_count == 4


@pytest.mark.parametrize("name", ["a_cut.parquet", "c_text.parquet", "d_empty.parquet", "e_gone.parquet"])
def test_broken_files_fail_the_job(spark: SparkSession, damaged: Path, name: str) -> None:
    frame = load(spark, [damaged / "b_good.parquet", damaged / name][-1:] if name[0] != "e" else damaged, errors="fail")
    assert "error" not in frame.columns
    with pytest.raises(Exception, match=name if name[0] != "e" else "a_cut"):
        frame.toArrow()


def test_good_files_pass_with_errors_fail(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    assert load(spark, corpus[0], errors="fail").count() == len(pyarrow_rows(corpus[1]))


def test_missing_path_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"path: '.*absent' does not exist"):
        load(spark, [tmp_path, tmp_path / "absent"]).collect()


def test_no_path_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="path: a path is needed"):
        spark.read.format("parquet_metadata").load().collect()


def test_empty_directory_has_no_rows(spark: SparkSession, tmp_path: Path) -> None:
    frame = load(spark, tmp_path)
    assert frame.count() == 0
    assert "num_values" in frame.columns


def test_partition_counts(spark: SparkSession, corpus: tuple[Path, list[Path]], tmp_path: Path) -> None:
    directory, files = corpus
    assert load(spark, directory).rdd.getNumPartitions() == 1
    assert load(spark, directory, numPartitions=4).rdd.getNumPartitions() == 4
    assert load(spark, directory, numPartitions=100).rdd.getNumPartitions() == len(files)
    for index in range(120):
        (tmp_path / f"{index}.parquet").symlink_to(files[0])
    assert load(spark, tmp_path).rdd.getNumPartitions() == 2  # local[2]
    spread = load(spark, directory, numPartitions=3).toArrow()
    assert in_order(spread) == in_order(load(spark, directory).toArrow())


def test_unknown_option_is_an_error(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    with pytest.raises(Exception, match="unknown option 'colums'"):
        load(spark, corpus[0], colums="id")


def test_schema_given_by_the_user(spark: SparkSession, corpus: tuple[Path, list[Path]]) -> None:
    reader = spark.read.format("parquet_metadata")
    frame = reader.schema("path string, error string, num_values bigint").load(str(corpus[0]))
    assert frame.toArrow().column_names == ["path", "error", "num_values"]
    for schema, message in [
        ("path string, error string, size bigint", "no column 'size'"),
        ("path string, error string, num_values int", "num_values is bigint, not int"),
        ("path string", "'error' must be there"),
    ]:
        with pytest.raises(Exception, match=message):
            spark.read.format("parquet_metadata").schema(schema).load(str(corpus[0])).collect()


def test_search(spark: SparkSession, tmp_path: Path) -> None:
    """Rows are those of `row_groups_with`, whatever the number of tasks."""
    for name, start in (("a", 0), ("b", 100), ("c", 200)):
        table = pa.table({"n": range(start, start + 100), "t": [None, *map(str, range(start, start + 99))]})
        pq.write_table(table, tmp_path / f"{name}.parquet", row_group_size=50, write_page_index=True)
    for tasks in (1, 3):
        found = load(spark, tmp_path, find="n", values='["120", "199", "250"]', numPartitions=tasks).toArrow()
        rows = sorted(found.to_pylist(), key=lambda row: (row["file"], row["row_group"]))
        assert [(Path(row["file"]).name, row["row_group"]) for row in rows] == [
            ("b.parquet", 0), ("b.parquet", 1), ("c.parquet", 1),
        ]  # fmt: skip
        expected = parquet.row_groups_with(tmp_path, "n", [120, 199, 250], errors="column").to_pylist()
        assert rows == expected
    assert load(spark, tmp_path, find="t", values="[null]").count() == 3
    assert load(spark, tmp_path, find="n", values="1000").count() == 0
    (tmp_path / "d.parquet").write_bytes(b"no Parquet")
    broken = load(spark, tmp_path, find="n", values="120").where("error IS NOT NULL").collect()
    assert [Path(row["file"]).name for row in broken] == ["d.parquet"]
    with pytest.raises(Exception, match="is not a valid int64"):
        load(spark, tmp_path, find="n", values="x").collect()
    with pytest.raises(Exception, match="find and values"):
        load(spark, tmp_path, find="n").collect()
