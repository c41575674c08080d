"""Variants in Arrow: a struct with a marked field, or, inside of tables, an extension type that survives nesting."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pyarrow as pa

from .arrow_nested import relabelled

#: The name of Arrow's extension type.
EXTENSION_NAME = "arrow.parquet.variant"
#: The storage of a column that is not shredded.
STORAGE = pa.struct([pa.field("metadata", pa.binary(), nullable=False), pa.field("value", pa.binary())])
#: The same storage with fields that are never null, as in files of Delta and Spark.
REQUIRED = pa.struct([field.with_nullable(False) for field in STORAGE])
_MARK = {b"ARROW:extension:name": EXTENSION_NAME.encode(), b"ARROW:extension:metadata": b""}
#: The field metadata by which Spark marks the `metadata` field of a variant.
_SPARK_MARK = {b"variant": b"true"}


class VariantType(pa.ExtensionType):  # type: ignore[misc]
    """The type of variants inside of tables.

    It has a name of its own: pyarrow takes a type of Arrow's name for its own class of C++, and crashes.
    """

    def __init__(self) -> None:
        super().__init__(REQUIRED, "lakecodec.variant")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type: pa.DataType, serialized: bytes) -> VariantType:
        return cls()

    def __hash__(self) -> int:
        return hash(self.extension_name)


with suppress(pa.ArrowKeyError):  # already registered: the module was imported twice
    pa.register_extension_type(VariantType())


def marked(field: pa.Field) -> pa.Field:
    """Returns a field whose metadata marks its struct as a variant."""
    return field.with_metadata({**(field.metadata or {}), **_MARK})


def unmarked(metadata: dict[bytes, bytes] | None) -> dict[bytes, bytes]:
    """Returns a field's metadata without the mark."""
    return {key: value for key, value in (metadata or {}).items() if key not in _MARK}


def is_marked(field: pa.Field) -> bool:
    """Returns True if a field's type, its mark or Spark's mark says that it is a variant."""
    kind = field.type
    if isinstance(kind, pa.BaseExtensionType):
        return _is_extension(kind)
    if not pa.types.is_struct(kind):
        return False
    if (field.metadata or {}).get(b"ARROW:extension:name") == EXTENSION_NAME.encode():
        return True
    at = kind.get_field_index("metadata")
    return at >= 0 and (kind.field(at).metadata or {}).items() >= _SPARK_MARK.items()


def holds_variant(kind: pa.DataType) -> bool:
    """Returns True if a table's column type is a variant or contains one."""
    return _is_extension(kind) or any(holds_variant(kind.field(at).type) for at in range(kind.num_fields))


def _is_extension(kind: pa.DataType) -> bool:
    return isinstance(kind, VariantType) or getattr(kind, "extension_name", "") == EXTENSION_NAME


def outward(schema: pa.Schema, storage: pa.DataType = STORAGE) -> pa.Schema:
    """Returns a table's schema with variants as marked structs, under which other libraries know them."""
    return _changed(schema, lambda field: marked(field.with_type(storage)))


def as_structs(table: pa.Table) -> pa.Table:
    """Returns a table whose variants are marked structs; pyarrow crashes where it writes an extension type of Arrow's name."""
    schema = _changed(table.schema, lambda field: marked(field.with_type(field.type.storage_type)))
    if schema is table.schema:
        return table
    return pa.Table.from_batches([relabelled(batch, schema) for batch in table.to_batches()], schema)


def filtered(batch: pa.RecordBatch, condition: Any) -> pa.RecordBatch:
    """Returns the rows of a batch of a table for which a condition holds; pyarrow filters no variants inside of maps."""
    plain = outward(batch.schema)
    if plain is batch.schema:
        return batch.filter(condition)
    return relabelled(relabelled(batch, plain).filter(condition), batch.schema)


def _changed(schema: pa.Schema, change: Callable[[pa.Field], pa.Field]) -> pa.Schema:
    if not any(holds_variant(kind) for kind in schema.types):
        return schema
    return pa.schema([_changed_field(field, change) for field in schema], schema.metadata)


def _changed_field(field: pa.Field, change: Callable[[pa.Field], pa.Field]) -> pa.Field:
    kind: Any = field.type
    if _is_extension(kind):
        return change(field)
    if pa.types.is_struct(kind):
        return field.with_type(pa.struct([_changed_field(kind.field(at), change) for at in range(kind.num_fields)]))
    if pa.types.is_map(kind):
        return field.with_type(pa.map_(kind.key_field, _changed_field(kind.item_field, change)))
    if pa.types.is_list(kind):
        return field.with_type(pa.list_(_changed_field(kind.value_field, change)))
    if pa.types.is_large_list(kind):
        return field.with_type(pa.large_list(_changed_field(kind.value_field, change)))
    return field
