"""A cursor that records what generated readers read: one note per field and element, and where reading ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

from ..generator.lower.field_layout import FieldLayout
from ..generator.lower.record_layout import RecordLayout
from ..runtime.errors import CodecError
from ..runtime.records.fixed_runs import Layout
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import UNREADABLE
from ..runtime.records.read_numbers import NumberReader
from ..runtime.records.reader import Reader
from ..runtime.records.record import Record
from ..runtime.records.span_reader import new
from ..runtime.records.trail import Place
from .layouts import layout_of
from .stretches import LARGE, Stretch, is_light

#: A value of more bytes is a slice of the source instead of a copy.
LONG = 1 << 16

#: The class, arguments and states of a record, struct or codec with fields.
About = tuple[Any, tuple[Any, ...], "list[Any] | None"]


class Note(NamedTuple):
    """A field (``element`` None) or an element that was read from ``span.buf[start:stop]``.

    Attributes:
        inner: the reader that its value was read with, or the decoded bytes of a text; None for the span itself.
        about: the record, struct or codec with fields that was read.
    """

    field: str
    element: int | None
    span: Reader
    start: int
    stop: int
    value: Any
    inner: Any = None
    about: About | None = None


class Failure(NamedTuple):
    """The end of a reading.

    Attributes:
        reader: the innermost one of the body; None if nothing was read.
        at: the field or element that was being read, which began at ``start``; ``about`` as in `Note`.
    """

    error: CodecError
    reader: TracingReader | None
    at: str | Place = ""
    start: int = 0
    about: About | None = None


class Reached(Exception):
    """Ends a reading at the wanted element."""


class Notes:
    """The notes of one body.

    Attributes:
        layout: of the body; that of the alternative for a variant.
        found: what was read before an error, in order.
        failure: where reading ended, None after success.
        value: the object that was read, as far as it was.

    Args:
        wanted: the field and the index of an element behind which nothing is read.
    """

    def __init__(self, single: Place | None = None, wanted: tuple[str, int] | None = None) -> None:
        self.wanted = wanted
        self.layout: RecordLayout | None = None
        self.found: list[Note | Stretch] = []
        #: Whether the elements of a list need not be kept, by the field's name.
        self._light: dict[str, bool] = {}
        self.failure: Failure | None = None
        self.value: Any = None
        #: The innermost reader whose body an error has left, and whether the error came from a nested record.
        self.ended: TracingReader | None = None
        self.ended_inside = False
        #: The element that is read alone, as a field is.
        self.single = single

    def field(self, name: str) -> FieldLayout | None:
        return None if self.layout is None else self.layout.field(name)

    def is_light(self, name: str, left: int) -> bool:
        """Returns whether the elements of a list are not kept; ``left`` are the bytes behind the beginning of the first one."""
        if name not in self._light:
            self._light[name] = left > LARGE and self.layout is not None and is_light(self.layout, name)
        return self._light[name]

    def stretch_of(self, name: str) -> Stretch | None:
        """Returns the stretch that the next element of a list would go on with, none of which is wanted."""
        last = self.found[-1] if self.found else None
        is_wanted = self.wanted is not None and self.wanted[0] == name
        return last if isinstance(last, Stretch) and last.field == name and last.is_even and not is_wanted else None

    def add(self, note: Note, light: bool) -> None:
        """Adds a note; that of a ``light`` element to those before it."""
        last = self.found[-1] if self.found else None
        if not light:
            self.found.append(note)
        elif isinstance(last, Stretch) and last.field == note.field:
            last.append(note)
        else:
            self.found.append(Stretch(note))

    def by_attribute(self, name: str) -> str:
        """Returns the name of the field that is an attribute of the object."""
        fields = () if self.layout is None else self.layout.fields
        return next((each.name for each in fields if each.attribute == name), name)


class TracingReader(Reader):
    """A reader of one body that notes its fields; the records inside are read by the backend that runs."""

    __slots__ = ("about_", "at", "begun", "last", "notes")

    def __init__(self, buf: Any, pos: int = 0, *, notes: Notes | None = None, **span: Any) -> None:
        super().__init__(buf, pos, **span)
        self.notes = Notes() if notes is None else notes
        self.at: Any = ""
        self.begun = pos
        self.about_: About | None = None
        #: The value that the field of a span was read with, and what it is about.
        self.last: tuple[Any, About | None] = (None, None)

    @classmethod
    def over(cls, span: Reader, pos: int, notes: Notes) -> TracingReader:
        """Returns a tracing reader over the span of another reader."""
        return cls(
            span.buf, pos, notes=notes, first=span.first, base=span.base, decoded=span.decoded, depth=span.depth,
            source=span.source, borrows=span.borrows, origins=span.origins,
        )  # fmt: skip

    def _enter(self, at: Any, about: About | None = None) -> int:
        self.at, self.begun, self.about_ = at, self.pos, about
        return self.pos

    def note(self, at: Any, start: int, value: Any, inner: Any = None, about: About | None = None) -> None:
        """Adds a note; for a value in a span of its own, when the span ends."""
        if self.outer is not None and at is self.of:
            self.last = (value, about)
            return
        name, element = (at.name, at.index) if isinstance(at, Place) else (at, None)
        if at is self.notes.single:
            element = None
        field = self.notes.field(name)
        # The offsets of numbers of one width are known without notes.
        if element is None or field is None or field.by_element or not field.is_plain_number:
            is_wanted = (name, element) == self.notes.wanted
            light = element is not None and inner is None and not is_wanted and self._is_light(at, about)
            self.notes.add(Note(name, element, self, start, self.pos, value, inner, about), light)
        if (name, element) == self.notes.wanted:
            raise Reached

    def _is_light(self, at: Any, about: About | None) -> bool:
        """Returns whether an element is a record that is read again on access."""
        if not isinstance(at, Place) or about is None or about[2] is not None or at is self.notes.single:
            return False
        is_plain = issubclass(about[0], Record) and not issubclass(about[0], LazyRecord)
        return is_plain and self.outer is None and self.notes.is_light(at.name, self.end - self.begun)

    def _replace_last_note(self, value: Any) -> Any:
        """Gives the last note the value that codecs or UTF-8 made of it."""
        if self.outer is not None and self.last[0] is not None:
            self.last = (value, self.last[1])
        elif self.notes.found and isinstance(last := self.notes.found[-1], Note):
            self.notes.found[-1] = last._replace(value=value)
        return value

    # ---- the body ----

    def read_body(self, about: About) -> None:
        """Reads a body into the notes' ``value``, which is there when an error ends it."""
        cls, arguments, states = about
        if cls._pick is not None:
            cls = cls._pick(self, *arguments)
        layout = layout_of(cls)
        self.notes.layout = layout.body if layout is not None and layout.located else layout
        self.notes.value = new(cls)
        if cls._take is not None:
            cls._take(self.notes.value, arguments)
        self.notes.value._read(self, **({} if states is None else {"state": list(states)}))

    def _plain(self) -> Reader:
        return Reader(
            self.buf, self.pos, first=self.first, base=self.base, decoded=self.decoded, depth=self.depth,
            source=self.source, borrows=self.borrows, whole=self.whole or self,
            origins=self.origins,
        )  # fmt: skip

    def _inside(self, at: Any, read: Callable[[Reader], Any]) -> Any:
        """Returns the value that ``read`` reads at the position, with a reader that records nothing."""
        plain = self._plain()
        try:
            value = read(plain)
        except UNREADABLE as error:
            self.notes.ended_inside = True
            raise plain.failed(error, at) from None
        self.pos, self.field = plain.pos, at
        return value

    def record(self, field: Any, cls: Any, *arguments: Any) -> Any:
        return self._record(field, cls, arguments)

    decode = record

    def sibling(self, field: Any, cls: Any, state: list[Any], *arguments: Any) -> Any:
        return self._record(field, cls, arguments, state)

    def _record(self, field: Any, cls: Any, arguments: tuple[Any, ...], state: list[Any] | None = None) -> Any:
        about = (cls, arguments, None if state is None else list(state))
        start = self._enter(field, about)
        if state is not None:
            value = self._inside(field, lambda plain: plain.body_with(cls, arguments, {"state": state}))
        else:
            value = self._inside(field, lambda plain: cls._decode(plain, *arguments))
        self.start = start
        self.note(field, start, value, about=about)
        return None if self._is_light(field, about) else value

    def _coded(self, field: Any, cls: Any, arguments: tuple[Any, ...]) -> Any:
        about = (cls, arguments, None)
        start = self._enter(field, about)
        value = self._inside(field, lambda plain: plain.body(cls, *arguments)).value
        self.start = start
        self.note(field, start, value, about=about)
        return value

    def coded(self, field: Any, cls: Any, *arguments: Any) -> Any:
        return self._coded(field, cls, arguments)

    def recalled(self, field: Any, cls: Any, *arguments: Any) -> Any:
        value = self._coded(field, cls, arguments)
        self.repeats(len(value) - (self.pos - self.start), self.start)
        return value

    def struct(self, field: Any, cls: Any, *, is_sized: bool = False) -> Any:
        start = self._enter(field, (cls, (), None))
        value = super().struct(field, cls, is_sized=is_sized)
        self.note(field, start, value, about=(cls, (), None))
        return value

    def custom(self, field: Any, cls: Any) -> Any:
        start = self._enter(field, (cls, (), None))
        value = super().custom(field, cls)
        self.note(field, start, value, about=(cls, (), None))
        return value

    # ---- spans and codecs ----

    def within(self, field: Any, size: int, *, loose: bool = False) -> Self:
        self._enter(field)
        return super().within(field, size, loose=loose)

    def through(self, field: Any, size: int, *codecs: Any) -> Self:
        self._enter(field)
        return super().through(field, size, *codecs)

    def _opened(self, inner: Self, stop: int, loose: bool) -> Self:
        inner.notes, inner.at = self.notes, self.field
        return super()._opened(inner, stop, loose)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None or (self.pos != self.end and not self.loose):
            self.notes.ended = self.notes.ended or self
        super().__exit__(kind, error, trace)
        outer = self.outer
        if kind is None and isinstance(outer, TracingReader):
            outer.note(self.of, outer.begun, self.last[0], inner=self, about=self.last[1])

    def bytes(self, field: Any, size: int) -> Any:
        start = self._enter(field)
        if size > LONG and type(self.buf) is memoryview and size <= self.end - self.pos:
            value: Any = self.buf[start : start + size]
            self.field, self.start, self.pos = field, start, start + size
        else:
            value = super().bytes(field, size)
        self.note(field, start, value)
        return value

    def decoded_bytes(self, field: Any, size: int, *codecs: Any) -> Any:
        start = self._enter(field)
        value = super().decoded_bytes(field, size, *codecs)
        self.note(field, start, value, inner=value)
        return value

    def as_text(self, data: Any) -> str:
        return str(self._replace_last_note(super().as_text(data)))

    def through_codecs(self, value: Any, *codecs: Any) -> Any:
        return self._replace_last_note(super().through_codecs(value, *codecs))

    # ---- lists ----

    def run(self, layout: Layout) -> tuple[Any, ...]:
        start = self._enter(next(iter(layout.offsets)))
        values = super().run(layout)
        sizes = [*layout.offsets.values(), layout.size]
        for number, (name, value) in enumerate(zip(layout.offsets, values, strict=True)):
            name = self.notes.by_attribute(name)
            self.notes.found.append(Note(name, None, self, start + sizes[number], start + sizes[number + 1], value))
        return values

    def numbers(self, field: str, count: int, code: str) -> list[Any]:
        start = self._enter(field)
        value = super().numbers(field, count, code)
        self.note(field, start, value)
        return value

    def bools(self, field: str, count: int) -> list[bool]:
        return [self.bool8(at) for at in self.each(field, count, 1)]

    def records(self, field: str, count: int, smallest: int, cls: Any, *arguments: Any) -> list[Any]:
        found: list[Any] = []
        plain: Reader | None = None
        stretch: Stretch | None = None
        for at in self.each(field, count, smallest):
            if plain is not None and stretch is not None:
                # Elements of a stretch need no note; if one is invalid, `record` raises its error.
                start = plain.pos
                try:
                    cls._decode(plain, *arguments)
                except UNREADABLE:
                    plain = None
                else:
                    stretch.follow(start, plain.pos)
                    self.pos = plain.pos
                    found.append(None)
                    continue
            found.append(self.record(at, cls, *arguments))
            stretch = self.notes.stretch_of(field)
            plain = None if stretch is None else self._plain()
        return found

    def each(self, field: str, count: int, smallest: int | None = 0) -> Iterator[Place]:
        start = self._enter(field)
        yield from super().each(field, count, smallest)
        self.note(field, start, ())

    def rest(self, field: str) -> Iterator[Place]:
        start = self._enter(field)
        yield from super().rest(field)
        self.note(field, start, ())

    def until(self, field: str, last: Callable[[], Any]) -> Iterator[Place]:
        start = self._enter(field)
        yield from super().until(field, last)
        self.note(field, start, ())


