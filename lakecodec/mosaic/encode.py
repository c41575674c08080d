"""A bucket's bytes: which encoding each column gets, which layout the bucket, and the records they fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

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
from ..runtime.columns import Profile, profile_columns
from .layout import BucketPlan
from .names import uvarint_size
from .options import WriterOptions


@dataclass(frozen=True, slots=True)
class EncodedBucket:
    """A bucket as it is stored.

    Attributes:
        data: its bytes.
        inflated: what they inflate to, 0 for a block a column.
        raw: bytes before compression, as estimates of the file's size count them.
    """

    data: bytes
    inflated: int
    raw: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A column's encoding.

    Attributes:
        body: bytes of its page that are not the same in every page; None where there are none at all.
    """

    encoding: PageEncoding
    body: int | None


def encode_bucket(
    plan: BucketPlan, arrays: Sequence[Sequence[pa.Array]], num_rows: int, options: WriterOptions
) -> EncodedBucket:
    """One bucket of a row group; ``arrays`` are the chunks of its stored columns.

    Raises:
        EncodeError: the format cannot hold a value, or that many.
    """
    profiles = profile_columns(
        [(node.layout, list(chunks)) for node, chunks in zip(plan.stored, arrays, strict=True)],
        max_entries=options.max_dict_entries,
        max_nbytes=options.max_dict_bytes,
    )
    choices = [choose_encoding(profile, options.max_dict_entries) for profile in profiles]
    if choose_layout(choices, options) == BucketLayout.PAGED:
        data = _pages(plan, profiles, choices, options)
        return EncodedBucket(data, 0, sum(choice.body or 0 for choice in choices))
    block = _columns(plan, profiles, choices, num_rows)
    return EncodedBucket(options.compress(block), len(block), len(block))


def choose_encoding(profile: Profile, max_entries: int) -> Choice:
    """The encoding that the reference writer chooses."""
    bitmap = _bytes(profile.rows) if 0 < profile.live < profile.rows else 0
    if not profile.live:
        return Choice(PageEncoding.ALL_NULL, None)
    if profile.constant:
        return Choice(PageEncoding.CONST, bitmap or None)
    entries = profile.entries
    if entries is not None and 2 <= entries <= max_entries:
        size = uvarint_size(entries) + profile.entries_nbytes + _bytes(profile.live * bit_width(entries))
        if size < profile.nbytes:
            return Choice(PageEncoding.DICT, size + bitmap)
    return Choice(PageEncoding.PLAIN, profile.nbytes + bitmap)


def choose_layout(choices: Sequence[Choice], options: WriterOptions) -> BucketLayout:
    """The layout that the reference writer chooses.

    It also asks that the whole bucket reaches the threshold, which it does wherever the average of its columns does.
    """
    bodies = [choice.body for choice in choices if choice.body is not None]
    if options.kind == Compression.ZSTD and bodies and sum(bodies) // len(bodies) >= options.page_size_threshold:
        return BucketLayout.PAGED
    return BucketLayout.MONOLITHIC


def _columns(plan: BucketPlan, profiles: list[Profile], choices: list[Choice], num_rows: int) -> bytes:
    consts, dicts, nulls, cells = [], [], [], []
    for profile, choice in zip(profiles, choices, strict=True):
        const, table, bitmap, values = _parts(profile, choice.encoding)
        consts.append(const)
        dicts.append(table)
        nulls.append(bitmap)
        cells.append(values)
    columns = Columns(elements=_elements(plan, profiles), consts=consts, dicts=dicts, nulls=nulls, cells=cells)
    data: bytes = columns.to_bytes(plan.types, plan.primaries, num_rows)
    return data


def _pages(plan: BucketPlan, profiles: list[Profile], choices: list[Choice], options: WriterOptions) -> bytes:
    codecs = options.codecs()
    slots = []
    for profile, choice, type in zip(profiles, choices, plan.types, strict=True):
        if choice.encoding == PageEncoding.ALL_NULL:
            slots.append(b"")
            continue
        const, table, bitmap, values = _parts(profile, choice.encoding)
        slot = Slot(page=Page(constant=const, dict=table, nulls=bitmap, cells=values))
        slots.append(slot.to_bytes(type, profile.rows, codecs=codecs))
    directory = Directory(elements=_elements(plan, profiles), slot_sizes=list(map(len, slots)))
    # Written one by one, as `Pages` declares, so that each block is there before its size is needed.
    return b"".join((directory.to_bytes(plan.types, plan.primaries), *slots))


def _parts(profile: Profile, encoding: PageEncoding) -> tuple[Any, Dict | None, Bitmap | None, Cells]:
    """Constant, dictionary, null bitmap and cells of a column."""
    bitmap = profile.nulls() if 0 < profile.live < profile.rows else None
    nulls = None if bitmap is None else Bitmap(null_at=bitmap)
    if encoding == PageEncoding.PLAIN:
        return None, None, nulls, Cells.PLAIN(values=profile.plain())
    if encoding == PageEncoding.DICT:
        entries, codes = profile.dictionary()
        return None, Dict(entries=entries), nulls, Cells.DICT(codes=codes)
    if encoding == PageEncoding.CONST:
        return profile.first(), None, nulls, Cells.CONST()
    return None, None, None, Cells.ALL_NULL()


def _elements(plan: BucketPlan, profiles: list[Profile]) -> list[int] | None:
    elements = [profile.rows for profile in profiles[plan.primaries :]]
    return elements or None


def _bytes(bits: int) -> int:
    return (bits + 7) // 8
