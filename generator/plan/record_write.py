"""The statements that write a body of fields, in an order in which every derived value can be computed."""

from __future__ import annotations

from collections.abc import Sequence

from ..expressions import names
from ..syntax import Expr, RecordField
from . import types
from .record_order import uses_offset
from .record_parts import WRONG_SIZE, FieldWriter
from .record_rules import index_dimension, rule_of

#: What is known only while bytes are read.
_OF_READING = frozenset(("at_end", "end"))


class Writer(FieldWriter):
    """Plans the writing of a unit; of a located record, of the one field ``only``."""

    def lines(self) -> list[str]:
        """The statements inside the writing method's `try`."""
        if self.only is not None:
            self.encode(self.only)
            self._checks(self.only)
            return self.out.lines
        if uses_offset(self.unit):
            self.out.add("begin = out.offset()")
        fields = list(self.unit.fields)
        while fields:
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
        return self.out.lines

    # ---- runs of fixed width ----

    def _run(self, fields: Sequence[RecordField]) -> list[RecordField]:
        run: list[RecordField] = []
        for field in fields:
            if self.unit.shapes[field.name].run_code is None or field.name in self.parts:
                break
            run.append(field)
        return run

    def _write_run(self, run: list[RecordField]) -> None:
        shapes = [self.unit.shapes[field.name] for field in run]
        if len(run) == 1 and shapes[0].type == "u8":
            self.out.add(f"step = {types.quoted(run[0].name)}", f"data.append(made.{self.unit.attr(run[0].name)})")
            return
        layout = f"_{self.unit.name.lstrip('_')}_{run[0].name}"
        values = ", ".join(f"made.{self.unit.attr(field.name)}" for field in run)
        self.out.add('step = ""')
        self.out.call(f"data += {layout}.pack", *values.split(", "))

    # ---- places ----

    def _place(self, field: RecordField) -> None:
        """Writes a field where it stands, encoded already or now."""
        if self.has_checked_size(field) and not self.unit.shapes[field.name].lists:
            self.encode_part(field)
        if field.name not in self.parts and field.name not in self.raw:
            self.encode(field)
            return
        self.encode_part(field)
        self.out.add(f"data += part_{field.name}")

    # ---- checks ----

    def _checks(self, field: RecordField) -> None:
        """The invariants that can be checked once ``field`` has been written."""
        fields = [field] if self.only is not None else self.unit.fields[: self.unit.fields.index(field) + 1]
        for other in fields:
            for where in other.invariants:
                used = {name.name for name in names(where.condition)}
                last = [each for each in self.unit.fields if each.name in used | {other.name}][-1]
                if (last is field or self.only is not None) and not used & _OF_READING:
                    for_rest = "rest" in used
                    if for_rest and self.only is not None:
                        continue
                    if for_rest:
                        self.prepare(where.condition, other)
                    self._check(other, where.condition, rule_of(where))
        if field.name in self.deciding and field.present is not None:
            self._check_presence(field)
        if self.has_checked_size(field) and not self.unit.shapes[field.name].lists:
            self._check_size(field)

    def _check(self, field: RecordField, expr: Expr, rule: str) -> None:
        scope, out = self.scope(field), self.out
        own = f"made.{self.unit.attr(field.name)}"
        condition = scope.render(expr)
        index = index_dimension(field)
        out.add(f"step = {types.quoted(field.name)}")
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
        out.add(f"step = {types.quoted(field.name)}")
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
        self.out.add(f"step = {types.quoted(field.name)}")
        there = f"made.{self.unit.attr(field.name)} is not None and " if field.present is not None else ""
        with self.out.block(f"if {there}len(part_{field.name}) != {self.scope(field).grouped(field.size)}:"):
            self.out.call("raise _out.unfit", types.quoted(WRONG_SIZE))
