"""Profiles of columns with NumPy and pyarrow; the compiled twin is ``lakecodec.runtime.native.columns.write``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import EncodeError
from . import pure_bits
from .layout import Kind, ValueLayout
from .pure_write import encode, encoded_nbytes


class Source:
    """The profile of one column's chunks."""

    def __init__(self, layout: ValueLayout, chunks: Sequence[Any], max_entries: int, max_nbytes: int) -> None:
        self._layout = layout
        nbytes = sum(encoded_nbytes(layout, chunk) for chunk in chunks)
        self._chunks = [chunk for chunk in chunks if len(chunk)]
        self._codes = np.zeros(0, np.int32)
        self._dictionary: Any = None
        rows = sum(len(chunk) for chunk in self._chunks)
        live = rows - sum(chunk.null_count for chunk in self._chunks)
        entries = entries_nbytes = 0
        if live:
            self._codes, self._dictionary = _indexed([_comparable(chunk, layout) for chunk in self._chunks])
            if pa.types.is_floating(kind := self._chunks[0].type):
                self._dictionary = self._dictionary.view(kind)
            entries, entries_nbytes = len(self._dictionary), len(encode(layout, self._dictionary))
        kept = entries <= max_entries and (layout.width in (1, 2, 4, 8) or entries_nbytes <= max_nbytes)
        if not kept:
            self._codes, self._dictionary = self._codes[:0], self._dictionary.slice(0, 1)
        self._facts = (rows, live, nbytes, entries == 1, entries if kept else None, entries_nbytes if kept else 0)

    def facts(self) -> tuple[int, int, int, bool, int | None, int]:
        """Returns (rows, rows not null, their encoded size, whether all are equal, distinct values, their size)."""
        return self._facts

    def nulls(self) -> bytes | None:
        """Returns a bitmap with one set bit per null; None without nulls."""
        if all(chunk.null_count == 0 for chunk in self._chunks):
            return None
        flags = np.concatenate([chunk.is_null().to_numpy(zero_copy_only=False) for chunk in self._chunks])
        return np.packbits(flags, bitorder="little").tobytes()

    def plain(self) -> bytes:
        """Returns the values that are not null."""
        return b"".join(encode(self._layout, chunk.drop_null()) for chunk in self._chunks)

    def first(self) -> bytes:
        """Returns the first value that is not null."""
        return encode(self._layout, self._dictionary.slice(0, 1))

    def entries(self) -> bytes:
        """Returns the distinct values in order of first occurrence."""
        return encode(self._layout, self._dictionary) if len(self._codes) else b""

    def codes(self, width: int) -> bytes:
        """Returns the dictionary code of each value, packed in ``width`` bits."""
        return pure_bits.pack(self._codes.astype(np.uint32), width)


def profile(layouts: list[ValueLayout], arrays: list[Sequence[Any]], max_entries: int, max_nbytes: int) -> list[Source]:
    sources = []
    for number, (layout, chunks) in enumerate(zip(layouts, arrays, strict=True)):
        try:
            sources.append(Source(layout, chunks, max_entries, max_nbytes))
        except EncodeError as error:
            error.path = f"[{number}]"
            raise
    return sources


def _comparable(chunk: Any, layout: ValueLayout) -> Any:
    """Returns values that are equal when their encoded bytes are: floats by their bits, text of any type as bytes."""
    if pa.types.is_floating(chunk.type):
        return chunk.view(f"int{8 * layout.width}")
    return chunk.cast(pa.binary()) if layout.kind in (Kind.TEXT, Kind.BYTES) else chunk


def _indexed(chunks: list[Any]) -> tuple[Any, Any]:
    """Returns the dictionary code of each value that is not null, and the distinct values in order of first occurrence."""
    indexed = pa.chunked_array(chunks).drop_null().dictionary_encode().unify_dictionaries()
    parts = [chunk for chunk in indexed.chunks if len(chunk)]
    return np.concatenate([chunk.indices.to_numpy() for chunk in parts]), parts[0].dictionary
