"""The calls of the cursor that read one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..lower.bodies import codec_class
from ..lower.field_layout import CodecCall, FieldLayout
from ..lower.record_layout import RecordLayout
from ..lower.types import CODEC_ANNOTATION
from ..model import Record, Struct
from ..names import quoted, variable
from .expressions import ExpressionPrinter
from .hints import class_of, enum_table
from .spelling import ReadingPrinter
from .statements import Statements
from .text import call

READER = "r"


class BodyPrinter:
    """The layout of one body, the statements of its methods, and its byte order, which can depend on a condition."""

    layout: RecordLayout
    out: Statements
    printer: ExpressionPrinter

    @property
    def byte_order(self) -> str:
        """The byte order as an expression for `struct`; if a condition chooses it, the variable that has it."""
        if self.layout.order is not None:
            return "order"
        return quoted(">" if self.layout.big else "<")

    def variable(self, field: FieldLayout, kind: str) -> str:
        """Returns the variable of what is known of a field, such as its size."""
        return variable(self.layout.module, field.name, kind)

    def order_of(self, field: FieldLayout) -> str:
        """Returns the expression of a number's byte order: its own, or the record's."""
        return quoted(">" if field.order == "be" else "<") if field.order else self.byte_order

    def code(self, field: FieldLayout) -> str:
        """Returns the expression of a number's format in the struct module."""
        order = self.order_of(field)
        return f'{order} + "{field.code}"' if order == "order" else f'"{order[1]}{field.code}"'

    def fixed_number(self, field: FieldLayout) -> tuple[str, list[str]]:
        """Returns the cursor method for a number of fixed width, and its arguments after the field or the value."""
        name = field.type
        if field.code is None and name in FIXED_WIDTHS and FIXED_WIDTHS[name] not in (1, 2, 4, 8):
            return "integer", [str(FIXED_WIDTHS[name]), self.order_of(field), str(name.startswith("i"))]
        if FIXED_WIDTHS[name] == 1:
            return name, []
        if self.layout.order is not None and not field.order:
            return "number", [self.code(field)]
        is_big = field.order == "be" if field.order else self.layout.big
        return f"{name}_be" if is_big else name, []

    def number(self, field: FieldLayout) -> str:
        """Returns the number of a field in the body."""
        return str(next(number for number, each in enumerate(self.layout.fields) if each.name == field.name))

    def choosing(self, lines: list[str]) -> list[str]:
        """Returns the lines, after the choice of the byte order if they need it."""
        if self.layout.order is None or not any("order" in line for line in lines):
            return lines
        return [f'order = ">" if {self.printer.operand(self.layout.order)} else "<"', *lines]


