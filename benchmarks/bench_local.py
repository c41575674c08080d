"""Delta tables written, read and changed in this process, beside deltalake and polars: CPU time of all threads."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from .harness import Result, compare
from .memory import added_in_a_process

_ROWS, _QUICK_ROWS = 20_000_000, 500_000
#: Days of the table, which is partitioned by month; times rise, as in a log of events.
_DAYS = 360
_SMALL, _APPENDS = 1_000, 20
_CHANGED = 1_000
_DAY_ROWS = 2_000
_LATE_FILES, _LATE_ROWS, _LATE_BAR = 32, 200_000, 0.2
_BAR = 1.0
#: A merge by deletion vectors against one that rewrites the files.
_MERGE_BAR = 0.2


def rows_of(number: int, seed: int = 0) -> pa.Table:
    """Returns so many orders of a year."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.integers(0, _DAYS * 86_400_000_000, number)).astype("datetime64[us]")
    return pa.table(
        {
            "id": np.arange(number, dtype=np.int64),
            "time": times + np.timedelta64(54 * 365, "D"),
            "customer": (100_000 * rng.power(2, number)).astype(np.int64),
            "amount": rng.random(number).round(2),
            "city": pa.DictionaryArray.from_arrays(rng.integers(0, 500, number).astype(np.int32), _CITIES).cast(
                pa.string()
            ),
        }
    )


_CITIES = pa.array([f"city {number}" for number in range(500)])


