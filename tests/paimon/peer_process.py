"""Runs in the environment of pypaimon, which wants an older pyarrow: does what lines of JSON on stdin say, answers on stdout."""

from __future__ import annotations

import contextlib
import json
import sys
import traceback
from typing import Any

import pyarrow as pa
from pypaimon import CatalogFactory, Schema
from pypaimon.schema.schema_change import Move, SchemaChange  # noqa: F401
from pypaimon.write.table_delete import TableDeleteByRowId


def table_of(path: str) -> Any:
    warehouse, database, name = path.rsplit("/", 2)
    return catalog(warehouse).get_table(f"{database.removesuffix('.db')}.{name}")


def catalog(warehouse: str) -> Any:
    return CatalogFactory.create({"warehouse": warehouse})


def rows(file: str) -> pa.Table:
    with pa.OSFile(file) as source:
        found = pa.ipc.open_file(source).read_all()
    return found.take(pa.array(range(found.num_rows), pa.int64()))  # copied: decimals must be aligned


def create(path: str, data: str, partition_keys: list[str], options: dict[str, str], primary_keys: list[str]) -> None:
    warehouse, database, name = path.rsplit("/", 2)
    there = catalog(warehouse)
    there.create_database(database.removesuffix(".db"), True)
    schema = Schema.from_pyarrow_schema(rows(data).schema, partition_keys, primary_keys, options)
    there.create_table(f"{database.removesuffix('.db')}.{name}", schema, False)


def write(path: str, data: str, overwrite: dict[str, Any] | None) -> None:
    builder = table_of(path).new_batch_write_builder()
    if overwrite is not None:
        builder = builder.overwrite(overwrite)
    writer, commit = builder.new_write(), builder.new_commit()
    writer.write_arrow(rows(data))
    commit.commit(writer.prepare_commit())
    writer.close()
    commit.close()


def read(path: str, out: str, options: dict[str, str]) -> None:
    table = table_of(path)
    table = table.copy(options) if options else table
    builder = table.new_read_builder()
    found = builder.new_read().to_arrow(builder.new_scan().plan().splits())
    with pa.OSFile(out, "wb") as sink, pa.ipc.new_file(sink, found.schema) as writer:
        writer.write_table(found)


def alter(path: str, changes: list[list[Any]]) -> None:
    from pypaimon.schema.data_types import DataTypeParser

    made = []
    for name, *arguments in changes:
        if name in ("add_column", "update_column_type"):
            arguments[1] = DataTypeParser.parse_data_type(arguments[1])
        made.append(getattr(SchemaChange, name)(*arguments))
    warehouse, database, name = path.rsplit("/", 2)
    catalog(warehouse).alter_table(f"{database.removesuffix('.db')}.{name}", made, False)


def tag(path: str, name: str, snapshot: int) -> None:
    table_of(path).create_tag(name, snapshot)


def branch(path: str, name: str, tag: str) -> None:
    table_of(path).branch_manager().create_branch(name, tag)


def delete_rows(path: str, positions: list[int]) -> None:
    """Deletes these rows of every data file by deletion vectors."""
    table = table_of(path)
    snapshot = table.snapshot_manager().get_latest_snapshot()
    deleter = TableDeleteByRowId(table)
    builder = table.new_batch_write_builder()
    messages = []
    for split in table.new_read_builder().new_scan().plan().splits():
        names = {file.file_name: {each for each in positions if each < file.row_count} for file in split.files}
        message = deleter._build_commit_message(tuple(split.partition.values), split.bucket, names, snapshot.id)
        message.check_from_snapshot = None
        messages.append(message)
    builder.new_commit().commit(messages)


def serve() -> None:
    operations = {each.__name__: each for each in (create, write, read, alter, tag, branch, delete_rows)}
    for line in sys.stdin:
        request = json.loads(line)
        with contextlib.redirect_stdout(sys.stderr):
            try:
                operations[request.pop("operation")](**request)
                answer = {}
            except Exception:
                answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
