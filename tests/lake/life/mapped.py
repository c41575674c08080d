"""The life of a table of another writer, whose columns have other names in files; now and then ours change it, too."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable

from lakecodec.delta import PartitionCodec
from lakecodec.lake.log import Log, Statistics, to_delta
from lakecodec.pipeline import scan_changes
from tests.lake.life.columns import KINDS, kind_of
from tests.lake.life.life import Life
from tests.lake.life.model import Row, Version, any_test, bag

FEED = {"delta.enableChangeDataFeed": "true", "delta.columnMapping.mode": "name"}


class MappedLife(Life):
    """A table whose columns are renamed, dropped, and added again under the name of a dropped one.

    Attributes:
        fields: the columns as the log has them.
        files: the rows of each live file by its path, and its add action.
    """

    STEPS: ClassVar[dict[str, float]] = {
        "append": 4,
        "delete": 2,
        "rename": 2,
        "drop": 1.5,
        "add_column": 2,
        "compact": 1,
        "overwrite": 1,
        "checkpoint": 1,
        "ours": 2,
    }

    def create(self, rows: list[Row]) -> None:
        self.fields = [self._field(item) for item in self.now.schema]
        self.files: dict[str, tuple[list[Row], dict[str, Any]]] = {}
        (self.root / "_delta_log").mkdir(parents=True)
        features = ["columnMapping", "timestampNtz"]
        protocol = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": features}
        protocol |= {"writerFeatures": [*features, "changeDataFeed"]}
        self._commit({"protocol": protocol}, self._metadata(), *self._add(rows))
        self._became("create", rows)
        self.since = 0

    # What the other writer does.

    def append(self) -> None:
        new = self._rows(15)
        self._commit(*self._add(new))
        self._became("append", self.now.rows + new)

    def overwrite(self) -> None:
        new = self._rows(15)
        self._commit(*self._remove(list(self.files)), *self._add(new))
        self._became("overwrite", new)

    def delete(self) -> None:
        test = any_test(self.chance, self.now.schema, self.now.rows)
        touched = [path for path, (rows, _) in self.files.items() if any(map(test.holds, rows))]
        if touched:
            kept = [row for path in touched for row in self.files[path][0] if not test.holds(row)]
            self._commit(*self._remove(touched), *self._add(kept))
            self._became(f"delete {test.sql()}", [row for row in self.now.rows if not test.holds(row)])

    def compact(self) -> None:
        if self.files:
            self._commit(*self._remove(list(self.files), changes=False), *self._add(self.now.rows, changes=False))
            self._became("compact", self.now.rows)

    def rename(self) -> None:
        """Also columns that the table is partitioned by, and to a name that another column had before."""
        index = self.chance.randrange(1, len(self.fields))
        old = self.fields[index]["name"]
        first = old.partition("~")[0]
        free = {first, f"{first}~{self.next_id}", f"{old}~"} - set(self.now.schema.names)
        new = self.chance.choice(sorted(free))
        self.fields[index]["name"] = new
        self._redefined({old: new}, f"rename {old} to {new}")

    def drop(self) -> None:
        able = [each for each in self.fields[1:] if each["name"] not in self.now.partition_by]
        if len(able) > 1:
            dropped = self.chance.choice(able)
            self.fields.remove(dropped)
            self._redefined({dropped["name"]: None}, f"drop {dropped['name']}")

    def add_column(self) -> None:
        absent = [name for name in sorted(KINDS) if name not in self.now.schema.names]
        if absent:
            name = self.chance.choice(absent)
            self.fields.append(self._field(pa.field(name, KINDS[name].type)))
            self._redefined({}, f"add {name}")

    def checkpoint(self) -> None:
        DeltaTable(self.root).create_checkpoint()
        self.steps.append("checkpoint")

    def ours(self) -> None:
        """What we write: the files get the names of the columns in files."""
        log = Log(self.root)
        self.chance.choice([super().append, super().delete, super().update, super().optimize, log.checkpoint])()
        name = self.fields[0]["metadata"]["delta.columnMapping.physicalName"]
        rows = {row["id"]: row for row in self.now.rows}
        self.files = {}
        for add in Log(self.root).snapshot().files:
            ids = pq.read_table(self.root / add.file, columns=[name], partitioning=None)[name].to_pylist()
            known = {"path": add.path, "partitionValues": dict(add.partition_values), "size": add.size}
            self.files[add.path] = [rows[id] for id in ids], known

    # What must then be true.

    def feeds(self, root: Any, version: int) -> None:
        before, after = self.known.get(version - 1), self.known[version]
        if before is not None and before.schema.names != after.schema.names:
            assert scan_changes(root, version, version).read_all().num_rows == 0
            assert bag(before.rows, ["id"]) == bag(after.rows, ["id"])
        else:
            super().feeds(root, version)

    # How it writes.

    def _field(self, item: pa.Field) -> dict[str, Any]:
        (found,) = json.loads(to_delta(pa.schema([item])))["fields"]
        for each in [found, *(found["type"].get("fields", []) if isinstance(found["type"], dict) else [])]:
            self.last_id = getattr(self, "last_id", 0) + 1
            physical = f"col-{uuid4()}"
            each["metadata"] = {"delta.columnMapping.id": self.last_id, "delta.columnMapping.physicalName": physical}
        return found  # type: ignore[no-any-return]

    def _metadata(self) -> dict[str, Any]:
        definition = {
            "id": "t",
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps({"type": "struct", "fields": self.fields}),
            "partitionColumns": list(self.now.partition_by),
            "configuration": FEED | {"delta.columnMapping.maxColumnId": str(self.last_id)},
        }
        return {"metaData": definition}

    def _redefined(self, names: dict[str, str | None], step: str) -> None:
        """Commits the fields; rows lose or get the columns that ``names`` gives new names, or None."""

        def of(row: Row) -> Row:
            return {new: value for name, value in row.items() if (new := names.get(name, name)) is not None}

        fields = [pa.field(each["name"], kind_of(each["name"]).type) for each in self.fields[1:]]
        schema = pa.schema([self.now.schema.field("id"), *fields])
        partitions = tuple(names.get(name) or name for name in self.now.partition_by)
        self.now = Version(schema, partitions, [of(row) for row in self.now.rows])
        self.files = {path: ([of(row) for row in rows], add) for path, (rows, add) in self.files.items()}
        self._commit(self._metadata())
        self._became(step, self.now.rows)

    def _commit(self, *actions: dict[str, Any]) -> None:
        latest = Log(self.root).latest()
        version = 0 if latest is None else latest + 1
        text = "".join(json.dumps(action) + "\n" for action in ({"commitInfo": {"operation": "?"}}, *actions))
        (self.root / "_delta_log" / f"{version:020}.json").write_text(text)

    def _remove(self, paths: Sequence[str], *, changes: bool = True) -> list[dict[str, Any]]:
        found = []
        for path in paths:
            _, add = self.files.pop(path)
            part = {name: add[name] for name in ("path", "partitionValues", "size")}
            found.append(
                {"remove": part | {"dataChange": changes, "deletionTimestamp": 1, "extendedFileMetadata": True}}
            )
        return found

    def _add(self, rows: list[Row], *, changes: bool = True) -> list[dict[str, Any]]:
        """Writes files of a few rows of a partition, in directories without a meaning, and returns their adds."""
        rows = self.now.settled(rows)
        groups: dict[Any, list[Row]] = {}
        for row in rows:
            groups.setdefault(tuple(bag([row], self.now.partition_by)), []).append(row)
        few = self.chance.randint(2, 10)
        return [
            {"add": self._write(group[start : start + few]) | {"dataChange": changes}}
            for group in groups.values()
            for start in range(0, len(group), few)
        ]

    def _write(self, rows: list[Row]) -> dict[str, Any]:
        schema = pa.schema([_physical(item, each) for item, each in zip(self.now.schema, self.fields, strict=True)])
        table = self.now.arrow(rows)
        physical = pa.table(
            [_relabelled(column, item.type) for column, item in zip(table.columns, schema, strict=True)], schema
        )
        names = dict(zip(table.column_names, schema.names, strict=True))
        partition_by = [names[name] for name in self.now.partition_by]
        codec = PartitionCodec(physical.schema, partition_by or None)
        values = {name: physical[name][0].as_py() for name in partition_by}
        stored = physical.drop_columns(partition_by)
        path = self.root / f"{uuid4()}.parquet"
        pq.write_table(stored, path, row_group_size=4)
        stats = Statistics(stored.schema)
        stats.update(stored)
        add = {"path": path.name, "partitionValues": codec.serialize(values) if partition_by else {},
               "size": path.stat().st_size, "modificationTime": int(path.stat().st_mtime * 1000),
               "stats": stats.to_json()}  # fmt: skip
        self.files[path.name] = rows, add
        return add


def _physical(item: pa.Field, field: dict[str, Any]) -> pa.Field:
    """A column as files have it."""
    kind = item.type
    if pa.types.is_struct(kind):
        kind = pa.struct([_physical(part, each) for part, each in zip(kind, field["type"]["fields"], strict=True)])
    known = field["metadata"]
    number = {"PARQUET:field_id": str(known["delta.columnMapping.id"])}
    return pa.field(known["delta.columnMapping.physicalName"], kind, metadata=number)


def _relabelled(column: pa.ChunkedArray, kind: pa.DataType) -> Any:
    """The same values; the fields of structs have other names."""
    array = column.combine_chunks()
    if not pa.types.is_struct(kind):
        return array
    return pa.StructArray.from_arrays(array.flatten(), fields=list(kind), mask=array.is_null())
