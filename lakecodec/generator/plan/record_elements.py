"""The statements that read one element of a field."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS, VARINT_BITS
from ..syntax import Expr, RecordField
from .expressions import UnsupportedExpression
from .lines import Lines
from .record_rules import (
    codec_arguments,
    codec_use,
    enum_lookup,
    has_states,
    layout_text,
    noted,
)
from .record_scope import RecordScope, item_text
from .shapes import FieldShape, fixed_size
from .types import quoted
from .units import Measure, Unit, codec_class

_RECORD_SPECIAL = {"end": "len(buf) - at.start", "rest": "len(buf) - pos", "at_end": "pos == len(buf)"}
_LOCATED_SPECIAL = _RECORD_SPECIAL | {"end": "made._size"}


def reading_scope(unit: Unit, own: str | None = None) -> RecordScope:
    special = _LOCATED_SPECIAL if unit.located else _RECORD_SPECIAL

    def measure(found: Measure, index: str) -> str:
        size = fixed_size(unit.by_name(found.field), unit.module) if found.note == "size" else None
        return _noted(found, index) if size is None else str(size)

    return RecordScope(unit, special, measure, own=own)


def tag_scope(unit: Unit, *, made: bool = True) -> RecordScope:
    """The scope of what selects an alternative, before anything is read; ``made`` as in RecordScope."""

    def measure(found: Measure, _index: str) -> str:
        raise UnsupportedExpression(f"{found.function!r} means nothing before a field is read", found.place)

    special = {"end": "len(at.buf) - at.start", "rest": "len(at.buf) - pos", "at_end": "pos == len(at.buf)"}
    return RecordScope(unit, special, measure, made=made)


def _noted(measure: Measure, index: str) -> str:
    """Measures are noted in variables while the field is read."""
    word = {"offset": "start", "size": "size", "raw_size": "raw"}[measure.function]
    text = f"{word}_{measure.field}" if measure.index is None else item_text(f"{word}s_{measure.field}", index)
    return f"(at.base + {text})" if measure.function == "offset" else text


class ElementReader:
    """Args:
    unit: what is read.
    only: the one field to read, for located records, into the variable ``value``.
    """

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        self.unit = unit
        self.only = only
        self.scope = reading_scope(unit, None if only is None else only.name)
        self.out = Lines()
        self.noted = noted(unit)
        self._slots = {(slot.field, slot.step): slot for slot in unit.states}

    def notes_raw(self, field: RecordField) -> bool:
        """Whether the size that a field, or an element of it, has before its codecs must be kept."""
        return bool({(field.name, "raw_size"), (field.name, "raw_size[]")} & self.noted)

    def element(self, shape: FieldShape, target: str, size: str | None) -> None:
        """Reads an element into ``target``; ``size`` is that of bytes which go through codecs."""
        if shape.own is not None:
            self._coded(shape, target)
        elif shape.kind in ("bytes", "utf8"):
            self._text(shape, target, size)
        else:
            self.out.add(*self._plain(shape, target))
        self.enum(shape, target)

    def _plain(self, shape: FieldShape, target: str) -> list[str]:
        name = shape.type
        if name == "u8":
            return [f"{target} = buf[pos]", "pos += 1"]
        if shape.kind == "number" and shape.code is None:
            signed = name.startswith("i")
            return [f'{target}, pos = _in.integer(buf, pos, {FIXED_WIDTHS[name]}, "{self.unit.order}", {signed})']
        if shape.kind == "number":
            order = ">" if self.unit.order == "big" else "<"
            return [f'{target}, pos = _in.number(buf, pos, "{order}{shape.code}")']
        if shape.kind == "varint":
            return [f"{target}, pos = _in.{name[:7]}(buf, pos, {VARINT_BITS[name]})"]
        if shape.kind == "bool8":
            return [f"{target}, pos = _in.boolean(buf, pos)"]
        if shape.kind == "struct":
            return [f"{target}, pos = _in.compact({shape.cls}, at, pos)"]
        if shape.kind == "bits":
            width = self.scope.render(shape.field.type.type_arguments[0])
            return [f"{target}, pos = _col.read_bits(buf, pos, {self._length(shape, width)}, {width})"]
        if shape.kind == "values":
            return [
                f"{target}, pos = _col.read_encoded(buf, pos, {self._length(shape)}, {layout_text(shape, self.scope)})"
            ]
        arguments = "".join(f", {self._argument(argument)}" for argument in shape.field.type.arguments or ())
        state = ", state" if shape.lists and has_states(shape) else ""
        # Readers of located fields are not the native backend's own, but what they hold can be.
        method = "_read" if self.only is None or state else "_decode"
        return [f"{target}, pos = {shape.cls}.{method}(at, pos{arguments}{state and ', state=state'})"]

    def _argument(self, argument: Expr) -> str:
        return self.scope.render(argument)

    def _length(self, shape: FieldShape, width: str = "8") -> str:
        if shape.length is None:
            return "1"
        if shape.length.expression is not None:
            return self.scope.render(shape.length.expression)
        return "len(buf) - pos" if width == "8" else f"(len(buf) - pos) * 8 // ({width})"

    def _text(self, shape: FieldShape, target: str, size: str | None) -> None:
        ending = shape.terminator
        length = "len(buf) - pos" if size is None else size
        if ending is not None:
            length = f"_in.until(buf, pos, {quoted(ending)})"
        elif shape.length is not None:
            length = self._length(shape)
        if not shape.text_codecs:
            self.out.add(f"{target}, pos = _in.{'take' if shape.kind == 'bytes' else 'text'}(buf, pos, {length})")
            self._pass(ending)
            return
        self.out.add(f"size = {length}", f"coded = at.through({self.codecs(shape)}, pos, size).buf")
        if self.notes_raw(shape.field):
            self.out.add(f"raw_{shape.field.name} = len(coded)")
        self.out.add(f"{target} = {self._as(shape, 'coded')}", "pos += size")
        self._pass(ending)

    def _pass(self, ending: bytes | None) -> None:
        """Steps over the bytes that end a text."""
        if ending is not None:
            self.out.add(f"pos += {len(ending)}")

    def _as(self, shape: FieldShape, target: str) -> str:
        return f"_in.as_text({target}, start)" if shape.kind == "utf8" else f"bytes({target})"

    def _coded(self, shape: FieldShape, target: str) -> None:
        """Reads through a codec with fields, then through the codecs before it."""
        assert shape.own is not None
        arguments = [self.scope.render(argument) for argument in codec_arguments(shape.field.via[-1])]
        slot = self._slots.get((shape.field.name, None))
        state = (
            "previous"
            if shape.lists and shape.own.syntax.state is not None
            else f"state[{slot.number}]"
            if slot
            else ""
        )
        given = "".join(f", {argument}" for argument in [*arguments, *([state] if state else [])])
        self.out.add(f"coded, pos = {codec_class(shape.own)}._read(at, pos{given})")
        self.out.add(f"{target} = {state + ' = ' if state else ''}coded.value")
        if shape.codecs:
            self.out.add(f"{target} = _in.decoded({self.codecs(shape)}, {target}, start)")
        if shape.kind == "utf8":
            self.out.add(f"{target} = {self._as(shape, target)}")

    def codecs(self, shape: FieldShape) -> str:
        """The codecs of a field as a list, in the order of writing."""
        return f"[{', '.join(self._codec(shape, step) for step in shape.codecs)}]"

    def _codec(self, shape: FieldShape, step: Expr) -> str:
        slot = self._slots.get((shape.field.name, step))
        if slot is not None:
            return f"state[{slot.number}].of({', '.join(self.scope.render(a) for a in codec_arguments(step))})"
        return f"{codec_use(step, self.scope)}.make()"

    def enum(self, shape: FieldShape, target: str) -> None:
        if shape.enum is not None:
            self.out.add(f"{target} = {enum_lookup(shape, self.unit)}({target}, {target})")

    def list_state(self, shape: FieldShape) -> list[str]:
        if shape.own is not None and shape.own.syntax.state is not None:
            return [f"previous: _Any = {self.scope.render(shape.own.syntax.state.initial)}"]
        return [f"state = {shape.cls}._state()"] if has_states(shape) else []
