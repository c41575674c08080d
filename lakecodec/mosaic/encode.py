"""Encoder of buckets: chooses the encoding of each column and the layout as the reference writer does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, repeat
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..generated.mosaic import (
    Bitmap,
    Cells,
    Columns,
    Compression,
    Dict,
    Directory,
    Page,
    PageEncoding,
    Slot,
    bit_width,
)
from ..runtime.columns import Form, Forms, Profiles, profile_many
from ..runtime.records.record import new
from .layout import BucketPlan
from .names import uvarint_size
from .options import WriterOptions

#: Values of buckets whose parts are made together: with fewer values, calls take longer than the work.
_FEW_CELLS = 1 << 13


class EncodedBucket(NamedTuple):
    """Bucket as it is stored.

    Attributes:
        parts: its bytes: one block, or directory and slots.
        inflated: size of the uncompressed block in bytes; 0 for a paged bucket.
        raw: bytes before compression, as the estimate of the file's size counts them.
    """

    parts: list[bytes]
    inflated: int
    raw: int


class Choices(NamedTuple):
    """Encodings of many columns, as arrays with an item per physical column.

    Attributes:
        encodings: one `PageEncoding` per column, int64.
        bodies: size of the page body in bytes (Mosaic design, section Monolithic or paged), -1 for columns without one,
            int64.
    """

    encodings: NDArray[np.int64]
    bodies: NDArray[np.int64]


def encode_buckets(
    plans: Sequence[BucketPlan], arrays: Sequence[Sequence[Sequence[pa.Array]]], num_rows: int, options: WriterOptions
) -> list[EncodedBucket]:
    """Returns some buckets of a row group, encoded and compressed.

    Args:
        plans: the buckets.
        arrays: the chunks of each physical column, by bucket.
        num_rows: of the row group.
        options: of the writer.

    Raises:
        EncodeError: a value, size or count that the format cannot hold.
    """
    profiles = profile_many(
        list(chain.from_iterable(plan.layouts for plan in plans)),
        list(chain.from_iterable(arrays)),
        max_entries=options.max_dict_entries,
        max_nbytes=options.max_dict_bytes,
    )
    choices = choose_encodings(profiles, options.max_dict_entries)
    encodings, rows = choices.encodings.tolist(), profiles.rows.tolist()
    forms = _FORMS[choices.encodings].tolist()
    ends = list(accumulate(len(plan.stored) for plan in plans))
    starts = [0, *ends[:-1]]
    sizes, paged = choose_layouts(choices.bodies, starts, options)
    compress = options.compressor()
    cells = list(accumulate(rows, initial=0))
    found = []
    last = 0
    while last < len(plans):
        # One large bucket at a time: its objects are freed before those of the next one are made.
        first, last = last, last + 1
        while last < len(plans) and cells[ends[last]] - cells[starts[first]] <= _FEW_CELLS:
            last += 1
        begin, columns = starts[first], slice(starts[first], ends[last - 1])
        together = _Parts.of(rows[columns], encodings[columns], profiles.forms(columns, forms[columns]))
        for number in range(first, last):
            plan, own = plans[number], slice(starts[number] - begin, ends[number] - begin)
            parts = _Parts._make([each[own] for each in together])
            elements = parts.rows[plan.primaries :] or None
            if paged[number]:
                found.append(EncodedBucket(_pages(plan, parts, elements, options), 0, sizes[number]))
            else:
                found.append(_block(plan, parts, elements, num_rows, compress))
    return found


def _block(
    plan: BucketPlan, parts: _Parts, elements: list[int] | None, num_rows: int, compress: Callable[[bytes], bytes]
) -> EncodedBucket:
    """Returns a bucket in one block."""
    columns = Columns(elements=elements, consts=parts.consts, dicts=parts.dicts, nulls=parts.nulls, cells=parts.cells)
    block: bytes = columns.to_bytes(plan.types, plan.primaries, num_rows)
    return EncodedBucket([compress(block)], len(block), len(block))


def choose_encodings(profiles: Profiles, max_entries: int) -> Choices:
    """Returns the reference writer's encodings (Mosaic design, section Column encodings and their choice)."""
    live, entries = profiles.live, profiles.entries
    bitmaps = np.where((live > 0) & (live < profiles.rows), _bytes(profiles.rows), 0)
    # Many columns share a number of entries, so sizes are computed once per distinct number.
    counts, places = np.unique(np.maximum(entries, 0), return_inverse=True)
    prefixes = np.array([uvarint_size(count) for count in counts.tolist()], np.int64)[places]
    widths = np.array([bit_width(count) for count in counts.tolist()], np.int64)[places]
    sizes = prefixes + profiles.entries_nbytes + _bytes(live * widths)
    has_dict = (entries >= 2) & (entries <= max_entries) & (sizes < profiles.nbytes)
    cases = [live == 0, profiles.constant != 0, has_dict]
    encodings = np.select(
        cases, [int(PageEncoding.ALL_NULL), int(PageEncoding.CONST), int(PageEncoding.DICT)], int(PageEncoding.PLAIN)
    )
    constants = np.where(bitmaps > 0, bitmaps, -1)
    bodies = np.select(cases, [np.full_like(live, -1), constants, sizes + bitmaps], profiles.nbytes + bitmaps)
    return Choices(encodings, bodies)


