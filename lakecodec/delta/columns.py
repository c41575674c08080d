"""Vectorised conversion of Arrow columns to texts and directory names, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.delta_partition import MAX_SEGMENT_BYTES
from ..runtime.errors import CodecError, DecodeError, EncodeError
from .text.base import Array, Texts, by_distinct, pc, plain
from .text.interval import months_of
from .text_codecs import SegmentForm, ValueText
from .types import PartitionType, from_arrow, to_arrow
from .values import located

_SAMPLE = 1024
_ARRAY: Any = pa.Array
_Convert = Callable[[Array], Array]


def storage_array(array: Array, kind: PartitionType, column: str) -> Array:
    """Returns an array in the Arrow type that the text codecs of ``kind`` read; dictionaries stay, empty values become null."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if not isinstance(array, _ARRAY):
        raise TypeError(f"array: a pyarrow array of less than 2 GiB is needed, not a {type(array).__name__}")
    target = to_arrow(kind)
    if pa.types.is_null(array.type):
        return pc.cast(array, target)
    if from_arrow(array.type) != kind:
        rule = f"the array is of the type {array.type}, the column is of the type {kind.name}"
        raise EncodeError(rule, format="delta", path=column)
    if pa.types.is_run_end_encoded(array.type):
        array = pc.run_end_decode(array)
    if pa.types.is_dictionary(array.type):
        values = _cast(array.dictionary, target, kind, column)
        return pa.DictionaryArray.from_arrays(array.indices, values)
    return _cast(array, target, kind, column)


def encode_column(array: Array, text: ValueText, column: str, *, directory: bool = False) -> Texts:
    """Returns the texts of a storage array, for the log or for directory names before escaping."""
    codec = text.directory if directory else text.log

    def convert(values: Array) -> Array:
        return _without_empty(codec.encode_array(values))

    return _converted(
        array, convert, text.encode_directory if directory else text.encode, column, direct=_is_text(text)
    )


def segment_column(array: Array, text: ValueText, column: str, form: SegmentForm) -> Texts:
    """Returns the directory name `column=text` of every row of a storage array."""

    def convert(values: Array) -> Array:
        texts = encode_column(values, text, column, directory=True)
        return pc.binary_join_element_wise(form.prefix, form.escape.encode_array(texts), "")

    names = _converted(array, convert, text.encode_directory, column)
    names = pc.fill_null(names, form.null)
    sizes = pc.binary_length(names)
    if (pc.max(sizes).as_py() or 0) > MAX_SEGMENT_BYTES:
        row = int(np.argmax(sizes.to_numpy() > MAX_SEGMENT_BYTES))
        rule = f"the directory name has {sizes[row]} bytes, file systems take at most {MAX_SEGMENT_BYTES}"
        raise located(EncodeError(rule), f"{column}[{row}]", names[row].as_py())
    return names


def decode_column(texts: Array, text: ValueText, column: str, target: pa.DataType) -> Array:
    """Returns the values of the log's texts in the type ``target``; null and the empty text give null."""
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    if not isinstance(texts, _ARRAY):
        raise TypeError(f"texts: a pyarrow array of less than 2 GiB is needed, not a {type(texts).__name__}")
    if pa.types.is_dictionary(texts.type):
        encoded = pa.DictionaryArray.from_arrays(texts.indices, _as_texts(texts.dictionary))
    else:
        encoded = _as_texts(texts)

    def convert(values: Array) -> Array:
        return pc.cast(text.log.decode_array(_without_empty(values)), target)

    try:
        return _converted(encoded, convert, text.log.decode, column, direct=_is_text(text))
    except pa.ArrowInvalid as error:
        rule = f"a value does not fit in the Arrow type {target} ({error})"
        raise DecodeError(rule, format="delta", path=column) from None


def has_null(array: Array, text: ValueText) -> int | None:
    """Returns the number of the first row without a text, or None."""
    nulls = pc.is_null(array)
    if _is_text(text):
        values = pc.cast(array, text.log.storage)
        nulls = pc.fill_null(pc.equal(pc.binary_length(values), 0), True)
    rows = np.flatnonzero(nulls.to_numpy(zero_copy_only=False))
    return int(rows[0]) if len(rows) else None


def _is_text(text: ValueText) -> bool:
    """Returns True if values are texts already, so that finding distinct ones costs more than it saves."""
    return text.log.storage in (pa.string(), pa.binary())


def _converted(
    array: Array, convert: _Convert, one: Callable[[Any], object], column: str, *, direct: bool = False
) -> Array:
    """Returns ``convert`` of every row; raises the error of the first row for which ``one`` has one."""
    try:
        return _spread(array, convert, direct=direct)
    except CodecError as error:
        first = _first_error(array, one, column)
        if first is not None:
            raise first from None
        if not pa.types.is_dictionary(array.type):
            raise located(error, column, array.type) from None
    # No row uses the dictionary entry with the error.
    return convert(array.dictionary_decode())


def _spread(array: Array, convert: _Convert, *, direct: bool) -> Array:
    """Returns ``convert`` of every row, through the distinct values where a sample has few of them and not ``direct``."""
    if pa.types.is_dictionary(array.type):
        if len(array.dictionary) > len(array):
            return convert(array.dictionary_decode())
        return pc.take(convert(array.dictionary), array.indices)
    if direct or len(array) < 2 * _SAMPLE or pa.types.is_interval(array.type):
        return convert(array)
    sample = pc.take(array, pa.array(np.linspace(0, len(array) - 1, _SAMPLE).astype(np.int64)))
    if pc.count_distinct(sample, mode="all").as_py() > _SAMPLE // 4:
        return convert(array)
    return by_distinct(array, convert)


def _cast(array: Array, target: pa.DataType, kind: PartitionType, column: str) -> Array:
    if array.type == target:
        return array
    try:
        return pc.cast(array, target)
    except pa.ArrowInvalid as error:
        rule = f"a value does not fit in the column's type {kind.name} ({error})"
        raise EncodeError(rule, format="delta", path=column) from None


def _as_texts(array: Array) -> Texts:
    if pa.types.is_null(array.type):
        return pa.nulls(len(array), pa.string())
    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type) or array.type == pa.string_view()):
        raise TypeError(f"texts: an array of strings is needed, not of {array.type}")
    return pc.cast(array, pa.string())


def _without_empty(texts: Texts) -> Texts:
    """Returns ``texts`` with null in place of empty ones."""
    empty = pc.equal(pc.binary_length(texts), 0)
    if not pc.any(empty, min_count=0).as_py():
        return texts
    return pc.if_else(empty, pa.scalar(None, pa.string()), texts)


def _first_error(array: Array, convert: Callable[[Any], object], column: str) -> Any:
    """Returns the error of the first row that has one, with the row and its value, or None."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    for start in range(0, len(array), 65536):
        values = array.slice(start, 65536)
        for row, value in enumerate(plain(values), start):
            if value is None or value in ("", b""):
                continue
            try:
                convert(months_of(value) if isinstance(value, pa.MonthDayNano) else value)
            except CodecError as error:
                return located(error, f"{column}[{row}]", value)
    return None
