"""The life of a table with rules: it numbers, computes and fills columns, tracks its rows, and uses other features of the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pytest

from lakecodec import EncodeError, lake
from lakecodec.lake.changes.rewriting import Rewrite
from lakecodec.lake.changes.selection import every_file
from lakecodec.lake.log import Log
from tests.lake.life.local import _SILENT, LocalLife
from tests.lake.life.model import Row, Version

START, STEP, DEFAULT, PARTS = 5, 3, "given", 3
#: Columns of the table beside those of other lives, and the metadata of their fields.
RULES: dict[str, tuple[pa.DataType, dict[str, str]]] = {
    "num": (pa.int64(), {"delta.identity.start": str(START), "delta.identity.step": str(STEP),
                         "delta.identity.allowExplicitInsert": "false"}),
    "gen": (pa.int64(), {"delta.generationExpression": f"id % {PARTS}"}),
    "fill": (pa.string(), {"CURRENT_DEFAULT": f"'{DEFAULT}'"}),
}  # fmt: skip
MAPPINGS = ("none", "name", "id")


class RuledLife(LocalLife):
    """A `LocalLife` whose table has rules for columns, and features that are drawn."""

    # `append_without_spark` makes files that no rule was heeded in.
    STEPS: ClassVar[dict[str, float]] = {
        name: often for name, often in LocalLife.STEPS.items() if name != "append_without_spark"
    } | {"breach": 0.5, "checkpoint": 0.5}

    COMPUTED: ClassVar[tuple[str, ...]] = tuple(RULES)

    def __init__(self, root: Path, seed: int, format: str = "parquet") -> None:
        #: The number of each row that ever was, and the numbers of rows as the log tracks them.
        self.numbers: dict[int, int] = {}
        self.tracked: dict[int, int] = {}
        self.fills = True
        self.left_out: list[str] = []
        super().__init__(root, seed, format)

    def _definition(self) -> Version:
        plain = super()._definition()
        schema = pa.schema([*plain.schema, *(pa.field(name, kind) for name, (kind, _) in RULES.items())])
        return Version(schema, (*plain.partition_by, "gen") if self.chance.random() < 0.3 else plain.partition_by)

    def create(self, rows: list[Row]) -> None:
        drawn = {
            "delta.enableChangeDataFeed": True,
            "delta.checkpointInterval": 4,
            "delta.enableDeletionVectors": self.chance.random() < 0.7,
            "delta.enableRowTracking": self.chance.random() < 0.6,
            "delta.enableInCommitTimestamps": self.chance.random() < 0.6,
            "delta.checkpointPolicy": self.chance.choice(["classic", "v2"]),
        }
        if self.format == "parquet":
            drawn["delta.columnMapping.mode"] = self.chance.choice(MAPPINGS)
        fields = [item.with_metadata(RULES[item.name][1]) if item.name in RULES else item for item in self.now.schema]
        lake.write(pa.schema(fields).empty_table(), self.root, partition_by=self.now.partition_by, format=self.format,
                   properties=drawn, **_SILENT)  # type: ignore[arg-type]  # fmt: skip
        self._became(f"create {drawn}", [])
        self._ingest(self.now.arrow(rows), mode="append")
        self._became("first rows", rows)

    def _pool(self, item: pa.Field) -> list[Any]:
        if item.name == "fill":
            return self.chance.choice([[DEFAULT], [DEFAULT, "other", None]])
        return [None] if item.name in RULES else super()._pool(item)

    def _rows(self, most: int) -> list[Row]:
        return [row | {"gen": row["id"] % PARTS} for row in super()._rows(most)]

    def _changed(self, old: Row, new: Row) -> Row:
        return super()._changed(old, new) | {"num": old["num"], "gen": old["gen"]}

    def _settable(self, item: pa.Field) -> bool:
        return item.name not in ("num", "gen") and super()._settable(item)

    def _as(self, table: pa.Table) -> Any:
        """The rows without the column of numbers, and others that the table has values for."""
        self.left_out = ["num", *(["gen"] if self.chance.random() < 0.5 else [])]
        if self.fills and set(table["fill"].to_pylist()) == {DEFAULT} and self.chance.random() < 0.7:
            self.left_out.append("fill")
        return super()._as(table.drop_columns(self.left_out))

    def merge(self) -> None:
        self.fills = False  # of rows that are there the column would stay as it is
        super().merge()
        self.fills = True

    def _became(self, step: str, rows: list[Row]) -> None:
        if step.startswith("overwrite by"):  # columns that the source does not have come last
            names = [name for name in self.now.schema.names if name not in self.left_out]
            names += [name for name in self.now.schema.names if name in self.left_out]
            self.now = Version(pa.schema([self.now.schema.field(name) for name in names]), self.now.partition_by)
        super()._became(step, self._stored_rows(rows))

    def _stored_rows(self, rows: list[Row]) -> list[Row]:
        """Rows with the numbers that the table gave them."""
        found = lake.scan(self.root, columns=["id", "num"]).read_all().to_pydict()
        given = dict(zip(found["id"], found["num"], strict=True))
        new = {id: number for id, number in given.items() if id not in self.numbers}
        assert all((number - START) % STEP == 0 for number in new.values())
        assert len({*new.values()}) == len(new)
        assert {*new.values()}.isdisjoint(self.numbers.values()), "a number is given out again"
        self.numbers |= new
        return [row | {"num": self.numbers.get(row["id"])} for row in rows]

    def breach(self) -> None:
        """What breaks a rule is refused, and no version comes of it."""
        before = Log(self.root).latest()
        (row,) = self._rows(1)
        wrong = self.now.arrow([row | {"gen": row["gen"] + 1}]).drop_columns(["num"])
        with pytest.raises(EncodeError, match="gen: the column is generated by"):
            lake.write(wrong, self.root, **_SILENT)
        with pytest.raises(lake.SchemaMismatchError, match="'num' is an identity column"):
            lake.write(self.now.arrow([row | {"num": 1}]), self.root, **_SILENT)
        with pytest.raises(ValueError, match="'num' is an identity column"):
            lake.update(self.root, {"num": "1"}, **_SILENT)
        assert Log(self.root).latest() == before

    def checkpoint(self) -> None:
        Log(self.root).checkpoint()
        self.steps.append("checkpoint")

    def is_sound(self, *, spark: bool) -> None:
        super().is_sound(spark=spark)
        rewrite = Rewrite(self.root, None, False)
        if not rewrite.kept:
            return
        found = {}
        for file in every_file(rewrite.snapshot):
            for _, rows, _ in rewrite.rows([file]):
                columns = rows.select(["id", rewrite.kept[0]]).to_pydict()
                found |= dict(zip(*columns.values(), strict=True))
        assert len({*found.values()}) == len(found) == len(self.now.rows)
        moved = {
            id: (number, self.tracked[id]) for id, number in found.items() if self.tracked.get(id, number) != number
        }
        assert not moved, f"rows do not keep their numbers: {moved}"
        self.tracked |= found
