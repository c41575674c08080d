"""Offsets of placed fields that other fields hold."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..errors import CodecError, EncodeError, join_path
from ..objects import Value
from .declared_spans import SEQUENTIAL, Key, NoRow, Path, path_of, span_of
from .read import reason
from .rows import store

if TYPE_CHECKING:
    from .lazy import LazyRecord


class HeldOffsets:
    """The offsets of the fields of a record that is laid out.

    Attributes:
        record: a copy of what is written that gets the offsets of the new bytes.
    """

    record: Any
    _edited: LazyRecord
    _first: int
    _is_whole: bool
    _keys: Sequence[Key]
    _kept: set[str]
    _new: set[Key]
    _dirty: set[Key]

    def _row(self, key: Key) -> Any:
        return self.record._placed.get(key[0], NoRow)

    def _far(self, key: Key) -> bool:
        return bool(self._row(key).from_source)

    def _copy_holders(self) -> None:
        """Copies the values that hold offsets, so that the caller's stay unchanged."""
        paths: dict[str, list[Path]] = {}
        for name, row in self.record._placed.items():
            if row.offset and name not in self._kept:
                paths.setdefault(row.offset[0], []).append(row.offset[1:])
                value = self.record._found[name]
                is_unset = row.offset[1:] == (None,) and getattr(self.record, row.offset[0]) is None
                if is_unset and value is not None and (_has_some(value) or not self._may_be_absent(row.offset[0])):
                    self._set(row.offset[0], [None] * len(value))
        for name, inside in paths.items():
            self._set(name, _copied(getattr(self.record, name, None), [path for path in inside if path]))

    def _may_be_absent(self, name: str) -> bool:
        """Returns whether None may be the value of a field rather than one that is still to be set."""
        step = getattr(type(self.record).__rows__[name], "step", None)
        return self._edited._source is not None if step is None else "present" in step

    def _set(self, name: str, value: Any) -> None:
        if name in self.record._placed:
            self.record._found[name] = value
        else:
            store(self.record, name, value)

    def _has_pointer(self, key: Key) -> bool:
        return bool(self._row(key).offset)

    def _pointer(self, key: Key) -> Any:
        """Returns the current value of the field's offset; None if it has none yet."""
        if not self._has_pointer(key):
            return None
        found: Any = self.record
        for each in self._row(key).offset:
            try:
                found = getattr(found, each) if isinstance(each, str) else found[key[1] if each is None else each]
            except (AttributeError, LookupError, TypeError):
                return None
        return found

    def _begin_offsets(self) -> None:
        """Sets initial values of offsets, since the size of the fields with them may depend on them."""
        for key in self._keys:
            holder = self._row((self._row(key).offset[0] if self._has_pointer(key) else "", None))
            if self._has_pointer(key) and self._pointer(key) is None and holder.takes is None:
                self._point(key, self._first)
                if self._row(key).optional and self._is_unknown(key) and not self.record._has(*key):
                    raise self._unknown(key)

    def _is_unknown(self, key: Key) -> bool:
        """Returns whether a field in the source has no offset, and this record does not know what follows it there."""
        return key in self._new and self._far(key) and not self._is_late(key)

    def _unknown(self, key: Key) -> EncodeError:
        rule = f"None is computed only for places of the outermost record: set the offset in the source of '{path_of(key)}'"
        return EncodeError(rule, path=_pointer_path(self._row(key).offset, key[1]))

    def _point(self, key: Key, place: int) -> None:
        """Sets a field's offset in the value that holds it."""
        if not self._has_pointer(key):
            return
        name, index = key
        inverse = getattr(self.record, f"_pointer_{name}", None)
        try:
            value = place if inverse is None or place == 0 else inverse(place, *([] if index is None else [index]))
            self._hold(key, value)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise EncodeError(f"its offset cannot be set: {reason(error)}", path=path_of(key)) from None

    def _hold(self, key: Key, value: Any) -> None:
        """Sets the value from which a field's offset is computed."""
        *path, last = self._row(key).offset
        holder: Any = self.record
        for each in path:
            holder = getattr(holder, each) if isinstance(each, str) else holder[key[1] if each is None else each]
        if holder is None:
            raise AttributeError(f"there is no '{path[-1]}'")
        if not isinstance(last, str):
            holder[key[1] if last is None else last] = value
        elif holder is self.record:
            self._set(last, value)
        else:
            store(holder, last, value)
        root = self._row(key).offset[0]
        self._dirty |= {each for each in self._keys if each[0] == root} or {SEQUENTIAL}

    def _is_late(self, key: Key) -> bool:
        """Returns whether a field has no place yet, but gets the next one that is free."""
        if key in self._new and self._is_whole and self._far(key) and not self._row(key).origin:
            return True
        return self.record._gaps and key != SEQUENTIAL and (key in self._new or self._declared(key) is None)

    def _declared(self, key: Key, record: Any = None) -> int | None:
        """Returns the place from the declaration, as ``record`` or this one says; None if it gives none."""
        try:
            place: int = span_of(self.record if record is None else record, key)[0]
            return None if place < 0 else place
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return None


