"""Checks that the fields of a record were laid out where its declaration says."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from ..errors import CodecError, EncodeError
from .contradictions import Contradicted
from .declared_spans import SEQUENTIAL, Key, path_of, span_of
from .fits import other_length
from .held_offsets import HeldOffsets, check_moved
from .part_writer import Pins
from .read import UNREADABLE, reason
from .writer import Writer


class CheckedPlaces(HeldOffsets):
    """The checks of a record that is laid out."""

    _out: Writer
    _parts: dict[Key, tuple[bytes, Pins]]
    _places: dict[Key, int]
    _given: dict[Key, Any]
    _unread: dict[str, bytes]

    def _check(self) -> None:
        for name, row in self.record._placed.items():
            if row.grows and name not in self._kept:
                self._check_end(name)
        for key, place in self._places.items():
            if self._is_unknown(key) and self._size_of(key):
                raise self._unknown(key)
            try:
                self._check_place(key, place)
            except EncodeError as error:
                # A field of another size than its own moves others, and changes the sizes of those that go up to it.
                for other in self._places:
                    if (found := self._if_longer(other)) and found[0][1] == found[1][1] != self._size_of(other):
                        self._check_place(other, self._places[other])
                self._name_last(error, key)
                raise
        changed = [key for key, given in self._given.items() if self._pointer(key) != given]
        if changed and self.record._source is not None:
            self._check_kept(changed)
        for name, row in self.record._placed.items():
            if name not in self._kept and name not in self._unread:
                try:
                    self._check_elements(name, row)
                except CodecError as error:
                    raise EncodeError(error.rule, path=error.path) from None

    def _check_kept(self, changed: Iterable[Key]) -> None:
        """Checks that offsets that are replaced by those of the new bytes were not edited since they were read."""
        for name, keys in groupby(changed, lambda key: key[0]):
            moved = [(key[1], self._given[key], self._pointer(key)) for key in keys]
            check_moved(self._edited, name, len(self.record._found[name]) if moved[0][0] is not None else 1, moved)

    def _check_elements(self, name: str, row: Any) -> None:
        """Checks that a list has the declared number of elements, and that each element's condition agrees with its value."""
        value = self.record._found[name]
        if row.each:
            count = self.record._count(name)
            if value is None or len(value) != count:
                raise EncodeError(other_length(count, "element", len(value or ())).rule, path=name)
        self.record._verify(name)
        for index in range(len(value)) if row.each else (None,):
            is_given = (value if index is None else value[index]) is not None
            if row.optional and self.record._has(name, index) != is_given:
                raise EncodeError("the field's condition does not agree with its value", path=path_of((name, index)))

    def _check_end(self, name: str) -> None:
        """Checks that a list ends behind its last element, and not before."""
        found = self.record._found

        def ends(items: list[Any]) -> bool:
            self.record._found = {**found, name: items}
            return bool(self.record._count(name) == len(items))

        try:
            self._out.ends(name, found[name], ends)
        except CodecError as error:
            raise EncodeError(error.rule, path=error.path or name) from None
        finally:
            self.record._found = found

    def _size_of(self, key: Key) -> int:
        return len(self._parts[key][0])

    def _if_longer(self, key: Key) -> list[tuple[Any, Any]]:
        """Returns the declared span of a field, and that of it in a record that is longer; nothing where there is no size."""
        longer = copy.copy(self.record)
        longer._size += 1
        try:
            spans = [span_of(each, key) for each in (self.record, longer)]
        except UNREADABLE:
            return []
        return spans if spans[0][1] is not None else []

    def _name_last(self, error: EncodeError, key: Key) -> None:
        """Names the field that ends last in the error of one whose place counts from there."""
        last = max(self._places, key=lambda each: 0 if self._far(each) else self._places[each] + self._size_of(each))
        spans = self._if_longer(key)
        if spans and spans[0] != spans[1] and last not in (key, SEQUENTIAL):
            error.rule += f", which counts from the end of '{path_of(last)}'"
            error.contradicted = Contradicted()  # type: ignore[attr-defined]
            error.contradicted.add(self.record, last[0], None if last[1] is None else str(last[1]))  # type: ignore[attr-defined]

    def _check_place(self, key: Key, offset: int) -> None:
        if key == SEQUENTIAL:
            return
        size = self._size_of(key)
        try:
            wanted = span_of(self.record, key)
        except UNREADABLE as error:
            raise EncodeError(f"its place cannot be computed: {reason(error)}", path=path_of(key)) from None
        if wanted[0] is None:
            rule = "its place is None, which is computed only where a field of the record itself holds it: set a number"
            raise EncodeError(rule, path=path_of(key))
        wanted = wanted[0], size if wanted[1] is None else wanted[1]
        if not size and not wanted[1] and 0 <= wanted[0] <= self.record._size:
            return
        if wanted != (offset, size):
            rule = f"it takes {size} bytes at {offset}, but its place is {wanted[1]} bytes at {wanted[0]}"
            raise EncodeError(rule, path=path_of(key))
        if size and offset % self._alignment(key):
            rule = f"its offset {offset} is not a multiple of {self._alignment(key)}"
            raise EncodeError(rule, path=path_of(key))

    def _alignment(self, key: Key) -> int:
        try:
            multiple: int = self.record._alignment(*key)
        except CodecError as error:
            raise EncodeError(error.rule, path=path_of(key)) from None
        return multiple
