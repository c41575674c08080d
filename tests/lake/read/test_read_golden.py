"""Tables that Delta's own library wrote (tests/lake/golden): their rows, or a clear refusal."""

from __future__ import annotations

import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from deltalake import DeltaTable, QueryBuilder

from lakecodec.lake.log import CorruptLogError, Log, UnsupportedTableError, VersionNotFoundError
from lakecodec.pipeline import check, count, explain, scan
from lakecodec.runtime.errors import DecodeError
from tests.archives import unpack
from tests.paths import TESTS

GOLDEN = TESTS / "lake" / "golden"
NAMES = sorted(path.name.removesuffix(".tar.zst") for path in GOLDEN.glob("*.tar.zst"))

NO_SCHEMA = (CorruptLogError, "metaData: 'schemaString' is missing")
REFUSED: dict[str, tuple[type[Exception], str]] = {
    "data-reader-absolute-paths-escaped-chars": (CorruptLogError, "the log has no metaData"),
    "deltalog-commit-info": NO_SCHEMA,
    "deltalog-invalid-protocol-version": (UnsupportedTableError, "readers of version 99"),
    "deltalog-state-reconstruction-from-checkpoint-missing-metadata": NO_SCHEMA,
    "deltalog-state-reconstruction-from-checkpoint-missing-protocol": NO_SCHEMA,
    "deltalog-state-reconstruction-without-metadata": (CorruptLogError, "the log has no metaData"),
    "deltalog-state-reconstruction-without-protocol": (CorruptLogError, "the log has no protocol"),
    "hive": (VersionNotFoundError, "no Delta table"),
    "no-delta-log-folder": (VersionNotFoundError, "no Delta table"),
    "update-deleted-directory": NO_SCHEMA,
    "versions-not-contiguous": (CorruptLogError, "the log has no version 1, but later ones"),
}
#: Logs without data files, and the files that they name.
LOGS = {
    "canonicalized-paths-normal-a": [],
    "canonicalized-paths-normal-b": [],
    "canonicalized-paths-special-a": [],
    "canonicalized-paths-special-b": [],
    "checkpoint": ["15"],
    "delete-re-add-same-file-different-transactions": ["bar", "foo"],
    "log-replay-special-characters-b": ["special p@#h"],
}
#: Columns whose rows are not those that the table has: their times were written in another zone.
WRONG = {"data-reader-partition-values": ["as_timestamp"]}


def table_of(name: str, directory: Path) -> Path:
    """The path of a table, unpacked."""
    directory.mkdir(exist_ok=True)
    data = zstandard.ZstdDecompressor().stream_reader((GOLDEN / f"{name}.tar.zst").read_bytes()).read()
    unpack(io.BytesIO(data), directory)
    (root,) = directory.iterdir()
    return root / "delta" if (root / "delta").exists() or not (root / "_delta_log").exists() else root


def rows_of(table: pa.Table, without: list[str] | None = None) -> list[str]:
    """The rows as texts, in an order of their own."""
    rows = table.drop_columns(without or []).to_pylist(maps_as_pydicts="strict")
    return sorted(repr(plain(row)) for row in rows)


