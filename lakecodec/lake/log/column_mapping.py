"""Column mapping (PROTOCOL.md, Column Mapping): the names and ids that columns have in data files and in the log.

The metadata of fields in a snapshot's schema hold only what its mode uses: in the mode "name" the physical name, in
the mode "id" the id as well. Both also have the id as new files get it. In a schema without such metadata columns have their
own names everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any
from uuid import uuid4

import pyarrow as pa

from .errors import CorruptLogError

MODE = "delta.columnMapping.mode"
#: The property with the largest id that any column has had.
LARGEST = "delta.columnMapping.maxColumnId"
_NAME, _ID = b"delta.columnMapping.physicalName", b"delta.columnMapping.id"
#: The metadata key whose id Arrow writes to Parquet files.
_FILE_ID = b"PARQUET:field_id"
#: The metadata keys that each mode uses.
_NEEDED = {"none": (), "name": (_NAME,), "id": (_NAME, _ID)}

_Path = tuple[str, ...]
_Rule = Callable[[pa.Field], pa.Field]


def mapping_mode(configuration: Mapping[str, str]) -> str:
    """Returns the mode of a table's configuration: "none", "name" or "id"."""
    return (configuration.get(MODE) or "none").lower()


def mapped_schema(schema: pa.Schema, mode: str) -> pa.Schema:
    """Returns a table's schema with only the metadata that ``mode`` uses.

    Raises:
        CorruptLogError: a field lacks one of them.
    """
    needed = _NEEDED[mode]
    idle = [key for key in (_NAME, _ID) if key not in needed]

    def checked(field: pa.Field) -> pa.Field:
        for key in needed:
            if key not in (field.metadata or {}):
                rule = f"column mapping: the field {field.name!r} has no {key.decode()!r}"
                raise CorruptLogError(rule, path="metaData.schemaString")
        number = _number(field) if needed else None
        found = _without(field, [*idle, _FILE_ID])
        return found if number is None else found.with_metadata({**found.metadata, _FILE_ID: str(number).encode()})

    return pa.schema([_changed(field, checked) for field in schema])


def unmapped(field: pa.Field) -> pa.Field:
    """Returns a field without metadata of column mapping, at any depth."""
    return _changed(field, lambda each: _without(each, (_NAME, _ID, _FILE_ID))) if _is_mapped(field) else field


def with_mapping(schema: pa.Schema, configuration: Mapping[str, str], *, keep_names: bool = False) -> pa.Schema:
    """Returns the schema of a table with these properties, in which new columns have ids and physical names.

    Args:
        schema: schema of the table; fields that are already mapped stay unchanged.
        configuration: the table's properties.
        keep_names: whether files have the columns under their own names.
    """
    mode = mapping_mode(configuration)
    numbers = count(max(int(configuration.get(LARGEST) or 0), largest_id(schema)) + 1)

    def assigned(field: pa.Field) -> pa.Field:
        metadata = dict(field.metadata or {})
        if _NAME not in metadata:
            metadata[_NAME] = (field.name if keep_names else f"col-{uuid4()}").encode()
        if _number(field) is None:
            metadata[_ID] = str(next(numbers)).encode()
        return field.with_metadata(metadata)

    rule = (lambda field: _without(field, (_NAME, _ID, _FILE_ID))) if mode == "none" else assigned
    return mapped_schema(pa.schema([_changed(field, rule) for field in schema]), mode)


def largest_id(schema: pa.Schema) -> int:
    """Returns the largest id of a column, at any depth; 0 without one."""
    found = [0]

    def seen(field: pa.Field) -> pa.Field:
        found.append(_number(field) or 0)
        return field

    for field in schema:
        _changed(field, seen)
    return max(found)


def partition_keys(schema: pa.Schema, names: Iterable[str]) -> list[str]:
    """Returns the keys of partition columns in the log's ``partitionValues``."""
    return [_physical(schema.field(name)).name for name in names]


def with_log_ids(metadata: Mapping[bytes, bytes]) -> Mapping[bytes, bytes]:
    """Returns metadata of a field for the log, which has the id in any mode."""
    number = metadata.get(_FILE_ID) if _NAME in metadata else None
    return metadata if number is None else {**metadata, _ID: number}


def _number(field: pa.Field) -> int | None:
    metadata = field.metadata or {}
    text = metadata.get(_ID) or (metadata.get(_FILE_ID) if _NAME in metadata else None)
    return None if text is None else int(text)


def physical_schema(schema: pa.Schema) -> pa.Schema:
    """Returns the schema with physical names, at any depth; ids stay in the metadata."""
    return pa.schema([_changed(field, _physical) for field in schema]) if any(map(_is_mapped, schema)) else schema


def physical_path(schema: pa.Schema, path: _Path) -> _Path:
    """Returns the path of a column in physical names."""
    names: list[str] = []
    fields: Any = schema
    for name in path:
        field = fields.field(name)
        names.append(_physical(field).name)
        fields = field.type
    return tuple(names)


