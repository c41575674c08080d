"""Methods that append texts, lists of numbers and packed columns to a writer's bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import EncodeError
from .ahead import NotPlainValueError, is_plain, is_plain_list
from .fits import NOT_PACKED, REALS, round_some
from .nans import FLOATS, has_nan, packed
from .trail import Place
from .write import ended, exactly, length, raw, utf8
from .write_numbers import NumberWriter

if TYPE_CHECKING:
    from .fixed_runs import Layout

#: The built-in `bytes` under another name, since a method is called `bytes`.
_Bytes = bytes
#: The largest number of elements of a list that are computed from a count.
MOST_COMPUTED = 1 << 26


class ValueWriter(NumberWriter):
    """Methods that append values other than records.

    Raises:
        EncodeError: a value has the wrong type or does not fit.
    """

    __slots__ = ()

    def look_at_list(self, values: Any) -> None:
        """Refuses a value that is neither plain nor a list if the writer requires these."""
        if self.is_strict and type(values) is not list and type(values) is not tuple and not is_plain(values):
            raise NotPlainValueError

    def look_at_elements(self, values: Any) -> None:
        """Refuses a list with values that are not plain if the writer requires plain ones."""
        if self.is_strict and isinstance(values, list | tuple) and not is_plain_list(values):
            raise NotPlainValueError

    # ---- what is counted ----

    def count(self, field: Any, values: Any) -> int:
        """Returns the number of elements of a list; other values are refused."""
        self.field = field
        if type(values) is list:
            return len(values)
        self.look_at_list(values)
        return length(values)

    def raw(self, field: Any, value: Any, count: int | None = None) -> Any:
        """Returns a bytes-like value as bytes; their number must be ``count`` if that is given."""
        self.field = field
        if type(value) is bytes and count is None:
            return value
        self.look(value)
        return raw(value, count)

    def utf8(self, field: Any, value: Any, count: int | None = None) -> _Bytes:
        """Returns a text as UTF-8, which must take ``count`` bytes if that is given."""
        self.field = field
        if type(value) is not str:
            self.look(value)
        elif count is None:
            try:
                return value.encode()
            except UnicodeEncodeError:
                pass
        return utf8(value, count)

    def absent(self, field: Any, value: Any) -> None:
        """Raises EncodeError for a value of a field whose condition is false."""
        self.field = field
        if value is not None:
            raise EncodeError("the field's condition does not hold, so it must be None")

    def given(self, field: Any, value: Any, is_there: Any) -> bool:
        """Returns whether a field is present; its value must be None if it is not."""
        if is_there:
            return True
        self.absent(field, value)
        return False

    # ---- single values ----

    def run(self, layout: Layout, *values: Any) -> None:
        """Appends fields of fixed width in one step."""
        self.field = layout
        try:
            if layout.are_likely(*values):
                self.data += layout.whole(*values)
                return
            for value in values:
                self.look(value)
            made = layout.pack(*values)
            for at in layout.floats:
                if values[at] != values[at]:
                    made = layout.written_nans(made, values)
            if layout.rounds(values):
                raise layout.unfit(values)
        except NOT_PACKED:
            raise layout.unfit(values) from None
        self.data += made

    def bytes(self, field: Any, value: Any, count: int | None = None) -> None:
        """Appends bytes, whose number must be ``count`` if that is given."""
        self.field = field
        if type(value) is bytes and (count is None or len(value) == count):
            self.data += value
        else:
            self.look(value)
            self.data += raw(value, count)

    def text(self, field: Any, value: Any, count: int | None = None) -> None:
        """Appends a text as UTF-8, which must take ``count`` bytes if that is given."""
        # Repeats `utf8`, since calling it would double the time.
        self.field = field
        if type(value) is not str:
            self.look(value)
        elif count is None:
            try:
                self.data += value.encode()
                return
            except UnicodeEncodeError:
                pass
        self.data += utf8(value, count)

    def bytes_until(self, field: Any, value: Any, terminator: _Bytes) -> None:
        """Appends bytes and their terminator, which must not occur in them."""
        self.data += ended(self.raw(field, value), terminator)

    def text_until(self, field: Any, value: Any, terminator: _Bytes) -> None:
        """Appends a text and its terminator, which must not occur in it."""
        self.data += ended(self.utf8(field, value), terminator)

    def ended(self, field: Any, data: _Bytes, terminator: _Bytes) -> _Bytes:
        """Returns bytes with their terminator."""
        self.field = field
        return ended(data, terminator)

    # ---- lists of values, columns ----

    def numbers(self, field: str, values: Any, code: str, count: int | None = None) -> None:
        """Appends numbers; ``code`` is byte order and format in terms of the struct module."""
        self.field = field
        if type(values) is not list or len(values) != count:
            self.look_at_list(values)
            exactly(values, count)
        self.look_at_elements(values)
        try:
            if code[1] in REALS and round_some(code[1], values):
                raise OverflowError
            if code[1] in FLOATS and has_nan(values):
                self.data += b"".join(packed(code, value) for value in values)
            else:
                self.data += struct.pack(f"{code[0]}{len(values)}{code[1]}", *values)
        except NOT_PACKED:
            for place, value in self.each(field, values):
                self.number(place, value, code)
            raise

    def bits(self, field: Any, values: Any, count: int, width: int, *, exact: bool = False) -> Any:
        """Appends ``count`` numbers of ``width`` bits, and returns them packed; with ``exact`` their unused bits are 0."""
        from . import packed as columns

        self.field = field
        self.look_at_elements(values)
        found = columns.packed(values, count, width)
        self.data += found.to_bytes() if exact else found.stored()
        return found

    def values(self, field: Any, values: Any, count: int, layout: Any) -> None:
        """Appends ``count`` values of an encoding's layout."""
        from .packed import encoded

        self.field = field
        self.look_at_elements(values)
        self.data += encoded(values, layout, count)

    # ---- elements ----

    def each(self, field: str, values: Any, count: int | None = None) -> Iterator[tuple[Place, Any]]:
        """Yields (place, value) of a list's elements, whose number must be ``count`` if that is given."""
        self.field = field
        if type(values) is not list or len(values) != count:
            self.look_at_list(values)
            exactly(values, count)
        place = Place(field)
        for place.index, value in enumerate(values):
            self.field = place
            yield place, value
        self.field = field

    def places(self, field: str, count: int) -> Iterator[Place]:
        """Yields the places of ``count`` elements."""
        place = Place(field)
        for place.index in range(count):
            self.field = place
            yield place
        self.field = field

    def indexes(self, field: str, count: int) -> Iterator[Place]:
        """Yields the places of ``count`` derived elements; errors name only the field."""
        self.field = field
        if count > MOST_COMPUTED:
            raise EncodeError(f"{count} elements would be computed for it, of at most {MOST_COMPUTED}")
        place = Place(field)
        for place.index in range(count):
            yield place