def plain(value: Any) -> Any:
    """A value in which equal rows are equal texts: times without the name of their zone, fields in one order."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.timestamp() if isinstance(value, datetime) and value.tzinfo is not None else value


def expected_rows(folder: Path) -> pa.Table:
    files = [path for path in sorted(folder.rglob("*.parquet")) if not path.name.startswith(".")]
    tables = [pq.read_table(path, partitioning=None, coerce_int96_timestamp_unit="us") for path in files]
    return pa.concat_tables(tables, promote_options="default")


@pytest.mark.parametrize("name", NAMES)
def test_rows(name: str, tmp_path: Path) -> None:
    path = table_of(name, tmp_path)
    if name in REFUSED:
        error, message = REFUSED[name]
        with pytest.raises(error, match=message):
            scan(path)
        return
    if name in LOGS:
        assert sorted(add.file for add in Log(path).snapshot().files) == LOGS[name]
        return
    found = scan(path).read_all()
    assert count(path) == found.num_rows
    if (path.parent / "expected").exists():
        expected = expected_rows(path.parent / "expected")
    else:
        expected = pa.table(QueryBuilder().register("t", DeltaTable(path)).execute("SELECT * FROM t"))
    assert rows_of(found, WRONG.get(name)) == rows_of(expected, WRONG.get(name))
    assert found.schema.names == expected.schema.names


MAPPED = [name for name in NAMES if "mapping" in name or name.endswith(("id-mode", "name-mode"))]


@pytest.mark.parametrize("name", MAPPED)
def test_tables_with_column_mapping(name: str, tmp_path: Path) -> None:
    """Predicates, projections and checks of tables whose columns have other names in files."""
    path = table_of(name, tmp_path)
    every = scan(path).read_all()
    names = every.schema.names
    assert all(b"delta.columnMapping" not in key for field in every.schema for key in field.metadata or {})
    for column in names:
        kind = every.schema.field(column).type
        assert scan(path, columns=[column]).read_all() == every.select([column])
        if pa.types.is_integer(kind):
            value = every[column].to_pylist()[0]
            found = scan(path, where=[(column, "=", value)]).read_all()
            assert rows_of(found) == rows_of(every.filter(pa.compute.equal(every[column], value)))
            nothing = scan(path, where=[(column, "=", 101)])
            assert nothing.read_all().num_rows == 0
    assert {problem.kind for problem in check(path)} <= {"orphaned"}
    assert {problem.kind for problem in check(path, deep=True)} <= {"orphaned"}


def test_files_of_mapped_tables_are_skipped(tmp_path: Path) -> None:
    """By statistics and partition values under physical names."""
    path = table_of("data-skipping-basic-stats-all-types-columnmapping-name", tmp_path / "a")
    assert (explain(path, where="as_int = 0").files, explain(path, where="as_int = 1").files) == (1, 0)
    path = table_of("dv-with-columnmapping", tmp_path / "b")
    summary = explain(path, where="part = 1")
    assert 0 < summary.files < summary.files_total


SCHEMA = json.dumps(
    {
        "type": "struct",
        "fields": [
            {"name": "id", "type": "long", "nullable": True, "metadata": {"delta.columnMapping.id": 1}},
            {
                "name": "place",
                "type": {
                    "type": "struct",
                    "fields": [
                        {
                            "name": "x",
                            "type": "long",
                            "nullable": True,
                            "metadata": {"delta.columnMapping.id": 3, "delta.columnMapping.physicalName": "col-x"},
                        }
                    ],
                },
                "nullable": True,
                "metadata": {"delta.columnMapping.id": 2},
            },
            {"name": "new", "type": "string", "nullable": True, "metadata": {"delta.columnMapping.id": 4}},
        ],
    }
)


def by_ids(path: Path, ids: dict[str, str]) -> None:
    """A table in the mode "id" of one file, whose columns have these ids."""

    def field(name: str, kind: Any) -> pa.Field:
        return pa.field(name, kind, metadata={"PARQUET:field_id": ids[name]} if name in ids else None)

    schema = pa.schema([field("place", pa.int64()), field("q", pa.struct([field("id", pa.int64())]))])
    path.mkdir()
    pq.write_table(pa.table([[1, 2], [{"id": 7}, None]], schema=schema), path / "f.parquet")
    properties = json.loads(SCHEMA)
    for column in properties["fields"]:
        column["metadata"]["delta.columnMapping.physicalName"] = f"col-{column['name']}"
    metadata = {
        "id": "t",
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps(properties),
        "partitionColumns": [],
        "configuration": {"delta.columnMapping.mode": "id"},
    }
    stats = json.dumps({"numRecords": 2, "minValues": {"col-id": 1}, "maxValues": {"col-id": 2}})
    add = {"path": "f.parquet", "partitionValues": {}, "size": (path / "f.parquet").stat().st_size}
    add |= {"modificationTime": 0, "dataChange": True, "stats": stats}
    (path / "_delta_log").mkdir()
    actions = [{"protocol": {"minReaderVersion": 2, "minWriterVersion": 5}}, {"metaData": metadata}, {"add": add}]
    lines = "".join(json.dumps(action) + "\n" for action in actions)
    (path / "_delta_log" / f"{0:020}.json").write_text(lines)


def test_columns_are_found_by_ids(tmp_path: Path) -> None:
    """A file whose names are those of other columns: the ids count."""
    path = tmp_path / "t"
    by_ids(path, {"place": "1", "q": "2", "id": "3"})
    expected = [{"id": 1, "place": {"x": 7}, "new": None}, {"id": 2, "place": None, "new": None}]
    assert scan(path).read_all().to_pylist() == expected
    assert scan(path, where="id = 2 AND place.x IS NULL").read_all().to_pylist() == expected[1:]
    assert scan(path, where="place.x = 7").read_all().to_pylist() == expected[:1]
    assert scan(path, where="id = 3").read_all().num_rows == 0
    assert check(path) == check(path, deep=True) == []
    by_ids(tmp_path / "u", {})
    with pytest.raises(DecodeError, match="found by field ids, the file has none"):
        scan(tmp_path / "u").read_all()