class ElementReader(BodyPrinter):
    """Args:
    layout: what is read.
    imports: receives the aliases of the runtime modules that are used.
    only: the one field, or element, to read at its own place into the variable ``value``.
    by_backend: the native backend does not read the body itself, but can read what it holds.
    """

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        self.layout = layout
        self.only = only
        self.inner_by_backend = by_backend or only is not None
        self.out = Statements(READER, "" if only is None else only.name)
        self.printer: ReadingPrinter = ReadingPrinter(
            layout.module,
            imports,
            own=None if only is None else only.name,
            own_element=only is not None and only.by_element,
            located=layout.located,
        )

    def captures_raw(self, field: FieldLayout) -> bool:
        """Returns whether the size of a field or element before its codecs must be kept."""
        return bool(field.captures & {"raw_size", "raw_size[]"})

    def element(self, field: FieldLayout, at: str, size: str | None) -> str:
        """Returns the expression of an element; adds the statements that must run before it.

        Args:
            at: the expression of the field's name, or of the element's place.
            size: the size of bytes that go through codecs.
        """
        if field.coder is not None:
            value = self._coded(field, at)
        elif field.kind in ("bytes", "utf8"):
            value = self._text(field, at, size)
        else:
            value = self._plain(field, at)
        return value if field.enum is None else f"{enum_table(field, self.layout.module)}[{value}]"

    def _plain(self, field: FieldLayout, at: str) -> str:
        printer, module, read = self.printer, self.layout.module, self.out.call
        match field.kind:
            case "number":
                method, arguments = self.fixed_number(field)
                return read(method, at, *arguments)
            case "varint":
                loose = ["loose=True"] if self.layout.normalizes else []
                return read(varint_name(field.type), at, str(VARINT_BITS[field.type]), *loose)
            case "bool8":
                return read("bool8", at)
            case "struct" if has_codec(field):
                return read("custom", at, class_of(field.target, module))
            case "struct":
                is_sized = field.place is not None and field.size is not None and not field.codecs
                return read("struct", at, class_of(field.target, module), *(["is_sized=True"] if is_sized else []))
            case "bits":
                assert field.width is not None
                width = printer.text(field.width)
                exact = ["exact=True"] if self.layout.is_exact(field) else []
                return read("bits", at, self._length(field, width), width, *exact)
            case "values":
                return read("values", at, self._length(field), encoding_layout(field, printer))
        state = ["siblings"] if field.shares_states else []
        return read(self.record_method(field), at, class_of(field.target, module), *state, *self.arguments(field))

    def record_method(self, field: FieldLayout) -> str:
        """Returns the method that reads a record: `decode` if the running backend does it, else `sibling` or `record`."""
        if field.shares_states:
            return "sibling"
        return "decode" if self.inner_by_backend or is_lazy(field) else "record"

    def arguments(self, field: FieldLayout) -> list[str]:
        return self.printer.texts(field.arguments)

    def _length(self, field: FieldLayout, width: str = "8") -> str:
        if field.length is None:
            return "1"
        if field.length.value is not None:
            return self.printer.text(field.length.value)
        left = f"{self.out.cursor}.left"
        return left if width == "8" else f"{left} * 8 // ({width})"

    def _text(self, field: FieldLayout, at: str, size: str | None) -> str:
        ending, read = field.terminator, self.out.call
        length = self._length(field) if field.length is not None else size or f"{self.out.cursor}.left"
        if not field.text_codecs:
            kind = "bytes" if field.kind == "bytes" else "text"
            return read(kind, at, length) if ending is None else read(f"{kind}_until", at, quoted(ending))
        if ending is None:
            decoded = read("decoded_bytes", at, length, *self.codecs(field))
        else:
            decoded = read("decoded_until", at, quoted(ending), *self.codecs(field))
        if self.captures_raw(field):
            self.out.add(f"coded = {decoded}", f"{self.variable(field, 'raw')} = len(coded)")
            decoded = "coded"
        return self._as(field, decoded)

    def _as(self, field: FieldLayout, value: str) -> str:
        return self.out.call("as_text", value) if field.kind == "utf8" else call("bytes", value)

    def _coded(self, field: FieldLayout, at: str) -> str:
        """Reads through a codec with fields, then through the codecs before it."""
        assert field.coder is not None
        state, is_bytes = coder_state(field), field.kind in ("bytes", "utf8")
        given = [*self.printer.texts(field.coder.arguments), *([state] if state else [])]
        method = "recalled" if state and is_bytes else "coded"
        value = self.out.call(method, at, codec_class(field.coder.codec), *given)
        if state == "previous":
            value = f"previous := {value}"
            value = value if not (field.codecs or field.kind == "utf8") and not field.enum else f"({value})"
        elif state:
            self.out.add(f"{state} = {value}")
            value = state
        if field.codecs:
            value = self.out.call("through_codecs", value, *self.codecs(field))
        return self._as(field, value) if field.kind == "utf8" and not field.codes_text else value

    def codecs(self, field: FieldLayout) -> list[str]:
        """Returns the codecs of a field, in the order of writing."""
        return [self._codec(each) for each in field.codecs]

    def _codec(self, codec: CodecCall) -> str:
        if codec.slot is not None:
            return call(f"state[{codec.slot}].of", *self.printer.texts(codec.arguments))
        return self.printer.text(codec.call)

    def list_state(self, field: FieldLayout) -> list[str]:
        if field.coder is not None and field.coder.initial is not None:
            return [f"previous: _Any = {self.printer.text(field.coder.initial)}"]
        return [f"siblings = {class_of(field.target, self.layout.module)}._state()"] if field.shares_states else []


def is_lazy(field: FieldLayout) -> bool:
    """Returns whether a field is a record that contains fields placed with `at`."""
    return isinstance(field.target, Record) and field.target.is_lazy


def has_codec(field: FieldLayout) -> bool:
    """Returns whether a field is a struct with a hand-written codec."""
    return isinstance(field.target, Struct) and CODEC_ANNOTATION in field.target.annotations


def varint_name(type_: str) -> str:
    """Returns the method of cursors that reads or writes a variable-length number."""
    return type_ if type_.endswith("9") else type_.rstrip("0123456789")


def coder_state(field: FieldLayout) -> str:
    """Returns the variable with the state of a codec with fields; empty if it has no state."""
    assert field.coder is not None
    if field.dimension is not None and field.coder.initial is not None:
        return "previous"
    return "" if field.coder.slot is None else f"state[{field.coder.slot}]"


def encoding_layout(field: FieldLayout, printer: ExpressionPrinter) -> str:
    """Returns the layout of a field's encoded values: the last argument is the type, the others are the encoding's."""
    *params, type_ = printer.texts(field.arguments)
    encoding = class_of(field.target, printer.module)
    if params:
        encoding = call(encoding, *params)
    return call(f"{printer.runtime('_col')}.layout_of", encoding, type_)
