"""The statements that write one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..lower import nodes
from ..lower.bodies import codec_class
from ..lower.field_layout import Dimension, FieldLayout
from ..lower.record_layout import RecordLayout
from ..lower.write_order import WriteOrder
from ..names import quoted
from .element_reader import (
    BodyPrinter,
    byte_order,
    coder_state,
    encoding_layout,
    has_codec,
    is_lazy,
    number_code,
    varint_name,
)
from .hints import class_of
from .spelling import WritingPrinter
from .statements import Statements
from .text import call, listed


class ElementWriter(BodyPrinter):
    """Args:
    layout: what is written.
    imports: gets the aliases of the runtime's modules that are named.
    only: the one field, or element, to write at its own place.
    by_backend: the native backend does not write the body itself, but can write what it holds.
    """

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        self.layout = layout
        self.only = only
        self.by_backend = by_backend or only is not None
        self.out = Statements()
        self.order = WriteOrder(layout, only)
        self.imports = imports
        #: How many writers the statements stand in beside that of the method.
        self.depth = 0
        #: Of what says where and whether a field stands: of the span, nothing is known.
        self.printer: WritingPrinter = WritingPrinter(layout, imports, self.out.variables)

    @property
    def data(self) -> str:
        return self.out.use("data")

    def rule_printer(self, field: FieldLayout) -> WritingPrinter:
        """Returns the printer of what a field must be: its `rest` is what follows the field."""
        behind = self.order.size_behind(field.name)
        return WritingPrinter(self.layout, self.imports, self.out.variables, {"rest": behind})

    def inner_printer(self, field: FieldLayout) -> WritingPrinter:
        """Returns the printer of what stands inside a field's span."""
        known = self.order.inside(field)
        return WritingPrinter(self.layout, self.imports, self.out.variables, known) if known else self.printer

    def element(self, field: FieldLayout, target: str) -> None:
        if field.bits is not None:
            return
        if field.coder is not None:
            self._coded(field, target)
        elif field.kind in ("bytes", "utf8"):
            text = self.raw_text(field, target)
            if field.text_codecs:
                text = self.counted(field, self._through(field, text))
            self.out.add(f"{self.data} += {text}")
        else:
            self.out.add(*self._plain(field, target))

    def raw_text(self, field: FieldLayout, target: str) -> str:
        """Returns the bytes of a value before its codecs; a length that is not derived from it is checked."""
        count = None if field.text_codecs else self._text_count(field)
        function = "_out.raw" if field.kind == "bytes" else "_out.utf8"
        text = f"{function}({target})" if count is None else f"{function}({target}, {count})"
        return text if field.text_codecs else self._ended(field, text)

    def countable(self, field: FieldLayout) -> str:
        """Returns a list, or the bytes of a text before its codecs; what is neither is refused."""
        function = {"bytes": "raw", "utf8": "utf8"}.get(field.kind, "exactly") if not field.dimension else "exactly"
        return f"_out.{function}(self.{field.attribute})"

    def counted(self, field: FieldLayout, encoded: str) -> str:
        """Returns a text behind its codecs, which must take the bytes that its length says, or is ended."""
        count = self._text_count(field)
        return self._ended(field, encoded) if count is None else f"_out.raw({encoded}, {count})"

    def _ended(self, field: FieldLayout, text: str) -> str:
        return text if field.terminator is None else f"_out.ended({text}, {quoted(field.terminator)})"

    def _text_count(self, field: FieldLayout) -> str | None:
        return None if field.length is None or field.length.kind != "count" else self.count(field.length, field)

    def _plain(self, field: FieldLayout, target: str) -> list[str]:
        name, module = field.type, self.layout.module
        match field.kind:
            case "number" if field.code is None:
                width, signed, order = FIXED_WIDTHS[name], name.startswith("i"), byte_order(self.byte_order)
                return [f"_out.put_integer({self.data}, {target}, {width}, {order}, {signed})"]
            case "number":
                return [f"_out.put_number({self.data}, {target}, {number_code(self.byte_order, field.code)})"]
            case "varint":
                return [f"_out.put_{varint_name(name)}({self.data}, {target}, {VARINT_BITS[name]})"]
            case "bool8":
                return [f"_out.put_boolean({self.data}, {target})"]
            case "struct" if has_codec(field):
                return [f"{self.data} += {class_of(field.target, module)}.__custom__.write({target})"]
            case "struct":
                return [f"{self.data} += _out.instance({target}, {class_of(field.target, module)}).to_bytes()"]
        printer = self.inner_printer(field)
        if field.kind == "bits":
            assert field.width is not None
            assert field.length is not None
            expr = field.length.value
            count = f"len({target})" if expr is None or nodes.span_words(expr) else printer.text(expr)
            packed = call(f"{printer.runtime('_col')}.packed", target, count, printer.text(field.width))
            return [f"{target} = {packed}", f"{self.data} += {target}.to_bytes()"]
        if field.kind == "values":
            count = "1" if field.length is None else self.count(field.length, field) or f"len({target})"
            return [f"{self.data} += {call('_col.encoded', target, encoding_layout(field, printer), count)}"]
        arguments = printer.texts(field.arguments)
        state = ["state=state"] if field.shares_states else []
        method = "_encode" if (self.by_backend and not state) or is_lazy(field) else "_write"
        instance = f"_out.instance({target}, {class_of(field.target, module)})"
        return [call(f"{instance}.{method}", "out", *arguments, *state)]

    def _coded(self, field: FieldLayout, target: str) -> None:
        assert field.coder is not None
        text = {"utf8": f"_out.utf8({target})", "bytes": f"_out.raw({target})"}.get(field.kind, target)
        if field.codecs:
            text = self._through(field, text)
        state = coder_state(field)
        arguments = self.inner_printer(field).texts(field.coder.arguments)
        write = call("coded._write", "out", *arguments, *([state] if state else []))
        self.out.add(f"coded = _rec.new({codec_class(field.coder.codec)})", f"coded.value = {text}", write)
        if state:
            self.out.add(f"{state} = coded.value")

    def _through(self, field: FieldLayout, text: str) -> str:
        """Returns a value through the external codecs of a field."""
        for codec in field.codecs:
            if codec.slot is not None:
                made = call(f"state[{codec.slot}].of", *self.printer.texts(codec.arguments))
                text = call(f"{made}.encode", text)
            else:
                text = f"out.codec({self.printer.text(codec.call)}).encode({text})"
        return text

    def uses(self, field: FieldLayout) -> str:
        """Returns the codecs of a field as a list, in the order of writing."""
        return listed(self.printer.text(codec.call) for codec in field.codecs)

    def list_state(self, field: FieldLayout) -> list[str]:
        if field.coder is not None and field.coder.initial is not None:
            return [f"previous: _Any = {self.printer.text(field.coder.initial)}"]
        return [f"state = {class_of(field.target, self.layout.module)}._state(out)"] if field.shares_states else []

    def count(self, dimension: Dimension, field: FieldLayout) -> str | None:
        """Returns the count to check; none where it is derived from this very field, or is what the span leaves."""
        if self.layout.counts_itself(dimension, field) or nodes.span_words(dimension.count):
            return None
        return self.printer.text(self.order.given(dimension.count))
