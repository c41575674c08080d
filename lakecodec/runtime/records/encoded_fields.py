"""Encoding of the fields of a record that is laid out, each at a place that may change, and what they ask about each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from ..errors import CodecError, EncodeError
from .assemble import Piece, assembled, length_of, without
from .checked_places import CheckedPlaces
from .coverage import is_of_whole
from .declared_spans import SEQUENTIAL, Key, has_all, path_of, span_of
from .functions import item
from .kept_settings import given_again, settings_of
from .read import UNREADABLE
from .rows import slot_of, store
from .trail import Place

#: Offsets for fields without a place, from which others are computed that must not be below 0.
_GUESSES = tuple(16 << shift for shift in range(0, 32, 2))


class EncodedFields(CheckedPlaces):
    """The encoded fields of a record that is laid out."""

    _begin: int | None
    _covers: dict[Key, Sequence[Piece]]
    _elsewhere: set[Key]
    _encoding: Key
    _guess: int
    _asked: dict[tuple[Key, str, Any], Any]
    _original: bytes
    _origins: Mapping[str, int | None]

    def _encode(self, key: Key) -> None:
        place = self._places.get(key, self._first)
        out = self._out.placed(self._base_of(key, place), key != SEQUENTIAL)
        out.origins = self._origins
        name, index = key
        if name in self._unread:
            self._parts[key], self._covers[key] = (self._unread[name], {}), ()
            self._dirty.discard(key)
            return
        before, self._encoding = self._encoding, key
        self._give_again(key)
        if key == SEQUENTIAL:
            out.writing(self.record, self.record._encode_sequential, out)
        else:
            write = getattr(self.record, f"_write_{name}")
            out.field = name if index is None else Place(name, index)
            out.nested(out.writing, self.record, write, out, *([] if index is None else [out.field]))
        self._encoding = before
        found = self.record._found.get(name)
        value = found if index is None else found[index]
        self._parts[key] = bytes(out.data) + bytes(self._free_behind(key, value, len(out.data))), out.pins
        self._covers[key] = out.covered if getattr(value, "_gaps", False) else ()
        self._dirty.discard(key)

    def _free_behind(self, key: Key, value: Any, size: int) -> int:
        """Returns the number of bytes of its declared size that a record with gaps leaves free at its end; 0 if computed."""
        is_asked = any(function == "size" and asked == key for _, function, asked in self._asked)
        if (
            is_asked
            or not getattr(value, "_gaps", False)
            or not has_all(value)
            or is_of_whole(type(self.record), key[0])
        ):
            return 0
        try:
            return max(0, (span_of(self.record, key)[1] or 0) - size)
        except UNREADABLE:
            return 0

    def _give_again(self, key: Key) -> None:
        """Sets what is computed of places to what was given: a condition on it is about that, not about what was guessed."""
        cls = type(self.record)
        for name, row in cls.__rows__.items():
            if (name if name in self.record._placed else "") == key[0] and name in settings_of(cls):
                written, given = getattr(self.record, name), getattr(self._edited, name)
                self._set(name, given_again(written, given, settings_of(cls)[name], key[1]))
            elif key == SEQUENTIAL and getattr(row, "settled", False):
                store(self.record, name, getattr(self._edited, slot_of(name, row)))

    def _base_of(self, key: Key, place: int) -> int | None:
        """Returns the offset in the source of a field's place; None if that is not known yet."""
        if self._far(key) and not self._row(key).origin:
            return place
        begin = self._origins.get(self._row(key).origin) if self._far(key) else self._begin
        return None if begin is None else begin + place

    def _encode_again(self) -> bool:
        """Encodes the fields that use values inside of others, and returns whether that changes their bytes."""
        before = dict(self._parts)
        for key in self._keys:
            if key[0] in self.record._unsettled and key in before:
                self._encode(key)
        self._dirty |= {key for key in self._keys if self._parts[key] != before[key]}
        return bool(self._dirty)

    def _encode_if_known(self, key: Key) -> None:
        """Encodes a field; later, if it needs values inside of others that no writing has set yet."""
        outer = self._encoding
        try:
            self._encode(key)
        except EncodeError:
            self._encoding = outer
            if self._is_empty_as_given(key) or self._is_encoded_with_guesses(key):
                return
            if key in self._parts or key[0] not in self.record._unsettled:
                raise
            self._parts[key], self._covers[key] = (b"", {}), ()
            self._dirty.add(key)

    def _derive_places(self) -> None:
        """Encodes the fields that places of others are computed from: new objects have no derived values before."""
        outer = self._encoding
        for key in self._keys:
            if key != SEQUENTIAL and self._row(key).places and key not in self._parts:
                try:
                    self._encode(key)
                except EncodeError:  # which is raised again in its turn
                    self._encoding = outer
                else:
                    self._dirty.add(key)

    def _is_encoded_with_guesses(self, key: Key) -> bool:
        """Returns whether a field is encoded once higher offsets are guessed for what has no place yet: `offset(x) - 4`."""
        outer = self._encoding
        is_wanted = not self.record._gaps and any(self._is_guessed(key, *asked) for asked in self._asked)
        for guess in _GUESSES if is_wanted else ():
            self._guess = guess
            try:
                self._encode(key)
                return True
            except EncodeError:
                self._encoding = outer
        self._guess = 0
        return False

    def _is_guessed(self, key: Key, asking: Key, function: str, asked: Any) -> bool:
        return asking == key and function == "offset" and asked in self._keys and asked not in self._places

    def _is_empty_as_given(self, key: Key) -> bool:
        """Returns whether a field has no bytes at the offset that was given, by which it then is encoded."""
        given, pointed = self._given.get(key), self._pointer(key)
        if given is None or given == pointed:
            return False
        outer = self._encoding
        self._hold(key, given)
        try:
            self._encode(key)
            if not self._size_of(key) and (self._declared(key) or 0) <= self._places[key]:
                return True
        except EncodeError:
            self._encoding = outer
        self._parts.pop(key, None)
        self._hold(key, pointed)
        return False

    def _keep_empty(self) -> None:
        """Sets the offsets of fields without bytes back to those that were given, where these are not outside.

        Another field's place can be computed from them, or what the field must hold: then they stay as they are.
        """
        empty = [key for key, given in self._given.items() if not self._parts[key][0] and self._pointer(key) != given]
        for _, found in groupby(empty, lambda key: key[0]):
            keys, before, outer = list(found), set(self._dirty), self._encoding
            pointed = {key: self._pointer(key) for key in keys}
            for key in keys:
                self._hold(key, self._given[key])
            try:
                for key in keys:
                    self._encode(key)
                for key, place in self._places.items():
                    self._check_place(key, place)
            except EncodeError:
                self._encoding = outer
                for key in keys:
                    self._hold(key, pointed[key])
                for key in keys:
                    self._encode(key)
                self._dirty = before

    # ---- what they ask ----

    def all_but(self, ranges: tuple[tuple[int, int], ...]) -> bytes:
        """Returns the record's bytes laid out so far, without some ranges (offset, size), for a field being encoded."""
        found: bytes = self._measured("all_but", ranges)
        self._asked[self._encoding, "all_but", ranges] = found
        return found

    def _laid_out(self) -> bytes:
        """Returns the record's bytes as far as known; empty if parts contradict each other."""
        known = [key for key in self._places if key in self._parts]
        pieces: list[Piece] = []
        for key in known:
            if self._is_own(self._far(key), self._row(key).origin):
                pieces += self._claimed(key)
            for origin, pins in self._parts[key][1].items():
                pieces += pins if self._is_own(True, origin) else []
        try:
            return assembled(self._original, pieces, overlaps=self.record._overlaps)
        except EncodeError:
            return b""

    def _is_own(self, is_far: bool, origin: str) -> bool:
        """Returns whether a placed field's offset counts from the start of this record."""
        return not is_far or (origin == self.record._origin if origin else self._is_whole)

    def measured(self, function: str, name: str, index: int | None) -> int:
        """Returns a field's size or offset as far as known, for a field being encoded."""
        try:
            found: int = self._measured(function, (name, index))
        except CodecError as error:
            # Its path begins with the field that was measured, not with the one that asks.
            error.is_located = True  # type: ignore[attr-defined]
            raise
        self._asked[self._encoding, function, (name, index)] = found
        return found

    def _measured(self, function: str, key: Any) -> Any:
        if function == "all_but":
            return without(self._laid_out(), key)
        if key[0] in self._kept:
            before = self._edited._of_bytes()
            found: int = before._measured(function, *key)
            if function == "offset" and before._has(*key):
                found += (self._begin or 0) - before._begin
        elif key not in self._keys:
            if key[1] is not None:
                item(getattr(self.record, key[0]) or (), key[1])
            found = 0
        elif function == "offset":
            place = self._places.get(key, self._first + self._guess)
            if key in self._parts and not self._parts[key][0] and (kept := self._kept_place(key)) is not None:
                place = kept
            found = place + (0 if self._far(key) else self._begin or 0)
        else:
            if key not in self._parts:
                self._encode(key)
                self._dirty.add(key)
            found = self._size_of(key)
        return found

    def _kept_place(self, key: Key) -> int | None:
        """Returns the declared place of a field without bytes, which stays there; None if it is computed from that itself."""
        declared = self._declared(key)
        if declared is None or key in self._given or key in self._elsewhere:
            return declared
        answers = [place for (_, function, asked), place in self._asked.items() if (function, asked) == ("offset", key)]
        if not answers or declared in answers:
            return None
        self._elsewhere.add(key)
        return declared

    def _claimed(self, key: Key) -> list[Piece]:
        """Returns the bytes that a field claims; a record of no declared size claims its own, not all up to the end."""
        place, (data, _), path = self._places[key], self._parts[key], path_of(key)
        covers = sorted((offset, offset + length_of(size)) for offset, size, _ in self._covers[key])
        if not covers or span_of(self.record, key)[1] is not None:
            return [(place, data, path)]
        first = place if self._far(key) else place + (self._begin or 0)
        spans = [(start - first, stop - first) for start, stop in covers]
        between = [(stop, start) for (_, stop), (start, _) in pairwise(spans) if stop < start]
        stays = not self._far(key) and all(self._original[place + a : place + b] == data[a:b] for a, b in between)
        if stays and spans[0][0] == 0:
            return [(place + start, data[start:stop], path) for start, stop in spans]
        return [(place, data[: max(stop for _, stop in spans)], path)]
