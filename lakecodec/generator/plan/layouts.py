"""The tables of records, variants and codecs with fields: see ``runtime/records/table.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..builtin_names import FIXED_WIDTHS
from ..expressions import names
from ..syntax import Dimension, Expr, RecordField
from . import types
from .expression_tables import NOTES, NoTable, as_table, table_scope
from .names import argument_name
from .record_rules import (
    codec_arguments,
    codec_use,
    codec_value,
    counts_what_exists,
    derived_text,
    has_states,
    index_dimension,
    last_needed,
    read_rules,
)
from .record_scope import RecordScope
from .shapes import FieldShape, smallest_size
from .units import StateSlot, Unit, codec_class
from .wrap import wrap

#: Where the statements of a method begin.
_INDENT = 8


def body_table(unit: Unit, *, takes_tag: bool = False) -> list[str]:
    """The statement that returns the table of a unit; nothing for what tables cannot say."""
    try:
        return _BodyTable(unit).lines(takes_tag)
    except NoTable:
        return []


def choice_table(unit: Unit, tag: str, table: str, chain: Sequence[tuple[str, str]], otherwise: str) -> list[str]:
    """The statement that returns the table of a variant.

    Args:
        unit: one of its alternatives.
        tag, chain, otherwise: as in its plan.
        table: the name of the table of alternatives, where there is one.
    """
    arguments = {argument_name(name): unit.attr(name) for name, _ in unit.params}
    try:
        parts = [as_table(tag, unit, arguments)]
        chained = [f"({as_table(text, unit, arguments)}, {cls})" for text, cls in chain]
    except NoTable:
        return []
    parts += _params(unit)
    if table:
        parts.append(f"table={table}")
    if chained:
        parts.append(f"chain=[{', '.join(chained)}]")
    if otherwise:
        parts.append(f"otherwise={otherwise}")
    return wrap(f"return _tab.Choice({', '.join(parts)})", _INDENT)


def _params(unit: Unit) -> list[str]:
    parts = [f"params={_sequence([types.quoted(unit.attr(name)) for name, _ in unit.params])}"] if unit.params else []
    if unit.defaults:
        scope, kinds = table_scope(unit), unit.kinds
        found = [scope.render(unit.defaults[name], kinds[name]) for name, _ in unit.params if name in unit.defaults]
        parts.append(f"defaults={_sequence(found)}")
    return parts


def _sequence(parts: Sequence[str]) -> str:
    return f"[{', '.join(parts)}]"


class _BodyTable:
    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._scope = table_scope(unit)
        self._slots = {(slot.field, slot.step): slot for slot in unit.states}
        self._checks = self._placed_checks()

    def lines(self, takes_tag: bool) -> list[str]:
        unit = self._unit
        parts = _params(unit)
        if unit.states:
            parts.append(f"states={_sequence([self._state(slot) for slot in unit.states])}")
        if takes_tag and unit.tag is not None:
            parts.append(f"tag={self._table(unit.tag)}")
        if unit.codec is not None:
            parts.append(f"value={self._value()}")
        if unit.checks:
            parts.append(f"checks={_sequence([self._table(where.condition) for where in unit.checks])}")
        if unit.nests:
            parts.append("nests=True")
        fields = [self._field(field) for field in unit.fields]
        text = "".join([*parts, *(text for field in fields for text in field.values())])
        steps = [self._step(field, text) for field in fields]
        if not steps:
            return wrap(f"return _tab.Body({', '.join(['[]', *parts])})", _INDENT)
        lines = ["return _tab.Body(", "    ["]
        lines += [line for step in steps for line in wrap(f"        {step},", _INDENT)]
        lines += ["    ],", *(line for part in parts for line in wrap(f"    {part},", _INDENT)), ")"]
        return lines

    # ---- expressions ----

    def _table(self, expr: Expr) -> str:
        return self._text(self._scope.render(expr))

    def _text(self, text: str) -> str:
        return as_table(text, self._unit)

    def _tables(self, exprs: Sequence[Expr]) -> str:
        return _sequence([self._table(expr) for expr in exprs])

    def _value(self) -> str:
        (line,) = codec_value(self._unit, self._scope)
        return self._text(line.partition(" = ")[2])

    def _state(self, slot: StateSlot) -> str:
        return "None" if slot.state is None else self._scope.render(slot.state.initial)

    # ---- fields ----

    def _step(self, parts: dict[str, str], text: str) -> str:
        """``text`` is that of the whole unit, which tells what must be noted."""
        name, type_, *others = parts.items()
        notes = [types.quoted(note) for note in NOTES.values() if f'("noted", "{note}", {name[1]})' in text]
        if notes:
            others.insert(-1 if others and others[-1][0] == "checks" else len(others), ("notes", _sequence(notes)))
        return f"_tab.Step({', '.join([name[1], type_[1], *(f'{each}={value}' for each, value in others)])})"

    def _field(self, field: RecordField) -> dict[str, str]:
        shape = self._unit.shapes[field.name]
        parts = {
            "name": types.quoted(self._unit.attr(field.name)),
            "type": types.quoted(shape.type if shape.kind in ("number", "varint") else shape.kind),
        }
        if shape.kind == "number" and self._unit.order == "big" and FIXED_WIDTHS[shape.type] > 1:
            parts["big"] = "True"
        parts |= self._element(shape)
        if field.until is not None or (shape.own is not None and field.size is not None):
            raise NoTable(field.name)
        is_text = shape.kind in ("bytes", "utf8")
        if is_text and shape.codecs and field.size is not None and (shape.lists or shape.length is not None):
            raise NoTable(field.name)
        if shape.lists:
            parts |= self._list(shape, shape.lists[0])
        for name in ("present", "size"):
            if (expr := getattr(field, name)) is not None:
                parts[name] = self._table(expr)
        if shape.codecs:
            parts["codecs"] = _sequence([self._codec(shape, step) for step in shape.codecs])
        if shape.enum is not None:
            parts["enum"] = types.class_expression(shape.enum, self._unit.module)
        if field.derived is not None:
            parts["derived"] = self._derivation(field)
        if checks := self._checks.get(field.name):
            parts["checks"] = _sequence(checks)
        return parts

    def _derivation(self, field: RecordField) -> str:
        """What a field, or an element of it, is when it is written; the generated writer alone computes the unknown."""
        try:
            return self._text(derived_text(field, self._unit, self._scope))
        except NoTable:
            return '("unknown",)'

    def _element(self, shape: FieldShape) -> Mapping[str, str]:
        """What reads one element."""
        parts: dict[str, str] = {}
        if shape.own is not None:
            slot = self._slots.get((shape.field.name, None))
            parts["target"] = codec_class(shape.own)
            arguments = codec_arguments(shape.field.via[-1])
            parts["coded"] = "True"
            if shape.lists and shape.own.syntax.state is not None:
                parts["state"] = "-1"
                parts["initial"] = self._scope.render(shape.own.syntax.state.initial)
            elif slot is not None:
                parts["state"] = str(slot.number)
        else:
            arguments = shape.field.type.arguments or ()
            if shape.kind in ("record", "struct", "values"):
                parts["target"] = shape.cls
        if arguments:
            parts["arguments"] = self._tables(arguments)
        if shape.lists and shape.kind == "record" and has_states(shape):
            parts["siblings"] = "True"
        if shape.kind == "bits":
            parts["width"] = self._table(shape.field.type.type_arguments[0])
        if shape.length is not None and shape.length.expression is not None:
            parts["length"] = self._table(shape.length.expression)
        elif shape.length is not None and shape.kind in ("bits", "values"):
            raise NoTable(shape.field.name)
        return parts

    def _list(self, shape: FieldShape, dimension: Dimension) -> Mapping[str, str]:
        parts = {"dimension": types.quoted(dimension.kind)}
        if dimension.expression is None:
            return parts
        parts["count"] = self._table(dimension.expression)
        plain = shape.kind == "number" and shape.code is not None and shape.enum is None and shape.field.size is None
        if dimension.kind == "count" and plain:
            parts["smallest"] = str(FIXED_WIDTHS[shape.type])
        elif dimension.kind != "until" and not counts_what_exists(dimension.expression, self._scope):
            parts["smallest"] = str(smallest_size(shape.field, self._unit.module))
        return parts

    def _codec(self, shape: FieldShape, step: Expr) -> str:
        slot = self._slots.get((shape.field.name, step))
        if slot is None:
            return f"({self._text(codec_use(step, self._scope))},)"
        codec = codec_use(step, self._scope).partition("(")[0]
        return f"({', '.join([str(slot.number), codec, *map(self._table, codec_arguments(step))])})"

    # ---- checks ----

    def _placed_checks(self) -> dict[str, list[str]]:
        """Checks by the field after which they can be made; fields of fixed width in a row are read before theirs."""
        found: dict[str, list[str]] = {}
        fields = self._unit.fields
        for number, field in enumerate(fields):
            place = number
            while self._in_run(number) and place + 1 < len(fields) and self._in_run(place + 1):
                place += 1
            for other in fields[: number + 1]:
                for expr, _, derived in read_rules(other, self._unit):
                    if last_needed(self._unit, other, expr) is field:
                        scope = self._scope if other is fields[place] else self._behind(other)
                        check = self._derived(other, scope) if derived else self._condition(other, expr, scope)
                        found.setdefault(fields[place].name, []).append(self._text_or_every(check, other))
        return found

    def _in_run(self, number: int) -> bool:
        return self._unit.shapes[self._unit.fields[number].name].run_code is not None

    def _behind(self, field: RecordField) -> RecordScope:
        """The scope of a check that is made when fields behind its own have been read."""
        noted = (f'_noted("{note}", "{self._unit.attr(field.name)}")' for note in (NOTES["offset"], NOTES["size"]))
        return self._scope.standing_at(" + ".join(noted))

    def _derived(self, field: RecordField, scope: RecordScope) -> str:
        """A derived field has the value that would be written."""
        own = self._own(field)
        each = f"{own}[index]" if index_dimension(field) is not None else own
        wanted = derived_text(field, self._unit, scope, operand=True, count=f"len({own})")
        return f"{each} is None or {each} == {wanted}" if field.present is not None else f"{each} == {wanted}"

    def _condition(self, field: RecordField, expr: Expr, scope: RecordScope) -> str:
        """An invariant holds; an absent field breaks none."""
        condition = scope.render(expr)
        if field.present is None or (index_dimension(field) is not None and not self._is_of_each(field, expr)):
            return condition
        own = self._own(field)
        each = f"{own}[index]" if self._is_of_each(field, expr) else own
        return f"{each} is None or ({condition})"

    def _own(self, field: RecordField) -> str:
        return f"made.{self._unit.attr(field.name)}"

    @staticmethod
    def _is_of_each(field: RecordField, expr: Expr) -> bool:
        index = index_dimension(field)
        return index is not None and any(name.name == index.variable for name in names(expr))

    def _text_or_every(self, check: str, field: RecordField) -> str:
        table = self._text(check)
        if '("index",)' not in table:
            return table
        return f'("every", {types.quoted(self._unit.attr(field.name))}, {table})'
