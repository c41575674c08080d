"""The statements that read one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..lower.bodies import codec_class
from ..lower.field_layout import CodecCall, FieldLayout
from ..lower.record_layout import RecordLayout
from ..lower.types import CODEC_ANNOTATION
from ..model import Record, Struct
from ..names import quoted
from .expressions import ExpressionPrinter
from .hints import class_of, enum_table
from .spelling import ReadingPrinter
from .statements import Statements
from .text import call, listed, tupled


class BodyPrinter:
    """The methods of one body: its layout, their statements, and the byte order that it has or chooses."""

    layout: RecordLayout
    out: Statements
    printer: ExpressionPrinter

    @property
    def byte_order(self) -> str:
        """The byte order in the struct module's terms; of records that choose it, the variable of the method."""
        if self.layout.order is not None:
            return self.out.use("order")
        return quoted(">" if self.layout.big else "<")

    def choosing(self, lines: list[str]) -> list[str]:
        """Returns the lines behind the choice of the byte order, where they need it."""
        if self.layout.order is None or "order" not in self.out.variables:
            return lines
        return [f'order = ">" if {self.printer.operand(self.layout.order)} else "<"', *lines]


class ElementReader(BodyPrinter):
    """Args:
    layout: what is read.
    imports: gets the aliases of the runtime's modules that are named.
    only: the one field, or element, to read at its own place into the variable ``value``.
    by_backend: the native backend does not read the body itself, but can read what it holds.
    """

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        self.layout = layout
        self.only = only
        self.inner_by_backend = self.inner_by_backend or by_backend or only is not None
        self.out = Statements()
        self.printer: ReadingPrinter = ReadingPrinter(
            layout.module,
            imports,
            self.out.variables,
            own=None if only is None else only.name,
            own_element=only is not None and only.by_element,
            located=layout.located,
        )

    #: Whether records inside are read by the backend that runs.
    inner_by_backend = False

    def trace(self, *lines: str) -> None:
        """Statements of readers that tell what they read (`tracing.py`); other readers have none."""

    @property
    def buf(self) -> str:
        return self.out.use("buf")

    def captures_raw(self, field: FieldLayout) -> bool:
        """Returns whether the size that a field, or an element of it, has before its codecs must be kept."""
        return bool(field.captures & {"raw_size", "raw_size[]"})

    def element(self, field: FieldLayout, target: str, size: str | None) -> None:
        """Reads an element into ``target``; ``size`` is that of bytes which go through codecs."""
        if field.coder is not None:
            self._coded(field, target)
        elif field.kind in ("bytes", "utf8"):
            self._text(field, target, size)
        else:
            self.out.add(*self._plain(field, target))
        self.enum(field, target)

    def _plain(self, field: FieldLayout, target: str) -> list[str]:
        name, printer, module = field.type, self.printer, self.layout.module
        match field.kind:
            case "number" if name == "u8":
                return [f"{target} = {self.buf}[pos]", "pos += 1"]
            case "number" if field.code is None:
                size, signed = FIXED_WIDTHS[name], name.startswith("i")
                return [
                    f"{target}, pos = _in.integer({self.buf}, pos, {size}, {byte_order(self.byte_order)}, {signed})"
                ]
            case "number":
                return [f"{target}, pos = _in.number({self.buf}, pos, {number_code(self.byte_order, field.code)})"]
            case "varint":
                return [f"{target}, pos = _in.{varint_name(name)}({self.buf}, pos, {VARINT_BITS[name]})"]
            case "bool8":
                return [f"{target}, pos = _in.boolean({self.buf}, pos)"]
            case "struct":
                self.trace(f"about = {class_of(field.target, module)}, (), None")
                if has_codec(field):
                    read = f"{class_of(field.target, module)}.__custom__.read(memoryview({self.buf}), pos)"
                    return [f"{target}, pos = {read}"]
                return [f"{target}, pos = _in.read_struct({class_of(field.target, module)}, span, pos)"]
            case "bits":
                assert field.width is not None
                width = printer.text(field.width)
                read = f"{printer.runtime('_col')}.read_bits"
                return [f"{target}, pos = {call(read, 'span', 'pos', self._length(field, width), width)}"]
            case "values":
                layout = encoding_layout(field, printer)
                return [f"{target}, pos = {call('_col.read_encoded', self.buf, 'pos', self._length(field), layout)}"]
        arguments = printer.texts(field.arguments)
        state = ["state=state"] if field.shares_states else []
        shared = "list(state)" if state else "None"
        self.trace(f"about = {class_of(field.target, module)}, {tupled(arguments)}, {shared}")
        method = "_decode" if (self.inner_by_backend and not state) or is_lazy(field) else "_read"
        read = call(f"{class_of(field.target, module)}.{method}", "span", "pos", *arguments, *state)
        return [f"{target}, pos = {read}"]

    def _length(self, field: FieldLayout, width: str = "8") -> str:
        if field.length is None:
            return "1"
        if field.length.value is not None:
            return self.printer.text(field.length.value)
        return f"len({self.buf}) - pos" if width == "8" else f"(len({self.buf}) - pos) * 8 // ({width})"

    def _text(self, field: FieldLayout, target: str, size: str | None) -> None:
        ending = field.terminator
        if ending is not None:
            length = f"_in.until({self.buf}, pos, {quoted(ending)})"
        elif field.length is not None:
            length = self._length(field)
        else:
            length = size or f"len({self.buf}) - pos"
        if not field.text_codecs:
            function = "take" if field.kind == "bytes" else "text"
            self.out.add(f"{target}, pos = _in.{function}({self.buf}, pos, {length})")
            self._pass(ending)
            return
        self.out.add(f"size = {length}", f"coded = span.through({self.codecs(field)}, pos, size).buf")
        self.trace("inner = coded")
        if self.captures_raw(field):
            self.out.add(f"raw_{field.name} = len(coded)")
        self.out.add(f"{target} = {self._as(field, 'coded')}", "pos += size")
        self._pass(ending)

    def _pass(self, ending: bytes | None) -> None:
        """Adds the statement that skips the bytes that end a text."""
        if ending is not None:
            self.out.add(f"pos += {len(ending)}")

    def _as(self, field: FieldLayout, target: str) -> str:
        return f"_in.as_text({target}, start)" if field.kind == "utf8" else f"bytes({target})"

    def _coded(self, field: FieldLayout, target: str) -> None:
        """Reads through a codec with fields, then through the codecs before it."""
        assert field.coder is not None
        state = coder_state(field)
        given = [*self.printer.texts(field.coder.arguments), *([state] if state else [])]
        self.trace(f"about = {codec_class(field.coder.codec)}, {tupled(given)}, None")
        self.out.add(f"coded, pos = {call(f'{codec_class(field.coder.codec)}._read', 'span', 'pos', *given)}")
        self.out.add(f"{target} = {state + ' = ' if state else ''}coded.value")
        if state and field.kind in ("bytes", "utf8"):
            self.out.add("span.repeats(len(coded.value) - (pos - start), start)")
        if field.codecs:
            self.out.add(f"{target} = _in.decoded({self.codecs(field)}, {target}, start)")
        if field.kind == "utf8":
            self.out.add(f"{target} = {self._as(field, target)}")

    def codecs(self, field: FieldLayout) -> str:
        """Returns the codecs of a field as a list, in the order of writing."""
        return listed(map(self._codec, field.codecs))

    def _codec(self, codec: CodecCall) -> str:
        if codec.slot is not None:
            return call(f"state[{codec.slot}].of", *self.printer.texts(codec.arguments))
        return f"{self.printer.operand(codec.call)}.make()"

    def enum(self, field: FieldLayout, target: str) -> None:
        if field.enum is not None:
            self.out.add(f"{target} = {enum_table(field, self.layout.module)}({target}, {target})")

    def list_state(self, field: FieldLayout) -> list[str]:
        if field.coder is not None and field.coder.initial is not None:
            return [f"previous: _Any = {self.printer.text(field.coder.initial)}"]
        return [f"state = {class_of(field.target, self.layout.module)}._state()"] if field.shares_states else []


def number_code(order: str, code: str | None) -> str:
    """Returns the expression of a number's format in the struct module."""
    return f'"{order[1:-1]}{code}"' if order[0] == '"' else f'{order} + "{code}"'


def byte_order(order: str) -> str:
    """Returns the expression of a byte order in the terms of ``int.from_bytes``."""
    return {'">"': '"big"', '"<"': '"little"'}.get(order, f'"big" if {order} == ">" else "little"')


def is_lazy(field: FieldLayout) -> bool:
    """Returns whether a field is a record that holds what is placed with `at`."""
    return isinstance(field.target, Record) and field.target.is_lazy


def has_codec(field: FieldLayout) -> bool:
    """Returns whether a field is a struct that a codec written by hand reads and writes."""
    return isinstance(field.target, Struct) and CODEC_ANNOTATION in field.target.annotations


def varint_name(type_: str) -> str:
    """Returns the functions of the runtime that read and, with `put_`, write a variable-length number."""
    return type_ if type_.endswith("9") else type_.rstrip("0123456789")


def coder_state(field: FieldLayout) -> str:
    """Returns the variable that holds the state of a codec with fields; empty where it has none."""
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
