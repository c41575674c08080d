"""Calls of the cursor that check a rule as soon as everything that it uses has been read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ..lower import nodes
from ..lower.field_layout import FieldLayout, Rule, is_absent_or, verified
from ..lower.nodes import Node
from ..names import quoted
from .element_reader import ElementReader
from .expressions import Atom
from .failing import can_fail
from .spelling import ReadingPrinter


class CheckReader(ElementReader):
    """Checks the rules of fields."""

    def needs_place(self, field: FieldLayout, run: Sequence[FieldLayout]) -> bool:
        """Returns whether the place of a field in a run must be kept: for a measure, or for a rule that is checked later."""
        if field.name in self._measured:
            return True
        names = {each.name for each in run}
        return any(rule.after not in names for rule, _ in self.layout.rules_of(field) if not rule.implied)

    @cached_property
    def _measured(self) -> set[str]:
        """Returns the fields whose place or bytes an expression uses."""
        nodes_of = [node for each in self.layout.fields for node in each.nodes()]
        found: set[str] = set()
        for part in (
            part for node in (*nodes_of, *(rule.condition for rule in self.layout.checks)) for part in nodes.walk(node)
        ):
            if isinstance(part, nodes.Measure):
                found.add(part.field)
            elif isinstance(part, nodes.Encoded):
                found.update(part.fields)
        return found

    def after(self, field: FieldLayout, behind: int = 0, run: Sequence[FieldLayout] = ()) -> None:
        """Prints the checks that are possible once ``field`` has been read: its own, and delayed ones of earlier fields.

        Args:
            behind: the bytes between its end and the position.
            run: the fields that were read with it.
        """
        if self.only is not None:
            for other, rule, derived in self.layout.placing[field.name].rules:
                if not self._is_about_whole(other, rule):
                    self._at_place(other, rule, derived)
            return
        if self.layout.measures_rest_late(field):
            self.out.add(f"{self.variable(field, 'end')} = r.tell(){f' - {behind}' if behind else ''}")
        for other, rule, derived in self.layout.rules_after(field):
            if rule.implied:
                continue
            late = other is not field
            printer = (
                self.printer.standing_at(Atom(self.variable(other, "end")))
                if late
                else self.printer.standing_at(None, behind)
            )
            start = [self.variable(other, "at")] if late and other not in run else []
            if not late and other.bits is not None:
                start = [f"r.tell() - {self.layout.number_of(other).fixed}"]
            if rule.of_element:
                self._check_elements(other, rule, derived, start, printer)
            else:
                condition = self._condition(other, rule, derived)
                self.out.about(other.name, can_fail(condition, self.layout))
                self._refuse(quoted(other.name), condition, rule, start, printer)

    def whole_checks(self) -> list[str]:
        """Returns the statements that check a list whose elements have places of their own, and what other fields say of a
        field that may be absent.
        """
        field = self.only
        assert field is not None
        printer = self.printer
        self.printer = ReadingPrinter(self.layout.module, printer.imports, located=True)
        for other, rule, derived in self.layout.placing[field.name].rules:
            if self._is_about_whole(other, rule):
                self._at_place(other, rule, derived)
        self.printer = printer
        return self.out.lines

    def _is_about_whole(self, field: FieldLayout, rule: Rule) -> bool:
        """Returns whether a rule is checked once the placed field was read, or found absent."""
        only = self.only
        assert only is not None
        if only.by_element:
            return field is not only or not rule.of_element
        return only.presence is not None and field is not only

    def _condition(self, field: FieldLayout, rule: Rule, derived: bool) -> Node:
        """Returns the condition of a rule: an invariant, or that a derived field has the value to be written."""
        return verified(field, rule) if derived else is_absent_or(field, rule)

    def _refuse(self, at: str, condition: Node, rule: Rule, start: list[str], printer: ReadingPrinter) -> None:
        self.out.refuse(condition, printer, at, rule, *start)

    def _at_place(self, field: FieldLayout, rule: Rule, derived: bool) -> None:
        is_inside = rule.setting is not None and rule.setting.over is not None
        if field is self.only and rule.of_element and not is_inside:
            own = replace(field, presence=None)
            condition = self._condition(own, rule, derived)
            self.out.about(field.name, can_fail(condition, self.layout))
            self._refuse("at", condition, rule, ["0"], self.printer)
        elif rule.of_element:
            self._check_elements(field, rule, derived, ["0"], self.printer)
        else:
            condition = self._condition(field, rule, derived)
            self.out.about(field.name, can_fail(condition, self.layout))
            self._refuse(quoted(field.name), condition, rule, ["0"], self.printer)

    def _check_elements(
        self, field: FieldLayout, rule: Rule, derived: bool, start: list[str], printer: ReadingPrinter
    ) -> None:
        """Prints the check of each element; errors name its place."""
        own: Node = nodes.FieldValue(field.name, field.attribute, field.slot)
        over = None if rule.setting is None or derived else rule.setting.over
        if over is not None:
            own = nodes.Conditional(nodes.is_given(own), over, nodes.Constant(b"")) if field.presence else over
        count = f"len({printer.text(own)})"
        if field.kind == "bits" and not (isinstance(field.width, nodes.Constant) and field.width.value):
            count = f"{printer.runtime('_col')}.each({printer.text(own)})"
        self.out.about(field.name, can_fail(nodes.Count(own), self.layout))
        with self.out.block(f"for at in {self.out.call('places', quoted(field.name), count)}:"):
            self._refuse("at", self._condition(field, rule, derived), rule, start, printer)
