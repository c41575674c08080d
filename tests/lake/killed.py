"""Run by a test: makes a change in forked processes that kill themselves at moments of it; prints how it went.

pyarrow starts threads where it is used first, which forks do not have: only children use it.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet

from lakecodec import lake
from lakecodec.lake.log import Log

QUIET: Any = {"progress": False}
#: Kills at random moments of a change, and as many in its last part, in which it is committed.
KILLS = 5


def rows(start: int, stop: int) -> pa.Table:
    return pa.table(
        {"id": pa.array(range(start, stop), pa.int64()), "p": [["a", "b"][i % 2] for i in range(start, stop)]}
    )


def lied(path: str) -> None:
    """Damages statistics, so that there is something to mend."""
    file = Path(path, "_delta_log", f"{0:020}.json")
    file.write_text(file.read_text().replace('\\"id\\":99', '\\"id\\":7'))


CHANGES: dict[str, Callable[[str], Any]] = {
    "append": lambda path: lake.write(rows(300, 400), path, **QUIET),
    "sorted": lambda path: lake.write(rows(300, 400), path, mode="overwrite", sort_by="-id", **QUIET),
    "delete": lambda path: lake.delete(path, "id IN (1, 150, 151)", deletion_vectors=False, **QUIET),
    "vectors": lambda path: lake.delete(path, [("id", "in", list(range(0, 290, 3)))], deletion_vectors=True, **QUIET),
    "update": lambda path: lake.update(path, {"p": "'c'"}, "id < 120", **QUIET),
    "merge": lambda path: lake.merge(
        path, rows(290, 310), "id", when_matched_update={"p": "'m'"}, when_not_matched_insert=True, **QUIET
    ),
    "optimize": lambda path: lake.optimize(path, zorder_by="id", **QUIET),
    "restore": lambda path: lake.restore(path, 0),
    "checkpoint": lambda path: Log(path).checkpoint(),
    "doctor": lambda path: lake.doctor(path, fix=True, join=True),
}


def create(path: str) -> None:
    lake.write(rows(0, 100), path, properties={"delta.checkpointInterval": 2}, **QUIET)
    lake.write(rows(100, 200), path, **QUIET)
    lake.write(rows(200, 300), path, **QUIET)


def content(path: str) -> str:
    """Returns a digest of the rows; the table must be sound, and go on."""
    found = sorted(map(repr, lake.scan(path).read_all().to_pylist()))
    kinds = {problem.kind for problem in lake.check(path)}
    assert kinds <= {"orphaned", "statistics"}, kinds
    lake.write(rows(1000, 1001), path, **QUIET)
    assert lake.count(path) == len(found) + 1
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def forked(call: Callable[[], Any], last: int = 0) -> tuple[int, str]:
    """Returns the status and the result of a call in a child, which kills itself at its ``last`` call of anything in C."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        calls = 0

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal calls
            if event in ("c_call", "c_return"):
                calls += 1
                if calls == last:
                    os.kill(os.getpid(), signal.SIGKILL)

        threading.setprofile(count)
        sys.setprofile(count)
        try:
            result = call()
            sys.setprofile(None)
            os.write(writer, f"{calls} {result}".encode())
        except BaseException as error:
            os.write(writer, repr(error).encode())
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with open(reader) as file:
        text = file.read()
    return os.waitpid(child, 0)[1], text


def main(name: str, folder: str) -> None:
    path, kept = f"{folder}/t", f"{folder}/kept"
    assert forked(lambda: create(path))[0] == 0
    if name == "doctor":
        lied(path)
    shutil.copytree(path, kept)

    def found() -> str:
        status, text = forked(lambda: content(path))
        assert status == 0, text
        return text.split()[1]

    def again() -> None:
        shutil.rmtree(path)
        shutil.copytree(kept, path)

    old = found()
    again()
    status, text = forked(lambda: CHANGES[name](path))
    assert status == 0, text
    new, calls = found(), int(text.split()[0])
    chance = random.Random(name)
    moments = {chance.randint(1, calls) for _ in range(KILLS)} | {
        chance.randint(calls * 3 // 4, calls) for _ in range(KILLS)
    }
    killed = changed = 0
    for moment in sorted(moments):
        again()
        status, text = forked(lambda: CHANGES[name](path), moment)
        assert status in (0, signal.SIGKILL), text
        killed += status == signal.SIGKILL
        state = found()
        assert state in (old, new), moment
        changed += state == new
    print(killed, changed, old != new)


if __name__ == "__main__":
    main(*sys.argv[1:])
