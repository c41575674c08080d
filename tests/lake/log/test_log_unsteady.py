"""An object store that loses answers, lands requests late, and lists what was there a while ago.

Nothing acknowledged is lost, nothing is there twice, and no version needs a file that was deleted.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from lakecodec.lake.log import Add, ConflictError, Log, LogError, Transaction, UnknownOutcomeError, vacuum

SEED = int(os.environ.get("LAKECODEC_STORE_SEED", "1"))
SCHEMA = pa.schema({"id": pa.int64()})


class Unsteady(MemoryFileSystem):  # type: ignore[misc]
    """A store whose conditional writes may be lost, answered with an error, or land after a while; listings may be old."""

    protocol = ("unsteady", "memory")
    cachable = False

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.store: dict[str, Any] = {}
        self.pseudo_dirs = [""]
        self.chance = chance
        self.late: list[Callable[[], None]] = []
        self.trouble = 0.5
        #: The chance that a listing is old.
        self.old = 0.0

    def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
        found = super().ls(path, detail=True, **options)
        if self.chance.random() < self.old:
            unseen = set(list(self.store)[-self.chance.randint(1, 8) :])
            found = [entry for entry in found if entry["name"] not in unseen]
        return found if detail else [entry["name"] for entry in found]

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **options: Any) -> None:
        if mode != "create" or self.chance.random() > self.trouble:
            super().pipe_file(path, value, mode=mode, **options)
            return
        what = self.chance.choice(["lost", "landed", "late", "repeated"])
        if what == "late":
            self.late.append(lambda: self._land(path, value))
        elif what != "lost":
            super().pipe_file(path, value, mode=mode, **options)
        if what == "repeated":  # the client repeats the request itself, and meets its first one
            raise FileExistsError(path)
        raise OSError(f"{what}: no answer")

    def _land(self, path: str, value: bytes) -> None:
        if not self.exists(path):
            super().pipe_file(path, value, mode="create")

    def arrive(self) -> None:
        """Lets requests land that were on their way."""
        late, self.late = self.late, []
        for land in late:
            land()


class Writer:
    """A writer of rows, which repeats what it does not know the outcome of."""

    def __init__(self, store: Unsteady) -> None:
        self.store = store
        self.acknowledged: list[int] = []
        self.refused: list[int] = []

    def append(self, number: int) -> None:
        log = Log("/t", self.store)
        path = f"part-{number}.parquet"
        with self.store.open(f"/t/{path}", "wb") as file:
            pq.write_table(pa.table({"id": [number]}, SCHEMA), file)
        txn_id = None
        for _ in range(50):
            transaction = Transaction(log, log.snapshot() if log.exists() else None, "WRITE", txn_id=txn_id)
            if transaction.read is None:
                transaction.set_schema(SCHEMA)
            transaction.add(Add(path, {}, self.store.size(f"/t/{path}"), 0))
            try:
                transaction.commit()
                self.acknowledged.append(number)
                return
            except UnknownOutcomeError as error:
                txn_id = error.txn_id
                if self.store.chance.random() < 0.5:
                    self.store.arrive()
            except ConflictError:
                self.refused.append(number)
                return
        raise AssertionError("no outcome after 50 attempts")


def collect(store: Unsteady) -> None:
    """Vacuums all that no version needs, unless the listing is found to be old."""
    try:
        vacuum("/t", retention=timedelta(0), dry_run=False, filesystem=store)
    except LogError as error:
        if not (store.old and re.search("run it again later|no Delta table", str(error))):
            raise


@pytest.mark.parametrize("old", [0, 0.4])
@pytest.mark.parametrize("seed", range(SEED, SEED + 5))
def test_nothing_acknowledged_is_lost(seed: int, old: float) -> None:
    """Each row is in the table once, whatever became of the requests, and vacuum takes no file of the table."""
    chance = random.Random(seed)
    writer = Writer(Unsteady(chance))
    writer.store.old = old
    for number in range(25):
        writer.append(number)
        if chance.random() < 0.2:
            writer.store.arrive()
        if chance.random() < 0.2 and not writer.store.late:
            collect(writer.store)
    writer.store.arrive()
    writer.store.old = 0
    snapshot = Log("/t", writer.store).snapshot()
    found = sorted(int(add.path.removeprefix("part-").removesuffix(".parquet")) for add in snapshot.files)
    assert found == sorted(writer.acknowledged), f"LAKECODEC_STORE_SEED={seed}"
    assert set(writer.acknowledged) | set(writer.refused) == set(range(25))
    assert all(writer.store.exists(f"/t/{add.path}") for add in snapshot.files)