def _traced(name: str) -> Callable[..., Any]:
    """Returns a method that reads one value, with a note of it."""
    method = getattr(Reader, name)

    def read(self: TracingReader, field: Any, *arguments: Any, **options: Any) -> Any:
        start = self._enter(field)
        value = method(self, field, *arguments, **options)
        self.note(field, start, value)
        return value

    return read


#: The methods of cursors that read one value: all numbers, and other plain values.
_NUMBERS = [name for name, each in vars(NumberReader).items() if callable(each) and not name.startswith("_")]
for _name in (*_NUMBERS, "bits", "bytes_until", "text", "text_until", "values"):
    setattr(TracingReader, _name, _traced(_name))


# ---- reading ----


def read_body(about: About, span: Reader, pos: int, wanted: tuple[str, int] | None = None) -> Notes:
    """Returns the notes of a record, variant, alternative or codec with fields at a position of a span; not of what follows
    the element ``wanted``, given by its field and index.
    """
    notes = Notes(wanted=wanted)
    reader = TracingReader.over(span, pos, notes)
    _collect(notes, reader, lambda: reader.read_body(about))
    if notes.layout is not None and notes.value is not None:
        _set_object_values(notes, notes.layout)
    return notes


def read_placed(record: Any, layout: RecordLayout, name: str, index: int | None, span: Reader) -> Notes:
    """Returns the notes of a field that is placed with `at`, or of an element of it; ``span`` holds its bytes."""
    place = None if index is None else Place(name, index)
    notes = Notes(place)
    notes.layout = layout
    reader = TracingReader.over(span, 0, notes)
    reader.field = name if place is None else place
    read = getattr(record, f"_read_{layout.by_name(name).attribute}")

    def note_value() -> None:
        notes.value = read(reader, *([] if place is None else [place]))

    _collect(notes, reader, note_value)
    # The elements of a list are read one by one, so that the cursor does not know the list.
    if isinstance(notes.value, list):
        notes.found = [_with_list(each, notes.value) for each in notes.found]
    return notes


