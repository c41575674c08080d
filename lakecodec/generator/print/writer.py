"""The statements that write a body of fields, in an order in which every derived value can be computed."""

from __future__ import annotations

from functools import cached_property

from ..lower import nodes
from ..lower.layouts import FieldLayout, Rule
from ..lower.rules import is_absent_or, own_value
from ..lower.write_order import OF_READING
from .list_writer import WRONG_SIZE
from .part_writer import PartWriter
from .reader import run_name


class Writer(PartWriter):
    """Prints the writing of a body; of a located record, of the one field ``only``."""

    def lines(self) -> list[str]:
        """Returns the statements inside the writing method's `try`."""
        if self.only is not None:
            only = self.only
            if only.by_element:
                self.out.add(f"item = self.{only.attribute}[index]")
                self._needs(only)
                self.sized(only, lambda: self.element(only, "item"))
            else:
                self.encode(only)
            self._checks(only)
            return self.choosing(self.out.lines)
        fields = list(self.layout.fields)
        while fields:
            if fields[0].name in self._checked_measures:
                self._measure(fields[0])
            run = self._run(fields)
            for field in run or fields[:1]:
                self.value(field)
            if run:
                self._write_run(run)
            else:
                run = fields[:1]
                self._place(run[0])
            for field in run:
                self._checks(field)
            del fields[: len(run)]
        for rule in self._whole_checks:
            self.out.about("")
            self.out.refuse(self.printer, rule.condition, "_out.unfit", rule.message)
        places = ["begin = out.offset()"] if "begin" in self.out.variables else []
        return self.choosing(places + self.out.lines)

    # ---- runs of fixed width ----

    def _run(self, fields: list[FieldLayout]) -> list[FieldLayout]:
        run: list[FieldLayout] = []
        for field in fields:
            if (
                self.layout.order is not None
                or field.run_code is None
                or field.name in self.parts | set(self._checked_measures)
            ):
                break
            run.append(field)
        return run

    def _write_run(self, run: list[FieldLayout]) -> None:
        if len(run) == 1 and run[0].type == "u8":
            self.out.about(run[0].name)
            self.out.add(f"{self.data}.append(self.{run[0].attribute})")
            return
        self.out.about("")
        values = (f"self.{field.attribute}" for field in run)
        self.out.call(f"{self.data} += {run_name(self.layout, run[0])}.pack", *values)

    # ---- places ----

    def _place(self, field: FieldLayout) -> None:
        """Writes a field where it stands, encoded already or now."""
        if self.checked_size(field) is not None and not field.by_element:
            self.encode_part(field, in_place=True)
        if field.name not in self.parts and field.name not in self.raw:
            self.encode(field)
            return
        self.encode_part(field, in_place=True)
        self.out.add(f"{self.data} += part_{field.name}")

    @cached_property
    def _checked_measures(self) -> dict[str, set[str]]:
        """Returns a dict of field -> its measures (`size`, `raw_size`) that invariants need."""
        found: dict[str, set[str]] = {}
        rules = [(rule, each.name) for each in self.layout.fields for rule in each.rules if rule.setting is None]
        for rule, name in [*rules, *((rule, self.layout.fields[0].name) for rule in self._whole_checks)]:
            for function, measured in self.order.needed(rule.condition, name):
                found.setdefault(measured, set()).add(function)
        return found

    def _measure(self, field: FieldLayout) -> None:
        """Encodes a field where it stands, for invariants that measure it."""
        if "raw_size" in self._checked_measures[field.name]:
            self.encode_raw(field, in_place=True)
        self.encode_part(field, in_place=True)

    # ---- checks ----

    @property
    def _whole_checks(self) -> list[Rule]:
        """The checks of the whole that hang on its values alone."""
        wholes = self.layout.checks if self.layout.fields else ()
        return [rule for rule in wholes if not nodes.span_words(rule.condition)]

    def _checks(self, field: FieldLayout) -> None:
        """The invariants that can be checked once ``field`` has been written."""
        for other in self.layout.fields[: self.layout.fields.index(field) + 1]:
            for rule in other.rules:
                spanned = nodes.span_words(rule.condition)
                is_own = other is self.only
                if rule.setting is not None:
                    continue
                if not is_own and (rule.after != field.name or (self.only is not None and other.place is not None)):
                    continue
                if spanned & OF_READING or (spanned and self.only is not None):
                    continue
                if spanned:
                    self.prepare_rule(rule.condition, other)
                self._check(other, rule)
        if field.name in self.deciding and field.presence is not None and not nodes.span_words(field.presence):
            self._check_presence(field)
        if (checked := self.checked_size(field)) is not None and not field.by_element:
            self._check_size(field, *checked)

    def _check(self, field: FieldLayout, rule: Rule) -> None:
        printer, out = self.rule_printer(field), self.out
        condition = is_absent_or(field, rule)
        if self.only is not None and self.only.by_element and not (rule.of_element and field is self.only):
            return
        out.about(field.name)
        if not rule.of_element or field is self.only:
            out.refuse(printer, condition, "_out.unfit", rule.message)
            return
        with out.block(f"for index in range(len(self.{field.attribute})):"):
            out.refuse(printer, condition, "_out.unfit", rule.message)
        out.add("index = None")

    def _check_presence(self, field: FieldLayout) -> None:
        """The condition of a field whose own bytes it hangs on."""
        assert field.presence is not None
        out = self.out
        self.prepare(field.presence, field)
        given = nodes.is_given(own_value(field, element=field.indexed))
        differs = self.printer.text(nodes.Comparison(("!=",), (given, field.presence)))
        out.about(field.name)
        rule = "the field's condition does not agree with its value"
        if not field.indexed:
            with out.block(f"if {differs}:"):
                out.raise_("_out.unfit", rule)
            return
        with out.block(f"for index in range(len(self.{field.attribute})):"), out.block(f"if {differs}:"):
            out.raise_("_out.unfit", rule)
        out.add("index = None")

    def _check_size(self, field: FieldLayout, condition: nodes.Node | None, size: nodes.Node) -> None:
        """A size that is not derived from the field itself must be that of its bytes."""
        for node in (condition, size):
            if node is not None:
                self.prepare(node, field)
        self.out.about(field.name)
        part = nodes.Measure("size", field.name, field.attribute, None)
        differs: nodes.Node = nodes.Comparison(("!=",), (part, size))
        if condition is not None:
            differs = nodes.Logical("and", (condition, differs))
        if field.presence is not None:
            differs = nodes.Logical("and", (nodes.is_given(own_value(field)), differs))
        with self.out.block(f"if {self.printer.text(differs)}:"):
            self.out.raise_("_out.unfit", WRONG_SIZE)
