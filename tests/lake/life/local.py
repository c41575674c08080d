"""The life of a table that is written in this process, without Spark; its rows are deleted by vectors or by rewriting files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import polars
import pyarrow as pa

from lakecodec import lake
from lakecodec.lake.read.sql_text import literal
from lakecodec.pipeline import set_properties
from tests.lake.life.life import QUIET, Life, representable
from tests.lake.life.model import Row, Test, any_test

_SILENT: Any = {"progress": QUIET}


class LocalLife(Life):
    """A `Life` without Spark."""

    STEPS: ClassVar[dict[str, float]] = {
        name: often
        for name, often in Life.STEPS.items()
        if name not in ("append_killed", "df_write", "optimize_beside_appends")
    } | {"delete": 4, "update": 3, "merge": 3, "purge": 0.5}

    def __init__(self, root: Path, seed: int, format: str = "parquet") -> None:
        super().__init__(None, root, seed, format)  # type: ignore[arg-type]

    def create(self, rows: list[Row]) -> None:
        super().create(rows)
        if self.chance.random() < 0.7:
            set_properties(self.root, {"delta.enableDeletionVectors": True})
            self._became("vectors", self.now.rows)

    def _ingest(self, table: pa.Table, **options: Any) -> None:
        keys = [name for name in table.column_names if not pa.types.is_nested(table.schema.field(name).type)]
        keys = [name for name in keys if name not in (*self.now.partition_by, "far")]
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
        able = [
            item for item in self.now.schema if item.name not in ("id", "far") and not pa.types.is_nested(item.type)
        ]
        item = self.chance.choice(able)
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

    def merge(self) -> None:
        old = self.chance.sample(self.now.rows, min(len(self.now.rows), 3))
        inserted = self._rows(5)
        changed = [new | {"id": row["id"]} for row, new in zip(old, self._rows(len(old) or 1), strict=False)]
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

    def peers(self) -> None:
        super().peers()
        try:
            frame = polars.scan_delta(str(self.root)).select("id").collect()
        except Exception as error:  # of the package deltalake, which raises more than one type
            if "typeWidening" not in str(error):
                raise
            return
        assert sorted(frame["id"].to_list()) == sorted(row["id"] for row in self.now.rows)
