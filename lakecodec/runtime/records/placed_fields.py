"""Fields placed `at` an offset in a source or a record: where they are, and their values, which are read on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import index as as_integer
from types import SimpleNamespace
from typing import Any

from ..errors import CodecError, DecodeError, format_name
from .assemble import without
from .functions import item
from .opened import OpenedRecord
from .read import UNREADABLE, bounded, reason
from .reader import Reader
from .rows import PlacedRow
from .source import again
from .trail import Place

#: The largest alignment of offsets in bytes: that of the largest memory pages.
_MOST_ALIGNED = 1 << 30


class PlacedFields(OpenedRecord):
    """Base class of records with placed fields: where these are, and their values."""

    __slots__ = ()

    def span(self, name: str, index: int | None = None) -> tuple[int, int]:
        """Returns (offset in the source, size) in bytes of a field, or of its element ``index`` if elements have places.

        If the declaration does not give the size, it is the largest possible one until the field has been read.

        Raises:
            DecodeError: the span is not inside the source.
        """
        offset, size, most = self._spans.get((name, index)) or self._find(name, index)
        return offset, most if size is None else size

    def _find(self, name: str, index: int | None) -> tuple[int, int | None, int]:
        """Returns the offset in the source, the size that the declaration gives, if any, and the largest possible one."""
        whole = self._of_bytes()
        row = self._placed[name]
        try:
            place, taken = getattr(whole, f"_span_{name}")(*([index] if row.each else []))
            found = as_integer(place), None if taken is None else as_integer(taken)
        except CodecError:
            raise
        except UNREADABLE as error:
            rule = f"its place cannot be computed: {reason(error)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0) from None
        assert self._source is not None or self._placing is not None
        if row.origin:
            begin, limit = self._frame_of(name, row)
        else:
            begin, limit = (0, self._source.size) if row.from_source and self._source else (self._begin, self._size)
        offset, size = found[0], limit - found[0] if found[1] is None else found[1]
        if not (offset >= 0 and size >= 0 and offset + size <= limit):
            what = f"{size} bytes at {offset} are" if found[1] is not None else f"the offset {offset} is"
            rule = f"{what} outside the {limit} bytes of the source"
            raise DecodeError(
                rule, format=format_name(type(self)), path=_path(name, index), offset=max(0, begin + offset)
            )
        if whole._aligns and offset % whole._alignment(name, index):
            rule = f"the offset {offset} is not a multiple of {whole._alignment(name, index)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=begin + offset)
        return begin + offset, found[1], size

    def _padding(self, name: str, index: int | None = None) -> tuple[int, int]:
        """Returns (offset in the source, size) of the zeros in front of a field that aligns it; arguments as in `span`."""
        offset, _ = self.span(name, index)
        before = offset - self._frame_of(name, self._placed[name])[0]
        most = min(self._of_bytes()._alignment(name, index) - 1, before)
        data = again(self._source, offset - most, most) if self._source is not None and most > 0 else b""
        size = len(data) - len(data.rstrip(b"\0"))
        return offset - size, size

    def _alignment(self, name: str, index: int | None) -> int:
        """Returns the alignment of a field's offset in bytes."""
        found = getattr(type(self), f"_align_{name}", None)
        if found is None:
            return 1
        try:
            multiple = as_integer(found(self, *([] if index is None else [index])))
        except UNREADABLE as error:
            rule = f"its alignment cannot be computed: {reason(error)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0) from None
        if not 0 < multiple <= _MOST_ALIGNED:
            rule = f"an alignment is from 1 to {_MOST_ALIGNED} bytes, not {multiple}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0)
        return multiple

    def _frame_of(self, name: str, row: PlacedRow) -> tuple[int, int]:
        """Returns the offset in the source from which a field's offset counts, and the number of bytes there."""
        if row.origin:
            if self._origins is None or row.origin not in self._origins:
                rule = f"no {row.origin} contains it, from which its offset counts"
                raise DecodeError(rule, format=format_name(type(self)), path=name, offset=self._begin)
            return self._origins[row.origin]
        return (0, self._source.size) if row.from_source and self._source else (self._begin, self._size)

    @classmethod
    def place(cls, name: str, size: Any, **found: Any) -> tuple[Any, Any]:
        """Returns (offset, size) of a field, in bytes, in a source of ``size`` bytes; ``found`` are the fields it depends on.

        Nothing is checked. Arrays of sizes and of the fields' values give arrays.
        """
        # A stand-in for the record with the fields from which a place is computed.
        found["_size"] = size
        place: tuple[Any, Any] = getattr(cls, f"_span_{name}")(SimpleNamespace(**found))
        return place

    def struct_of_arrays(self, name: str, cls: Any, field: str) -> Any:
        """Returns a field, read anew, in which the list ``field`` of records of ``cls`` may be a `StructOfArrays`.

        Lists of differences beside it may be memoryviews of int64.
        """
        return self._value_at(name, struct_of_arrays=(cls, field))

    def _get(self, name: str) -> Any:
        if name not in self._found:
            if self._source is None:
                return None
            try:
                self._found[name] = self._value_of(name)
                whole = self._of_bytes()
                if whole is not self and hasattr(whole, "_stored"):
                    # What codecs were given is kept with the value.
                    self._keep_stored(whole._stored)
                self._verify_as_read(name, self._found[name])
            except CodecError as error:
                self._found.pop(name, None)
                error.format, error.path = format_name(type(self)), error.path or name
                raise
        return self._found[name]

    def _about(self, name: str, index: int | None = None) -> Reader:
        """Returns a reader without bytes, for errors of expressions about a field."""
        made = Reader(b"")
        made.field, made.start = name if index is None else Place(name, index), self._begin
        return made

    def _verify_as_read(self, name: str, value: Any) -> None:
        """Checks the rules of a field by what stands in the bytes, since other fields may have been edited."""
        whole = self._of_bytes()
        if whole is self:
            self._verify(name)
        elif name not in whole._found:
            whole._found[name] = value
            try:
                whole._verify(name)
            finally:
                del whole._found[name]

    def _verify(self, name: str) -> None:
        """Checks the rules that `_read_x` does not check: of lists whose elements have places, and of what may be absent."""
        # The class is asked, since instances look in vain in two ways.
        check = getattr(type(self), f"_check_{name}", None)
        if check is None:
            return
        reader = self._about(name)
        reader.reading(check, self, reader)

    def _assign(self, name: str, value: Any) -> None:
        # A new dict, since shallow copies of the record share the old one.
        self._found = {**self._found, name: value}

    def _value_of(self, name: str) -> Any:
        whole, there = self._of_bytes(), list[int | None]()
        more = {"whole": Reader(range(self._size))} if self._placed[name].each else {}

        def value(index: int | None = None) -> Any:
            if not whole._has(name, index):
                return None
            there.append(index)
            return self._value_at(name, index, **more)

        found = whole._elements(name, value) if more else value()
        self._there[name] = there
        return found

    def _elements(self, name: str, value: Callable[[int | None], Any]) -> list[Any]:
        """Returns the elements of a list that have places, which may be computed from the elements before."""
        before, made = self._found.get(name, self), list[Any]()
        self._found[name] = made
        try:
            while (count := len(self._indexes(name))) > len(made):
                made.extend(value(len(made)) for _ in range(count - len(made)))
        finally:
            if before is self:
                del self._found[name]
            else:
                self._found[name] = before
        return made

    def _count(self, name: str) -> int:
        """Returns the declared number of elements of a list whose elements have places."""
        return self._about(name).reading(lambda: as_integer(getattr(self, f"_count_{name}")()))  # type: ignore[no-any-return]

    def _indexes(self, name: str) -> Sequence[int | None]:
        """Returns the indexes of a placed field's elements by its declaration; None for one of a field without elements."""
        return range(bounded(self._count(name), 0, range(self._size), 0)) if self._placed[name].each else (None,)

    def _has(self, name: str, index: int | None = None) -> bool:
        """Returns whether the condition of a placed field, or of its element, holds."""
        if not self._placed[name].optional:
            return True
        numbers = () if index is None else (index,)
        return self._about(name, index).reading(getattr(self, f"_given_{name}"), *numbers)  # type: ignore[no-any-return]

    def _were_there(self, name: str) -> Sequence[int | None]:
        """Returns the indexes of what was read as a field, which is read now if it was not; None for one without elements."""
        if name not in self._there:
            self._of_bytes()._get(name)
        return self._there[name]

    def _present(self, name: str) -> Iterator[int | None]:
        """Yields the indexes of the elements that are there."""
        return (index for index in self._indexes(name) if self._has(name, index))

    def _value_at(self, name: str, index: int | None = None, **more: Any) -> Any:
        """Returns a placed field, or one of its elements, read from the source; ``more`` are arguments of the span."""
        assert self._source is not None
        known = self._spans.get((name, index))
        offset, size, most = self._find(name, index) if known is None else known
        row = self._placed[name]
        data = self._bytes_of.get((name, index))
        if data is None:
            data = self._source.read(offset, most)
            if row.places:
                self._bytes_of[name, index] = data
        at = Reader(data, base=offset, depth=self._depth - 1, source=self._source, origins=self._origins, **more)
        # The values that it depends on may have been edited.
        read = getattr(self._of_bytes(), f"_read_{name}")
        at.field = name if index is None else Place(name, index)
        try:
            value = at.reading(read, at) if index is None else at.reading(read, at, at.field)
            self._spans[name, index] = offset, at.pos if size is None else size, most
            # Elements may share bytes, but each makes its own values, which count against the limit.
            at.repeats(at.pos, 0)
            return value
        except CodecError as error:
            error.format, error.path = format_name(type(self)), error.path or _path(name, index)
            if error.offset is not None and not hasattr(error, "within"):
                error.offset += offset
            raise

    def _all_but(self, ranges: tuple[tuple[int, int], ...]) -> bytes:
        """Returns the record's bytes, as read or as laid out so far, without some ranges (offset, size)."""
        if self._placing is not None:
            return self._placing.all_but(ranges)
        assert self._source is not None
        return without(again(self._source, self._begin, self._size), ranges)

    def _measured(self, function: str, name: str, index: int | None = None) -> int:
        """Returns the `size` or the `offset` of a placed field, as read or as being written; 0 for an absent one."""
        if self._placing is not None:
            return self._placing.measured(function, name, index)
        if index is not None:
            item(self._indexes(name), index)
        if not self._has(name, index):
            return 0
        if function == "size":
            self._get(name)
        return self.span(name, index)[function == "size"]


def _path(name: str, index: int | None) -> str:
    return name if index is None else f"{name}[{index}]"