def _with_list(note: Note | Stretch, value: list[Any]) -> Note | Stretch:
    if isinstance(note, Stretch) or note.element is not None or note.value != ():
        return note
    return note._replace(value=value)


def _collect(notes: Notes, reader: TracingReader, read: Callable[[], Any]) -> None:
    """Runs a reader; an error about bytes becomes the failure of the notes."""
    try:
        read()
    except Reached:
        return
    except UNREADABLE as error:
        ended = notes.ended or reader
        # The paths of nested records are relative to the body.
        made = ended.failed_whole(error)
        at: Any = ended.at
        if not notes.ended_inside and not isinstance(ended.field, Layout) and str(ended.field) != str(at):
            # A rule or an expression of another field failed.
            at = ended.field
        notes.failure = Failure(made, ended, at, ended.begun, ended.about_)


def _set_object_values(notes: Notes, layout: RecordLayout) -> None:
    """Gives fields the object's values, such as enum members, and adds bit fields."""
    found: list[Note | Stretch] = []
    light = False
    for note in notes.found:
        if isinstance(note, Stretch):
            found.append(note)
            light = True
            continue
        field = layout.field(note.field)
        if field is None:
            found.append(note)
            continue
        value = getattr(notes.value, field.attribute, None)
        if light and note.element is None:
            light, value = False, None
        if note.element is None and value is not None:
            note = note._replace(value=value)
        elif note.element is not None and isinstance(value, list) and note.element < len(value):
            note = note._replace(value=value[note.element])
        found.append(note)
        if note.element is None:
            found += _parts(layout, field, note, notes)
    notes.found = found


def _parts(layout: RecordLayout, field: FieldLayout, note: Note, notes: Notes) -> Iterator[Note]:
    """Yields notes of the fields that are parts of a number, as far as they were read; they have the number's bytes."""
    for each in layout.fields:
        if each.bits is None or each.bits[0] != field.attribute:
            continue
        is_read = hasattr(notes.value, each.attribute)
        if is_read or (notes.failure is not None and notes.failure.at == each.name):
            yield note._replace(field=each.name, value=getattr(notes.value, each.attribute, None))
