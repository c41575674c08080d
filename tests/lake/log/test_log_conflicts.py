"""Who goes in beside whom: each kind of change against each concurrent commit, and races of threads with a model of the table."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lakecodec.lake.log import Add, ConflictError, Log, Transaction
from lakecodec.pipeline import check, scan, set_properties
from tests.lake.log.tables import append, ids, rows, write_file

BY = ("city",)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Ids 0 to 2 in a, 10 to 12 in b."""
    append(tmp_path, rows(0, city="a"), BY)
    append(tmp_path, rows(10, city="b"), BY)
    return tmp_path


def of(found: Transaction, city: str) -> list[Add]:
    assert found.read is not None
    return [add for add in found.read.files if add.partition_values == {"city": city}]


def transaction(path: Path, operation: str = "WRITE") -> Transaction:
    log = Log(path)
    return Transaction(log, log.snapshot(), operation)


def moving(path: Path, city: str = "a") -> Transaction:
    """What an optimization commits."""
    found = transaction(path, "OPTIMIZE")
    assert found.read is not None
    for add in of(found, city):
        found.remove(add, data_change=False)
    data = scan(path, version=found.read.version, where=[("city", "=", city)]).read_all()
    if data.num_rows:
        new = write_file(path, data, BY)
        found.add(Add(new.path, new.partition_values, new.size, new.modification_time, False, new.stats))
    found.depends_on(lambda values: False)
    return found


def replacing(path: Path, city: str | None, start: int = 100) -> Transaction:
    found = transaction(path)
    found.add(write_file(path, rows(start, 1, city=city or "a"), BY))
    found.replace(None if city is None else lambda values: values["city"] == city)
    return found


def deleting(path: Path) -> Transaction:
    """A delete of ids below 5, which are in all files of a."""
    found = transaction(path, "DELETE")
    for add in of(found, "a"):
        found.remove(add)
    found.depends_on_files(lambda add: add.partition_values["city"] == "a")
    return found


def inserting(path: Path) -> Transaction:
    """A merge that has looked for its rows in the files of a, and found none."""
    found = transaction(path, "MERGE")
    found.add(write_file(path, rows(50, 1, city="a"), BY))
    found.depends_on_files(lambda add: add.partition_values["city"] == "a", of(found, "a"))
    return found


def adding(path: Path) -> Transaction:
    found = transaction(path)
    found.add(write_file(path, rows(60, 1, city="a"), BY))
    return found


def remove_a(path: Path) -> None:
    found = transaction(path, "DELETE")
    for add in of(found, "a"):
        found.remove(add)
    found.commit()


OURS: dict[str, Callable[[Path], Transaction]] = {
    "replace a": lambda path: replacing(path, "a"),
    "replace all": lambda path: replacing(path, None),
    "delete": deleting,
    "optimize": moving,
    "insert": inserting,
    "append": adding,
}
THEIRS: dict[str, Callable[[Path], Any]] = {
    "append to a": lambda path: append(path, rows(3, city="a"), BY),
    "append to b": lambda path: append(path, rows(13, city="b"), BY),
    "optimize a": lambda path: moving(path).commit(),
    "delete a": remove_a,
    "property": lambda path: set_properties(path, {"owner": "me"}),
}
#: The ids after both, None for a conflict, "moved" for one that repeating the change gets rid of.
B = [10, 11, 12]
EXPECTED: dict[str, list[list[int] | str | None]] = {
    "replace a": [None, [*B, 13, 14, 15, 100], [*B, 100], None, None],
    "replace all": [None, None, [100], None, None],
    "delete": [None, [*B, 13, 14, 15], "moved", None, None],
    "optimize": [[0, 1, 2, 3, 4, 5, *B], [0, 1, 2, *B, 13, 14, 15], "moved", None, None],
    "insert": [None, [0, 1, 2, *B, 13, 14, 15, 50], [0, 1, 2, *B, 50], None, None],
    "append": [[0, 1, 2, 3, 4, 5, *B, 60], [0, 1, 2, *B, 13, 14, 15, 60], [0, 1, 2, *B, 60], [*B, 60], None],
}


@pytest.mark.parametrize("other", THEIRS)
@pytest.mark.parametrize("own", OURS)
def test_two_changes(own: str, other: str, table: Path) -> None:
    change = OURS[own](table)
    THEIRS[other](table)
    expected = EXPECTED[own][list(THEIRS).index(other)]
    if isinstance(expected, list):
        change.commit()
        assert ids(scan(table).read_all()) == expected
        return
    with pytest.raises(ConflictError) as caught:
        change.commit()
    assert caught.value.moved is (expected == "moved")
    assert caught.value.versions == (2,)


def test_races(tmp_path: Path) -> None:
    """Whatever order commits get, each version has the rows that its changes make of those before."""
    append(tmp_path, rows(0, city="a"), BY)
    append(tmp_path, rows(10, city="b"), BY)
    effects: dict[int, tuple[str, str, list[int]]] = {}
    lost: list[str] = []

    def work(number: int) -> None:
        chance = random.Random(number)
        for turn in range(12):
            city, start = chance.choice("ab"), 1000 * number + 10 * turn
            kind = chance.choice(["append", "replace", "move"])
            try:
                if kind == "append":
                    change = transaction(tmp_path)
                    change.add(write_file(tmp_path, rows(start, 2, city), BY))
                elif kind == "replace":
                    change = replacing(tmp_path, city, start)
                else:
                    change = moving(tmp_path, city)
                made = {"append": [start, start + 1], "replace": [start], "move": []}[kind]
                effects[change.commit().version] = (kind, city, made)
            except ConflictError:
                lost.append(kind)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model = {"a": [0, 1, 2], "b": [10, 11, 12]}
    latest = Log(tmp_path).latest() or 0
    assert len(effects) + len(lost) == 48
    assert sorted(effects) == list(range(2, latest + 1))
    for version, (kind, city, made) in sorted(effects.items()):
        model[city] = made if kind == "replace" else model[city] + made
        assert ids(scan(tmp_path, version=version).read_all()) == sorted(model["a"] + model["b"]), (version, kind)
    assert {problem.kind for problem in check(tmp_path)} <= {"orphaned"}
