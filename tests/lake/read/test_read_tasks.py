"""What the tasks of a scan do, without Spark."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from lakecodec.lake.log import Log
from lakecodec.lake.read.plan import open_table, plan_table
from lakecodec.spark.partitioning import spread
from lakecodec.spark.sources.file_reader import NumberedTasks, read_task
from lakecodec.spark.table_schema import plain_spark_schema
from tests.spark.lakes import write_lake

ROWS = 500


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    write_lake(tmp_path / "t", pa.table({"id": range(ROWS), "x": [number / 7 for number in range(ROWS)]}))
    return tmp_path / "t"


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def tasks(lake: Path, shift: int) -> NumberedTasks:
    plan = plan_table(open_table(lake), ["x", "id"])
    parts = spread(plan.files, 1, 3)
    assert len(parts) == 3
    made = NumberedTasks(read_task(plan, plain_spark_schema(plan.schema)), tuple(map(pickle.dumps, parts)), shift)
    copy: NumberedTasks = pickle.loads(pickle.dumps(made))
    return copy


def read(tasks: NumberedTasks, numbers: list[int]) -> list[int]:
    batches = list(tasks.read([pa.record_batch({"id": [number << tasks.shift]}) for number in numbers]))
    assert all(batch.schema.names == ["x", "id"] for batch in batches)
    return [id for batch in batches for id in batch["id"].to_pylist()]


@pytest.mark.parametrize("shift", [0, 5])
def test_each_task_reads_its_files(lake: Path, shift: int) -> None:
    found = tasks(lake, shift)
    one, two, three = (read(found, [number]) for number in range(3))
    assert sorted([*one, *two, *three]) == list(range(ROWS))
    assert all((one, two, three))
    assert read(found, [2, 0]) == [*three, *one]
    assert read(found, []) == []


def test_modules_are_frozen_once(lake: Path) -> None:
    """Spark's workers collect garbage after each task, however little it did."""
    found = tasks(lake, 0)
    read(found, [0])
    frozen = gc.get_freeze_count()
    assert frozen > 1000
    kept = [[] for _ in range(1000)]  # type: list[list[int]]
    read(found, [1])
    assert gc.get_freeze_count() <= frozen
    assert kept


def test_modules_are_frozen_where_the_rows_are_not_read_to_the_end(lake: Path) -> None:
    batches = tasks(lake, 0).read([pa.record_batch({"id": [0]})])
    next(batches)
    del batches
    assert gc.get_freeze_count()


def test_files_that_are_gone(lake: Path) -> None:
    found = tasks(lake, 0)
    for file in Log(lake).snapshot().files:
        (lake / file.path).unlink()
    with pytest.raises(FileNotFoundError):
        read(found, [0])
