"""Profiles of columns: the facts from which a writer chooses storage forms, gathered in one pass per column."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..native import load
from . import pure_profile, pure_write
from .bits import Bits
from .layout import ValueLayout
from .values import Values


class _Source(Protocol):
    """The interface of a profiled column of a backend; see ``pure_profile.Source``."""

    def facts(self) -> tuple[int, int, int, bool, int | None, int]: ...

    def nulls(self) -> bytes | None: ...

    def plain(self) -> bytes: ...

    def first(self) -> bytes: ...

    def entries(self) -> bytes: ...

    def codes(self, width: int) -> bytes: ...


_native = load("runtime.native.columns.write")
if _native is not None:
    _native.use_columns(Bits, Values)
BACKEND = "pure" if _native is None else "native"
_profile: Any = (_native or pure_profile).profile
_encoded_sizes: Any = (_native or pure_write).encoded_sizes


class Profile:
    """The facts of one column of one row group, and its values in every form that can be stored. Arrays are borrowed.

    Attributes:
        layout: how a value is encoded.
        rows: rows, nulls included.
        live: rows that are not null.
        nbytes: encoded size in bytes of the values that are not null.
        constant: whether the column has values that are not null, and all of them have the same encoded bytes.
        entries: number of distinct values; None if a limit was exceeded.
        entries_nbytes: encoded size in bytes of the distinct values; 0 if a limit was exceeded.
    """

    __slots__ = ("_source", "constant", "entries", "entries_nbytes", "layout", "live", "nbytes", "rows")

    def __init__(self, layout: ValueLayout, source: _Source) -> None:
        self.layout = layout
        self._source = source
        self.rows, self.live, self.nbytes, self.constant, self.entries, self.entries_nbytes = source.facts()

    def nulls(self) -> Bits | None:
        """Returns the null bitmap, a set bit for each null; None where no row is null."""
        nulls = self._source.nulls()
        return None if nulls is None else Bits(nulls, 0, self.rows, 1)

    def plain(self) -> Values:
        """Returns the values that are not null, in the order of the rows."""
        return Values(self.layout, self._source.plain(), 0, self.nbytes, self.live)

    def first(self) -> Values:
        """Returns the first value that is not null.

        Raises:
            ValueError: all rows are null.
        """
        if not self.live:
            raise ValueError("first: all rows are null")
        value = self._source.first()
        return Values(self.layout, value, 0, len(value), 1)

    def dictionary(self) -> tuple[Values, Bits]:
        """Returns the distinct values in order of first occurrence, and the dictionary code of each row that is not null.

        Raises:
            ValueError: a limit was exceeded.
        """
        if self.entries is None:
            raise ValueError("dictionary: there are more distinct values than the limits allow")
        width = max(0, self.entries - 1).bit_length()
        entries = Values(self.layout, self._source.entries(), 0, self.entries_nbytes, self.entries)
        return entries, Bits(self._source.codes(width), 0, self.live, width)


class Form(IntEnum):
    """The storage form of a column's values."""

    NONE = 0
    PLAIN = 1
    CONSTANT = 2
    DICTIONARY = 3


class Forms(NamedTuple):
    """The stored forms of many columns: lists with one item per column, None if its form has no such part.

    Attributes:
        nulls: the null bitmap, a set bit for each null; None where no row is null, or all are.
        plain: the values that are not null.
        first: the first of them.
        entries: the distinct ones in order of first occurrence.
        codes: the dictionary code of each value.
    """

    nulls: list[Bits | None]
    plain: list[Values | None]
    first: list[Values | None]
    entries: list[Values | None]
    codes: list[Bits | None]


