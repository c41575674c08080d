"""Placement of a lazy record's fields during writing: one behind the other, or at their offsets."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..errors import CodecError, EncodeError, join_path
from ..objects import Value
from .assemble import Piece, assembled, length_of, without
from .contradictions import Contradicted
from .coverage import decided_by, is_of_whole, named_by_others
from .fits import other_length
from .functions import item
from .read import UNREADABLE, reason
from .rows import store
from .trail import Place
from .write import differs_from_edits, laying_out, length
from .writer import Content, Pins, Writer

if TYPE_CHECKING:
    from .lazy import LazyRecord

#: How often fields with offsets are encoded until sizes are stable; offsets in varints may change them.
_MOST_PASSES = 8

#: The path to an offset, as in `PlacedRow`.
Path = tuple[str | int | None, ...]
#: A field and the index of its placed element; "" stands for the sequential fields.
Key = tuple[str, int | None]
_SEQUENTIAL: Key = ("", None)


class Placing:
    """The encoding of one record whose places are not known beforehand.

    Attributes:
        record: a copy of what is written that gets the offsets of the new bytes.
        pins: pieces elsewhere in the source.
    """

    def __init__(self, record: LazyRecord, out: Writer, first: int, begin: int | None, *, is_whole: bool) -> None:
        self._out, self._first, self._begin = out, first, begin
        self.pins: Pins = {}
        self._parts: dict[Key, tuple[bytes, Pins]] = {}
        #: For records with gaps: offsets and sizes of their parts.
        self._covers: dict[Key, Sequence[Piece]] = {}
        self._places: dict[Key, int] = {}
        self._dirty: set[Key] = set()
        self._encoding: Key = _SEQUENTIAL
        #: The places that encoded fields used, with the values at that time.
        self._asked: dict[tuple[Key, str, Any], Any] = {}
        self._is_whole = is_whole
        self.record: Any = copy.copy(record)
        self._edited = record
        self.record._placing = self
        self.record._offset = begin or 0
        self._kept = {name for name in record._placed if self._is_kept(record, name)}
        #: The bytes of unreadable fields, which are written unchanged at their old places.
        self._unread: dict[str, bytes] = {}
        self.record._found = {
            name: record._found.get(name) if name in self._kept else self._value(record, name)
            for name in record._placed
        }
        if hasattr(record, "_stored"):  # also what the fields just read keep
            self.record._stored = record._stored
        self._original = b""
        # A record that places fields only in the source, and is a part of it or of codecs' input, has no bytes but its fields
        # in order.
        is_over = (is_whole and not isinstance(out, Content)) or _has_near(record)
        if record._source is not None and record._gaps and is_over:
            self._original = bytes(record._source.read(record._begin, record._size))
        self._copy_holders()
        self._keys = [*([_SEQUENTIAL] if record._sequential else []), *self._placed_keys()]
        #: The offsets that the caller's values hold.
        self._given = {key: self._pointer(key) for key in self._keys if self._pointer(key) is not None}
        self._new = {key for key in self._keys if self._has_pointer(key) and self._pointer(key) is None}
        self._begin_offsets()

    # ---- fields ----

    def _is_kept(self, record: LazyRecord, name: str) -> bool:
        """Returns whether a field was not read and stays at its place among the record's unchanged bytes."""
        cls = type(record)
        if not record._gaps or record._placed[name].from_source or name in named_by_others(cls):
            return False
        return not is_of_whole(cls, name) and self._stays(record, name)

    def _value(self, record: LazyRecord, name: str) -> Any:
        """Returns a field's value; None for one that cannot be read and of which the bytes are kept."""
        try:
            return getattr(record, name)
        except CodecError:
            row = record._placed[name]
            if row.each or not (record._gaps or row.from_source) or not self._stays(record, name):
                raise
            self._unread[name] = bytes(record._source.read(*record.span(name)))  # type: ignore[union-attr]
            return None

    def _stays(self, record: LazyRecord, name: str) -> bool:
        """Returns whether a field was not read, and all that its declaration names is as it was read."""
        if record._source is None or name in record._found:
            return False
        before = record._of_bytes()
        known = [each for each in decided_by(type(record), name) if each not in record._placed or each in record._found]
        try:
            if any(getattr(record, each) != getattr(before, each) for each in known):
                return False
            return all(size is not None for _, size in _spans(before, name))
        except (ArithmeticError, AttributeError, CodecError, LookupError, TypeError, ValueError):
            return False

    def _row(self, key: Key) -> Any:
        return self.record._placed.get(key[0], _NoRow)

    def _placed_keys(self) -> Iterable[Key]:
        for name, row in self.record._placed.items():
            value = self.record._found[name]
            if name in self._kept:
                continue
            if row.each:
                count = _count(name, value)
                yield from ((name, index) for index in range(count) if value[index] is not None or not row.optional)
            elif value is not None or not row.optional or name in self._unread:
                yield name, None

    def _copy_holders(self) -> None:
        """Copies the values that hold offsets, so that the caller's stay unchanged."""
        paths: dict[str, list[Path]] = {}
        for name, row in self.record._placed.items():
            if row.offset and name not in self._kept:
                paths.setdefault(row.offset[0], []).append(row.offset[1:])
                value = self.record._found[name]
                is_unset = row.offset[1:] == (None,) and getattr(self.record, row.offset[0]) is None
                if is_unset and value is not None and (value or not self._may_be_absent(row.offset[0])):
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

    # ---- offsets that other fields hold ----

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
        rule = (
            f"None is computed only for places of the outermost record: set the offset in the source of '{_path(key)}'"
        )
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
            raise EncodeError(f"its offset cannot be set: {reason(error)}", path=_path(key)) from None

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
        self._dirty |= {each for each in self._keys if each[0] == root} or {_SEQUENTIAL}

    # ---- encoding ----

    def data(self) -> bytes:
        """Returns the record's bytes once all offsets agree.

        Raises:
            EncodeError: they never agree, or a field would not be at its declared place.
        """
        with laying_out() as is_outermost:
            self._lay_out()
        self._check()
        if is_outermost and differs_from_edits():
            for key in self._keys:
                self._encode(key)
        for key, (_, pins) in self._parts.items():
            for origin, pieces in pins.items():
                self.pins.setdefault(origin, []).extend(pieces)
            if self._far(key):
                self.pins.setdefault(self._row(key).origin, []).extend(self._claimed(key))
        own = self.pins.pop(self.record._origin, []) if self.record._origin else []
        near = [key for key in self._places if not self._far(key)]
        if not self.record._gaps:
            joined = self._joined(near)
            return assembled(joined, [(0, len(joined), ""), *own], gaps=False) if own else joined
        kept: list[Piece] = [(*span, name) for name in self._kept for span in _spans(self.record, name)]
        pieces = [*(piece for key in near for piece in self._claimed(key)), *kept, *own]
        if self._begin is not None:
            self._out.covered += [(self._begin + place, length_of(data), path) for place, data, path in pieces]
        return assembled(self._original, pieces, overlaps=self.record._overlaps)

    def _lay_out(self) -> None:
        moved = dict[Key, Any]()
        for _ in range(_MOST_PASSES):
            self._pass()
            if self._dirty or self._encode_again():
                continue
            before, moved = moved, self._moved()
            if moved in ({}, before):
                return
        if self._dirty:
            path = min(_path(key) for key in self._dirty)
            raise EncodeError("the offsets that it holds change its size each time they are set", path=path)

    def _joined(self, keys: Sequence[Key]) -> bytes:
        """Returns the bytes of consecutive fields, with zeros for alignment."""
        found = bytearray()
        for key in keys:
            found += bytes(self._places[key] - self._first - len(found)) + self._parts[key][0]
        return bytes(found)

    def _claimed(self, key: Key) -> list[Piece]:
        """Returns the bytes that a field claims; a record of no declared size claims its own, not all up to the end."""
        place, (data, _), path = self._places[key], self._parts[key], _path(key)
        covers = sorted((offset, offset + length_of(size)) for offset, size, _ in self._covers[key])
        if not covers or _span(self.record, key)[1] is not None:
            return [(place, data, path)]
        first = place if self._far(key) else place + (self._begin or 0)
        spans = [(start - first, stop - first) for start, stop in covers]
        between = [(stop, start) for (_, stop), (start, _) in pairwise(spans) if stop < start]
        stays = not self._far(key) and all(self._original[place + a : place + b] == data[a:b] for a, b in between)
        if stays and spans[0][0] == 0:
            return [(place + start, data[start:stop], path) for start, stop in spans]
        return [(place, data[: max(stop for _, stop in spans)], path)]

    def _far(self, key: Key) -> bool:
        return bool(self._row(key).from_source)

    def _pass(self) -> None:
        """Places everything once, and encodes fields that are new or have changed."""
        position = self._first
        ends, far_ends = [self._first + len(self._original)], [self._first]
        deferred: set[Key] = set()
        for key, is_late in self._in_order():
            if is_late:
                position = max(ends + far_ends)
            begin = (self._begin or 0) if self._far(key) and not self._row(key).origin else 0
            place = self._place_of(key, position + begin, is_late)
            if self._places.get(key) != place:
                self._places[key] = place
                self._point(key, place)
                self._dirty.add(key)
            size = None if self._parts.get(key) else self._row(key).takes
            if size is not None and not is_late:
                deferred.add(key)
            elif key in self._dirty or key not in self._parts:
                self._encode_if_known(key)
            size = self._size_of(key) if size is None else size
            far_ends += self._pinned_ends(key)
            if self._row(key).origin:
                pass
            elif self._far(key):
                far_ends.append(place + size - begin)
            else:
                position = position + size if self.record._gaps else place + size
                ends.append(place + size)
        total = max(ends) if self.record._gaps else position
        if total != self.record._size:
            self.record._size = total
            self._dirty |= {key for key in self._keys if self._row(key).end and key not in deferred}
        for key in deferred:
            self._encode_if_known(key)
        self._keep_empty()
        for (key, function, asked), value in list(self._asked.items()):
            if self._measured(function, asked) != value:
                self._dirty.add(key)
        self._places = {key: self._places[key] for key in self._keys}

    def _pinned_ends(self, key: Key) -> Iterator[int]:
        """Yields the ends of what records inside of a field place in the source, where that is this record."""
        for origin, pieces in self._parts[key][1].items() if key in self._parts else ():
            if self._is_own(True, origin):
                yield from (offset + length_of(data) for offset, data, _ in pieces)

    def _in_order(self) -> Iterator[tuple[Key, bool]]:
        """Yields (key, is late) in the order of placing; late keys are placed after the earlier ones."""
        if _SEQUENTIAL in self._keys:
            yield _SEQUENTIAL, False
        if self.record._gaps and any(self._is_late(key) for key in self._keys if key not in self._new):
            self._derive_places()
        late = {key: self._is_late(key) for key in self._keys if key != _SEQUENTIAL}
        yield from sorted(late.items(), key=lambda pair: pair[1])

    def _derive_places(self) -> None:
        """Encodes the fields that places of others are computed from: new objects have no derived values before."""
        outer = self._encoding
        for key in self._keys:
            if key != _SEQUENTIAL and self._row(key).places and key not in self._parts:
                try:
                    self._encode(key)
                except EncodeError:  # which is raised again in its turn
                    self._encoding = outer
                else:
                    self._dirty.add(key)

    def _is_late(self, key: Key) -> bool:
        """Returns whether a field has no place yet, but gets the next one that is free."""
        if key in self._new and self._is_whole and self._far(key) and not self._row(key).origin:
            return True
        return self.record._gaps and key != _SEQUENTIAL and (key in self._new or self._declared(key) is None)

    def _declared(self, key: Key) -> int | None:
        """Returns the place from the declaration; None if it gives none."""
        try:
            place: int = _span(self.record, key)[0]
            return None if place < 0 else place
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return None

    def _place_of(self, key: Key, position: int, is_late: bool) -> int:
        if key == _SEQUENTIAL:
            return position
        if is_late or not (self.record._gaps or self._far(key)):
            return position + -position % self._alignment(key)
        place = self._declared(key)
        if place is None:
            raise EncodeError("it has no place: its offset is not known", path=_path(key))
        return place

    def _encode(self, key: Key) -> None:
        place = self._places.get(key, self._first)
        base = None if self._begin is None else self._begin + place
        base = None if self._row(key).origin else place if self._far(key) else base
        out = self._out.placed(base)
        name, index = key
        if name in self._unread:
            self._parts[key], self._covers[key] = (self._unread[name], {}), ()
            self._dirty.discard(key)
            return
        before, self._encoding = self._encoding, key
        if key == _SEQUENTIAL:
            out.writing(self.record, self.record._encode_sequential, out)
        else:
            write = getattr(self.record, f"_write_{name}")
            out.field = name if index is None else Place(name, index)
            out.writing(self.record, write, out, *([] if index is None else [out.field]))
        self._encoding = before
        self._parts[key] = bytes(out.data), out.pins
        found = self.record._found.get(name)
        self._covers[key] = out.covered if getattr(found if index is None else found[index], "_gaps", False) else ()
        self._dirty.discard(key)

    def _moved(self) -> dict[Key, Any]:
        """Returns the declared places of the fields that stand elsewhere: they were computed too early."""
        fixed = [key for key in self._places if (self.record._gaps or self._far(key)) and not self._is_late(key)]
        declared = {key: self._declared(key) for key in fixed if key != _SEQUENTIAL}
        return {key: place for key, place in declared.items() if place != self._places[key]}

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
            if self._is_empty_as_given(key):
                return
            if key in self._parts or key[0] not in self.record._unsettled:
                raise
            self._parts[key], self._covers[key] = (b"", {}), ()
            self._dirty.add(key)

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
            found = self._places.get(key, self._first) + (0 if self._far(key) else self._begin or 0)
        else:
            if key not in self._parts:
                self._encode(key)
                self._dirty.add(key)
            found = self._size_of(key)
        return found

    # ---- checks ----

    def _check(self) -> None:
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
            _check_moved(self._edited, name, len(self.record._found[name]) if moved[0][0] is not None else 1, moved)

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
                raise EncodeError("the field's condition does not agree with its value", path=_path((name, index)))

    def _size_of(self, key: Key) -> int:
        return len(self._parts[key][0])

    def _if_longer(self, key: Key) -> list[tuple[Any, Any]]:
        """Returns the declared span of a field, and that of it in a record that is longer; nothing where there is no size."""
        longer = copy.copy(self.record)
        longer._size += 1
        try:
            spans = [_span(each, key) for each in (self.record, longer)]
        except UNREADABLE:
            return []
        return spans if spans[0][1] is not None else []

    def _name_last(self, error: EncodeError, key: Key) -> None:
        """Names the field that ends last in the error of one whose place counts from there."""
        last = max(self._places, key=lambda each: 0 if self._far(each) else self._places[each] + self._size_of(each))
        spans = self._if_longer(key)
        if spans and spans[0] != spans[1] and last not in (key, _SEQUENTIAL):
            error.rule += f", which counts from the end of '{_path(last)}'"
            error.contradicted = Contradicted()  # type: ignore[attr-defined]
            error.contradicted.add(self.record, last[0], None if last[1] is None else str(last[1]))  # type: ignore[attr-defined]

    def _check_place(self, key: Key, offset: int) -> None:
        if key == _SEQUENTIAL:
            return
        size = self._size_of(key)
        try:
            wanted = _span(self.record, key)
        except UNREADABLE as error:
            raise EncodeError(f"its place cannot be computed: {reason(error)}", path=_path(key)) from None
        wanted = wanted[0], size if wanted[1] is None else wanted[1]
        if not size and not wanted[1] and 0 <= wanted[0] <= self.record._size:
            return
        if wanted != (offset, size):
            rule = f"it takes {size} bytes at {offset}, but its place is {wanted[1]} bytes at {wanted[0]}"
            raise EncodeError(rule, path=_path(key))
        if size and offset % self._alignment(key):
            rule = f"its offset {offset} is not a multiple of {self._alignment(key)}"
            raise EncodeError(rule, path=_path(key))

    def _alignment(self, key: Key) -> int:
        try:
            multiple: int = self.record._alignment(*key)
        except CodecError as error:
            raise EncodeError(error.rule, path=_path(key)) from None
        return multiple


