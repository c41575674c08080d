"""Schemas of a table: JSON files with the ids of columns, keys and options."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import pyarrow as pa

from ..generated.paimon import SCHEMA_VERSION
from ..runtime.errors import DecodeError
from ..runtime.exact import items_of
from .binary_row import is_storable
from .types import arrow_type, paimon_type

_UNAWARE = -1


@dataclass(frozen=True)
class Column:
    """A column: its id, which stays the same under all names, and its type in JSON and in Arrow."""

    id: int
    name: str
    json_type: Any
    type: Any
    nullable: bool
    description: str | None = None

    @property
    def arrow(self) -> pa.Field:
        """The column as an Arrow field."""
        return pa.field(self.name, self.type, self.nullable)


@dataclass(frozen=True)
class TableSchema:
    """A schema of a table, see the JSON of ``schema/schema-<id>``."""

    id: int
    columns: tuple[Column, ...]
    highest_id: int
    partition_keys: tuple[str, ...] = ()
    primary_keys: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    comment: str | None = None

    @cached_property
    def arrow(self) -> pa.Schema:
        """The Arrow schema."""
        return pa.schema([column.arrow for column in self.columns])

    @cached_property
    def by_name(self) -> dict[str, Column]:
        """The columns by name."""
        return {column.name: column for column in self.columns}

    @cached_property
    def by_id(self) -> dict[int, Column]:
        """The columns by id."""
        return {column.id: column for column in self.columns}

    @cached_property
    def partition_kinds(self) -> list[Any]:
        """The Arrow types of the partition keys."""
        return [self.by_name[name].type for name in self.partition_keys]

    @property
    def buckets(self) -> int:
        """The number of buckets; -1 for files without buckets."""
        try:
            return int(self.options.get("bucket", _UNAWARE))
        except ValueError:
            raise DecodeError(f"bucket = {self.options['bucket']!r}", format="paimon", path="options") from None

    @property
    def bucket_keys(self) -> list[str]:
        """The columns whose hash gives the bucket of a row."""
        named = [name.strip() for name in self.options.get("bucket-key", "").split(",") if name.strip()]
        return named or [name for name in self.primary_keys if name not in self.partition_keys]

    def is_on(self, option: str, default: bool = False) -> bool:
        """Returns whether an option is true."""
        text = self.options.get(option)
        return default if text is None else text.strip().lower() == "true"

    def to_json(self) -> bytes:
        """Returns the bytes of the file."""
        fields = [
            {"id": each.id, "name": each.name, "type": each.json_type}
            | ({} if each.description is None else {"description": each.description})
            for each in self.columns
        ]
        found = {
            "version": SCHEMA_VERSION,
            "id": self.id,
            "fields": fields,
            "highestFieldId": self.highest_id,
            "partitionKeys": list(self.partition_keys),
            "primaryKeys": list(self.primary_keys),
            "options": dict(self.options),
            "comment": self.comment,
            "timeMillis": int(time.time() * 1000),
        }
        return json.dumps(found, indent=2, ensure_ascii=False).encode()


def parse_schema(data: bytes, path: str) -> TableSchema:
    """Returns the schema of a file.

    Raises:
        DecodeError: it is broken.
        UnsupportedTableError: a column has an unsupported type.
    """
    found = parse_json(data, path)
    try:
        version = int(found.get("version", 1))
        options = {str(key): str(value) for key, value in (found.get("options") or {}).items()}
        if version <= 1:
            options.setdefault("bucket", "1")
        if version <= 2:
            options.setdefault("file.format", "orc")
        columns = []
        for each in found["fields"]:
            name = str(each["name"])
            kind, nullable = arrow_type(each["type"], name)
            columns.append(Column(int(each["id"]), name, each["type"], kind, nullable, each.get("description")))
        schema = TableSchema(
            int(found["id"]),
            tuple(columns),
            int(found["highestFieldId"]),
            tuple(map(str, found["partitionKeys"])),
            tuple(map(str, found["primaryKeys"])),
            options,
            found.get("comment"),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(f"the schema is broken: {error!r}", format="paimon", path=path) from None
    if len(schema.by_name) != len(columns) or len(schema.by_id) != len(columns):
        raise DecodeError("two columns have the same name or id", format="paimon", path=path)
    for name in (*schema.partition_keys, *schema.primary_keys, *schema.bucket_keys):
        if name not in schema.by_name:
            raise DecodeError(f"the key {name!r} is not a column", format="paimon", path=path)
    return schema


def parse_json(data: bytes, path: str) -> dict[str, Any]:
    """Returns the object in a JSON file.

    Raises:
        DecodeError: there is none.
    """
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"not JSON: {error}", format="paimon", path=path) from None
    if not isinstance(found, dict):
        raise DecodeError("not a JSON object", format="paimon", path=path)
    return found


def new_schema(data: pa.Schema, partition_by: Sequence[str], options: Mapping[str, str]) -> TableSchema:
    """Returns the first schema of a table for data of an Arrow schema.

    Raises:
        ValueError: a column or key that a table cannot have.
        KeyError: an unknown key.
    """
    numbers = count()
    columns = []
    highest = -1

    def next_id() -> int:
        nonlocal highest
        highest = next(numbers)
        return highest

    for each in data:
        number = next_id()
        kind = paimon_type(each.type, each.nullable, next_id, each.name)
        arrow, nullable = arrow_type(kind, each.name)
        columns.append(Column(number, each.name, kind, arrow, nullable))
    schema = TableSchema(0, tuple(columns), highest, tuple(items_of(partition_by)), (), dict(options))
    if len(schema.by_name) != len(columns):
        raise ValueError("data: two columns have the same name")
    for argument, keys in (("partition_by", schema.partition_keys), ("options: bucket-key", schema.bucket_keys)):
        for name in keys:
            if name not in schema.by_name:
                raise KeyError(f"{argument}: {name!r} is not a column of the data")
            if not is_storable(schema.by_name[name].type):
                raise ValueError(
                    f"{argument}: {name!r} has the type {schema.by_name[name].type}, which no key can have"
                )
    if len(set(partition_by)) != len(partition_by) or len(partition_by) == len(columns):
        raise ValueError("partition_by: a column is named twice, or no other column is left")
    return schema
