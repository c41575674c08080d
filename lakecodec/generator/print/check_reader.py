"""The statements that check what was read, as soon as all that a rule names is there."""

from __future__ import annotations

from collections.abc import Iterator
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
        """The checks that can be made once ``field`` has been read: its own, and earlier ones that waited for it.

        Args:
            start, behind: where the field begins and ends.
            named: whether an error would name another field.
        """
        text = self.printer.text
        if "start" in field.captures and self.only is None:
            self.out.add(f"start_{field.name} = {text(start)}")
        if self.only is not None:
            place = "start" if field.size or field.dimension else "0"
            for other, rule, derived in self._rules_at_place(field):
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
        for other, rule, derived in self._rules_at_place(field) if field.by_element else ():
            if other is not field or not rule.of_element:
                self._at_place(other, rule, derived, "0")
        self.printer = printer
        return self.out.lines

    def _rules_at_place(self, field: FieldLayout) -> Iterator[tuple[FieldLayout, Rule, bool]]:
        """Yields the rules that need a placed field, without those that only repeat how it is found."""
        waiting = (found for found in self.layout.rules_after(field) if found[0].place is None)
        own = (
            (field, rule, False) for rule in field.rules if rule.setting is None or not self._found_later(field, rule)
        )
        late = (
            (other, rule, False)
            for other in self.layout.fields
            for rule in other.rules
            if other.place is not None and rule.setting is not None and self._found_later(other, rule) is field
        )
        for other, rule, is_derived in [*own, *late, *waiting]:
            derived = is_derived or rule.setting is not None
            counted = derived and field.dimension is not None and self.layout.counts_itself(field.dimension, field)
            match rule.condition if rule.setting is None else rule.setting.value:
                case nodes.PlacedMeasure(function="size", field=name) if derived and name == field.name:
                    counted = field.size is not None and other.name in nodes.field_names(field.size)
                case nodes.PlacedMeasure(function="offset", field=name) if derived and name == field.name:
                    counted = field.place is not None and other.name in nodes.field_names(field.place)
                case nodes.Count(operand=nodes.FieldValue(field=name)) if name == field.name:
                    pass
                case _:
                    counted = False
            if not counted:
                yield other, rule, is_derived

    def _found_later(self, field: FieldLayout, rule: Rule) -> FieldLayout | None:
        """Returns the last placed field that a setting of a placed field names and that cannot be found without that one."""
        assert rule.setting is not None
        placed = [each for each in self.layout.fields if each.place is not None and each is not field]
        named = {getattr(part, "field", "") for part in nodes.walk(rule.setting.value)}
        return next((each for each in reversed(placed) if each.name in named and self._hangs_on(each, field)), None)

    def _hangs_on(self, field: FieldLayout, other: FieldLayout) -> bool:
        """Returns whether a field cannot be found and read without another one."""
        pending, seen = [field], [field]
        while pending:
            each = pending.pop()
            named = {getattr(part, "field", "") for node in self._finding(each) for part in nodes.walk(node)}
            found = [each for each in self.layout.fields if each.name in named and each not in seen]
            if other in found:
                return True
            pending += found
            seen += found
        return False

    @staticmethod
    def _finding(field: FieldLayout) -> Iterator[Node]:
        """Yields what must be known where a field is read; what others compute of it is checked later."""
        settings = [rule.condition for rule in field.rules if rule.setting is not None]
        yield from (node for node in field.nodes() if not any(node is each for each in settings))

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
        """A derived field must have the value that would be written."""
        differs = verified(field, rule)
        if not rule.of_element:
            with self.out.block(f"if {printer.text(differs)}:"):
                self.out.raise_("_in.refused", rule.message, place)
            return
        with self._each(field, printer), self.out.block(f"if {printer.text(differs)}:"):
            self.out.raise_("_in.refused", rule.message, place)
        self.out.add("index = None")

    def _check(self, field: FieldLayout, rule: Rule, place: str, printer: ReadingPrinter) -> None:
        """An invariant must hold; an absent field breaks none."""
        condition = is_absent_or(field, rule)
        if not rule.of_element:
            self.out.refuse(printer, condition, "_in.refused", rule.message, place)
            return
        with self._each(field, printer, rule):
            self.out.refuse(printer, condition, "_in.refused", rule.message, place)
        self.out.add("index = None")

    def _each(
        self, field: FieldLayout, printer: ReadingPrinter, rule: Rule | None = None
    ) -> AbstractContextManager[None]:
        own: Node = nodes.FieldValue(field.name, field.attribute)
        over = None if rule is None or rule.setting is None else rule.setting.over
        if over is not None:
            own = nodes.Conditional(nodes.is_given(own), over, nodes.Constant(b"")) if field.presence else over
        return self.out.block(f"for index in range(len({printer.text(own)})):")
