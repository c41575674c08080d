"""The life of a table beside its model: changes of all kinds, and comparisons of every version and every feed."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import timedelta
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable

from lakecodec.lake.log import Log, LogError
from lakecodec.pipeline import (
    check,
    count,
    delete,
    history,
    ingest,
    merge,
    optimize,
    read,
    restore,
    scan,
    scan_changes,
    set_properties,
    update,
    vacuum,
)
from tests.lake.life.columns import KINDS, WIDER, kind_of, literal, widened
from tests.lake.life.model import Row, Version, any_test, bag, rows_of
from tests.paths import ROOT
from tests.spark.lakes import write_lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ZONES = ("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia")
QUIET: Any = False


class Life:
    """A table, its model by version, and what happened to it.

    Attributes:
        STEPS: what happens to it, and how often.
        known: the model of each version whose files are there.
        killed: number of writers that were killed before they committed.
        steps: names of the steps taken, for the message of a failure.
    """

    STEPS: ClassVar[dict[str, float]] = {
        "append": 2,
        "append_without_spark": 3,
        "append_killed": 1,
        "df_write": 2,
        "overwrite": 1,
        "delete": 2,
        "overwrite_partitions": 1,
        "replace_where": 1,
        "update": 2,
        "merge": 2,
        "optimize": 1,
        "optimize_beside_appends": 0.5,
        "restore": 1,
        "vacuum": 0.4,
        "grow": 2,
    }

    def __init__(self, spark: SparkSession, root: Path, seed: int, format: str = "parquet") -> None:
        self.spark, self.root, self.format = spark, root, format
        self.chance = random.Random(f"{seed} {format}")
        self.known: dict[int, Version] = {}
        self.steps: list[str] = []
        self.next_id = 0
        self.killed = 0
        #: The first version with a feed.
        self.since = 0
        self.now = self._definition()
        self.create(self._rows(20))

    def create(self, rows: list[Row]) -> None:
        self._ingest(self.now.arrow(rows), partition_by=self.now.partition_by, format=self.format)
        self._became("create", rows)
        set_properties(self.root, {"delta.enableChangeDataFeed": True, "delta.checkpointInterval": 4})
        self._became("feed", self.now.rows)
        self.since = max(self.known)

    def _definition(self) -> Version:
        names = self.chance.sample(sorted(KINDS), self.chance.randint(6, len(KINDS)))
        able = [name for name in names if KINDS[name].partition and not (name == "s" or self.format != "parquet")]
        partitions = tuple(self.chance.sample(able, min(len(able), self.chance.choice([0, 1, 1, 2]))))
        if self.format != "parquet":  # what Mosaic files cannot hold
            names = [name for name in names if name not in ("bin", "st", "ls", "mp", "far", "i8", "big")]
        fields = [pa.field("id", pa.int64()), *(pa.field(name, KINDS[name].type) for name in names)]
        return Version(pa.schema(fields), partitions)

    def _rows(self, most: int) -> list[Row]:
        """New rows; each column has few values in a call, so that files differ in their bounds."""
        size = self.chance.randint(1, most)
        pools = {item.name: self._pool(item) for item in self.now.schema if item.name != "id"}
        rows = []
        for number in range(self.next_id, self.next_id + size):
            rows.append({"id": number} | {name: self.chance.choice(pool) for name, pool in pools.items()})
        self.next_id += size
        return rows

    def _pool(self, item: pa.Field) -> list[Any]:
        kind = kind_of(item.name)
        chosen = self.chance.sample(kind.values, self.chance.randint(1, min(4, len(kind.values))))
        return [widened(value, kind.type, item.type) for value in [*chosen, *([None] * self.chance.randint(0, 1))]]

    def _ingest(self, table: pa.Table, **options: Any) -> None:
        keys = [name for name in table.column_names if not pa.types.is_nested(table.schema.field(name).type)]
        keys = [name for name in keys if name not in (*self.now.partition_by, "far")]
        if self.chance.random() < 0.5:
            options |= {"max_rows_per_file": self.chance.randint(2, 8)}
        if self.chance.random() < 0.5:
            order = self.chance.choice(["sort_by", "zorder_by", "hilbert_by"])
            options |= {order: self.chance.sample(keys, min(2, len(keys)))}
        ingest(self.spark, self.frame(table), self.root, progress=QUIET, **options)

    def frame(self, table: pa.Table) -> Any:
        """A frame of Spark with the rows of a table: by a file, for PySpark itself refuses times in a session's gaps."""
        return self.spark.read.parquet(str(self._stored(table)))

    def _stored(self, table: pa.Table) -> Path:
        """A Parquet file of the rows of a table."""
        folder = self.root.parent / "sources"
        folder.mkdir(exist_ok=True)
        file = folder / f"{self.root.name}-{len(list(folder.iterdir()))}.parquet"
        pq.write_table(table, file)
        return file

    def _became(self, step: str, rows: list[Row]) -> None:
        """Records the next version, if there is one: a change that changes nothing makes none."""
        latest = history(self.root)[0].version
        self.steps.append(f"{latest} {step}")
        self.now = Version(self.now.schema, self.now.partition_by, self.now.settled(rows))
        if latest in self.known:
            before = self.known[latest]
            names = self.now.schema.names
            assert bag(before.rows, names) == bag(self.now.rows, names), "a change of rows without a version"
        self.known[latest] = self.now

    # What happens to a table.

    def append(self) -> None:
        new = self._rows(15)
        self._ingest(self.now.arrow(new), mode="append")
        self._became("append", self.now.rows + new)

    def append_without_spark(self) -> None:
        new = self._rows(15)
        table = self.now.arrow(self.now.settled(new))
        write_lake(self.root, table, partition_by=self.now.partition_by, format=self.format,
                   file_rows=self.chance.randint(2, 10), group_rows=4)  # fmt: skip
        self._became("append without Spark", self.now.rows + new)

    def append_killed(self) -> None:
        """A process that is killed at some moment: its version is there with all rows, or is not."""
        new = self._rows(15)
        rows = self._stored(self.now.arrow(self.now.settled(new)))
        txn = f"killed-{self.next_id}"
        command = [sys.executable, "-m", "tests.spark.append", str(self.root), str(rows), txn, self.format]
        process = subprocess.Popen([*command, *self.now.partition_by], stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(self.chance.uniform(0, 0.05))
        process.kill()
        process.communicate()
        if txn in Log(self.root).snapshot().transactions:
            self._became("append before it was killed", self.now.rows + new)
        else:
            self.killed += 1

    def df_write(self) -> None:
        mode, new = self.chance.choice(["append", "append", "overwrite"]), self._rows(15)
        frame = self.frame(self.now.arrow(new))
        frame.write.format("lake").mode(mode).save(str(self.root))
        self._became(f"df.write {mode}", new if mode == "overwrite" else self.now.rows + new)

    def overwrite(self) -> None:
        able = [name for name in self.now.schema.names if name in KINDS and KINDS[name].partition and name != "s"]
        able = able if self.format == "parquet" else list(self.now.partition_by)
        if self.chance.random() < 0.5:
            chosen = tuple(self.chance.sample(able, min(len(able), self.chance.randint(0, 2))))
            self.now = Version(self.now.schema, chosen, self.now.rows)
        new = self._rows(20)
        self._ingest(self.now.arrow(new), mode="overwrite", partition_by=self.now.partition_by)
        self._became(f"overwrite by {self.now.partition_by}", new)

    def overwrite_partitions(self) -> None:
        if not self.now.partition_by:
            return
        new = self._rows(5)
        self._ingest(self.now.arrow(new), mode="overwrite_partitions")
        gone = bag(self.now.settled(new), self.now.partition_by)
        kept = [row for row in self.now.rows if not bag([row], self.now.partition_by).keys() & gone.keys()]
        self._became("overwrite_partitions", kept + new)

    def replace_where(self) -> None:
        if not self.now.partition_by:
            return
        test = any_test(self.chance, self.now.schema, self.now.rows, self.now.partition_by)
        new = [row for row in self._rows(10) if test.holds(self.now.settled([row])[0])]
        self._ingest(self.now.arrow(new), mode="overwrite", replace_where=test.sql())
        self._became(f"replace_where {test.sql()}", [row for row in self.now.rows if not test.holds(row)] + new)

    def delete(self) -> None:
        test = any_test(self.chance, self.now.schema, self.now.rows)
        few = self.chance.randint(2, 4)
        delete(self.spark, self.root, f"{test.sql()} AND id % {few} = 0", progress=QUIET)
        gone = [row for row in self.now.rows if test.holds(row) and row["id"] % few == 0]
        self._became(f"delete {test.sql()} % {few}", [row for row in self.now.rows if row not in gone])

    def update(self) -> None:
        test = any_test(self.chance, self.now.schema, self.now.rows)
        able = [
            item for item in self.now.schema if item.name not in ("id", "far") and not pa.types.is_nested(item.type)
        ]
        item = self.chance.choice(able)
        value = self.chance.choice(self._pool(item))
        text = literal(value, item.type)
        update(self.spark, self.root, {item.name: text}, test.sql(), progress=QUIET)
        rows = [row | {item.name: value} if test.holds(row) else row for row in self.now.rows]
        self._became(f"update {item.name} = {text} where {test.sql()}", rows)

    def merge(self) -> None:
        old = self.chance.sample(self.now.rows, min(len(self.now.rows), 3))
        inserted = self._rows(5)
        changed = [new | {"id": row["id"]} for row, new in zip(old, self._rows(len(old) or 1), strict=False)]
        removes = self.chance.random() < 0.3
        merge(self.spark, self.root, self.frame(self.now.arrow(changed + inserted)), ["id"],
              when_matched_update=None if removes else True, when_matched_delete=removes or None,
              when_not_matched_insert=True, progress=QUIET)  # fmt: skip
        matched = {row["id"]: row for row in changed}
        rows = [matched.get(row["id"], row) for row in self.now.rows]
        kept = [row for row in self.now.rows if row["id"] not in matched]
        self._became(f"merge {'delete' if removes else 'update'}", (kept if removes else rows) + inserted)

    def optimize(self) -> None:
        keys = [item.name for item in self.now.schema if not pa.types.is_nested(item.type) and item.name != "far"]
        keys = [name for name in keys if name not in self.now.partition_by]
        by = self.chance.choice([None, "zorder_by", "hilbert_by"])
        chosen = {by: self.chance.sample(keys, min(2, len(keys)))} if by else {}
        optimize(self.spark, self.root, target_file_bytes=20_000, progress=QUIET, **chosen)
        self._became(f"optimize {chosen}", self.now.rows)

    def optimize_beside_appends(self) -> None:
        """Appends come first, or the compaction does; each version has the rows of the appends before it."""
        tables = [self._rows(5) for _ in range(3)]
        first, before = max(self.known), self.now.rows
        arrow = [self.now.arrow(self.now.settled(rows)) for rows in tables]
        options: Any = {"partition_by": self.now.partition_by, "format": self.format}
        appender = threading.Thread(target=lambda: [write_lake(self.root, table, **options) for table in arrow])
        appender.start()
        try:
            optimize(self.spark, self.root, target_file_bytes=20_000, progress=QUIET)
        finally:
            appender.join()
        rows = list(before)
        for info in sorted(history(self.root), key=lambda info: info.version):
            if info.version > first:
                if info.operation == "WRITE":
                    rows = rows + tables.pop(0)
                self.now = Version(self.now.schema, self.now.partition_by, self.now.settled(rows))
                self.known[info.version] = self.now
                self.steps.append(f"{info.version} {info.operation} of two at once")
        assert not tables, "an append is lost"

    def restore(self) -> None:
        version = self.chance.choice([number for number in self.known if number >= self.since])
        before = self.known[version]
        if before.schema == self.now.schema or self.chance.random() < 0.5:
            restore(None, self.root, version)
            self.now = before
            self._became(f"restore {version}", before.rows)

    def vacuum(self) -> None:
        listed = vacuum(self.root, retention=timedelta(0))
        assert vacuum(self.root, retention=timedelta(0), dry_run=False) == listed
        latest = max(self.known)
        self.known = {latest: self.known[latest]}
        self.since = latest
        self.steps.append("vacuum")
        assert check(self.root, deep=True) == []

    def grow(self) -> None:
        """A new column, or one of a wider type."""
        absent = [name for name in sorted(KINDS) if name not in self.now.schema.names]
        absent = absent if self.format == "parquet" else [name for name in absent if name in ("d", "ntz", "p")]
        narrow = [item for item in self.now.schema if item.name in WIDER and item.type == KINDS[item.name].type]
        narrow = [item for item in narrow if item.name not in self.now.partition_by]
        schema, rows = self.now.schema, self.now.rows
        if narrow and self.format == "parquet" and (not absent or self.chance.random() < 0.6):
            item = self.chance.choice(narrow)
            wide = WIDER[item.name]
            schema = schema.set(schema.get_field_index(item.name), item.with_type(wide))
            rows = [row | {item.name: widened(row.get(item.name), item.type, wide)} for row in rows]
            step = f"widen {item.name}"
        elif absent:
            name = self.chance.choice(absent)
            schema = schema.append(pa.field(name, KINDS[name].type))
            rows, step = [row | {name: None} for row in rows], f"add {name}"
        else:
            return
        self.now = Version(schema, self.now.partition_by, rows)
        new = self._rows(8)
        self._ingest(self.now.arrow(new), mode="append", schema_mode="merge")
        self._became(step, rows + new)

    # What must then be true.

    def is_sound(self, *, spark: bool) -> None:
        """Compares the newest version, an older one, predicates, and the last feed."""
        latest = max(self.known)
        self.reads(self.root, latest)
        self.skips(self.root, latest, spark=spark)
        self.reads(self.root, self.chance.choice(list(self.known)))
        if latest > self.since:
            self.feeds(self.root, latest)
        self.replays(self.root, latest)
        if spark:
            same(rows_of(read(self.spark, self.root).toArrow()), self.now.rows, self.now)
        found = {problem.kind for problem in check(self.root)}
        assert found <= {"orphaned"}, found

    def reads(self, root: Path, version: int) -> None:
        """A version by number, and by its time."""
        expected = self.known[version]
        found = scan(root, version=version).read_all()
        assert found.column_names == expected.schema.names
        assert found.schema.types == expected.schema.types
        same(rows_of(found), expected.rows, expected)
        assert count(root, version=version) == len(expected.rows)
        (time,) = [info.timestamp for info in history(root) if info.version == version]
        same(rows_of(scan(root, timestamp=time).read_all()), expected.rows, expected)

    def skips(self, root: Path, version: int, *, spark: bool) -> None:
        """Predicates as tuples, and as Spark's SQL."""
        expected = self.known[version]
        for number in range(5):
            tests = [any_test(self.chance, expected.schema, expected.rows) for _ in range(1 + number % 2)]
            if not all(representable(test) for test in tests):
                continue
            rows = [row for row in expected.rows if all(test.holds(row) for test in tests)]
            where = [test.item() for test in tests]
            try:
                same(rows_of(scan(root, version=version, where=where).read_all()), rows, expected)
                assert count(root, version=version, where=where) == len(rows)
                if spark and number < 2:
                    text = " AND ".join(test.sql() for test in tests)
                    same(rows_of(read(self.spark, root, version=version, where=text).toArrow()), rows, expected)
            except AssertionError as error:
                raise AssertionError(f"version {version}, where {where}: {error}") from error

    def feeds(self, root: Path, version: int) -> None:
        """The feed of a version makes the rows before it the rows after it."""
        before, after = self.known.get(version - 1), self.known[version]
        if before is None:
            return
        names = [name for name in before.schema.names if name in after.schema.names]
        if [before.schema.field(name).type for name in names] != [after.schema.field(name).type for name in names]:
            return
        try:
            self._replay(root, version, version, before, after)
        except LogError as error:  # a version that was restored has fewer columns than the rows that it removes
            if set(before.schema.names) == set(names) or "cannot show its changes in" not in str(error):
                raise

    def replays(self, root: Path, version: int) -> None:
        """The feed of several versions of the same columns makes the rows before them those of the last."""
        after = self.known[version]
        able = [number for number in range(self.since, version) if number in self.known]
        same_columns = [number for number in able if self._same_columns(range(number, version + 1))]
        if same_columns:
            first = self.chance.choice(same_columns)
            self._replay(root, first + 1, version, self.known[first], after)

    def _same_columns(self, versions: range) -> bool:
        known = [self.known.get(number) for number in versions]
        return all(each is not None and each.schema == self.known[versions[-1]].schema for each in known)

    def _replay(self, root: Path, start: int, version: int, before: Version, after: Version) -> None:
        found = scan_changes(root, start, version).read_all()
        assert found.column_names[: len(after.schema.names)] == after.schema.names
        left = bag(before.rows, after.schema.names)
        for row in rows_of(found):
            sign = -1 if row["_change_type"] in ("delete", "update_preimage") else 1
            left.update({key: sign * number for key, number in bag([row], after.schema.names).items()})
        left.subtract(bag(after.rows, after.schema.names))
        wrong = {key: number for key, number in left.items() if number}
        assert not wrong, f"feed of versions {start} to {version}: {list(wrong.items())[:3]}"

    def peers(self) -> None:
        """Every version as deltalake and polars read it, where they read such a table."""
        import polars

        for version, expected in self.known.items():
            flat = [item.name for item in expected.schema if item.name not in ("mp", "far")]
            try:
                table = DeltaTable(self.root, version=version)
                theirs = pa.table(table.to_pyarrow_dataset(schema=None).to_table(columns=flat))
            except Exception as error:
                if not REFUSED.search(f"{type(error).__name__}: {error}"):
                    raise
                continue
            same(rows_of(normal(theirs, expected.schema)), expected.rows, expected, flat)
            if version == max(self.known):
                frame = polars.scan_delta(str(self.root)).select("id").collect()
                assert Counter(frame["id"].to_list()) == Counter(row["id"] for row in expected.rows)

    def end(self) -> None:
        """Every version, every feed, and every byte."""
        for version in self.known:
            self.reads(self.root, version)
            if version > self.since:
                self.feeds(self.root, version)
        if self.format == "parquet":
            self.peers()
        problems = [problem for problem in check(self.root, deep=True) if problem.kind != "orphaned"]
        assert problems == []


#: What deltalake says of tables and values that it does not read.
REFUSED = re.compile(
    r"typeWidening|reader features|Unsupported|not supported|ArrowNotImplemented|Cast error|Overflow|out of range"
    r"|year \d+ is out of range|would lose data|Error parsing|FieldNotFound|Invalid|Kernel"
)


def normal(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Their rows in the types of a table."""
    return table.cast(pa.schema([schema.field(name) for name in table.column_names]))


def representable(test: Any) -> bool:
    """Whether a tuple can name the value: Python's own types hold it, and it is no NaN or infinity, which are refused."""
    if isinstance(test.value, float) and not isfinite(test.value):
        return False
    try:
        test.item()
    except OverflowError:
        return False
    return not isinstance(test.value, str | bytes) or "\0" not in str(test.value)


def same(found: list[Row], expected: list[Row], version: Version, names: list[str] | None = None) -> None:
    """Compares rows without an order, and says what differs."""
    names = names or version.schema.names
    ours, theirs = bag(found, names), bag(expected, names)
    if ours != theirs:
        raise AssertionError(f"wrong: {list(ours - theirs)[:2]}; missing: {list(theirs - ours)[:2]} of {names}")
