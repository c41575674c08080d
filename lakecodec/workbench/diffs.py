"""Differences of two sources by field; elements of lists are aligned by what identifies them."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

from ..runtime.columns import Bits, Values
from ..runtime.errors import DecodeError, format_name, join_path
from ..runtime.memo import kept_with
from ..runtime.objects import Value
from ..runtime.ranges import RangeReader, map_ranges
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.record import Variant
from ..runtime.short import short
from ..runtime.struct_values import UnionValue
from ..runtime.urls import located
from ..verify.regions import Region, region_value
from .explorer import tree_of
from .plain import plain
from .sources import named, regions_of, type_of

#: Longer lists whose elements have no identity are compared position by position.
_MOST_ALIGNED = 2000
#: How many bytes are compared at once, and how many are shown where values are equal.
_PIECE, _SHOWN = 1 << 20, 16


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that differs between two sources.

    Attributes:
        kind: ``changed``, or ``added`` or ``removed`` if only the second or the first source has it, or ``moved`` if an element
            stands at another place among those that both lists have.
        path: in the first source; for an added field, in the second. Where all values are equal and bytes differ, the field that
            has the first of these bytes, and their offset.
        old, new: the values; None on the side that does not have the field; of a moved element, its places in the lists.
    """

    kind: Literal["changed", "added", "removed", "moved"]
    path: str
    old: Any = None
    new: Any = None

    def __str__(self) -> str:
        sign = {"changed": "~", "added": "+", "removed": "-", "moved": ">"}[self.kind]
        sides = ([] if self.kind == "added" else [self.old]) + ([] if self.kind == "removed" else [self.new])
        return f"{sign} {self.path}: {' -> '.join(map(short, sides))}"

    def to_dict(self) -> dict[str, Any]:
        """Returns the difference as a dict of JSON types."""
        found: dict[str, Any] = {"kind": self.kind, "path": self.path}
        if self.kind != "added":
            found["old"] = _as_json(self.old)
        if self.kind != "removed":
            found["new"] = _as_json(self.new)
        return found


