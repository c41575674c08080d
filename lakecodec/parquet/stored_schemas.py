"""Schemas that writers store beside Parquet's own, kept true where columns are renamed or left out.

| key | written by | kept as |
|---|---|---|
| `ARROW:schema` | Arrow | base64 of an IPC schema message |
| `pandas` | pandas, pyarrow | JSON: `columns`, `index_columns` |
| `geo` | GeoParquet | JSON: `columns` by name, `primary_column` |
| Spark's, Iceberg's and Avro's keys | | JSON: `fields` with a `name` each |
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from ..generated.parquet import KeyValue

_FIELDS = frozenset(
    {"org.apache.spark.sql.parquet.row.metadata", "iceberg.schema", "parquet.avro.schema", "avro.schema"}
)
_STORED = _FIELDS | {"ARROW:schema", "pandas", "geo"}

#: The new names of the top-level columns that stay, by old name.
Names = Mapping[str, str]


def adapt(entries: list[KeyValue] | None, names: Names | None) -> list[KeyValue] | None:
    """Returns key-value metadata with stored schemas that hold only the columns of ``names``, under their new names.

    Args:
        entries: the key-value metadata of a file.
        names: the columns; None if something below the top level has changed: stored schemas are dropped then.
    """
    if entries is None:
        return None
    adapted = []
    for entry in entries:
        if entry.key not in _STORED or entry.value is None:
            adapted.append(entry)
        elif names is not None and (value := _adapt(entry.key, entry.value, names)) is not None:
            adapted.append(KeyValue(key=entry.key, value=value))
    return adapted or None


def _adapt(key: str, value: str, names: Names) -> str | None:
    """Returns the value with the columns of ``names``, None if it cannot be understood."""
    if key == "ARROW:schema":
        return _arrow(value, names)
    try:
        stored = json.loads(value)
        if key == "pandas":
            _pandas(stored, names)
        elif key == "geo":
            stored["columns"] = {names[name]: column for name, column in stored["columns"].items() if name in names}
            stored["primary_column"] = names[stored["primary_column"]]
        else:
            stored["fields"] = [
                field | {"name": names[field["name"]]} for field in stored["fields"] if field["name"] in names
            ]
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return json.dumps(stored)


def _pandas(stored: Any, names: Names) -> None:
    """Changes the description that pandas stores; an index that is a range has no column."""
    columns = []
    for column in stored["columns"]:
        field = column.get("field_name", column["name"])
        if field is None or field not in names:
            continue
        changed = {"field_name": names[field]} if "field_name" in column else {}
        if column["name"] == field:
            changed["name"] = names[field]
        columns.append(column | changed)
    stored["columns"] = columns
    stored["index_columns"] = [
        names[index] if isinstance(index, str) else index
        for index in stored["index_columns"]
        if not isinstance(index, str) or index in names
    ]


def _arrow(value: str, names: Names) -> str | None:
    """Returns Arrow's schema with the columns of ``names``."""
    import pyarrow as pa

    try:
        schema = pa.ipc.read_schema(pa.BufferReader(base64.b64decode(value)))
    except (pa.ArrowException, ValueError, OSError):
        return None
    fields = [field.with_name(names[field.name]) for field in schema if field.name in names]
    metadata = {}
    for key, text in (schema.metadata or {}).items():
        try:
            name, stored = key.decode(), text.decode()
        except UnicodeDecodeError:
            metadata[key] = text
            continue
        adapted = _adapt(name, stored, names) if name in _STORED else stored
        if adapted is not None:
            metadata[key] = adapted.encode()
    return base64.b64encode(pa.schema(fields, metadata or None).serialize().to_pybytes()).decode()