def refuse_moved(record: LazyRecord, written: dict[str, Any]) -> None:
    """Raises EncodeError if offsets that are replaced by those of the new bytes were edited since they were read.

    Args:
        written: the values that hold offsets, by the names of their fields.
    """
    new = SimpleNamespace(**written)
    for name, row in record._placed.items() if record._source is not None else ():
        if row.offset and row.offset[0] in written:
            given, found = _offsets(record, row.offset), _offsets(new, row.offset)
            numbers: Sequence[int | None] = range(len(given)) if row.each else [None]
            moved = [each for each in zip(numbers, given, found, strict=False) if each[1] not in (None, each[2])]
            check_moved(record, name, len(given), moved)


def check_moved(record: LazyRecord, name: str, count: int, moved: Iterable[tuple[int | None, Any, Any]]) -> None:
    """Raises EncodeError for an offset (number, given, written) that is none of those that a field was read with."""
    row, found = record._placed[name], set[Any]()
    read: list[Any] | None = None
    path, is_same = row.offset, not (row.from_source or hasattr(record, f"_pointer_{name}"))
    for number, given, written in moved:
        # Where the offset is the number itself, it is known from what was read.
        known = record._spans.get((name, number)) if is_same and type(given) is int else None
        if known is not None and known[0] == record._begin + given:
            continue
        if read is None:
            read = _offsets(record._of_bytes(), path)
            found = set(read)
        is_same_count = None not in path or len(read) == count
        if read and (given not in found or (is_same_count and given != read[number or 0])):
            rule = f"{given} was set, but {path_of((name, number))} is written at {written}: set that, or None"
            raise EncodeError(rule, path=_pointer_path(path, number))


def _offsets(record: Any, path: Path) -> list[Any]:
    """Returns the values that a record holds on a path, one per element; nothing if there are none."""
    found = [record]
    try:
        for each in path:
            if each is None:
                found = [item for value in found for item in value]
            else:
                found = [getattr(value, each) if isinstance(each, str) else value[each] for value in found]
    except (AttributeError, CodecError, LookupError, TypeError):
        return []
    return found


def _has_some(values: Iterable[Any]) -> bool:
    return any(each is not None for each in values)


def _pointer_path(path: Path, index: int | None) -> str:
    """Returns the path of the value that holds the offset of a field, or of its element ``index``."""
    found = ""
    for each in path:
        found = join_path(found, each) if isinstance(each, str) else f"{found}[{index if each is None else each}]"
    return found


def _copied(value: Any, paths: list[Path]) -> Any:
    """Returns a value with copies of all objects on the paths."""
    is_record = bool(paths) and isinstance(paths[0][0], str)
    # A value of a wrong type is not copied: its writer refuses it.
    if not paths or not (
        isinstance(value, Value) if is_record else isinstance(value, Sequence) and not isinstance(value, str | bytes)
    ):
        return value
    made: Any = copy.copy(value) if is_record else list(value)
    for first in {path[0] for path in paths}:
        rest = [path[1:] for path in paths if path[0] == first and path[1:]]
        if first is None:
            made = [_copied(each, rest) for each in made] if rest else made
        elif isinstance(first, str):
            if rest and hasattr(made, first):
                store(made, first, _copied(getattr(made, first), rest))
        elif rest and -len(made) <= first < len(made):
            made[first] = _copied(made[first], rest)
    return made
