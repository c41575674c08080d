"""The statements that write one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..expressions import names
from ..syntax import Call, Dimension, Name, RecordField
from .lines import Lines
from .record_order import WriteOrder, WriteScope
from .record_rules import codec_arguments, codec_use, has_states, layout_text
from .shapes import FieldShape
from .types import quoted
from .units import Unit, codec_class


class ElementWriter:
    """Args:
    unit: what is written.
    only: the one field to write, for located records.
    """

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        self.unit = unit
        self.only = only
        self.out = Lines()
        self.order = WriteOrder(unit)
        self._slots = {(slot.field, slot.step): slot for slot in unit.states}

    def rule_scope(self, field: RecordField) -> WriteScope:
        """The scope of what a field must be: its `rest` is what follows the field."""
        return WriteScope(self.unit, {"rest": self.order.size_behind(field.name)})

    def scope(self, field: RecordField) -> WriteScope:
        """The scope of what says where and whether a field stands: of the span, nothing is known."""
        return WriteScope(self.unit)

    def inner_scope(self, field: RecordField) -> WriteScope:
        """The scope of what stands inside a field's span, whose size is known where nothing derives it from the field."""
        shape = self.unit.shapes[field.name]
        whole_list = shape.lists and not shape.by_element
        if field.size is None or shape.span_codecs or whole_list or not self.has_checked_size(field):
            return self.scope(field)
        size = self.scope(field).grouped(field.size)
        return WriteScope(self.unit, {"rest": size, "end": size, "at_end": f"({size} == 0)"})

    def has_checked_size(self, field: RecordField) -> bool:
        """Whether a field has a size that is not derived from its own bytes."""
        if field.size is None or self.only is not None or self.unit.span_words(field.size):
            return False
        return not any(self.waits_for(name.name, field.name) for name in names(field.size))

    def waits_for(self, name: str, encoded: str, seen: tuple[str, ...] = ()) -> bool:
        """Whether the derivation of ``name`` needs the encoded form of a field."""
        field = self.unit.field(name)
        if field is None or field.derived is None or name in seen:
            return False
        if any(measured == encoded for _, measured in self.order.needed(field.derived, field)):
            return True
        return any(self.waits_for(each.name, encoded, (*seen, name)) for each in names(field.derived))

    def element(self, shape: FieldShape, target: str) -> None:
        if shape.own is not None:
            self._coded(shape, target)
        elif shape.kind in ("bytes", "utf8"):
            text = self.raw_text(shape, target)
            if shape.text_codecs:
                text = self.counted(shape, self._through(shape, text))
            self.out.add(f"data += {text}")
        else:
            self.out.add(*self._plain(shape, target))

    def raw_text(self, shape: FieldShape, target: str) -> str:
        """The bytes of a value before its codecs; a length that is not derived from it is checked."""
        count = None if shape.text_codecs else self._text_count(shape)
        function = "_out.raw" if shape.kind == "bytes" else "_out.utf8"
        text = f"{function}({target})" if count is None else f"{function}({target}, {count})"
        return text if shape.text_codecs else self._ended(shape, text)

    def counted(self, shape: FieldShape, encoded: str) -> str:
        """A text behind its codecs, which must take the bytes that its length says, or is ended."""
        count = self._text_count(shape)
        return self._ended(shape, encoded) if count is None else f"_out.raw({encoded}, {count})"

    def _ended(self, shape: FieldShape, text: str) -> str:
        ending = shape.terminator
        return text if ending is None else f"_out.ended({text}, {quoted(ending)})"

    def _text_count(self, shape: FieldShape) -> str | None:
        return None if shape.length is None or shape.length.kind != "count" else self.count(shape.length, shape.field)

    def _plain(self, shape: FieldShape, target: str) -> list[str]:
        name = shape.type
        if name == "u8":
            return [f"data.append({target})"]
        if shape.kind == "number" and shape.code is None:
            signed = name.startswith("i")
            return [f'_out.put_integer(data, {target}, {FIXED_WIDTHS[name]}, "{self.unit.order}", {signed})']
        if shape.kind == "number":
            order = ">" if self.unit.order == "big" else "<"
            return [f'data += _out.pack("{order}{shape.code}", {target})']
        if shape.kind == "varint":
            return [f"_out.put_{name[:7]}(data, {target}, {VARINT_BITS[name]})"]
        if shape.kind == "bool8":
            return [f"_out.put_boolean(data, {target})"]
        if shape.kind == "struct":
            return [f"data += _out.instance({target}, {shape.cls}).to_bytes()"]
        scope = self.inner_scope(shape.field)
        if shape.kind == "bits":
            width = scope.render(shape.field.type.type_arguments[0])
            assert shape.length is not None
            expr = shape.length.expression
            count = f"len({target})" if expr is None or self.unit.span_words(expr) else scope.render(expr)
            return [f"{target} = _col.packed({target}, {count}, {width})", f"data += {target}.to_bytes()"]
        if shape.kind == "values":
            count = "1" if shape.length is None else self.count(shape.length, shape.field) or f"len({target})"
            return [f"data += _col.encoded({target}, {layout_text(shape, scope)}, {count})"]
        arguments = "".join(f", {scope.render(argument)}" for argument in shape.field.type.arguments or ())
        state = ", state=state" if shape.lists and has_states(shape) else ""
        return [f"_out.instance({target}, {shape.cls})._write(out{arguments}{state})"]

    def _coded(self, shape: FieldShape, target: str) -> None:
        assert shape.own is not None
        scope = self.inner_scope(shape.field)
        text = (
            f"_out.utf8({target})"
            if shape.kind == "utf8"
            else f"_out.raw({target})"
            if shape.kind == "bytes"
            else target
        )
        if shape.codecs:
            text = self._through(shape, text)
        slot = self._slots.get((shape.field.name, None))
        stateful = shape.own.syntax.state is not None
        state = "previous" if shape.lists and stateful else f"state[{slot.number}]" if slot else ""
        arguments = [scope.render(argument) for argument in codec_arguments(shape.field.via[-1])]
        given = "".join(f", {argument}" for argument in [*arguments, *([state] if state else [])])
        self.out.add(f"coded = {codec_class(shape.own)}({text})", f"coded._write(out{given})")
        if state:
            self.out.add(f"{state} = coded.value")

    def _through(self, shape: FieldShape, text: str) -> str:
        """A value through the external codecs of a field."""
        for step in shape.codecs:
            slot = self._slots.get((shape.field.name, step))
            scope = self.scope(shape.field)
            if slot is not None:
                arguments = ", ".join(scope.render(argument) for argument in codec_arguments(step))
                text = f"state[{slot.number}].of({arguments}).encode({text})"
            else:
                text = f"out.codec({codec_use(step, scope)}).encode({text})"
        return text

    def use_list(self, shape: FieldShape) -> str:
        scope = self.scope(shape.field)
        return f"[{', '.join(codec_use(step, scope) for step in shape.codecs)}]"

    def uses(self, shape: FieldShape) -> str:
        return f"out.through({self.use_list(shape)}, raw_{shape.field.name})" if shape.codecs else ""

    def list_state(self, shape: FieldShape) -> list[str]:
        if shape.own is not None and shape.own.syntax.state is not None:
            return [f"previous: _Any = {self.scope(shape.field).render(shape.own.syntax.state.initial)}"]
        return [f"state = {shape.cls}._state(out)"] if has_states(shape) else []

    def count(self, dimension: Dimension, field: RecordField) -> str | None:
        """The count to check; none where it is derived from this very field, or is what the span leaves."""
        assert dimension.expression is not None
        if self.is_own_count(dimension, field) or self.unit.span_words(dimension.expression):
            return None
        return self.scope(field).render(dimension.expression)

    def is_own_count(self, dimension: Dimension, field: RecordField) -> bool:
        expr = dimension.expression
        other = self.unit.field(expr.name) if isinstance(expr, Name) else None
        inner = other.derived if other is not None else None
        if not isinstance(inner, Call) or not isinstance(inner.function, Name) or not inner.arguments:
            return False
        argument = inner.arguments[0]
        return inner.function.name in ("count", "size") and isinstance(argument, Name) and argument.name == field.name