def choose_layouts(
    bodies: NDArray[np.int64], starts: Sequence[int], options: WriterOptions
) -> tuple[list[int], list[bool]]:
    """Returns the reference writer's choice (Mosaic design, section Monolithic or paged) for each bucket.

    Its condition on the size of the whole bucket needs no check: it holds where the average of the columns reaches the
    threshold.

    Args:
        bodies: those of `Choices`, of all buckets.
        starts: where the columns of each bucket begin.
        options: of the writer.

    Returns:
        The size of all page bodies of each bucket in bytes, and True for each that is paged.
    """
    sizes = np.add.reduceat(np.maximum(bodies, 0), starts)
    pages = np.add.reduceat((bodies >= 0).astype(np.int64), starts)
    paged = (pages > 0) & (sizes // np.maximum(pages, 1) >= options.page_size_threshold)
    return sizes.tolist(), (paged & (options.kind == Compression.ZSTD)).tolist()


class _Parts(NamedTuple):
    """Parts of a bucket's physical columns: rows, encodings, constants, dictionaries, null bitmaps and cells."""

    rows: list[int]
    encodings: list[int]
    consts: list[Any]
    dicts: list[Dict | None]
    nulls: list[Bitmap | None]
    cells: list[Cells]

    @classmethod
    def of(cls, rows: list[int], encodings: list[int], forms: Forms) -> _Parts:
        """Returns the parts of columns in their chosen encodings."""
        dicts = _of_each(Dict, "entries", forms.entries)
        nulls = _of_each(Bitmap, "null_at", forms.nulls)
        plain = _of_each(Cells.PLAIN, "values", forms.plain)
        coded = _of_each(Cells.DICT, "codes", forms.codes)
        # Cells without fields are shared.
        const, empty = Cells.CONST(), Cells.ALL_NULL()
        cells: list[Cells] = [
            first or second or (const if constant is not None else empty)
            for first, second, constant in zip(plain, coded, forms.first, strict=True)
        ]
        return cls(rows, encodings, forms.first, dicts, nulls, cells)


def _of_each(cls: Any, name: str, values: list[Any]) -> list[Any]:
    """Returns a record of a class per value, which is its field ``name``; None for None."""
    present = [value for value in values if value is not None]
    if not present:
        return values
    found = list(map(new, repeat(cls, len(present))))
    deque(map(setattr, found, repeat(name), present), maxlen=0)
    if len(found) == len(values):
        return found
    left = iter(found)
    return [None if value is None else next(left) for value in values]


def _pages(plan: BucketPlan, parts: _Parts, elements: list[int] | None, options: WriterOptions) -> list[bytes]:
    """Returns the directory and the slots of a paged bucket."""
    codecs = options.codecs()
    slots = []
    columns = zip(
        parts.encodings, parts.consts, parts.dicts, parts.nulls, parts.cells, plan.types, parts.rows, strict=True
    )
    for encoding, const, table, bitmap, values, type, count in columns:
        if encoding == PageEncoding.ALL_NULL:
            slots.append(b"")
            continue
        slot = Slot(page=Page(constant=const, dict=table, nulls=bitmap, cells=values))
        slots.append(slot.to_bytes(type, count, codecs=codecs))
    directory = Directory(elements=elements, slot_sizes=list(map(len, slots)))
    # Written in the form that `Pages` declares, but block by block, since the directory needs each block's size.
    return [directory.to_bytes(plan.types, plan.primaries), *slots]


def _bytes(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the bytes that hold numbers of bits."""
    return (bits + 7) // 8


#: The `Form` of each `PageEncoding`.
_FORMS = np.zeros(len(PageEncoding), np.int64)
_FORMS[[PageEncoding.PLAIN, PageEncoding.CONST, PageEncoding.DICT]] = Form.PLAIN, Form.CONSTANT, Form.DICTIONARY
