"""Encoder of buckets: chooses the encoding of each column and the layout as the reference writer does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..generated.mosaic import (
    Bitmap,
    BucketLayout,
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
from ..runtime.records.attributes import copies
from .layout import BucketPlan
from .names import uvarint_size
from .options import WriterOptions


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
        encodings: a `PageEncoding` each, int64.
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
    all_bodies, encodings, rows = choices.bodies.tolist(), choices.encodings.tolist(), profiles.rows.tolist()
    forms = _FORMS[choices.encodings].tolist()
    found = []
    start = 0
    for plan in plans:
        columns = slice(start, start := start + len(plan.stored))
        bodies = [body for body in all_bodies[columns] if body >= 0]
        # One bucket after the other: the objects of the one before make room for the next one's.
        parts = _Parts.of(rows[columns], encodings[columns], profiles.forms(columns, forms[columns]))
        found.append(_encode(plan, bodies, parts, num_rows, options))
    return found


def _encode(
    plan: BucketPlan, bodies: Sequence[int], parts: _Parts, num_rows: int, options: WriterOptions
) -> EncodedBucket:
    """Returns one bucket, encoded in the layout that the sizes of its page bodies choose."""
    elements = parts.rows[plan.primaries :] or None
    if choose_layout(bodies, options) == BucketLayout.PAGED:
        return EncodedBucket(_pages(plan, parts, elements, options), 0, sum(bodies))
    columns = Columns(elements=elements, consts=parts.consts, dicts=parts.dicts, nulls=parts.nulls, cells=parts.cells)
    block: bytes = columns.to_bytes(plan.types, plan.primaries, num_rows)
    return EncodedBucket([options.compress(block)], len(block), len(block))


def choose_encodings(profiles: Profiles, max_entries: int) -> Choices:
    """Returns the reference writer's encodings (Mosaic design, section Column encodings and their choice)."""
    live, entries = profiles.live, profiles.entries
    bitmaps = np.where((live > 0) & (live < profiles.rows), _bytes(profiles.rows), 0)
    # Few columns have numbers of entries of their own.
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


def choose_layout(bodies: Sequence[int], options: WriterOptions) -> BucketLayout:
    """Returns the layout that the reference writer chooses (Mosaic design, section Monolithic or paged).

    Its condition on the size of the whole bucket needs no check: it holds where the average of the columns reaches the
    threshold.

    Args:
        bodies: size in bytes of the page body of each column that has one.
        options: of the writer.
    """
    if options.kind == Compression.ZSTD and bodies and sum(bodies) // len(bodies) >= options.page_size_threshold:
        return BucketLayout.PAGED
    return BucketLayout.MONOLITHIC


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
        """Returns the parts of columns, given what is stored of each in its chosen encoding."""
        table, bitmap, values, codes, const, empty = _prototypes()
        dicts = copies(table, "entries", forms.entries)
        nulls = copies(bitmap, "null_at", forms.nulls)
        plain = copies(values, "values", forms.plain)
        coded = copies(codes, "codes", forms.codes)
        # Cells without fields are shared.
        cells: list[Cells] = [
            first or second or (const if constant is not None else empty)
            for first, second, constant in zip(plain, coded, forms.first, strict=True)
        ]
        return cls(rows, encodings, forms.first, dicts, nulls, cells)


@cache
def _prototypes() -> tuple[Dict, Bitmap, Cells, Cells, Cells, Cells]:
    """Returns the parts of columns without their content: dictionary, bitmap, plain and coded cells, constant, no values."""
    nothing: Any = None
    plain, coded = Cells.PLAIN(values=nothing), Cells.DICT(codes=nothing)
    return Dict(entries=nothing), Bitmap(null_at=nothing), plain, coded, Cells.CONST(), Cells.ALL_NULL()


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
    # Written one by one, as `Pages` declares, so that each block is there before its size is needed.
    return [directory.to_bytes(plan.types, plan.primaries), *slots]


def _bytes(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the bytes that hold numbers of bits."""
    return (bits + 7) // 8


#: The `Form` of each `PageEncoding`.
_FORMS = np.zeros(len(PageEncoding), np.int64)
_FORMS[[PageEncoding.PLAIN, PageEncoding.CONST, PageEncoding.DICT]] = Form.PLAIN, Form.CONSTANT, Form.DICTIONARY