class _Folder:
    """Folders for tables, each used once."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def new(self) -> str:
        return str(self._root / uuid4().hex)

    def copy(self, table: str) -> str:
        """Returns a copy of a table whose files are links."""
        target = self.new()
        shutil.copytree(table, target, copy_function=lambda source, copy: Path(copy).hardlink_to(source))
        return target


@contextmanager
def _folder() -> Iterator[_Folder]:
    with tempfile.TemporaryDirectory(prefix="bench-local-") as root:
        yield _Folder(Path(root))


def run(quick: bool) -> list[Result]:
    number = _QUICK_ROWS if quick else _ROWS
    repeat = 3
    with _folder() as folder:
        rows = rows_of(number)
        found = [*_writes(rows, folder, repeat), *_appends(folder, repeat)]
        table = folder.new()
        _lake().write(rows, table, progress=False)
        del rows
        found += [*_scans(table, number, repeat), *_changes(table, number, folder, repeat)]
        return [*found, *_from_a_late_store(folder), *_year(folder, 14 if quick else _DAYS, repeat)]


def _lake() -> Any:
    from lakecodec import lake

    return lake


def _compare(name: str, functions: dict[str, Callable[[], object]], repeat: int, bar: float = _BAR) -> list[Result]:
    """Returns the CPU time against each peer, then the memory that a call adds at its peak, libraries included."""
    bars = dict.fromkeys(functions, bar)
    found = compare(name, functions, bars=bars, repeat=repeat, clock=time.process_time)
    own, *others = ((peer, added_in_a_process(function)) for peer, function in functions.items())
    return [*found, *(Result(f"{name}, memory", own[1], most, peer, unit="bytes") for peer, most in others)]


def _writes(rows: pa.Table, folder: _Folder, repeat: int) -> list[Result]:
    import polars
    from deltalake import write_deltalake

    lake = _lake()
    size = f"{rows.num_rows:,} rows"
    return [
        *_compare(
            f"write {size}",
            {
                "lakecodec": lambda: lake.write(rows, folder.new(), progress=False),
                "deltalake": lambda: write_deltalake(folder.new(), rows),
            },
            repeat,
        ),
        *_compare(
            f"write {size} sorted by customer, time",
            {
                "lakecodec": lambda: lake.write(rows, folder.new(), sort_by=["customer", "time"], progress=False),
                "polars and deltalake": lambda: write_deltalake(
                    folder.new(),
                    polars.from_arrow(rows).sort("customer", "time").to_arrow(),  # type: ignore[union-attr,call-arg]
                ),
            },
            repeat,
        ),
    ]


def _appends(folder: _Folder, repeat: int) -> list[Result]:
    from deltalake import write_deltalake

    lake = _lake()
    parts = [rows_of(_SMALL, seed) for seed in range(_APPENDS)]

    def ours() -> None:
        path = folder.new()
        for part in parts:
            lake.write(part, path, progress=False)

    def theirs() -> None:
        path = folder.new()
        for part in parts:
            write_deltalake(path, part, mode="append")

    return _compare(f"{_APPENDS} appends of {_SMALL:,} rows", {"lakecodec": ours, "deltalake": theirs}, repeat)


def _from_a_late_store(folder: _Folder) -> list[Result]:
    """Scans of files on a store that answers after 50 ms, on the wall: row groups read ahead, and one after the other."""
    from lakecodec.lake.read.parts import FilePart

    from .late_store import LATENCY, LateStore

    lake, url, path = _lake(), "late://table", folder.new()
    lake.write(rows_of(_LATE_FILES * _LATE_ROWS), path, max_rows_per_file=_LATE_ROWS, progress=False)
    LateStore().put(path, url, recursive=True)

    def ahead() -> None:
        lake.scan(url).read_all()

    def in_turn() -> None:
        plan = lake.open_scan(url).plan
        assert (
            sum(batch.num_rows for batch in plan.reader().read(map(FilePart, plan.files))) == _LATE_FILES * _LATE_ROWS
        )

    found = compare(
        f"scan {_LATE_FILES} files of a store, {LATENCY * 1000:.0f} ms per answer, on the wall",
        {"lakecodec": ahead, "one after the other": in_turn},
        bars={"one after the other": _LATE_BAR},
        repeat=3,
    )
    LateStore.store.clear()
    return found


def _year(folder: _Folder, days: int, repeat: int) -> list[Result]:
    """A table that gets rows every day, and every week corrections of some and files of the usual size."""
    from deltalake import DeltaTable, write_deltalake

    lake = _lake()
    parts = [
        rows_of(_DAY_ROWS, day).set_column(0, "id", pa.array(np.arange(_DAY_ROWS) + day * _DAY_ROWS))
        for day in range(days)
    ]

    def corrections(day: int) -> pa.Table:
        return parts[day].slice(0, _CHANGED // 10)

    def ours() -> None:
        path = folder.new()
        for day, part in enumerate(parts):
            lake.write(part, path, progress=False)
            if day % 7 == 6:
                lake.merge(path, corrections(day), "id", when_matched_update=True, progress=False)
                lake.optimize(path, progress=False)

    def theirs() -> None:
        path = folder.new()
        for day, part in enumerate(parts):
            write_deltalake(path, part, mode="append")
            if day % 7 == 6:
                merge = DeltaTable(path).merge(corrections(day), "s.id = t.id", source_alias="s", target_alias="t")
                merge.when_matched_update_all().execute()
                DeltaTable(path).optimize.compact()

    return _compare(
        f"{days} daily appends, corrected and optimized weekly", {"lakecodec": ours, "deltalake": theirs}, repeat
    )


def _scans(table: str, number: int, repeat: int) -> list[Result]:
    import polars
    from deltalake import DeltaTable

    lake = _lake()
    low, high = number // 3, number // 3 + 1_000
    where = f"id >= {low} AND id < {high}"

    def with_polars() -> Any:
        chosen = (polars.col("id") >= low) & (polars.col("id") < high)
        return polars.scan_delta(table).filter(chosen).collect()

    def with_deltalake() -> Any:
        import pyarrow.compute as pc

        chosen = (pc.field("id") >= low) & (pc.field("id") < high)
        return DeltaTable(table).to_pyarrow_dataset().to_table(filter=chosen)

    return [
        *_compare(
            f"scan {number:,} rows",
            {
                "lakecodec": lambda: lake.scan(table).read_all(),
                "deltalake": lambda: DeltaTable(table).to_pyarrow_dataset().to_table(),
                "polars": lambda: polars.scan_delta(table).collect(),
            },
            repeat,
        ),
        *_compare(
            f"scan 1,000 of {number:,} rows",
            {
                "lakecodec": lambda: lake.scan(table, where=where).read_all(),
                "deltalake": with_deltalake,
                "polars": with_polars,
            },
            repeat,
        ),
    ]


def _changes(table: str, number: int, folder: _Folder, repeat: int) -> list[Result]:
    from deltalake import DeltaTable

    lake = _lake()
    chosen = np.linspace(0, number - 1, _CHANGED).astype(np.int64)
    source = rows_of(_CHANGED, 1).set_column(0, "id", pa.array(chosen))
    copies: dict[str, str] = {}

    def copy(name: str) -> str:
        shutil.rmtree(copies.get(name, ""), ignore_errors=True)
        copies[name] = folder.copy(table)
        return copies[name]

    def merge_theirs() -> None:
        changed = DeltaTable(copy("theirs")).merge(source, "s.id = t.id", source_alias="s", target_alias="t")
        changed.when_matched_update_all().when_not_matched_insert_all().execute()

    def merge_ours(vectors: bool) -> Callable[[], None]:
        def merge() -> None:
            lake.merge(
                copy(str(vectors)), source, "id",
                when_matched_update=True, when_not_matched_insert=True, deletion_vectors=vectors, progress=False,
            )  # fmt: skip

        return merge

    condition = f"id IN ({', '.join(map(str, chosen[:10]))})"
    return [
        *_compare(
            f"delete 10 of {number:,} rows",
            {
                "lakecodec": lambda: lake.delete(copy("a"), condition, deletion_vectors=True, progress=False),
                "deltalake": lambda: DeltaTable(copy("b")).delete(condition),
            },
            repeat,
        ),
        *_compare(
            f"merge 1,000 rows into {number:,}",
            {"lakecodec": merge_ours(True), "deltalake": merge_theirs},
            repeat,
        ),
        *_compare(
            f"merge 1,000 rows into {number:,} by deletion vectors",
            {"lakecodec": merge_ours(True), "lakecodec, rewriting": merge_ours(False)},
            repeat,
            _MERGE_BAR,
        ),
    ]
