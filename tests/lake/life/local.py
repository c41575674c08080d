"""The life of a table that is written in this process, without Spark; its rows are deleted by vectors or by rewriting files."""

from __future__ import annotations

import re
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import polars
import pyarrow as pa

from lakecodec import lake
from lakecodec.lake.log import Log
from lakecodec.lake.read.sql_text import literal
from lakecodec.pipeline import set_properties
from tests.lake.life.duckdb_peer import PYTHON, duckdb_rows
from tests.lake.life.life import QUIET, Life, normal, representable, same
from tests.lake.life.model import Row, Test, Version, any_test, rows_of

_SILENT: Any = {"progress": QUIET}


class LocalLife(Life):
    """A `Life` without Spark."""

    STEPS: ClassVar[dict[str, float]] = {
        name: often
        for name, often in Life.STEPS.items()
        if name not in ("append_killed", "df_write", "optimize_beside_appends")
    } | {"delete": 4, "update": 3, "merge": 3, "purge": 0.5, "beside_appends": 1}

    #: Columns that rows may come without.
    COMPUTED: ClassVar[tuple[str, ...]] = ()

    def __init__(self, root: Path, seed: int, format: str = "parquet") -> None:
        super().__init__(None, root, seed, format)  # type: ignore[arg-type]

    def create(self, rows: list[Row]) -> None:
        super().create(rows)
        if self.chance.random() < 0.7:
            set_properties(self.root, {"delta.enableDeletionVectors": True})
            self._became("vectors", self.now.rows)

    def _ingest(self, table: pa.Table, **options: Any) -> None:
        keys = [name for name in table.column_names if not pa.types.is_nested(table.schema.field(name).type)]
        keys = [name for name in keys if name not in (*self.now.partition_by, *self.COMPUTED, "far")]
        if self.chance.random() < 0.5:
            options |= {"max_rows_per_file": self.chance.randint(2, 8)}
        if self.chance.random() < 0.5:
            order = self.chance.choice(["sort_by", "zorder_by", "hilbert_by"])
            options |= {order: self.chance.sample(keys, min(2, len(keys)))}
        lake.write(self._as(table), self.root, **_SILENT, **options)

    def _as(self, table: pa.Table) -> Any:
        """The rows in one of the forms that rows come in."""
        return self.chance.choice(
            [table, table.to_reader(3), iter(table.to_batches(4) or [table]), self._stored(table)]
        )

    def _test(self, names: tuple[str, ...] | None = None) -> Test:
        """A test whose value a tuple can name."""
        while True:
            test = any_test(self.chance, self.now.schema, self.now.rows, names)
            if representable(test):
                return test

    def replace_where(self) -> None:
        if not self.now.partition_by:
            return
        test = self._test(self.now.partition_by)
        new = [row for row in self._rows(10) if test.holds(self.now.settled([row])[0])]
        self._ingest(self.now.arrow(new), mode="overwrite", replace_where=[test.item()])
        self._became(f"replace_where {test.item()}", [row for row in self.now.rows if not test.holds(row)] + new)

    def delete(self) -> None:
        test, few = self._test(), self.chance.randint(1, 4)
        chosen = [row["id"] for row in self.now.rows if row["id"] % few == 0] or [-1]
        vectors = self.chance.choice([None, None, None, True, False])
        lake.delete(self.root, [test.item(), ("id", "in", chosen)], deletion_vectors=vectors, **_SILENT)
        gone = {row["id"] for row in self.now.rows if test.holds(row) and row["id"] % few == 0}
        self._became(f"delete {test.item()} % {few}", [row for row in self.now.rows if row["id"] not in gone])

    def update(self) -> None:
        test = self._test()
        item = self.chance.choice([item for item in self.now.schema if self._settable(item)])
        value = self.chance.choice(self._pool(item))
        named = Test(item.name, item.type, "=", value)
        if value is not None and not representable(named):
            return
        text = literal(None if value is None else named.item()[2])
        if pa.types.is_timestamp(item.type) and item.type.tz is not None and value is not None:
            text = text.replace("TIMESTAMP_NTZ", "TIMESTAMP")
        lake.update(self.root, {item.name: text}, [test.item()], **_SILENT)
        rows = [row | {item.name: value} if test.holds(row) else row for row in self.now.rows]
        self._became(f"update {item.name} = {text} where {test.item()}", rows)

    def _settable(self, item: pa.Field) -> bool:
        return item.name not in ("id", "far") and not pa.types.is_nested(item.type)

    def _changed(self, old: Row, new: Row) -> Row:
        """An old row with the values of a new one."""
        return new | {"id": old["id"]}

    def merge(self) -> None:
        old = self.chance.sample(self.now.rows, min(len(self.now.rows), 3))
        inserted = self._rows(5)
        changed = [self._changed(row, new) for row, new in zip(old, self._rows(len(old) or 1), strict=False)]
        removes = self.chance.random() < 0.3
        lake.merge(self.root, self._as(self.now.arrow(changed + inserted)), ["id"],
                   when_matched_update=None if removes else True, when_matched_delete=removes or None,
                   when_not_matched_insert=True, **_SILENT)  # fmt: skip
        matched = {row["id"]: row for row in changed}
        rows = [matched.get(row["id"], row) for row in self.now.rows]
        kept = [row for row in self.now.rows if row["id"] not in matched]
        self._became(f"merge {'delete' if removes else 'update'}", (kept if removes else rows) + inserted)

    def optimize(self) -> None:
        keys = [item.name for item in self.now.schema if not pa.types.is_nested(item.type) and item.name != "far"]
        keys = [name for name in keys if name not in self.now.partition_by]
        by = self.chance.choice([None, "zorder_by", "hilbert_by"])
        chosen: Any = {by: self.chance.sample(keys, min(2, len(keys)))} if by else {}
        lake.optimize(self.root, target_file_bytes=20_000, **_SILENT, **chosen)
        self._became(f"optimize {chosen}", self.now.rows)

    def purge(self) -> None:
        lake.purge(self.root, **_SILENT)
        self._became("purge", self.now.rows)
        assert not any(file.deleted for file in lake.open_scan(self.root).plan.files)

    def beside_appends(self) -> None:
        """A change beside two appends: what is not refused as a conflict is there, in the order of the versions."""
        tables = [self._rows(5) for _ in range(2)]
        given = [self._as(self.now.arrow(rows)) for rows in tables]
        first, rows = max(self.known), self.now.rows
        gone = {row["id"] for row in rows if self.chance.random() < 0.3} or {-1}
        vectors = self.chance.choice([True, False])
        change = self.chance.choice(["delete", "optimize", "purge"])
        made: dict[int, Any] = {}

        def append() -> None:
            for index, part in enumerate(given):
                with suppress(lake.ConflictError):
                    made[lake.write(part, self.root, **_SILENT).version] = tables[index]

        appender = threading.Thread(target=append)
        appender.start()
        try:
            with suppress(lake.ConflictError):
                if change == "delete":
                    where = [("id", "in", sorted(gone))]
                    info = lake.delete(self.root, where, deletion_vectors=vectors, **_SILENT)
                else:
                    info = (lake.optimize if change == "optimize" else lake.purge)(self.root, **_SILENT)
                if info.operation != "WRITE" and info.version > first:
                    made[info.version] = change
        finally:
            appender.join()
        assert sorted(made) == list(range(first + 1, Log(self.root).snapshot().version + 1)), "a version is lost"
        for version, what in sorted(made.items()):
            if what == "delete":
                rows = [row for row in rows if row["id"] not in gone]
            elif isinstance(what, list):
                rows = rows + self._stored_rows(what)
            self.now = Version(self.now.schema, self.now.partition_by, self.now.settled(rows))
            self.known[version] = self.now
            self.steps.append(f"{version} {what if isinstance(what, str) else 'append'} of two at once")

    def _stored_rows(self, rows: list[Row]) -> list[Row]:
        """Rows as the table has them."""
        return rows

    def peers(self) -> None:
        """Also as DuckDB reads the newest version, where its environment is there: tests/lake/test_duckdb.py says whether."""
        super().peers()
        if PYTHON.exists():
            self._beside_duckdb()
        try:
            frame = polars.scan_delta(str(self.root)).select("id").collect()
        except Exception as error:  # of the package deltalake, which raises more than one type
            if "typeWidening" not in str(error) and "which polars does not support" not in str(error):
                raise
            return
        theirs, ours = Counter(frame["id"].to_list()), Counter(row["id"] for row in self.now.rows)
        # polars 2.1 compares paths with URLs: it finds no deletion vector of a file whose path has escapes.
        escaped = [file for file in lake.open_scan(self.root).plan.files if file.deleted and "%" in file.path]
        assert theirs >= ours if escaped else theirs == ours

    def _beside_duckdb(self) -> None:
        names = [item.name for item in self.now.schema if not pa.types.is_nested(item.type) and item.name != "far"]
        if lake.properties(self.root).get("delta.columnMapping.mode", "none") != "none":
            # It gives nulls for these, of tables that Spark wrote, too (data-reader-timestamp_ntz-name-mode).
            names = [name for name in names if name not in self.now.partition_by]
        try:
            found = normal(duckdb_rows(self.root, names), self.now.schema)
        except RuntimeError as error:
            if not BEYOND_DUCKDB.search(str(error)):
                raise
            return
        same(rows_of(found), self.now.rows, self.now, names)


#: What DuckDB says of tables and values that it does not read.
BEYOND_DUCKDB = re.compile(r"typeWidening|not supported|unsupported|Unsupported|out of range|Conversion Error")
