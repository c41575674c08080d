"""The statements that write a body of fields, in an order in which every derived value can be computed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from ..expressions import names
from ..syntax import Expr, RecordField, Where
from . import types
from .record_lists import WRONG_SIZE
from .record_order import OF_READING, WriteScope
from .record_parts import FieldWriter
from .record_rules import index_dimension, last_needed, rule_of


class Writer(FieldWriter):
    """Plans the writing of a unit; of a located record, of the one field ``only``."""

    def lines(self) -> list[str]:
        """The statements inside the writing method's `try`."""
        if self.only is not None:
            self.encode(self.only)
            self._checks(self.only)
            return self.out.lines
        fields = list(self.unit.fields)
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
        self._check_whole()
        places = ["begin = out.offset()"] if any(re.search(r"\bbegin\b", line) for line in self.out.lines) else []
        return places + self.out.lines

    # ---- runs of fixed width ----

    def _run(self, fields: Sequence[RecordField]) -> list[RecordField]:
        run: list[RecordField] = []
        for field in fields:
            if self.unit.shapes[field.name].run_code is None or field.name in self.parts | set(self._checked_measures):
                break
            run.append(field)
        return run

    def _write_run(self, run: list[RecordField]) -> None:
        shapes = [self.unit.shapes[field.name] for field in run]
        if len(run) == 1 and shapes[0].type == "u8":
            self.out.step(run[0].name)
            self.out.add(f"data.append(made.{self.unit.attr(run[0].name)})")
            return
        layout = f"_{self.unit.name.lstrip('_')}_{run[0].name}"
        values = ", ".join(f"made.{self.unit.attr(field.name)}" for field in run)
        self.out.step("")
        self.out.call(f"data += {layout}.pack", *values.split(", "))

    # ---- places ----

    def _place(self, field: RecordField) -> None:
        """Writes a field where it stands, encoded already or now."""
        if self.has_checked_size(field) and not self.unit.shapes[field.name].by_element:
            self.encode_part(field, in_place=True)
        if field.name not in self.parts and field.name not in self.raw:
            self.encode(field)
            return
        self.encode_part(field, in_place=True)
        self.out.add(f"data += part_{field.name}")

    @cached_property
    def _checked_measures(self) -> dict[str, set[str]]:
        """Field -> the measures of it (`size`, `raw_size`) that invariants need."""
        found: dict[str, set[str]] = {}
        conditions = [(where.condition, each) for each in self.unit.fields for where in each.invariants]
        for expr, each in [*conditions, *((where.condition, self.unit.fields[0]) for where in self._whole_checks)]:
            for function, name in self.order.needed(expr, each):
                found.setdefault(name, set()).add(function)
        return found

    def _measure(self, field: RecordField) -> None:
        """Encodes a field where it stands, for invariants that measure it."""
        if "raw_size" in self._checked_measures[field.name]:
            self.encode_raw(field, in_place=True)
        self.encode_part(field, in_place=True)

    # ---- checks ----

    @property
    def _whole_checks(self) -> list[Where]:
        """The checks of the whole that hang on its values alone."""
        wholes = self.unit.checks if self.unit.fields else ()
        return [where for where in wholes if not self.unit.span_words(where.condition)]

    def _check_whole(self) -> None:
        for where in self._whole_checks:
            self.out.step("")
            scope = WriteScope(self.unit)
            self.out.refuse(scope.render(where.condition), "_out.unfit", rule_of(where))

    def _checks(self, field: RecordField) -> None:
        """The invariants that can be checked once ``field`` has been written."""
        fields = [field] if self.only is not None else self.unit.fields[: self.unit.fields.index(field) + 1]
        for other in fields:
            for where in other.invariants:
                spanned = self.unit.span_words(where.condition)
                if self.only is None and last_needed(self.unit, other, where.condition) is not field:
                    continue
                if spanned & OF_READING or (spanned and self.only is not None):
                    continue
                if spanned:
                    self.prepare_rule(where.condition, other)
                self._check(other, where.condition, rule_of(where))
        if field.name in self.deciding and field.present is not None and not self.unit.span_words(field.present):
            self._check_presence(field)
        if self.has_checked_size(field) and not self.unit.shapes[field.name].by_element:
            self._check_size(field)

    def _check(self, field: RecordField, expr: Expr, rule: str) -> None:
        scope, out = self.rule_scope(field), self.out
        own = f"made.{self.unit.attr(field.name)}"
        condition = scope.render(expr)
        index = index_dimension(field)
        out.step(field.name)
        if index is not None and any(name.name == index.variable for name in names(expr)):
            if field.present is not None:
                condition = f"{own}[index] is None or ({condition})"
            with out.block(f"for index in range(len({own})):"):
                out.refuse(condition, "_out.unfit", rule)
            out.add("index = None")
            return
        if field.present is not None and index is None:
            condition = f"{own} is None or ({condition})"
        out.refuse(condition, "_out.unfit", rule)

    def _check_presence(self, field: RecordField) -> None:
        """The condition of a field whose own bytes it hangs on."""
        assert field.present is not None
        out, own = self.out, f"made.{self.unit.attr(field.name)}"
        self.prepare(field.present, field)
        condition = self.scope(field).render(field.present)
        out.step(field.name)
        rule = "the field's condition does not agree with its value"
        if index_dimension(field) is not None:
            with (
                out.block(f"for index in range(len({own})):"),
                out.block(f"if ({own}[index] is not None) != ({condition}):"),
            ):
                out.call("raise _out.unfit", types.quoted(rule))
            out.add("index = None")
        else:
            with out.block(f"if ({own} is not None) != ({condition}):"):
                out.call("raise _out.unfit", types.quoted(rule))

    def _check_size(self, field: RecordField) -> None:
        """A size that is not derived from the field itself must be that of its bytes."""
        assert field.size is not None
        self.prepare(field.size, field)
        self.out.step(field.name)
        there = f"made.{self.unit.attr(field.name)} is not None and " if field.present is not None else ""
        with self.out.block(f"if {there}len(part_{field.name}) != {self.scope(field).grouped(field.size)}:"):
            self.out.call("raise _out.unfit", types.quoted(WRONG_SIZE))
