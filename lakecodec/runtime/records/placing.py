"""Placement of a lazy record's fields during writing: one behind the other, or at their offsets."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import CodecError, EncodeError
from .assemble import Piece, assembled, length_of
from .coverage import decided_by, is_of_whole, named_by_others, placing_elsewhere
from .declared_spans import SEQUENTIAL, Key, has_all, path_of, spans_of
from .moving_ends import MovingEnds
from .part_writer import Pins
from .source import again
from .write import differs_from_edits, laying_out, length
from .writer import Content, Writer

if TYPE_CHECKING:
    from .lazy import LazyRecord

#: How often fields with offsets are encoded until sizes are stable; offsets in varints may change them.
_MOST_PASSES = 8


class Placing(MovingEnds):
    """The encoding of one record whose places are not known beforehand.

    Attributes:
        record: a copy of what is written that gets the offsets of the new bytes.
        pins: pieces elsewhere in the source.
    """

    def __init__(self, record: LazyRecord, out: Writer, first: int, begin: int | None, *, is_whole: bool) -> None:
        self._out, self._first, self._begin = out, first, begin
        #: Where the records begin from which places count, by name.
        self._origins = {**out.origins, record._origin: begin} if record._origin else out.origins
        self.pins: Pins = {}
        self._parts: dict[Key, tuple[bytes, Pins]] = {}
        #: For records with gaps: offsets and sizes of their parts.
        self._covers: dict[Key, Sequence[Piece]] = {}
        self._places: dict[Key, int] = {}
        #: The fields without bytes that stand where their declaration says, and not where the writer stood.
        self._elsewhere = set[Key]()
        self._dirty: set[Key] = set()
        self._encoding: Key = SEQUENTIAL
        self._guess = 0
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
        is_over = (is_whole and not isinstance(out, Content)) or has_all(record)
        if record._source is not None and record._gaps and is_over:
            self._original = again(record._source, record._begin, record._size)
        self._copy_holders()
        self._keys = [*([SEQUENTIAL] if record._sequential else []), *self._placed_keys()]
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
        return not is_of_whole(cls, name) and name not in placing_elsewhere(cls) and self._stays(record, name)

    def _value(self, record: LazyRecord, name: str) -> Any:
        """Returns a field's value; None for one that cannot be read and of which the bytes are kept."""
        try:
            return getattr(record, name)
        except CodecError:
            row = record._placed[name]
            if row.each or not (record._gaps or row.from_source) or not self._stays(record, name):
                raise
            self._unread[name] = again(record._source, *record.span(name))
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
            return all(size is not None for _, size in spans_of(before, name))
        except (ArithmeticError, AttributeError, CodecError, LookupError, TypeError, ValueError):
            return False

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

    # ---- passes ----

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
        kept: list[Piece] = [(*span, name) for name in self._kept for span in spans_of(self.record, name)]
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
            path = min(path_of(key) for key in self._dirty)
            raise EncodeError("the offsets that it holds change its size each time they are set", path=path)

    def _joined(self, keys: Sequence[Key]) -> bytes:
        """Returns the bytes of consecutive fields, with zeros for alignment."""
        found = bytearray()
        for key in keys:
            found += bytes(self._places[key] - self._first - len(found)) + self._parts[key][0]
        return bytes(found)

    def _pass(self) -> None:
        """Places everything once, and encodes fields that are new or have changed."""
        position = self._first
        spans, far_ends = list[tuple[Key, int, int]](), [self._first]
        deferred: set[Key] = set()
        for key, is_late in self._in_order():
            if is_late:
                position = max([self._next_free(spans), *far_ends])
            begin = (self._begin or 0) if self._far(key) and not self._row(key).origin else 0
            place = self._place_of(key, position + begin, is_late)
            if self._places.get(key) != place:
                self._places[key] = place
                self._point(key, place)
                self._dirty.add(key)
            size = None if self._parts.get(key) else self._row(key).takes
            if size is not None:
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
                spans.append((key, place, place + size))
        total = self._end_of_all(spans) if self.record._gaps else position
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
        if SEQUENTIAL in self._keys:
            yield SEQUENTIAL, False
        if self.record._gaps and any(self._is_late(key) for key in self._keys if key not in self._new):
            self._derive_places()
        yield from self._in_turn()

    def _place_of(self, key: Key, position: int, is_late: bool) -> int:
        if key == SEQUENTIAL:
            return position
        if is_late or not (self.record._gaps or self._far(key)):
            return position + -position % self._alignment(key)
        place = self._declared(key)
        if place is None:
            raise EncodeError("it has no place: its offset is not known", path=path_of(key))
        return place

    def _moved(self) -> dict[Key, Any]:
        """Returns the declared places of the fields that stand elsewhere: they were computed too early."""
        fixed = [key for key in self._places if (self.record._gaps or self._far(key)) and not self._is_late(key)]
        declared = {key: self._declared(key) for key in fixed if key != SEQUENTIAL}
        return {key: place for key, place in declared.items() if place != self._places[key]}


def _count(name: str, values: Any) -> int:
    try:
        return 0 if values is None else length(values)
    except EncodeError as error:
        error.path = name
        raise
