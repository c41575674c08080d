"""Values of one leaf column, out of the Arrow column that it is a part of."""

from __future__ import annotations

import io
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import FileMetaData, Type
from ..generated.parquet_file import MAGIC
from .footer import frame
from .leaf_types import LeafType
from .schema import Depths

if TYPE_CHECKING:
    import pyarrow as pa

#: The way from a column of the file to a leaf column: names of pyarrow's members, and positions of a struct's fields.
Steps = list[int | str]


def value_file(source: Any, metadata: FileMetaData, **options: Any) -> Any:
    """Opens a file whose values pyarrow reads in the types that Parquet gives them, whatever types its writer had."""
    import pyarrow.parquet as pq

    plain = copy(metadata)
    plain.key_value_metadata = None
    footer = pq.read_metadata(io.BytesIO(MAGIC.encode() + frame(plain)))
    return pq.ParquetFile(source, metadata=footer, arrow_extensions_enabled=False, **options)


def leaf_steps(kind: pa.DataType) -> list[Steps]:
    """Returns the steps from an Arrow type to each of its leaf columns, depth first."""
    import pyarrow as pa

    if pa.types.is_struct(kind):
        return [[at, *rest] for at in range(kind.num_fields) for rest in leaf_steps(kind.field(at).type)]
    if pa.types.is_map(kind):
        keys: list[Steps] = [["keys", *rest] for rest in leaf_steps(kind.key_type)]
        return keys + [["items", *rest] for rest in leaf_steps(kind.item_type)]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [["list", *rest] for rest in leaf_steps(kind.value_type)]
    return [[]]


def leaf_values(rows: pa.ChunkedArray, steps: Steps, leaf: LeafType) -> list[pa.Array] | None:
    """Returns the values of a leaf column that are not null, None if they are not of its type."""
    found = [plain_values(array, steps, leaf) for array in rows.chunks]
    known = [array.drop_null() for array in found if array is not None]
    return [array for array in known if len(array)] if len(known) == len(found) else None


def plain_values(array: pa.Array, steps: Steps, leaf: LeafType) -> pa.Array | None:
    """Returns the values of a leaf column, with nulls, in a type that Arrow can compare; None if there is no such
    type."""

    for step in steps:
        if isinstance(step, int):
            array = array.flatten()[step]
        elif step == "list":
            array = array.flatten()
        else:
            part = getattr(array, step)
            begin, end = (array.offsets[at].as_py() for at in (0, -1))
            array = part.slice(begin, end - begin)
    known = typed(array, leaf)
    return None if known is None else comparable(known)


def typed(array: pa.Array, leaf: LeafType) -> pa.Array | None:
    """Returns the values of a leaf column in its Arrow type, or how that is stored; None if they are of another."""
    import pyarrow as pa

    if isinstance(array, pa.DictionaryArray):
        array = array.dictionary_decode()
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    wanted = pa.binary(16) if leaf.arrow == pa.uuid() else leaf.arrow
    if leaf.element.type != Type.INT96 and array.type != wanted:
        try:
            array = array.cast(wanted)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            return None
    return array


def comparable(array: pa.Array) -> pa.Array:
    """Returns values as a type that Arrow compares."""
    import pyarrow as pa

    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    return array.cast(pa.float32()) if pa.types.is_float16(array.type) else array


def level_counts(array: pa.Array) -> Any:
    """Returns the levels that each row of a column with one leaf has in its pages: one for a null and an empty list."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_struct(kind):
        counts = level_counts(array.field(0))
    elif pa.types.is_list(kind):
        offsets = array.offsets.to_numpy()
        inner = level_counts(array.values[offsets[0] : offsets[-1]])
        ends = np.concatenate([[0], np.cumsum(inner, dtype=np.int64)])
        counts = np.maximum(np.diff(ends[offsets - offsets[0]]), 1)
    else:
        return np.ones(len(array), np.int64)
    return np.where(array.is_valid().to_numpy(zero_copy_only=False), counts, 1) if array.null_count else counts


def leaf_levels(array: pa.Array, depths: Depths) -> tuple[pa.Array, list[int], list[int]]:
    """Returns the values of a column with one leaf, nulls perhaps among them, and how often each level occurs.

    Arrow's lists, structs and values stand for one element of the file's schema each, except that a repeated element
    can be both a list and what it holds. Arrow's types do not tell which of them can be null.

    Returns:
        (values, definition levels, repetition levels); the last definition level is that of values.
    """
    import pyarrow as pa

    definition: list[int] = []
    repetition = [len(array)]
    for number, (is_optional, is_list_itself) in enumerate(depths, 1):
        nulls = [array.null_count]
        while pa.types.is_struct(array.type):
            array = (array.drop_null() if array.null_count else array).field(0)
            nulls.append(array.null_count)
        if is_list_itself:
            nulls.pop()
        known = nulls[len(nulls) - len(is_optional) :]
        definition += [count for count, optional in zip(known, is_optional, strict=True) if optional]
        if number < len(depths):
            array = array.drop_null() if array.null_count else array
            offsets = array.offsets.to_numpy()
            empty = int(np.count_nonzero(offsets[1:] == offsets[:-1]))
            definition.append(empty)
            inner = array.values[offsets[0] : offsets[-1]]
            repetition.append(len(inner) - (len(array) - empty))
            array = inner
    definition.append(len(array) - array.null_count)
    return array, definition, repetition