def physical_part(schema: pa.Schema, table: pa.Schema) -> pa.Schema:
    """Returns a schema of some of the table's columns, perhaps in other types, with physical names at any depth."""
    if not any(map(_is_mapped, table)):
        return schema
    return pa.schema([_physical_like(field, table.field(field.name)) for field in schema])


def _physical_like(field: pa.Field, table: pa.Field) -> pa.Field:
    return field.with_name(_physical(table).name).with_type(_named_like(field.type, table.type))


def remapped(first: pa.Schema, second: pa.Schema) -> str | None:
    """Returns the path of a column whose names in files differ between two schemas; None if there is none."""
    known = dict(_places(first, (), ()))
    for path, names in _places(second, (), ()):
        if path in known and known[path] != names:
            return ".".join(path)
    return None


def _places(fields: Iterable[pa.Field], path: _Path, names: _Path) -> Iterator[tuple[_Path, _Path]]:
    """Yields (path, physical path) of all fields, including elements of lists, and keys and values of maps."""
    for field in fields:
        here, there = (*path, field.name), (*names, _physical(field).name)
        yield here, there
        if pa.types.is_nested(field.type):
            yield from _places(_children(field.type), here, there)


def named_by_ids(file: pa.Schema, table: pa.Schema) -> pa.Schema:
    """Returns a Parquet file's schema with the names of a `physical_schema` of the mode "id", matched by field ids.

    Fields that the table does not have get an empty name. A column without an id, such as the type of change, is
    matched by its name.

    Raises:
        KeyError: no field of the file has an id.
    """
    if len(file) and not any(_file_id(field) for field in file):
        raise KeyError("the table's columns are found by field ids, the file has none")
    return pa.schema(_by_ids(file, table))


def has_ids(schema: pa.Schema) -> bool:
    """Returns True if columns are found by ids in files."""
    return any(_ID in (field.metadata or {}) for field in schema)


def _by_ids(file: Iterable[pa.Field], table: Iterable[pa.Field]) -> list[pa.Field]:
    wanted = {field.metadata[_ID]: field for field in table if field.metadata and _ID in field.metadata}
    plain = {field.name: field for field in table if _ID not in (field.metadata or {})}
    found = []
    for field in file:
        number = _file_id(field)
        match = plain.get(field.name) if number is None else wanted.get(number)
        named = field.with_name("" if match is None else match.name)
        found.append(named if match is None else named.with_type(_nested_by_ids(field.type, match.type)))
    return found


def _file_id(field: pa.Field) -> bytes | None:
    return (field.metadata or {}).get(b"PARQUET:field_id")


def _nested_by_ids(file: Any, table: Any) -> Any:
    if pa.types.is_struct(file) and pa.types.is_struct(table):
        return pa.struct(_by_ids(_children(file), _children(table)))
    return changed_elements(file, table, _nested_by_ids)


def _named_like(kind: Any, table: Any) -> Any:
    if pa.types.is_struct(kind) and pa.types.is_struct(table):
        return pa.struct([_physical_like(field, table.field(field.name)) for field in _children(kind)])
    return changed_elements(kind, table, _named_like)


def changed_elements(kind: Any, table: Any, change: Callable[[Any, Any], Any]) -> Any:
    """Returns ``kind`` with the types of its elements, or of its keys and values, changed by those of ``table``."""
    if pa.types.is_map(kind) and pa.types.is_map(table):
        key, item = change(kind.key_type, table.key_type), change(kind.item_type, table.item_type)
        return pa.map_(kind.key_field.with_type(key), kind.item_field.with_type(item))
    if pa.types.is_list(kind) and pa.types.is_list(table):
        return pa.list_(kind.value_field.with_type(change(kind.value_type, table.value_type)))
    return kind


def _changed(field: pa.Field, rule: _Rule) -> pa.Field:
    """Returns the field after ``rule`` has changed it and all fields in its type."""
    return rule(field.with_type(_changed_type(field.type, rule)))


def _changed_type(kind: Any, rule: _Rule) -> Any:
    if pa.types.is_struct(kind):
        return pa.struct([_changed(field, rule) for field in _children(kind)])
    return changed_elements(kind, kind, lambda part, _: _changed_type(part, rule))


def _children(kind: Any) -> list[pa.Field]:
    return [kind.field(index) for index in range(kind.num_fields)]


def _physical(field: pa.Field) -> pa.Field:
    metadata = field.metadata or {}
    return _without(field.with_name(metadata[_NAME].decode()), (_NAME,)) if _NAME in metadata else field


def _without(field: pa.Field, keys: Iterable[bytes]) -> pa.Field:
    metadata = field.metadata or {}
    left = {key: value for key, value in metadata.items() if key not in keys}
    return field if len(left) == len(metadata) else field.with_metadata(left or None)


def _is_mapped(field: pa.Field) -> bool:
    """Returns True if the field, which has a mapping only if the table has one, is mapped."""
    metadata = field.metadata or {}
    return _NAME in metadata or _ID in metadata