def refuse_growth(record: LazyRecord, out: Writer, grown: int) -> None:
    """Raises EncodeError if fields are placed relative to the end of what was written and a pin was placed behind that end."""
    size = len(out.data)
    if grown <= size:
        return
    *_, path = max((pin for pins in out.pins.values() for pin in pins), key=lambda pin: pin[0] + length_of(pin[1]))
    sized, other = copy.copy(record), copy.copy(record)
    sized._size, other._size = size, grown
    for name in record._placed:
        try:
            moves = _spans(sized, name) != _spans(other, name)
        except UNREADABLE:
            moves = True
        if moves:
            rule = f"its place counts from the end of {size} bytes, but '{path}', which is placed in the source, ends at {grown}"
            error = EncodeError(rule, path=name)
            error.other = path  # type: ignore[attr-defined]
            raise error


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
            _check_moved(record, name, len(given), moved)


def _check_moved(record: LazyRecord, name: str, count: int, moved: Iterable[tuple[int | None, Any, Any]]) -> None:
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
            rule = f"{given} was set, but {_path((name, number))} is written at {written}: set that, or None"
            raise EncodeError(rule, path=_pointer_path(path, number))


def _count(name: str, values: Any) -> int:
    try:
        return 0 if values is None else length(values)
    except EncodeError as error:
        error.path = name
        raise


class _NoRow:
    """The row of the sequential fields."""

    each = from_source = end = False
    origin = ""
    takes: int | None = None
    offset: Path = ()


def _has_near(record: LazyRecord) -> bool:
    """Returns whether a field's offset counts from the start of the record, which so has all bytes up to its end."""
    return any(not row.from_source for row in record._placed.values())


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


def _pointer_path(path: Path, index: int | None) -> str:
    """Returns the path of the value that holds the offset of a field, or of its element ``index``."""
    found = ""
    for each in path:
        found = join_path(found, each) if isinstance(each, str) else f"{found}[{index if each is None else each}]"
    return found


def _span(record: Any, key: Key) -> tuple[Any, Any]:
    """Returns the declared (offset, size) of a field, or of its element; the size is None if the bytes decide it."""
    name, index = key
    found: tuple[Any, Any] = getattr(record, f"_span_{name}")(*([] if index is None else [index]))
    return found


def _spans(record: Any, name: str) -> list[tuple[Any, Any]]:
    """Returns the declared (offset, size) of a field, one per element if elements have their own places."""
    return [_span(record, (name, index)) for index in record._present(name)]


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


def _path(key: Key) -> str:
    name, index = key
    return name if index is None else f"{name}[{index}]"