class Profiles:
    """The profiles of many columns of one row group; facts are int64 arrays with one item per column.

    Attributes:
        rows, live, nbytes, entries_nbytes: as those of `Profile`.
        constant: 1 where all values have the same encoded bytes, else 0.
        entries: number of distinct values; -1 if a limit was exceeded.
    """

    def __init__(self, layouts: Sequence[ValueLayout], sources: Sequence[_Source]) -> None:
        self._layouts = list(layouts)
        self._sources = list(sources)
        self.rows, self.live, self.nbytes, self.constant, self.entries, self.entries_nbytes = self._facts()

    def forms(self, columns: slice, chosen: Sequence[int]) -> Forms:
        """Returns the values of a slice of the columns, each in the `Form` that ``chosen`` has for it."""
        sources, layouts = self._sources[columns], self._layouts[columns]
        if _native is not None and _profile is _native.profile:
            return Forms(*_native.forms(sources, layouts, list(chosen)))
        found = Forms([], [], [], [], [])
        for layout, source, form in zip(layouts, sources, chosen, strict=True):
            profile = Profile(layout, source)
            has_nulls = form != Form.NONE and 0 < profile.live < profile.rows
            entries, codes = profile.dictionary() if form == Form.DICTIONARY else (None, None)
            found.nulls.append(profile.nulls() if has_nulls else None)
            found.plain.append(profile.plain() if form == Form.PLAIN else None)
            found.first.append(profile.first() if form == Form.CONSTANT else None)
            found.entries.append(entries)
            found.codes.append(codes)
        return found

    def _facts(self) -> NDArray[np.int64]:
        if _native is not None and _profile is _native.profile:
            return np.frombuffer(_native.facts(self._sources), np.int64).reshape(6, -1)
        rows = [[-1 if fact is None else int(fact) for fact in source.facts()] for source in self._sources]
        return np.array(rows, np.int64).reshape(-1, 6).T


def profile_columns(
    columns: Sequence[tuple[ValueLayout, Sequence[Any]]], *, max_entries: int, max_nbytes: int
) -> list[Profile]:
    """Returns the profile of each column.

    Args:
        columns: per column its layout and its Arrow arrays, in order the rows of one row group. Numbers of 1, 2, 4 or 8
            bytes take any Arrow type of fixed-size values of that size, those of 8 bytes decimal128 as well; the
            quotient and remainder of a pair come from 64-bit values, integers of any size from decimal128, text and
            bytes from string and binary with 32-bit offsets.
        max_entries: largest number of distinct values that are counted per column.
        max_nbytes: largest encoded size of the distinct values in bytes; values of 1, 2, 4 or 8 bytes have no such
            limit.

    Raises:
        EncodeError: a decimal does not fit a number of 8 bytes.
        TypeError: an array's type cannot hold values of the layout.
        ValueError: a limit is negative.
    """
    layouts, arrays = [layout for layout, _ in columns], [chunks for _, chunks in columns]
    sources = _looked_through(layouts, arrays, max_entries, max_nbytes)
    return [Profile(layout, source) for layout, source in zip(layouts, sources, strict=True)]


def profile_many(
    layouts: list[ValueLayout], arrays: list[Sequence[Any]], *, max_entries: int, max_nbytes: int
) -> Profiles:
    """Returns the profiles of many columns as arrays of facts; limits and errors as in `profile_columns`."""
    return Profiles(layouts, _looked_through(layouts, arrays, max_entries, max_nbytes))


def encoded_sizes(layouts: list[ValueLayout], arrays: list[Any]) -> tuple[int, int]:
    """Returns the encoded size in bytes of all values that are not null, and an upper bound for the largest column.

    The bound includes that column's null bitmap.

    Raises:
        TypeError: an array's type cannot hold values of the layout.
    """
    sizes: tuple[int, int] = _encoded_sizes(layouts, arrays)
    return sizes


def _looked_through(
    layouts: list[ValueLayout], arrays: list[Sequence[Any]], max_entries: int, max_nbytes: int
) -> list[_Source]:
    for name, limit in (("max_entries", max_entries), ("max_nbytes", max_nbytes)):
        if limit < 0:
            raise ValueError(f"{name}: {limit} is negative")
    found: list[_Source] = _profile(layouts, arrays, max_entries, max_nbytes)
    return found
