"""The statements that check what was read, as soon as all that a rule names is there."""

from __future__ import annotations

from ..expressions import names
from ..syntax import Expr, RecordField
from . import types
from .record_elements import ElementReader
from .record_rules import derived_text, index_dimension, last_needed, read_rules, rule_of
from .record_scope import RecordScope


class CheckReader(ElementReader):
    """Keeps measures of fields, and checks their rules."""

    def note(self, field: RecordField) -> None:
        """Keeps where a field stood, for expressions that ask later."""
        if (field.name, "size") in self.noted:
            self.out.add(f"size_{field.name} = pos - start")

    def after(self, field: RecordField, start: str, *, behind: str = "pos", step: bool = False) -> None:
        """The checks that can be made once ``field`` has been read: its own, and earlier ones that waited for it.

        Args:
            start, behind: where the field begins and ends.
            step: whether an error would name another field.
        """
        if (field.name, "start") in self.noted and self.only is None:
            self.out.add(f"start_{field.name} = {start}")
        if self._rest_is_late(field):
            self.out.add(f"stop_{field.name} = {behind}")
        if self.only is not None:
            for where in field.invariants:
                place = "start" if field.size or self._list_shape(field) else "0"
                self._check(field, where.condition, rule_of(where), place, self.scope)
            return
        for other in self.unit.fields[: self.unit.fields.index(field) + 1]:
            for expr, rule, derived in read_rules(other, self.unit):
                if last_needed(self.unit, other, expr) is not field:
                    continue
                late = other is not field
                if late or step:
                    self.out.add(f"step = {types.quoted(other.name)}")
                place = f"start_{other.name}" if late else start
                scope = self.scope.standing_at(f"stop_{other.name}" if late else behind)
                if derived:
                    self._verify(other, rule, place, scope)
                else:
                    self._check(other, expr, rule, place, scope)

    def _rest_is_late(self, field: RecordField) -> bool:
        """Whether a rule counts the bytes behind ``field``, but has to wait for other fields."""
        rules = read_rules(field, self.unit) if self.only is None else []
        counting = (expr for expr, _, _ in rules if self.unit.span_words(expr) & {"rest", "at_end"})
        return any(last_needed(self.unit, field, expr) is not field for expr in counting)

    def _list_shape(self, field: RecordField) -> bool:
        return bool(self.unit.shapes[field.name].lists)

    def _verify(self, field: RecordField, rule: str, place: str, scope: RecordScope) -> None:
        """A derived field must have the value that would be written."""
        out, own = self.out, scope.local(field.name)
        wanted = derived_text(field, self.unit, scope, operand=True, count=f"len({own})")
        each = f"{own}[index]" if index_dimension(field) is not None else f"{own}"
        absent = f"{each} is not None and " if field.present is not None else ""
        if index_dimension(field) is None:
            with out.block(f"if {absent}{each} != {wanted}:"):
                out.call("raise _in.refused", types.quoted(rule), place)
            return
        with out.block(f"for index in range(len({own})):"), out.block(f"if {absent}{each} != {wanted}:"):
            out.call("raise _in.refused", types.quoted(rule), place)
        out.add("index = None")

    def _check(self, field: RecordField, expr: Expr, rule: str, place: str, scope: RecordScope) -> None:
        """An invariant must hold; an absent field breaks none."""
        own = scope.local(field.name)
        index = index_dimension(field)
        condition = scope.render(expr)
        if index is not None and any(name.name == index.variable for name in names(expr)):
            if field.present is not None:
                condition = f"{own}[index] is None or ({condition})"
            with self.out.block(f"for index in range(len({own})):"):
                self.out.refuse(condition, "_in.refused", rule, place)
            self.out.add("index = None")
            return
        if field.present is not None and index is None:
            condition = f"{own} is None or ({condition})"
        self.out.refuse(condition, "_in.refused", rule, place)
