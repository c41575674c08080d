"""The calls of the cursor that write one element of a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..builtin_names import VARINT_BITS
from ..lower import nodes
from ..lower.bodies import codec_class
from ..lower.field_layout import CodecCall, Dimension, FieldLayout
from ..lower.nodes import Node
from ..lower.record_layout import RecordLayout
from ..lower.write_order import WriteOrder
from ..names import quoted
from .element_reader import BodyPrinter, coder_state, encoding_layout, has_codec, is_lazy, varint_name
from .failing import always, can_fail
from .hints import class_of
from .spelling import Cursor, WritingPrinter
from .statements import Statements
from .text import call


class ElementWriter(BodyPrinter):
    """Args:
    layout: what is written.
    imports: receives the aliases of the runtime modules that are used.
    only: the one field, or element, to write at its own place.
    by_backend: the native backend does not write the body itself, but can write what it holds.
    """

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        self.layout = layout
        self.only = only
        self.by_backend = by_backend or only is not None
        self.out = Statements("w", "" if only is None else only.name)
        self.order = WriteOrder(layout, only)
        self.imports = imports
        self.cursor = Cursor()
        #: Fields whose values have been written, so their types are known to be right.
        self.written: set[str] = set()
        #: Expressions that have been evaluated.
        self.tried: set[Node] = set()
        #: The printer for expressions of places and presence, which cannot use the span.
        self.printer: WritingPrinter = WritingPrinter(layout, imports, self.cursor)

    @contextmanager
    def apart(self, name: str, at: str, base: str) -> Iterator[None]:
        """A block of statements with its own writer, the variable ``name``."""
        is_source = base == "0"
        head = self.out.call("content" if is_source else "part", at, *([] if is_source or base == "None" else [base]))
        before, self.cursor.name = self.cursor.name, name
        with self.out.block(f"with {head} as {name}:"), self.out.moving(name):
            yield
        self.cursor.name = before

    def rule_printer(self, field: FieldLayout) -> WritingPrinter:
        """Returns the printer of a field's rules, in which `rest` counts the bytes after the field."""
        return WritingPrinter(self.layout, self.imports, self.cursor, behind=field.name)

    def inner_printer(self, field: FieldLayout) -> WritingPrinter:
        """Returns the printer of expressions inside a field's span."""
        known = self.order.inside(field)
        return WritingPrinter(self.layout, self.imports, self.cursor, known) if known else self.printer

    def about(self, field: FieldLayout, parts: Sequence[Node | None]) -> None:
        """Ensures that errors in expressions name a field."""
        self.out.about(field.name, any(can_fail(part, self.layout, self.written, self.tried) for part in parts))

    def evaluated(self, *parts: Node | None) -> None:
        """Notes that the last statement has evaluated expressions."""
        if self.out.is_outermost:
            self.tried.update(each for part in parts for each in always(part))

    def needs(self, field: FieldLayout) -> None:
        """Ensures that errors in the arguments of the field's own call name the field."""
        dimensions = [each.value for each in field.dimensions]
        parts = [*field.arguments, field.width]
        parts += [part for codec in field.codecs for part in (codec.call, *codec.arguments)]
        # Those of each element are evaluated at its place.
        self.about(field, dimensions if field.by_element else [*dimensions, *parts])
        self.evaluated(*dimensions)

    def element(self, field: FieldLayout, at: str, target: str) -> None:
        """Appends an element; ``at`` is the expression of the field's name, or of the element's place."""
        if field.bits is not None:
            return
        if field.coder is not None:
            self._coded(field, at, target)
        elif field.kind in ("bytes", "utf8"):
            self.text(field, at, target)
        else:
            self.out.add(self._plain(field, at, target))
        self.written.add(field.name)

    def text(self, field: FieldLayout, at: str, target: str) -> None:
        """Appends bytes or a text after encoding them by their codecs."""
        kind = "bytes" if field.kind == "bytes" else "text"
        if field.text_codecs:
            kind, target = "bytes", self.through(field, at, self.raw_text(field, at, target))
        self.put_text(field, at, kind, target)

    def put_text(self, field: FieldLayout, at: str, kind: str, text: str) -> None:
        """Appends a text that must have its declared length, or a terminator."""
        count = self._text_count(field)
        if field.terminator is not None and count is None:
            self.out.add(self.out.call(f"{kind}_until", at, text, quoted(field.terminator)))
        else:
            self.out.add(self.out.call(kind, at, text, *([] if count is None else [count])))

    def counted(self, field: FieldLayout, at: str, encoded: str) -> str:
        """Returns a text encoded by its codecs, which must have its declared length, or a terminator."""
        count = self._text_count(field)
        if count is not None:
            return self.out.call("raw", at, encoded, count)
        return encoded if field.terminator is None else self.out.call("ended", at, encoded, quoted(field.terminator))

    def raw_text(self, field: FieldLayout, at: str, target: str) -> str:
        """Returns the bytes of a value before its codecs; a length that is not derived from the value is checked."""
        count = None if field.text_codecs else self._text_count(field)
        text = self.out.call(
            "raw" if field.kind == "bytes" else "utf8", at, target, *([] if count is None else [count])
        )
        if field.text_codecs or field.terminator is None:
            return text
        return self.out.call("ended", at, text, quoted(field.terminator))

    def countable(self, field: FieldLayout) -> str:
        """Returns the number of elements of a list, or of bytes of a text before its codecs; refuses other fields."""
        name, value = quoted(field.name), f"self.{field.slot}"
        method = {"bytes": "raw", "utf8": "utf8"}.get(field.kind) if not field.dimension else None
        return (
            self.out.call("count", name, value) if method is None else call("len", self.out.call(method, name, value))
        )

    def _text_count(self, field: FieldLayout) -> str | None:
        return None if field.length is None or field.length.kind != "count" else self.count(field.length, field)

    def _plain(self, field: FieldLayout, at: str, target: str) -> str:
        module, write = self.layout.module, self.out.call
        match field.kind:
            case "number":
                method, arguments = self.fixed_number(field)
                return write(method, at, target, *arguments)
            case "varint":
                return write(varint_name(field.type), at, target, str(VARINT_BITS[field.type]))
            case "bool8":
                return write("bool8", at, target)
            case "struct":
                return write("custom" if has_codec(field) else "struct", at, class_of(field.target, module), target)
        printer = self.inner_printer(field)
        if field.kind == "bits":
            assert field.width is not None
            assert field.length is not None
            expr = field.length.value
            count = f"len({target})" if expr is None or nodes.span_words(expr) else printer.text(expr)
            exact = ["exact=True"] if self.layout.is_exact(field) else []
            return f"{target} = {write('bits', at, target, count, printer.text(field.width), *exact)}"
        if field.kind == "values":
            count = "1" if field.length is None else self.count(field.length, field) or f"len({target})"
            return write("values", at, target, count, encoding_layout(field, printer))
        state = ["siblings"] if field.shares_states else []
        cls = class_of(field.target, module)
        return write(self.record_method(field), at, cls, target, *state, *printer.texts(field.arguments))

    def record_method(self, field: FieldLayout) -> str:
        """Returns the method that writes a record: `encode` if the running backend does it, else `sibling` or `record`."""
        if field.shares_states:
            return "sibling"
        return "encode" if self.by_backend or is_lazy(field) else "record"

    def _coded(self, field: FieldLayout, at: str, target: str) -> None:
        assert field.coder is not None
        is_value = field.kind not in ("bytes", "utf8") or field.codes_text
        text = target if is_value else self.raw_text(field, at, target)
        if field.codecs:
            text = self.through(field, at, text)
        state = coder_state(field)
        arguments = self.inner_printer(field).texts(field.coder.arguments)
        cls = codec_class(field.coder.codec)
        write = self.out.call("coded", at, cls, text, *arguments, *([state] if state else []))
        self.out.add(f"{state} = {write}" if state else write)

    def through(self, field: FieldLayout, at: str, part: str) -> str:
        """Returns the call that encodes a part by the codecs of a field, or reuses kept bytes that decode to the part."""
        uses, element = [self._use(each) for each in field.codecs], [at] if field.codes_elements else []
        kept = [f"kept={self.out.call('kept', 'self', self.number(field), *element)}"] if field.keeps else []
        return self.out.call("through", at, part, *uses, *kept)

    def _use(self, codec: CodecCall) -> str:
        if codec.slot is not None:
            return call(f"state[{codec.slot}].of", *self.printer.texts(codec.arguments))
        return self.printer.text(codec.call)

    def list_state(self, field: FieldLayout) -> list[str]:
        if field.coder is not None and field.coder.initial is not None:
            return [f"previous: _Any = {self.printer.text(field.coder.initial)}"]
        if not field.shares_states:
            return []
        return [f"siblings = {class_of(field.target, self.layout.module)}._state({self.out.cursor})"]

    def count(self, dimension: Dimension, field: FieldLayout) -> str | None:
        """Returns the count to check; none if it is derived from this field or follows from the span."""
        if self.layout.counts_itself(dimension, field) or nodes.span_words(dimension.count):
            return None
        return self.printer.text(self.order.given(dimension.count))
