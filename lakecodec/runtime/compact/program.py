"""The plan of columnar decoding: nested repeated structs as levels, and the leaves to read at each level.

Level 0 has one row for each buffer and is the root struct. Level n has one row for each element of a list<struct> that is
reached from a row of level n-1. A leaf is a value reached from its level's struct through non-repeated structs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

LeafKind = Literal["int", "bool", "double", "binary", "string", "join", "ints"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf to read; it becomes a `Column`.

    Attributes:
        level: the level whose rows it has.
        path: field names from the level's struct to the value.
        kind: ``int`` (i8 to i64, enums), ``bool``, ``double``, ``binary``, ``string``; ``join`` is a list<string> joined
            with ``separator``; ``ints`` is a list of integers or enums.
    """

    level: int
    path: tuple[str, ...]
    kind: LeafKind
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """A plan of columnar decoding for the struct class ``root``.

    ``levels[n]`` has the field names from a row of level n to the list whose elements are the rows of level n+1.
    """

    root: type[Any]
    levels: tuple[tuple[str, ...], ...]
    leaves: tuple[Leaf, ...]


@dataclass(slots=True)
class Column:
    """A leaf's values in Arrow's layout: buffers of the level's row count.

    ``validity`` is an Arrow bitmap (LSB first) or None when nothing is null. ``values`` holds int64, doubles, an Arrow bit
    map of booleans, the bytes of binary/string/join values, or the int32 elements of ``ints``. ``offsets`` are
    int32 (rows + 1) for the variable-width kinds, else None. ``is_ascii`` says that a string or join is known to be
    ASCII.
    """

    validity: Any
    values: Any
    offsets: Any = None
    null_count: int = 0
    is_ascii: bool = False


@dataclass(slots=True)
class Columns:
    """The result of columnar decoding, with a `Column` for each leaf of the program.

    ``rows``, ``parents`` and ``ordinals`` have an item for each level: its row count, each row's parent (int32) and its
    ordinal in the parent's list (int32). Level 0's parents are its own row numbers; its ordinals are the buffers' positions
    in the argument. ``errors`` holds (buffer number, DecodeError) of buffers that could not be decoded and have no rows.
    """

    rows: list[int]
    parents: list[Any]
    ordinals: list[Any]
    columns: list[Column]
    errors: list[tuple[int, Exception]]
