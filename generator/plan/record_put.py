"""The statements that write one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..syntax import Call, Dimension, Name, RecordField
from .lines import Lines
from .record_order import WriteOrder, WriteScope
from .record_rules import codec_arguments, codec_use, counts_rest, has_states, layout_text
from .shapes import FieldShape
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

    def scope(self, field: RecordField) -> WriteScope:
        return WriteScope(self.unit, field)

    def element(self, shape: FieldShape, target: str) -> None:
        if shape.own is not None:
            self._coded(shape, target)
        elif shape.kind in ("bytes", "utf8"):
            text = self.raw_text(shape, target)
            self.out.add(f"data += {self._through(shape, text) if shape.codecs else text}")
        else:
            self.out.add(*self._plain(shape, target))

    def raw_text(self, shape: FieldShape, target: str) -> str:
        """The bytes of a value before its codecs; a length that is not derived from it is checked."""
        count = None
        if shape.length is not None and shape.length.kind == "count" and not shape.codecs:
            count = self.count(shape.length, shape.field)
        function = "_out.raw" if shape.kind == "bytes" else "_out.utf8"
        return f"{function}({target})" if count is None else f"{function}({target}, {count})"

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
        scope = self.scope(shape.field)
        if shape.kind == "bits":
            width = scope.render(shape.field.type.type_arguments[0])
            assert shape.length is not None
            expr = shape.length.expression
            count = f"len({target})" if expr is None or counts_rest(expr) else scope.render(expr)
            return [f"{target} = _col.packed({target}, {count}, {width})", f"data += {target}.to_bytes()"]
        if shape.kind == "values":
            count = "1" if shape.length is None else self.count(shape.length, shape.field) or f"len({target})"
            return [f"data += _col.encoded({target}, {layout_text(shape, scope)}, {count})"]
        arguments = "".join(f", {scope.render(argument)}" for argument in shape.field.type.arguments or ())
        state = ", state=state" if shape.lists and has_states(shape) else ""
        return [f"_out.instance({target}, {shape.cls})._write(out{arguments}{state})"]

    def _coded(self, shape: FieldShape, target: str) -> None:
        assert shape.own is not None
        scope = self.scope(shape.field)
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
        if self.is_own_count(dimension, field) or counts_rest(dimension.expression):
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