def diff(
    old: Any,
    new: Any,
    type: Any = None,
    *,
    idl: Any = None,
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> list[Difference]:
    """Returns the differences of two sources of one type, in the order of its fields; empty for the same bytes.

    Fields are compared as values. Where these are equal, but encoded in other bytes, the only difference is that of the first
    such bytes. Parts that a file's metadata points to, and bytes that nothing explains, are compared in any case. Other
    arguments are those of `explore`.

    Raises:
        DecodeError: a source breaks a rule of its format.
        ValueError: the sources are of different formats.
    """
    old, new = located(storage_options, old, new)
    first, second = map_ranges(old), map_ranges(new)
    cls = type_of(first, type, idl, allow_extern=allow_extern)
    other = cls if type is not None or idl is not None else type_of(second)
    if other is not cls:
        raise ValueError(f"new: {format_name(other)} is not the format of the other, {format_name(cls)}")
    if not issubclass(cls, LazyRecord):
        found = list(differences(_value(cls, first), _value(cls, second)))
    else:
        found = list(_of_files(cls.open(first), cls.open(second), first, second))
    return found or list(_of_bytes(cls, first, second))


def _value(cls: Any, reader: RangeReader) -> Any:
    with named(reader):
        return cls.from_bytes(reader.read(0, reader.size))


def _of_bytes(cls: Any, old: RangeReader, new: RangeReader) -> Iterator[Difference]:
    """Yields the first bytes that differ between two sources, with the field that has them."""
    for start in range(0, max(old.size, new.size), _PIECE):
        a, b = (each.read(start, max(0, min(_PIECE, each.size - start))) for each in (old, new))
        if a == b:
            continue
        place = next((at for at, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), min(len(a), len(b)))
        holder = old if place < len(a) else new
        path = join_path(tree_of(holder, cls).at(start + place).path, f"(bytes at {start + place})")
        yield Difference("changed", path, *(bytes(each[place : place + _SHOWN]) for each in (a, b)))
        return


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Yields the differences of two values of generated classes."""
    if old is new:
        return
    if isinstance(old, Value) and old.__class__ is new.__class__:
        yield from _of_values(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _of_lists(old, new, path)
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            yield from _of_entry(old, new, key, f"{path}[{key!r}]")
    elif isinstance(old, Bits | Values) and old.__class__ is new.__class__:
        if old != new:
            yield from _of_lists(plain(old), plain(new), path)
    elif old is None or new is None:
        yield Difference("added" if old is None else "removed", path, old, new)
    elif old != new and (old == old or new == new):
        yield Difference("changed", path, old, new)


def _of_values(old: Any, new: Any, path: str) -> Iterator[Difference]:
    if isinstance(old, UnionValue):
        if old.kind is None or old.kind != new.kind:
            if old != new:
                yield Difference("changed", path, old, new)
        else:
            yield from differences(old.value, new.value, join_path(path, old.kind))
        return
    fields = _fields(old.__class__) if not isinstance(old, Variant) else [(name, name) for name in old._settable()]
    for attr, name in fields:
        a, b = getattr(old, attr), getattr(new, attr)
        if a is not b and (a.__class__ is not b.__class__ or a.__class__ not in _SCALARS or a != b):
            yield from differences(a, b, join_path(path, name))


_SCALARS = frozenset((int, str, bytes, bool))


@kept_with
def _fields(cls: Any) -> list[tuple[str, str]]:
    """Returns (attribute, name) of each field that callers set."""
    names = {field.attr: field.name for field in cls.__spec__.fields}
    given = cls._given if hasattr(cls, "_given") else cls.__match_args__
    return [(attr, names.get(attr, attr)) for attr in given]


def _of_entry(old: dict[Any, Any], new: dict[Any, Any], key: Any, path: str) -> Iterator[Difference]:
    if key not in new:
        yield Difference("removed", path, old=old[key])
    elif key not in old:
        yield Difference("added", path, new=new[key])
    else:
        yield from differences(old[key], new[key], path)


# ---- lists ----


def _of_lists(old: list[Any], new: list[Any], path: str) -> Iterator[Difference]:
    pairs = list(_aligned(old, new))
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    for place, other in _moved(both):
        yield Difference("moved", f"{path}[{place}]", place, other)
    for a, b in pairs:
        if b is None and a is not None:
            yield Difference("removed", f"{path}[{a}]", old=old[a])
        elif a is None and b is not None:
            yield Difference("added", f"{path}[{b}]", new=new[b])
        elif a is not None and b is not None:
            yield from differences(old[a], new[b], f"{path}[{a}]")


def _aligned(old: list[Any], new: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Yields the positions of matching elements; one is None for an element that only one list has."""
    keys = _keys(old, new)
    if keys is None:
        yield from _in_sequence(old, new)
        return
    ours, theirs = keys
    if ours == theirs:
        yield from ((place, place) for place in range(len(ours)))
        return
    places = {key: place for place, key in enumerate(theirs)}
    for place, key in enumerate(ours):
        yield place, places.pop(key, None)
    yield from ((None, place) for place in places.values())


def _moved(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns the fewest pairs of places without which the others, in the order of the first list, are in that of the second."""
    ends: list[int] = []
    lengths = []
    for _, b in pairs:
        length = bisect_left(ends, b)
        ends[length : length + 1] = [b]
        lengths.append(length)
    found, wanted, before = [], len(ends) - 1, max((b for _, b in pairs), default=0) + 1
    for pair, length in zip(reversed(pairs), reversed(lengths), strict=True):
        if length == wanted and pair[1] < before:
            wanted, before = wanted - 1, pair[1]
        else:
            found.append(pair)
    return found[::-1]


def _keys(old: list[Any], new: list[Any]) -> tuple[list[Any], list[Any]] | None:
    """Returns keys for the elements of both lists: names or paths that are unique in each list; None if there are no
    such keys."""
    if not old or not new or not isinstance(old[0], Value):
        return None
    for find in _finders(old[0]):
        try:
            found = [_hashed(find(each)) for each in old], [_hashed(find(each)) for each in new]
            if all(None not in keys and len(set(keys)) == len(keys) for keys in found):
                return found
        except (AttributeError, TypeError):
            continue
    return None


def _finders(value: Any) -> Iterator[Callable[[Any], Any]]:
    """Yields functions that give a text, or a list of texts, of an element or of a struct inside; names first."""
    names = [attr for attr, _ in _fields(value.__class__)] if not isinstance(value, UnionValue) else []
    for attr in sorted(names, key=lambda each: each != "name"):
        found = getattr(value, attr)
        if _identifies(found):
            yield attrgetter(attr)
        elif isinstance(found, Value) and not isinstance(found, UnionValue):
            yield from (
                attrgetter(f"{attr}.{inner}")
                for inner, _ in _fields(found.__class__)
                if _identifies(getattr(found, inner))
            )


def _identifies(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and bool(value) and isinstance(value[0], str))


def _hashed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _in_sequence(old: list[Any], new: list[Any]) -> Iterator[tuple[int | None, int | None]]:
    """Aligns by place, or by equal runs where the lists differ in length and are not long."""
    if len(old) == len(new) or max(len(old), len(new)) > _MOST_ALIGNED:
        for place in range(max(len(old), len(new))):
            yield place if place < len(old) else None, place if place < len(new) else None
        return
    matcher = difflib.SequenceMatcher(None, [repr(each) for each in old], [repr(each) for each in new], autojunk=False)
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        for step in range(max(a_end - a, b_end - b)):
            yield a + step if a + step < a_end else None, b + step if b + step < b_end else None


# ---- files ----


def _of_files(old: LazyRecord, new: LazyRecord, first: RangeReader, second: RangeReader) -> Iterator[Difference]:
    names = {field.attr: field.name for field in type(old).__spec__.fields}
    for attr in old._given:
        with named(first):
            a = getattr(old, attr)
        with named(second):
            b = getattr(new, attr)
        yield from differences(a, b, names.get(attr, attr))
    ours, theirs = ({(each.group, each.key or each.step): each for each in regions_of(record)} for record in (old, new))
    for key in {**ours, **theirs}:
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            kept = one or other
            assert kept is not None
            size = f"{kept.size} bytes"
            yield (
                Difference("added", kept.path, new=size) if one is None else Difference("removed", kept.path, old=size)
            )
        else:
            yield from _of_regions(old, new, one, other, first, second)
    yield from _of_gaps(old, new, [*ours.values()], [*theirs.values()], first, second)


def _of_regions(
    old: LazyRecord, new: LazyRecord, a: Region, b: Region, first: RangeReader, second: RangeReader
) -> Iterator[Difference]:
    data, other = first.read(a.offset, a.size), second.read(b.offset, b.size)
    if data == other:
        return
    try:
        found = list(differences(region_value(old, a), region_value(new, b), a.path))
    except DecodeError:
        found = []
    yield from found or [Difference("changed", a.path, bytes(data), bytes(other))]


def _of_gaps(
    old: LazyRecord,
    new: LazyRecord,
    ours: Sequence[Region],
    theirs: Sequence[Region],
    first: RangeReader,
    second: RangeReader,
) -> Iterator[Difference]:
    a, b = _gaps(old, ours, first), _gaps(new, theirs, second)
    for place in range(max(len(a), len(b))):
        data = bytes(first.read(*a[place])) if place < len(a) else None
        other = bytes(second.read(*b[place])) if place < len(b) else None
        offset = (a if data is not None else b)[place][0]
        yield from differences(data, other, f"(gap at {offset})")


def _gaps(record: LazyRecord, regions: Sequence[Region], reader: RangeReader) -> list[tuple[int, int]]:
    """Returns (offset, size) of bytes that neither the record nor its metadata explains."""
    spans = [*record._extents(), *((each.offset, each.size) for each in regions)]
    found, end = [], 0
    for offset, size in sorted(spans):
        if offset > end:
            found.append((end, offset - end))
        end = max(end, offset + size)
    return found + ([(end, reader.size - end)] if end < reader.size else [])


def _as_json(value: Any) -> Any:
    return value._plain(True) if isinstance(value, Value) else plain(value)
