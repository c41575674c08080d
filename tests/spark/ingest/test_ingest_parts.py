"""The parts of `ingest` that need no Spark session: requests, z-order, splitting, sorting, messages, the command line."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec import EncodeError
from lakecodec.cli import run
from lakecodec.cli.lake import parse_period, parse_size
from lakecodec.delta import PartitionCodec
from lakecodec.lake.log import Add, Log, Transaction
from lakecodec.lake.writing.batches import Splitter, z_sorted
from lakecodec.lake.writing.messages import DataFile, error_message, files_message, read_messages
from lakecodec.lake.writing.orphans import begin, delete_orphans
from lakecodec.lake.writing.request import Order, Request
from lakecodec.lake.writing.zorder import ZOrder, has_z_order
from lakecodec.pipeline import ingest
from lakecodec.spark.ingest.sampling import row_bytes, task_count
from lakecodec.spark.ingest.task import SparkWriteTask
from tests.spark.tables import every_type, files_in

SCHEMA = pa.schema({"id": pa.int64(), "f": pa.float64(), "s": pa.string()})
DEFAULTS: dict[str, Any] = {
    "format": None, "partition_by": (), "sort_by": (), "zorder_by": (), "mode": "error", "replace_where": None,
    "max_rows_per_file": 10, "target_file_bytes": 1000, "stats_columns": None, "txn_id": None,
}  # fmt: skip


def write_task(target: Path, *, key: str | None = None, rows: int = 1000, size: int = 1 << 20) -> SparkWriteTask:
    codec = PartitionCodec(SCHEMA, ["s"])
    return SparkWriteTask(str(target), "write", "parquet", SCHEMA, codec, key, rows, size, None)


def batches(*groups: list[tuple[int, float, str | None]]) -> list[pa.RecordBatch]:
    return [
        pa.RecordBatch.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in group], SCHEMA)
        for group in groups
    ]


def test_orders() -> None:
    request = Request.of(**{**DEFAULTS, "sort_by": ["a", "-b", ("-c", "descending"), ("d", "ascending")]})
    assert request.sort_by == (Order("a"), Order("b", True), Order("-c", True), Order("d"))
    assert Request.of(**{**DEFAULTS, "sort_by": "-x", "partition_by": "p"}).partition_by == ("p",)


def test_split_where_texts_change() -> None:
    """Neighbours of one text stay together over batches, whatever their values."""
    table = pa.table({"id": [1, 2, 3, 4, 5], "f": [0.0, -0.0, -0.0, None, 1.0], "s": ["", None, "x", "x", "x"]}, SCHEMA)
    splitter = Splitter(SCHEMA, PartitionCodec(SCHEMA, ["s", "f"]))
    found = [(part.texts, rows["id"].to_pylist()) for part, rows in splitter.split(table)]
    assert found == [
        ((None, "0.0"), [1]),
        ((None, "-0.0"), [2]),
        (("x", "-0.0"), [3]),
        (("x", None), [4]),
        (("x", "1.0"), [5]),
    ]
    assert [part.directory for part, _ in splitter.split(table)][3] == "s=x/f=__HIVE_DEFAULT_PARTITION__"
    assert next(splitter.split(table))[1].column_names == ["id"]


def test_one_file_a_partition_over_batches(tmp_path: Path) -> None:
    rows = [(i, float(i), "ab"[i // 50]) for i in range(100)]
    (message,) = write_task(tmp_path).run(batches(rows[:30], rows[30:70], [], rows[70:]))
    files = read_messages(pa.Table.from_batches([message]))
    assert [(file.partition_values, file.rows) for file in files] == [({"s": "a"}, 50), ({"s": "b"}, 50)]
    for file in files:
        path = tmp_path / file.path
        assert path.stat().st_size == file.size
        assert pq.ParquetFile(path).schema_arrow.names == ["id", "f"]


def test_an_attempt_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Any:
        yield from batches([(1, 1.0, "a")], [(2, 2.0, "b")])
        assert files_in(tmp_path)
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        list(write_task(tmp_path, rows=1).run(broken()))
    assert files_in(tmp_path) == []


def test_a_value_without_a_text_is_a_message(tmp_path: Path) -> None:
    """Another attempt could not write it either, so the task does not fail."""
    messages = list(write_task(tmp_path).run(batches([(1, 1.0, "a")], [(2, 2.0, "x" * 300)])))
    with pytest.raises(EncodeError, match=r"s.*at most 255"):
        read_messages(pa.Table.from_batches(messages))
    assert files_in(tmp_path) == []


def test_sorted_by_key_within_partitions() -> None:
    rng = np.random.default_rng(3)
    keys = rng.integers(0, 1000, 500).tolist()
    table = pa.table({"id": range(500), "f": [0.5] * 500, "s": [["b", None, "a"][i % 3] for i in range(500)]}, SCHEMA)
    keyed = table.append_column("key", pa.array([key.to_bytes(2, "big") for key in keys], pa.binary()))
    splitter = Splitter(SCHEMA, PartitionCodec(SCHEMA, ["s"]))
    found = pa.concat_tables(z_sorted(iter([keyed.slice(0, 200), keyed.slice(200)]), "key", splitter))
    assert found.column_names == SCHEMA.names
    stretches = [(part.texts[0], [keys[id] for id in rows["id"].to_pylist()]) for part, rows in splitter.split(found)]
    assert sorted(len(numbers) for _, numbers in stretches) == [166, 167, 167]
    assert all(numbers == sorted(numbers) for _, numbers in stretches)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_tasks_follow_keys(data: st.DataObject) -> None:
    """Within a group, a row of a greater key never goes to an earlier task."""
    kind = data.draw(st.sampled_from([pa.int32(), pa.float64(), pa.string(), pa.bool_()]))
    values = {
        pa.int32(): st.integers(-(2**31), 2**31 - 1),
        pa.float64(): st.floats(),
        pa.string(): st.text(max_size=40),
    }
    column = st.lists(st.none() | values.get(kind, st.booleans()), min_size=1, max_size=50)
    sample = pa.array(data.draw(column), kind)
    rows = pa.array(data.draw(column), kind)
    groups = [pa.array(np.arange(len(array)) % 2, pa.int64()) for array in (sample, rows)]
    tasks = data.draw(st.integers(1, 5))
    order = ZOrder.of(groups[0], [sample, sample], tasks)
    keys = order.keys([rows, rows])
    found = order.tasks(groups[1], keys).to_pylist()
    assert set(found) <= set(range(tasks))
    placed = sorted(zip(groups[1].to_pylist(), keys.to_pylist(), found, strict=True))
    assert [task for _, _, task in placed] == sorted(found)


def test_ranks_follow_values() -> None:
    """One column: keys sort as its values do, as far as the sample tells them apart."""
    rng = np.random.default_rng(5)
    values = pa.array(rng.normal(0, 1e9, 2000))
    order = ZOrder.of(pa.array(np.zeros(2000, np.int64)), [values], 4)
    keys = order.keys([values]).to_pylist()
    ordered = [key for _, key in sorted(zip(values.to_pylist(), keys, strict=True))]
    assert ordered == sorted(keys)
    assert len(set(keys)) > 1900
    counts = np.bincount(order.tasks(pa.array(np.zeros(2000, np.int64)), order.keys([values])).to_numpy())
    assert counts.tolist() == [500, 500, 500, 500]


def test_types_with_a_z_order() -> None:
    kinds = {field.name: has_z_order(field.type) for field in every_type(1).schema}
    assert [name for name, has in kinds.items() if not has] == ["tags", "place", "counts"]


def test_task_count() -> None:
    width = row_bytes(every_type(1).schema)
    assert 100 < width < 400
    assert task_count(0, width, 8) == 1
    assert task_count(1000, width, 8) == 1
    assert task_count(1_000_000, 100, 8) == 8
    assert task_count(100_000_000, 100, 8) == 75


def test_messages() -> None:
    files = [DataFile("s=a/x.parquet", {"s": None, "t": "ü"}, 10, 2, 123, '{"numRecords":2}')]
    assert read_messages(pa.Table.from_batches([files_message(files), files_message([])])) == files
    with pytest.raises(EncodeError, match="delta: p: too long"):
        read_messages(
            pa.Table.from_batches(
                [files_message(files), error_message(EncodeError("too long", format="delta", path="p"))]
            )
        )


def test_orphans(tmp_path: Path) -> None:
    """Only files of the ingest that failed, and of that none if a version has them."""
    log = Log(tmp_path / "t")
    first, second, third = (begin(log.storage) for _ in range(3))
    names = {write_id: f"part-00000-{write_id}-0.parquet" for write_id in (first, second, third)}
    for name in names.values():
        (tmp_path / "t" / name).touch()
    delete_orphans(log, first, 0)
    assert [path.name for path in files_in(tmp_path / "t")] == sorted([names[second], names[third]])
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(SCHEMA)
    transaction.add(Add(names[second], {}, 0, 0))
    transaction.commit()
    delete_orphans(log, second, 0)
    delete_orphans(log, third, 1)
    assert [path.name for path in files_in(tmp_path / "t")] == [names[second]]
    (tmp_path / "t" / "_delta_log" / f"{0:020}.json").write_text("{")
    delete_orphans(Log(tmp_path / "t"), second, 0)
    assert [path.name for path in files_in(tmp_path / "t")] == [names[second]]


@pytest.mark.parametrize(("text", "size"), [("1000", 1000), ("128MB", 128_000_000), ("1 GiB", 1 << 30), ("5kb", 5000)])
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


def test_periods() -> None:
    assert parse_period("12h") == timedelta(hours=12)
    assert parse_period("2w") == timedelta(weeks=2)
    for parse, text in ((parse_period, "7"), (parse_period, "x d"), (parse_size, "1.5MB"), (parse_size, "1 TB")):
        with pytest.raises(typer.BadParameter):
            parse(text)


def test_command_line_without_spark(tmp_path: Path, capsys: Any) -> None:
    from deltalake import write_deltalake

    table = str(tmp_path / "t")
    write_deltalake(table, pa.table({"a": [1, 2]}))
    write_deltalake(table, pa.table({"a": [3]}), mode="overwrite")
    assert run(["history", table]) == 0
    assert "WRITE" in capsys.readouterr().out
    assert run(["check-table", table]) == 0
    capsys.readouterr()
    assert run(["history", table, "--json"]) == 0
    assert [version["version"] for version in json.loads(capsys.readouterr().out)] == [1, 0]
    assert run(["check-table", table, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"sound": True, "problems": []}
    assert run(["count", table, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rows": 1}
    (Path(table) / "orphan.parquet").write_bytes(b"x")
    assert run(["check-table", table]) == 1
    assert "orphaned: orphan.parquet" in capsys.readouterr().out
    assert run(["vacuum", table]) == 0
    assert capsys.readouterr().out == ""
    assert run(["vacuum", table, "--retention", "0s", "--delete"]) == 0
    assert "orphan.parquet\n" in capsys.readouterr().out
    assert len(files_in(Path(table))) == 1
    assert run(["vacuum", table, "--retention", "soon"]) == 2
    assert run(["history", str(tmp_path / "nothing")]) == 2
    assert "there is no Delta table" in capsys.readouterr().err
    assert run(["vacuum", str(tmp_path / "nothing")]) == 2
    assert capsys.readouterr().err.startswith("lakecodec: ")


def test_what_is_no_session_is_named(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="spark: a SparkSession is needed, not NoneType"):
        ingest(None, "source", tmp_path / "t")  # type: ignore[arg-type]
