"""Lazy records: fields placed `at` an offset in a source or a record are read on first access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import CodecError, EncodeError, format_name
from . import backend as record_backend
from .contradictions import name_contradicted
from .coverage import keeping_fields, refuse_losses
from .declared_spans import has_all, refuse_growth
from .depths import is_flat
from .kept_settings import keep_settings, settings_of
from .piece_paths import with_paths
from .placed_fields import PlacedFields
from .placing import Placing
from .plain_values import plain, plain_values
from .read import UNREADABLE
from .rows import slot_of, store
from .source import Bytes, again, holds
from .values import Fields
from .writer import Content, Writer

__all__ = ["Bytes", "LazyRecord"]


class LazyRecord(PlacedFields):
    """Base class of generated records with placed fields, such as a file with a footer.

    An instance is opened over a source and reads placed fields on first access, or is made from fields to be written.
    Fields that were read are kept. Instances are not synchronized between threads.
    """

    __slots__ = ()

    def to_bytes(self, *arguments: Any, start: int = 0, codecs: Any = None) -> bytes:
        """Returns the encoded record: sequential fields first, then placed fields in declared order.

        Offsets in other fields are adapted to the new bytes, but only in the result: the fields keep the offsets they
        have, but for None, which becomes the new one. A field without bytes keeps the offset 0, which many formats use
        for "there is none". With `: gaps`, all is placed at the fields' offsets, over the earlier bytes; a field whose
        offset is None goes to the end.

        Args:
            arguments: the parameters of the declaration; without them, those that the record was read with.
            start: the offset in the record, and in its source, of the first byte that is written: of fields at places that
                follow what somebody else writes.
            codecs: factories that take the place of external codecs for this call, by the codec's name.

        Raises:
            EncodeError: a value does not fit its type, or a field would not stand where its declaration says.
            DecodeError: a field that had not been read breaks a rule.
            TypeError: there are more arguments than parameters.
        """
        if len(arguments) > len(self._parameters):
            raise TypeError(f"arguments: {type(self).__name__} takes {len(self._parameters)} parameters")
        if start and (self._gaps or (self._sequential and has_all(self))):
            what = (
                "`: gaps` or `: overlaps`"
                if self._gaps
                else "fields in order and others at places that count from its start"
            )
            rule = f"a part from {start} on was asked for, but a record with {what} is written whole: leave out `start`"
            raise EncodeError(rule, format=format_name(type(self)))
        given = arguments or (self._parameter_values() if self._parameters else ())
        return self._in_room(self._placed_bytes, given, start, codecs)

    def _placed_bytes(self, given: tuple[Any, ...], start: int, codecs: Any) -> bytes:
        data, is_checked, is_same = self._placed_once(given, start, codecs, checks_losses=True)
        if not (is_same or start or codecs) and self._is_moved(data, given):
            assert self._source is not None
            return again(self._source, 0, len(data))
        # The bytes that it was read from agree with themselves.
        if self._written_once is not type(self) and not (start or is_same):
            data = self._write_again(data, lambda: self._placed_once(given, start, codecs)[0], given, codecs)
        if self._reads_back and not (start or is_checked):
            self._check_reading(data, given)
        return data

    def _is_moved(self, data: bytes, given: tuple[Any, ...]) -> bool:
        """Returns whether a record was not edited, though its bytes are not those that it was read from: its fields stand
        there in another order than writers lay them out.
        """
        if self._source is None or self._source.size != len(data) or given != self._arguments:
            return False
        if self._stood_in_order():
            return False
        before = self._of_bytes()
        try:
            # Values that are equal may have other bytes, such as zeros with signs.
            return self == before and before._placed_once(given, 0, None)[0] == data
        except CodecError:
            return False

    def _stood_in_order(self) -> bool:
        """Returns whether all was read, from where writers put it: then bytes differ only where fields were edited."""
        if self._aligns or not is_flat(type(self)) or not self._placed.keys() <= self._there.keys():
            return False
        behind = self._begin + self._taken
        near = [name for name, row in self._placed.items() if not (row.from_source or self._gaps)]
        for offset, size, _ in (self._spans[name, index] for name in near for index in self._there[name]):
            if size and offset != behind:
                return False
            behind = offset + size
        return True

    def _placed_once(
        self, given: tuple[Any, ...], start: int, codecs: Any, *, checks_losses: bool = False
    ) -> tuple[bytes, bool, bool]:
        """Returns the bytes, whether rules about their end were checked, and whether none can be lost since they are those
        that the record was read from.
        """
        out: Writer | None = None
        try:
            data = self._encoded_natively(given, start, codecs)
            is_checked = data is not None and self._checks_end
            if data is None:
                out = Writer(codecs, base=start)
                data = self._by_writer(out, given)
            is_same = checks_losses and self._source is not None and holds(self._source, data)
            if checks_losses and not is_same:
                refuse_losses(self, start, is_root=True)
        except CodecError as failed:
            error = with_paths(failed, lambda other: self._by_writer(other, given), codecs, start)
            name_contradicted(error, self)
            error.format = format_name(type(self))
            raise error from None
        except UNREADABLE as error:
            other = (out or Writer(codecs, base=start)).failure(error)
            other.format = format_name(type(self))
            raise other from None
        return data, is_checked, is_same

    def _by_writer(self, out: Writer, given: tuple[Any, ...]) -> bytes:
        start = out.base or 0
        with plain_values(self):
            self._place(out, tuple(map(plain, given)), start, 0, is_whole=True)
            data = out.finished(self)
            refuse_growth(self, out, len(data))
        return data

    def _encoded_natively(self, given: tuple[Any, ...], start: int, codecs: Any) -> bytes | None:
        """Returns the bytes of a record that is laid out natively; None if the generated writer must write it."""
        if start:
            return None
        try:
            # What their codecs were given must be there when the native writer begins.
            for name in keeping_fields(type(self)):
                self._get(name)
        except CodecError:
            return None
        return record_backend.encoded(self, codecs, given)

    def write_to(self, stream: Any, *arguments: Any, start: int = 0, codecs: Any = None) -> int:
        """Writes the result of `to_bytes` to a binary stream with one call and returns the number of bytes."""
        data = self.to_bytes(*arguments, start=start, codecs=codecs)
        stream.write(data)
        return len(data)

    def _encode(self, out: Writer, *arguments: Any) -> None:
        """Appends the record as a field of another one; its offsets count from its start."""
        out.enter(0)  # which the record around it, or its place, has counted
        is_whole = False
        if isinstance(out, Content) and not out.data:
            is_whole, out.allows = True, (self._gaps, self._overlaps)
        refuse_losses(self, 0, is_root=is_whole or bool(self._origin))
        self._place(out, arguments, 0, out.offset_if_known(), is_whole=is_whole)

    def _place(
        self, out: Writer, arguments: tuple[Any, ...], first: int, begin: int | None, *, is_whole: bool = False
    ) -> None:
        """Appends the record that begins at ``begin``; its first written byte has the offset ``first`` within it.

        Args:
            is_whole: whether the record is the whole source.
        """
        for name, value in zip(self._parameters, arguments, strict=False):
            store(self, name, value)
        placing = Placing(self, out, first, begin, is_whole=is_whole)
        out.data += placing.data()
        out.add_pins(placing.pins)
        for name in settings_of(type(self)):
            keep_settings(self, name, getattr(placing.record, name))
        offsets = {row.offset[0] for row in self._placed.values() if row.offset}
        for name in self._sequential:
            own, written = getattr(self, name), getattr(placing.record, name)
            # Of given fields, only values derived under a condition are set: the caller's objects stay unchanged.
            is_derived = written is not own and (own is None or name not in offsets) and not _holds_fields(written)
            if is_derived or name not in self._given:
                setattr(self, slot_of(name, type(self).__rows__[name]), written)

    def _encode_sequential(self, out: Writer) -> None:
        """Appends the fields that follow each other."""
        if self._sequential:
            record_backend.write(self, out, self._parameter_values())

    def _encoded(self, name: str, position: int, codecs: Any) -> bytes:
        """Returns the bytes of a field that has one place, at an offset."""
        out = Writer(codecs, base=position)
        out.field = name
        out.writing(self, getattr(self, f"_write_{name}"), out)
        return bytes(out.data)

    def _extents(self) -> Iterator[tuple[int, int]]:
        """Yields (offset, size) of all parts of the record itself, and reads them."""
        if self._sequential:
            out = Writer()
            out.writing(self, self._encode_sequential, out)
            yield self._begin, len(out.data)
        for name, row in self._placed.items():
            value = getattr(self, name)
            indexes: Sequence[int | None] = (None,) if not row.each else range(len(value))
            for index in indexes:
                if (value if index is None else value[index]) is not None:
                    yield self.span(name, index)


def _holds_fields(value: Any) -> bool:
    return isinstance(value, Fields) or (isinstance(value, list) and any(isinstance(each, Fields) for each in value))
