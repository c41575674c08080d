"""Change feeds whose files are laid out in another way than the table's last version: by physical names, by other columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.lake.log import Log, LogError, Transaction
from lakecodec.pipeline import scan, scan_changes
from tests.lake.log.tables import rows, write_file

FEED = {"delta.enableChangeDataFeed": "true"}
SHOWN = ["_change_type", "id", "city"]


def shown(path: Path, start: int, **options: Any) -> list[tuple[Any, ...]]:
    found = scan_changes(path, start, **options).read_all().select(SHOWN)
    return sorted(tuple(row.values()) for row in found.to_pylist())


def mapped_commit(root: Path, version: int, *actions: dict[str, Any]) -> None:
    (root / "_delta_log").mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(action) + "\n" for action in actions)
    (root / "_delta_log" / f"{version:020}.json").write_text(text)


def mapped_definition(names: dict[str, str], mode: str = "name") -> list[dict[str, Any]]:
    fields = [
        {
            "name": name,
            "type": "long" if name == "id" else "string",
            "nullable": True,
            "metadata": {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": physical},
        }
        for number, (name, physical) in enumerate(names.items(), 1)
    ]
    metadata = {
        "id": "t",
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps({"type": "struct", "fields": fields}),
        "partitionColumns": ["city"],
        "configuration": {**FEED, "delta.columnMapping.mode": mode},
    }
    return [{"protocol": {"minReaderVersion": 2, "minWriterVersion": 5}}, {"metaData": metadata}]


def mapped_file(root: Path, number: int, names: dict[str, str], city: str | None, kind: str | None = None) -> Any:
    """The fields of an add or cdc action of a file with one row, whose columns have their physical names."""
    schema = pa.schema([pa.field(names["id"], pa.int64(), metadata={"PARQUET:field_id": "1"})])
    table = pa.table([[number]], schema=schema)
    if kind is not None:
        table = table.append_column("_change_type", pa.array([kind]))
    root.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, root / f"{number}.parquet")
    size = (root / f"{number}.parquet").stat().st_size
    values = {names["city"]: city}
    return {"path": f"{number}.parquet", "partitionValues": values, "size": size, "modificationTime": 1}


@pytest.mark.parametrize("mode", ["name", "id"])
def test_partition_values_of_mapped_columns(tmp_path: Path, mode: str) -> None:
    """Of added and removed files, whose type of change is planned, and of files of changes, which have it."""
    names = {"id": "col-1", "city": "col-2"}
    first = mapped_file(tmp_path, 1, names, "Basel")
    mapped_commit(tmp_path, 0, *mapped_definition(names, mode), {"add": {**first, "dataChange": True}})
    mapped_commit(tmp_path, 1, {"add": {**mapped_file(tmp_path, 2, names, "Bern"), "dataChange": True}})
    mapped_commit(tmp_path, 2, {"remove": {**first, "dataChange": True, "deletionTimestamp": 1}})
    mapped_commit(tmp_path, 3, {"cdc": {**mapped_file(tmp_path, 3, names, "Chur", "delete"), "dataChange": False}})
    assert shown(tmp_path, 0) == [
        ("delete", 1, "Basel"),
        ("delete", 3, "Chur"),
        ("insert", 1, "Basel"),
        ("insert", 2, "Bern"),
    ]
    assert shown(tmp_path, 0, where="city = 'Bern'") == [("insert", 2, "Bern")]


def test_columns_with_new_physical_names_are_refused(tmp_path: Path) -> None:
    """An overwrite gives columns of the same names new physical ones, by which older files do not have them."""
    old, new = {"id": "col-1", "city": "col-2"}, {"id": "col-3", "city": "col-4"}
    first = mapped_file(tmp_path, 1, old, "Basel")
    mapped_commit(tmp_path, 0, *mapped_definition(old), {"add": {**first, "dataChange": True}})
    remove = {"remove": {**first, "dataChange": True, "deletionTimestamp": 1}}
    add = {"add": {**mapped_file(tmp_path, 2, new, "Bern"), "dataChange": True}}
    mapped_commit(tmp_path, 1, mapped_definition(new)[1], remove, add)
    assert scan(tmp_path).read_all().to_pylist() == [{"id": 2, "city": "Bern"}]
    for start in (0, 1):
        with pytest.raises(LogError, match="version 0 has columns that version 1 cannot show"):
            scan_changes(tmp_path, start)
    assert shown(tmp_path, 0, end=0) == [("insert", 1, "Basel")]


def laid_out(root: Path, data: pa.Table, partition: tuple[str, ...]) -> None:
    """Overwrites the table with one file, in a layout of its own."""
    log = Log(root)
    read = log.snapshot() if log.exists() else None
    transaction = Transaction(log, read, "WRITE")
    transaction.set_schema(data.schema, partition, properties=FEED)
    if read is not None:
        transaction.replace()
    transaction.add(write_file(root, data, partition))
    transaction.commit()


@pytest.mark.parametrize(
    "layouts", [[("city",), ()], [(), ("city",)], [("city",), ("id",)], [("id", "city"), ("day",)], [(), ("id",), ()]]
)
def test_partition_columns_that_changed(tmp_path: Path, layouts: list[tuple[str, ...]]) -> None:
    """By overwrites and by the way back, as a restore goes it."""
    expected = []
    for number, partition in enumerate(layouts):
        laid_out(tmp_path, rows(number, 1, f"c{number}"), partition)
        expected += [("delete", number - 1, f"c{number - 1}")] * (number > 0) + [("insert", number, f"c{number}")]
    first = Log(tmp_path).snapshot(0)
    back = Transaction(Log(tmp_path), Log(tmp_path).snapshot(), "RESTORE")
    back.set_metadata(first.metadata)
    back.replace()
    back.add(first.files[0])
    back.commit()
    expected += [("delete", len(layouts) - 1, f"c{len(layouts) - 1}"), ("insert", 0, "c0")]
    assert shown(tmp_path, 0) == sorted(expected)
    assert shown(tmp_path, 0, where="city = 'c1'") == sorted(row for row in expected if row[2] == "c1")
    assert shown(tmp_path, 1) == sorted(expected[1:])
