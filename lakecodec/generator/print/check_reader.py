"""The statements that check what was read, as soon as all that a rule names is there."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from ..lower import nodes
from ..lower.field_layout import FieldLayout, Rule, is_absent_or, verified
from ..lower.nodes import Node
from ..names import quoted
from .element_reader import ElementReader
from .expressions import Atom
from .spelling import POS, ReadingPrinter


class CheckReader(ElementReader):
    """Captures measures of fields, and checks their rules."""

    def after(self, field: FieldLayout, start: Node, *, behind: Node = POS, named: bool = False) -> None:
        """Prints the checks that can be made once ``field`` has been read: its own, and earlier ones that waited for it.

        Args:
            start, behind: where the field begins and ends.
            named: whether an error would name another field.
        """
        text = self.printer.text
        if "start" in field.captures and self.only is None:
            self.out.add(f"start_{field.name} = {text(start)}")
        if self.only is not None:
            place = "start" if field.size or field.dimension else "0"
            for other, rule, derived in self.layout.placing[field.name].rules:
                if not field.by_element or (other is field and rule.of_element):
                    self._at_place(other, rule, derived, place if other is field else "0")
            return
        if self.layout.measures_rest_late(field):
            self.out.add(f"stop_{field.name} = {text(behind)}")
        about = "" if named else field.name
        for other, rule, derived in self.layout.rules_after(field):
            late = other is not field
            if other.name != about:
                self.out.add(f"field = {quoted(other.name)}")
                about = other.name
            place = f"start_{other.name}" if late else text(start)
            printer = self.printer.standing_at(Atom(f"stop_{other.name}") if late else behind)
            if derived:
                self._verify(other, rule, place, printer)
            else:
                self._check(other, rule, place, printer)

    def whole_checks(self) -> list[str]:
        """Returns the statements that check a list whose elements have their own places."""
        field = self.only
        assert field is not None
        printer = self.printer
        self.printer = ReadingPrinter(self.layout.module, printer.imports, self.out.variables, located=True)
        for other, rule, derived in self.layout.placing[field.name].rules if field.by_element else ():
            if other is not field or not rule.of_element:
                self._at_place(other, rule, derived, "0")
        self.printer = printer
        return self.out.lines

    def _at_place(self, field: FieldLayout, rule: Rule, derived: bool, place: str) -> None:
        if field is not self.only:
            self.out.add(f"field = {quoted(field.name)}")
        is_inside = rule.setting is not None and rule.setting.over is not None
        if field is self.only and rule.of_element and not is_inside:
            own = replace(field, presence=None)
            self.out.refuse(self.printer, is_absent_or(own, rule), "_in.refused", rule.message, place)
        elif derived:
            self._verify(field, rule, place, self.printer)
        else:
            self._check(field, rule, place, self.printer)

    def _verify(self, field: FieldLayout, rule: Rule, place: str, printer: ReadingPrinter) -> None:
        """Prints the check of a derived field: it has the value that would be written."""
        differs = verified(field, rule)
        if not rule.of_element:
            with self.out.block(f"if {printer.text(differs)}:"):
                self.out.raise_("_in.refused", rule.message, place)
            return
        with self._each(field, printer), self.out.block(f"if {printer.text(differs)}:"):
            self.out.raise_("_in.refused", rule.message, place)
        self.out.add_restoring("index = None", "index = None")

    def _check(self, field: FieldLayout, rule: Rule, place: str, printer: ReadingPrinter) -> None:
        """Prints the check of an invariant, which an absent field does not break."""
        condition = is_absent_or(field, rule)
        if not rule.of_element:
            self.out.refuse(printer, condition, "_in.refused", rule.message, place)
            return
        with self._each(field, printer, rule):
            self.out.refuse(printer, condition, "_in.refused", rule.message, place)
        self.out.add_restoring("index = None", "index = None")

    def _each(
        self, field: FieldLayout, printer: ReadingPrinter, rule: Rule | None = None
    ) -> AbstractContextManager[None]:
        own: Node = nodes.FieldValue(field.name, field.attribute)
        over = None if rule is None or rule.setting is None else rule.setting.over
        if over is not None:
            own = nodes.Conditional(nodes.is_given(own), over, nodes.Constant(b"")) if field.presence else over
        count = f"len({printer.text(own)})"
        if field.kind == "bits" and not (isinstance(field.width, nodes.Constant) and field.width.value):
            count = f"{printer.runtime('_col')}.each({printer.text(own)})"
        return self.out.block(f"for index in range({count}):")
