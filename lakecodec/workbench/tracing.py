"""A cursor that tells what generated readers read with it: one note for each field and element, and where reading ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self

from ..generator.lower.field_layout import FieldLayout
from ..generator.lower.record_layout import RecordLayout
from ..runtime.errors import CodecError
from ..runtime.records.fixed_runs import Layout
from ..runtime.records.read import UNREADABLE
from ..runtime.records.reader import Reader
from ..runtime.records.trail import Place
from .layouts import layout_of

#: Bytes of a value that is a slice of the source, no copy of it.
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
    """Where a reading ended.

    Attributes:
        reader: the innermost one of the body; None where nothing of it was read.
        at: the field or element that was being read, which began at ``start``; ``about`` as in `Note`.
    """

    error: CodecError
    reader: TracingReader | None
    at: str | Place = ""
    start: int = 0
    about: About | None = None


class Notes:
    """The notes of one body.

    Attributes:
        layout: of the body; that of the alternative for a variant.
        found: what was read before an error, in order.
        failure: where reading ended, None where it went well.
        value: the object that was read, as far as it was.
    """

    def __init__(self, single: Place | None = None) -> None:
        self.layout: RecordLayout | None = None
        self.found: list[Note] = []
        self.failure: Failure | None = None
        self.value: Any = None
        #: An element that is read alone, as a field is.
        self.single = single

    def field(self, name: str) -> FieldLayout | None:
        return None if self.layout is None else self.layout.field(name)

    def by_attribute(self, name: str) -> str:
        """Returns the name of the field that is an attribute of the object."""
        fields = () if self.layout is None else self.layout.fields
        return next((each.name for each in fields if each.attribute == name), name)


class TracingReader(Reader):
    """A reader of one body that notes its fields; the records inside are read by the backend that runs."""

    __slots__ = ("about_", "at", "begun", "last", "notes")

    def __init__(self, buf: Any, pos: int = 0, *, notes: Notes | None = None, outer: Any = None, **span: Any) -> None:
        super().__init__(buf, pos, outer=outer, **span)
        self.notes: Notes = outer.notes if notes is None else notes
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
            source=span.source, borrows=span.borrows,
        )  # fmt: skip

    def _enter(self, at: Any, about: About | None = None) -> int:
        self.at, self.begun, self.about_ = at, self.pos, about
        return self.pos

    def note(self, at: Any, start: int, value: Any, inner: Any = None, about: About | None = None) -> None:
        """Adds a note; what is read in a span of its own is noted when that ends."""
        if self.outer is not None and at is self.of:
            self.last = (value, about)
            return
        name, element = (at.name, at.index) if isinstance(at, Place) else (at, None)
        if at is self.notes.single:
            element = None
        field = self.notes.field(name)
        # Where numbers of one width stand is known without a note of each.
        if element is None or field is None or field.by_element or not field.is_plain_number:
            self.notes.found.append(Note(name, element, self, start, self.pos, value, inner, about))

    def _renote(self, value: Any) -> Any:
        """Gives the last note the value that codecs or UTF-8 made of it."""
        if self.outer is not None and self.last[0] is not None:
            self.last = (value, self.last[1])
        elif self.notes.found:
            self.notes.found[-1] = self.notes.found[-1]._replace(value=value)
        return value

    # ---- the body ----

    def body(self, cls: Any, *arguments: Any) -> Any:
        self.notes.layout = layout_of(cls)
        return super().body(cls, *arguments)

    def _plain(self) -> Reader:
        return Reader(
            self.buf, self.pos, outer=self, first=self.first, base=self.base, decoded=self.decoded, depth=self.depth,
            source=self.source, borrows=self.borrows, whole=self.whole or self,
        )  # fmt: skip

    def _inside(self, at: Any, read: Callable[[Reader], Any]) -> Any:
        """Returns what ``read`` reads at the position, with a reader that does not tell."""
        plain = self._plain()
        self.trail.append(at)
        try:
            value = read(plain)
        except UNREADABLE:
            self.trail.failed = self.trail.failed or plain
            raise
        del self.trail[-1]
        self.pos, self.field = plain.pos, at
        return value

    def record(self, field: Any, cls: Any, *arguments: Any, **state: Any) -> Any:
        states = list(state["state"]) if state.get("state") is not None else None
        about = (cls, arguments, states)
        start = self._enter(field, about)
        if state or not hasattr(cls, "_decode"):
            value = self._inside(field, lambda plain: cls._read(plain, *arguments, **state))
        else:
            value = self._inside(field, lambda plain: cls._decode(plain, *arguments))
        self.start = start
        self.note(field, start, value, about=about)
        return value

    decode = record

    def _coded(self, field: Any, cls: Any, arguments: tuple[Any, ...]) -> Any:
        about = (cls, arguments, None)
        start = self._enter(field, about)
        value = self._inside(field, lambda plain: cls._read(plain, *arguments)).value
        self.start = start
        self.note(field, start, value, about=about)
        return value

    def coded(self, field: Any, cls: Any, *arguments: Any) -> Any:
        return self._coded(field, cls, arguments)

    def recalled(self, field: Any, cls: Any, *arguments: Any) -> Any:
        value = self._coded(field, cls, arguments)
        self.repeats(len(value) - (self.pos - self.start), self.start)
        return value

    def struct(self, field: Any, cls: Any) -> Any:
        start = self._enter(field, (cls, (), None))
        value = super().struct(field, cls)
        self.note(field, start, value, about=(cls, (), None))
        return value

    def custom(self, field: Any, cls: Any) -> Any:
        start = self._enter(field, (cls, (), None))
        value = super().custom(field, cls)
        self.note(field, start, value, about=(cls, (), None))
        return value

    # ---- spans and codecs ----

    def _opened(self, made: Reader) -> TracingReader:
        inner = TracingReader(
            made.buf, made.pos, outer=self, first=made.first, base=made.base, decoded=made.decoded, depth=made.depth,
            source=made.source, borrows=made.borrows, whole=made.whole,
        )  # fmt: skip
        inner.stop, inner.of, inner.loose, inner.at = made.stop, made.of, made.loose, made.of
        return inner

    def within(self, field: Any, size: int, *, loose: bool = False) -> Reader:
        self._enter(field)
        return self._opened(super().within(field, size, loose=loose))

    def through(self, field: Any, size: int, *codecs: Any) -> Reader:
        self._enter(field)
        return self._opened(super().through(field, size, *codecs))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
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
        return str(self._renote(super().as_text(data)))

    def through_codecs(self, value: Any, *codecs: Any) -> Any:
        return self._renote(super().through_codecs(value, *codecs))

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

    def records(self, field: str, count: int, smallest: int, cls: Any, *arguments: Any, **state: Any) -> list[Any]:
        return [self.record(at, cls, *arguments, **state) for at in self.each(field, count, smallest)]

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

    def read(self: TracingReader, field: Any, *arguments: Any) -> Any:
        start = self._enter(field)
        value = method(self, field, *arguments)
        self.note(field, start, value)
        return value

    return read


_ONE_VALUE = (
    "bits", "bool8", "f16", "f16_be", "f32", "f32_be", "f64", "f64_be", "i16", "i16_be", "i32", "i32_be", "i64", "i64_be", "i8",
    "integer", "ivlq9", "number", "text", "u16", "u16_be", "u32", "u32_be", "u64", "u64_be", "u8", "values",
)  # fmt: skip
for _name in _ONE_VALUE:
    setattr(TracingReader, _name, _traced(_name))


# ---- reading ----


def read_body(about: About, span: Reader, pos: int) -> Notes:
    """Returns the notes of a record, variant, alternative or codec with fields at a position of a span."""
    cls, arguments, states = about
    notes = Notes()
    reader = TracingReader.over(span, pos, notes)
    given = {} if states is None else {"state": list(states)}
    _collect(notes, reader, lambda: _read(reader, cls, arguments, given))
    return notes


def _read(reader: TracingReader, cls: Any, arguments: tuple[Any, ...], given: dict[str, Any]) -> Any:
    layout = layout_of(cls)
    reader.notes.layout = layout.body if layout is not None and layout.located else layout
    return cls._read(reader, *arguments, **given)


def read_placed(record: Any, layout: RecordLayout, name: str, index: int | None, span: Reader) -> Notes:
    """Returns the notes of a field that is placed with `at`, or of an element of it; ``span`` holds its bytes."""
    place = None if index is None else Place(name, index)
    notes = Notes(place)
    notes.layout = layout
    reader = TracingReader.over(span, 0, notes)
    reader.field = name if place is None else place
    read = getattr(record, f"_read_{layout.by_name(name).attribute}")
    _collect(notes, reader, lambda: read(reader, *([] if place is None else [place])), of_record=False)
    return notes


def _collect(notes: Notes, reader: TracingReader, read: Callable[[], Any], *, of_record: bool = True) -> None:
    """Runs a reader; an error about bytes becomes the failure of the notes."""
    try:
        notes.value = read()
    except UNREADABLE as error:
        notes.value = _partly_read(error, notes)
        failed = reader.trail.failed or reader
        # Paths of records inside count from the body.
        made = failed.unread(error)
        while not isinstance(failed, TracingReader):
            failed = failed.outer
        at: Any = failed.at
        if not reader.trail and not isinstance(failed.field, Layout) and str(failed.field) != str(at):
            # A rule, or an expression, of another field.
            at = failed.field
        notes.failure = Failure(made, failed, at, failed.begun, failed.about_)
    if of_record and notes.layout is not None and notes.value is not None:
        _settle(notes, notes.layout)


def _partly_read(error: BaseException, notes: Notes) -> Any:
    """Returns the object that a generated reader had begun: the outermost one of the frames that an error has left."""
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        found = frame.f_locals.get("self")
        if frame.f_code.co_name == "_read" and not isinstance(found, TracingReader | type(None)):
            return found
        trace = trace.tb_next
    return None


def _settle(notes: Notes, layout: RecordLayout) -> None:
    """Gives fields the values that the object has, such as members of enums, and adds those that are parts of numbers."""
    found: list[Note] = []
    done: set[str] = set()
    for note in notes.found:
        field = layout.field(note.field)
        if field is None:
            found.append(note)
            continue
        value = getattr(notes.value, field.attribute, None)
        if note.element is None and value is not None:
            note = note._replace(value=value)
        elif note.element is not None and isinstance(value, list) and note.element < len(value):
            note = note._replace(value=value[note.element])
        found.append(note)
        if note.element is None:
            done.add(field.name)
            found += _parts(layout, field, note, notes.value, done)
    notes.found = found


def _parts(layout: RecordLayout, field: FieldLayout, note: Note, value: Any, done: set[str]) -> Sequence[Note]:
    """Returns notes of the fields that are parts of a number."""
    parts = [each for each in layout.fields if each.bits is not None and each.bits[0] == field.attribute]
    return [
        Note(each.name, None, note.span, note.stop, note.stop, getattr(value, each.attribute))
        for each in parts
        if hasattr(value, each.attribute)
    ]
