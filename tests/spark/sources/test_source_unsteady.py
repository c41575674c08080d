"""The writer of the source ``lake`` on a store whose requests land late: Spark aborts in another process than it commits in."""

from __future__ import annotations

import pickle
import random
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.lake.log import ConflictError, Log, UnknownOutcomeError
from lakecodec.pipeline import check
from tests.lake.log.test_log_unsteady import SEED, Unsteady

pytest.importorskip("pyspark")


class Store(Unsteady):
    """The store of a test, for whoever opens one by a URL."""

    protocol = ("unsteadylake", "memory")
    shared: dict[str, Any]

    def __init__(self, **options: Any) -> None:
        super().__init__(random.Random(0))
        self.__dict__ = type(self).shared


@pytest.fixture
def store() -> Unsteady:
    Store.shared = {}
    Store.shared = Unsteady(random.Random(0)).__dict__
    fsspec.register_implementation("unsteadylake", Store, clobber=True)
    return Store()


def another(value: Any) -> Any:
    """What another process gets."""
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("old", [0, 0.4])
@pytest.mark.parametrize("seed", range(SEED, SEED + 5))
def test_puts_that_land_after_the_abort(store: Unsteady, seed: int, old: float) -> None:
    """What Spark was told to be written is there once, and what an abort deleted is in no version."""
    from pyspark.sql.types import LongType, StructField, StructType

    from lakecodec.spark.sources.lake_write import WRITE_OPTIONS, LakeWriter
    from lakecodec.spark.sources.options import Options

    url = "unsteadylake://t"
    chance = store.chance = random.Random(seed)
    schema = StructType([StructField("id", LongType())])
    acknowledged, unknown, failed = [], [], []
    for number in range(25):
        store.old = old
        writer = LakeWriter(Options("lake", {"path": url}, WRITE_OPTIONS), schema, overwrite=False)
        message = another(writer).write(iter([pa.record_batch({"id": pa.array([number])})]))
        if chance.random() < 0.2:  # another task failed
            another(writer).abort([message, None])
            failed.append(number)
            continue
        try:
            another(writer).commit([message])
            acknowledged.append(number)
        except (UnknownOutcomeError, ConflictError, OSError) as error:
            another(writer).abort([message])
            (unknown if isinstance(error, UnknownOutcomeError) else failed).append(number)
        if chance.random() < 0.5:
            store.arrive()
    store.arrive()
    store.old = 0
    log = Log(url)
    found = [row for add in log.snapshot().files for row in rows_of(log, add.path)]
    assert sorted(found) == sorted(set(found))
    assert set(acknowledged) <= set(found) <= {*acknowledged, *unknown}, f"LAKECODEC_STORE_SEED={seed}"
    assert acknowledged
    assert unknown
    assert {problem.kind for problem in check(url)} <= {"orphaned"}


def rows_of(log: Log, path: str) -> list[int]:
    """The ids in a file; an error where it was deleted."""
    with log.storage.open(path) as file:
        ids: list[int] = pq.read_table(file)["id"].to_pylist()
    return ids
