"""The cursor to which generated writers append: the bytes so far, the path, and the state of writing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import EnumType
from typing import Any

from ..errors import CodecError, EncodeError
from ..guarded import of_struct
from .fits import mistyped, of_other_class
from .part_writer import PartWriter
from .read import UNREADABLE
from .trail import Place
from .write import exactly


class Writer(PartWriter):
    """The output of generated writers, to which they append records."""

    __slots__ = ()

    # ---- values ----

    def tag(self, value: Any, tag: Any) -> None:
        """Raises EncodeError if an alternative has a tag that selects another one, or not the tag that the record needs."""
        own = value.tag
        if type(own) is not int and type(type(own)) is not EnumType:
            self.look(own)
        if own is None:
            if tag is not None:
                raise EncodeError(f"the alternative {value.kind} stands for several tags: set its tag, {tag!r} here")
            return
        if not value._chain:
            found = value._alternatives.get(own, value._otherwise)
            if found is not type(value) and (found is None or found.kind != value.kind):
                raise _of_another(value, own, found)
        if tag != own:
            raise EncodeError(f"the alternative {value.kind} has the tag {own!r}, not {tag!r}")
        if value._chain:
            root: Any = value._all[0].__mro__[1]
            found = None if root._asks_span else root._pick(self, *value._parameter_values())
            if found is not None and found.kind != value.kind:
                raise _of_another(value, own, found)

    def no_alternative(self, cls: Any, tag: Any) -> EncodeError:
        """Returns the error of a variant that has no alternative for a tag."""
        return EncodeError(f"{vars(cls).get('__idl_name__', cls.__name__)} has no alternative for {tag!r}")

    # ---- records, structs, columns ----

    def record(self, field: Any, cls: Any, value: Any, *arguments: Any) -> None:
        """Appends a record of a class by its generated writer."""
        self.field = ""
        try:
            if type(value) is not cls and not isinstance(value, cls):
                raise of_other_class(cls, value)
            if not value._is_written_plainly:
                self.body(value, *arguments)
            else:
                if arguments:
                    value._take(arguments)
                value._write(self)
        except UNREADABLE as error:
            raise self.failed(error, field, value) from None
        self.field = field

    def sibling(self, field: Any, cls: Any, value: Any, state: list[Any], *arguments: Any) -> None:
        """Appends a record that shares states of codecs with others."""
        self._instance(field, cls, value)
        self.field = ""
        try:
            self.body(value, *arguments, state=state)
        except UNREADABLE as error:
            raise self.failed(error, field, value) from None
        self.field = field

    def encode(self, field: Any, cls: Any, value: Any, *arguments: Any) -> None:
        """Appends a record of a class by the active backend."""
        self._instance(field, cls, value)
        self.field = ""
        try:
            value._encode(self, *arguments)
        except UNREADABLE as error:
            raise self.failed(error, field, value) from None
        self.field = field

    def _instance(self, field: Any, cls: Any, value: Any) -> None:
        self.field = field
        if not isinstance(value, cls):
            raise of_other_class(cls, value)

    def coded(self, field: Any, cls: Any, value: Any, *arguments: Any) -> Any:
        """Appends a value by a codec with fields, and returns it as the state for the next value."""
        coded = object.__new__(cls)
        coded.value = value
        try:
            self.record(field, cls, coded, *arguments)
        except CodecError:
            if cls.__annotations__["value"] != "int" or hasattr(value, "__index__"):
                raise
            self.field = field
            raise mistyped("an int is", value) from None
        return value

    def struct(self, field: Any, cls: Any, value: Any) -> None:
        """Appends a struct or a message."""
        self._instance(field, cls, value)
        self.data += value.to_bytes()

    def custom(self, field: Any, cls: Any, value: Any) -> None:
        """Appends a struct that a codec written by hand writes."""
        self.field = field
        self.data += of_struct(cls).write(value)

    # ---- lists ----

    def records(self, field: str, cls: Any, values: Any, count: int | None = None, *arguments: Any) -> None:
        """Appends records of a class by their generated writers; their number must be ``count`` if that is given."""
        self.field = field
        if type(values) is not list or len(values) != count:
            self.look_at_list(values)
            exactly(values, count)
        index, take = -1, cls._take if arguments else None
        try:
            for value in values:
                index += 1
                self.field = ""
                if type(value) is not cls and not isinstance(value, cls):
                    raise of_other_class(cls, value)
                if not value._is_written_plainly:
                    self.body(value, *arguments)
                    continue
                if take is not None:
                    take(value, arguments)
                value._write(self)
        except UNREADABLE as error:
            raise self.failed(error, Place(field, index), value) from None
        self.field = field

    def siblings(self, field: str, cls: Any, values: Any, count: int | None = None, *arguments: Any) -> None:
        """Appends records as `records` does, which share states of codecs."""
        state = cls._state(self)
        for place, value in self.each(field, values, count):
            self.sibling(place, cls, value, state, *arguments)


class Content(Writer):
    """The output that becomes codecs' input: a source of its own, in which offsets count from its first byte.

    Attributes:
        allows: whether pieces at offsets may leave gaps and share bytes, according to the outermost record.
    """

    __slots__ = ("allows",)

    def __init__(self, codecs: Mapping[str, Callable[..., Any]], *, depth: int, is_strict: bool = False) -> None:
        super().__init__(codecs, depth=depth, is_strict=is_strict)
        self.allows = False, False

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        super().__exit__(kind, error, trace)
        if kind is None and self.pins:
            try:
                self.data = bytearray(self._with_pins(*self.allows))
            except CodecError as failed:
                raise self.failed(failed) from None
            self.pins = {}


Writer.apart, Writer.inner = Writer, Content


def _of_another(value: Any, tag: Any, selected: Any) -> EncodeError:
    """Returns the error of an alternative that has a tag by which a reader does not select it."""
    known = "" if value._chain or not value._tags else f", which has {', '.join(map(repr, value._tags))}"
    other = "" if selected is None else f": it selects {selected.kind}"
    return EncodeError(f"{tag!r} is no tag of the alternative {value.kind}{known}{other}")
