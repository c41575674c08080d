"""Columns of variants in Arrow: structs of ``metadata`` and ``value``, marked as ``arrow.parquet.variant`` by their field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from ..runtime.arrow_variant import EXTENSION_NAME, STORAGE, marked
from ..runtime.errors import DecodeError
from ..runtime.exact import check_type, exact_list, exact_text
from .build import from_python
from .reading import FORMAT
from .value import Variant

__all__ = ["EXTENSION_NAME", "STORAGE"]


def field(name: str, type: pa.DataType = STORAGE, *, nullable: bool = True) -> pa.Field:
    """Returns a field that marks a struct as a variant, as in Arrow's C interface and IPC.

    pyarrow has no class for the extension type. It keeps such a field as the struct, with the name in the field's metadata.

    Args:
        name: the column's name.
        type: the struct, with ``typed_value`` where it is shredded.
        nullable: whether the column may have nulls.
    """
    check_type("type", type, pa.DataType)
    return marked(pa.field(exact_text("name", name), type, nullable=nullable))


def array(values: Iterable[Any]) -> pa.StructArray:
    """Returns a column of variants of Python objects; None is a null of the column, `Variant` is taken as it is.

    Raises:
        EncodeError: a variant cannot hold a value.
    """
    values = exact_list("values", values, "values")
    rows = [each if each is None or isinstance(each, Variant) else from_python(each) for each in values]
    return of_bytes([None if row is None else (row.metadata, row.value) for row in rows])


def of_bytes(rows: list[tuple[bytes, bytes] | None]) -> pa.StructArray:
    """Returns a column of metadata and values, None for a null."""
    metadata = pa.array([b"" if row is None else row[0] for row in rows], pa.binary())
    value = pa.array([None if row is None else row[1] for row in rows], pa.binary())
    mask = pa.array([row is None for row in rows], pa.bool_())
    return pa.StructArray.from_arrays([metadata, value], fields=list(STORAGE), mask=mask)


def storage_of(given: Any) -> pa.StructArray:
    """Returns the struct of a column of variants, from an array, a chunked array or an extension array.

    Raises:
        TypeError: it is no column of variants.
    """
    if hasattr(given, "__arrow_c_stream__") and not isinstance(given, pa.ChunkedArray):
        given = pa.chunked_array(given)
    elif not isinstance(given, pa.Array | pa.ChunkedArray) and hasattr(given, "__arrow_c_array__"):
        given = pa.array(given)
    if isinstance(given, pa.ChunkedArray):
        given = given.combine_chunks()
    if isinstance(given, pa.ChunkedArray):
        given = pa.concat_arrays(given.chunks) if given.num_chunks else pa.array([], given.type)
    if isinstance(given, pa.ExtensionArray):
        given = given.storage
    if not isinstance(given, pa.StructArray) or not _is_storage(given.type):
        kind = given.type if isinstance(given, pa.Array) else type(given).__name__
        raise TypeError(f"array: a struct with binary metadata, and value or typed_value, is needed, not {kind}")
    return given


def _is_storage(type: pa.DataType) -> bool:
    names = {each.name for each in type}
    return (
        "metadata" in names
        and names <= {"metadata", "value", "typed_value"}
        and len(names) == type.num_fields > 1
        and all(is_binary(each.type) for each in type if each.name != "typed_value")
    )


def is_binary(type: pa.DataType) -> bool:
    """Returns True if a type holds byte strings of any length."""
    return bool(pa.types.is_binary(type) or pa.types.is_large_binary(type) or pa.types.is_binary_view(type))


def child(array: pa.StructArray, name: str) -> pa.Array | None:
    """Returns a child of a struct by name, None if there is none; it is null in rows in which the struct is null."""
    at = array.type.get_field_index(name)
    return None if at < 0 else array.flatten()[at]


def check_metadata(array: pa.StructArray) -> None:
    """Raises DecodeError for a row without metadata that is not null."""
    metadata = child(array, "metadata")
    if metadata is None or metadata.null_count == 0:
        return
    bad = metadata.is_null().to_numpy(zero_copy_only=False) & array.is_valid().to_numpy(zero_copy_only=False)
    if bad.any():
        raise DecodeError("metadata is null where the variant is not", format=FORMAT, path=f"[{int(bad.argmax())}]")


class Rows:
    """Columns ``metadata`` and ``value`` as bytes with offsets.

    Attributes:
        valid: whether each row has a value.
        metadata, value: bytes of all rows; ``metadata_offsets`` and ``value_offsets``, int64, have one more than there are rows.
    """

    def __init__(self, array: pa.StructArray) -> None:
        metadata, value = child(array, "metadata"), child(array, "value")
        assert metadata is not None
        assert value is not None
        valid = array.is_valid().to_numpy(zero_copy_only=False)
        check_metadata(array)
        self.valid = valid & value.is_valid().to_numpy(zero_copy_only=False)
        self.metadata_offsets, self.metadata = flat(metadata)
        self.value_offsets, self.value = flat(value)

    def __len__(self) -> int:
        return len(self.valid)

    def variant(self, row: int) -> tuple[bytes, bytes]:
        """Returns the metadata and the value of a row."""
        (m0, m1), (v0, v1) = self.metadata_offsets[row : row + 2], self.value_offsets[row : row + 2]
        return self.metadata[m0:m1].tobytes(), self.value[v0:v1].tobytes()


def flat(column: pa.Array) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns the offsets of a column of byte strings, and the bytes."""
    column = column.cast(pa.large_binary())
    _, offsets, data = column.buffers()
    if not len(column) or offsets is None:
        return np.zeros(len(column) + 1, np.int64), np.zeros(0, np.uint8)
    held = np.frombuffer(offsets, np.int64, len(column) + 1, column.offset * 8)
    return held, np.frombuffer(data or b"", np.uint8)
