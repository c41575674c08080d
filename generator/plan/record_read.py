"""The statements that read a body of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..expressions import names
from ..syntax import Dimension, Expr, RecordField
from . import types
from .expressions import UnsupportedExpression
from .negation import negated
from .record_elements import ElementReader
from .record_rules import (
    codec_value,
    counts_rest,
    counts_what_exists,
    derived_text,
    index_dimension,
    last_needed,
    read_rules,
    rule_of,
    run_size,
)
from .record_scope import RecordScope
from .shapes import FieldShape, smallest_size
from .units import Unit


class Reader(ElementReader):
    """Reads whole units. Attributes: ``layouts`` are the runs of fixed width: name, byte order, and (field, code)."""

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        super().__init__(unit, only)
        self.layouts: list[tuple[str, str, list[tuple[str, str]]]] = []

    def lines(self) -> list[str]:
        """The statements inside the reading method's `try`."""
        if self.only is not None:
            self._field(self.only)
            return _without_unused_buffer(self.out.lines)
        fields = list(self.unit.fields)
        while fields:
            run = self._run(fields)
            if run:
                self._read_run(run)
            else:
                run = fields[:1]
                self._field(run[0])
            del fields[: len(run)]
        self._finish()
        return _without_unused_buffer(self.out.lines)

    # ---- runs of fixed width ----

    def _run(self, fields: Sequence[RecordField]) -> list[RecordField]:
        run: list[RecordField] = []
        for field in fields:
            if self.unit.shapes[field.name].run_code is None:
                break
            run.append(field)
        return run

    def _read_run(self, run: list[RecordField]) -> None:
        shapes = [self.unit.shapes[field.name] for field in run]
        self.out.add('step, start = "", pos')
        targets = [f"made.{self.unit.attr(field.name)}" for field in run]
        if len(run) == 1 and shapes[0].type == "u8":
            self.out.lines.pop()
            self.out.add(f"step, start = {types.quoted(run[0].name)}, pos", f"{targets[0]} = buf[pos]", "pos += 1")
            self.enum(shapes[0], targets[0])
            self._after(run[0], "start")
            return
        layout = f"_{self.unit.name.lstrip('_')}_{run[0].name}"
        order = ">" if self.unit.order == "big" else "<"
        self.layouts.append(
            (layout, order, [(field.name, shape.run_code or "") for field, shape in zip(run, shapes, strict=True)])
        )
        size = sum(run_size(shape) for shape in shapes)
        if len(targets) == 1:
            self.out.add(f"({targets[0]},) = {layout}.unpack(buf, pos)")
        else:
            self._assign(targets, f"{layout}.unpack(buf, pos)")
        self.out.add(f"pos += {size}")
        offset = 0
        for field, shape, target in zip(run, shapes, targets, strict=True):
            start = f"start + {offset}" if offset else "start"
            self.enum(shape, target)
            offset += run_size(shape)
            self._after(field, start, behind=f"start + {offset}" if offset < size else "pos", step=True)

    def _assign(self, targets: list[str], value: str) -> None:
        line = f"{', '.join(targets)} = {value}"
        if len(line) <= 100:
            self.out.add(line)
        else:
            self.out.add("(", *(f"    {target}," for target in targets), f") = {value}")

    # ---- one field ----

    def _field(self, field: RecordField) -> None:
        shape = self.unit.shapes[field.name]
        out = self.out
        target = "value" if self.only is not None else f"made.{self.unit.attr(field.name)}"
        if self.only is None or shape.lists or field.size is not None:
            out.add(f"step, start = {types.quoted(field.name)}, pos")
        if field.present is not None and not (shape.lists and shape.lists[0].kind == "index"):
            with out.block(f"if {self.scope.render(field.present)}:"):
                self._value(shape, target)
            with out.block("else:"):
                out.add(f"{target} = None")
        else:
            self._value(shape, target)
        self._note(field)
        self._after(field, "start")

    def _value(self, shape: FieldShape, target: str) -> None:
        """Reads a field that is there."""
        if shape.lists and shape.lists[0].kind == "index":
            self._list(shape, target)
        else:
            self._sized(shape, target, self._list if shape.lists else self.element)

    def _sized(self, shape: FieldShape, target: str, read: Callable[..., None]) -> None:
        """What ``read`` reads, in a span of its own where the field has a size; that of a located field is the source's."""
        field = shape.field
        size = None if field.size is None else self.scope.render(field.size)
        if self.only is not None:
            size = None if not shape.codecs else "len(buf)"
        if size is None or (shape.codecs and shape.kind in ("bytes", "utf8") and not shape.lists):
            read(shape, target, size)
            if self.only is not None:
                self._leave_nothing(shape)
            return
        if shape.codecs:
            self.out.add(f"size = {size}", "stop = pos + size")
            self.out.add(f"outer, at = at, at.through({self.codecs(shape)}, pos, size)", "buf, pos = at.buf, 0")
        else:
            self.out.add(f"outer, at = at, at.within(pos, {size})", "buf = at.buf")
        read(shape, target, None)
        if shape.kind == "struct" and not shape.codecs:
            self.out.add("pos = len(buf)")
        else:
            self.out.add("at.finish(pos)")
        if (shape.field.name, "raw_size") in self.noted:
            self.out.add(f"raw_{field.name} = pos")
        if shape.codecs:
            self.out.add("pos = stop")
        self.out.add("at = outer", "buf = at.buf")

    def _leave_nothing(self, shape: FieldShape) -> None:
        if shape.kind != "struct":
            self.out.add("at.finish(pos)")

    def _list(self, shape: FieldShape, target: str, _size: str | None = None) -> None:
        if len(shape.lists) > 1:
            raise UnsupportedExpression("a field has one dimension, beside a length", shape.field.location)
        dimension = shape.lists[0]
        if dimension.kind == "count" and self._is_plain(shape):
            order = ">" if self.unit.order == "big" else "<"
            count = self.scope.render(dimension.expression) if dimension.expression is not None else ""
            self.out.add(f'{target}, pos = _in.numbers(buf, pos, {count}, "{order}", "{shape.code}")')
            return
        for line in self.list_state(shape):
            self.out.add(line)
        self.out.add(f"{target} = items = []", "begin = pos")
        if (shape.field.name, "size[]") in self.noted:
            self.out.add(f"sizes_{shape.field.name} = []")
        if (shape.field.name, "offset[]") in self.noted:
            self.out.add(f"starts_{shape.field.name} = []")
        with self.out.block(self._loop(shape, dimension)):
            self._list_element(shape, dimension)
        self.out.add("index, start = None, begin")

    def _loop(self, shape: FieldShape, dimension: Dimension) -> str:
        if dimension.kind == "rest":
            return "while pos < len(buf):"
        if dimension.kind == "until":
            return "while True:"
        assert dimension.expression is not None
        count = self.scope.render(dimension.expression)
        if counts_what_exists(dimension.expression, self.scope):
            return f"for index in range({count}):"
        smallest = smallest_size(shape.field, self.unit.module)
        return f"for index in range(_in.bounded({count}, {smallest}, buf, pos)):"

    def _list_element(self, shape: FieldShape, dimension: Dimension) -> None:
        out, field = self.out, shape.field
        counted = dimension.kind in ("count", "index")
        if not counted:
            out.add("index = len(items)")
        if dimension.kind == "index" and field.present is not None:
            with out.block(f"if {negated(self.scope.render(field.present))}:"):
                out.add("items.append(None)")
                if (field.name, "size[]") in self.noted:
                    out.add(f"sizes_{field.name}.append(0)")
                if (field.name, "offset[]") in self.noted:
                    out.add(f"starts_{field.name}.append(pos)")
                out.add("continue")
        out.add("start = pos")
        if (field.name, "offset[]") in self.noted:
            out.add(f"starts_{field.name}.append(pos)")
        if dimension.kind == "index":
            self._sized(shape, "item", self.element)
        else:
            self.element(shape, "item", None)
        out.add("items.append(item)")
        if (field.name, "size[]") in self.noted:
            out.add(f"sizes_{field.name}.append(pos - start)")
        if not counted:
            with out.block("if pos == start:"):
                out.add('raise _in.refused("an element takes no bytes", start)')
        if dimension.kind == "until" and dimension.expression is not None:
            with out.block(f"if {self.scope.render(dimension.expression)}:"):
                out.add("break")

    def _is_plain(self, shape: FieldShape) -> bool:
        """Whether the elements are fixed-width numbers as they stand."""
        return shape.kind == "number" and shape.code is not None and shape.enum is None and shape.field.size is None

    # ---- notes and checks ----

    def _note(self, field: RecordField) -> None:
        """Keeps where a field stood, for expressions that ask later."""
        if (field.name, "size") in self.noted:
            self.out.add(f"size_{field.name} = pos - start")

    def _after(self, field: RecordField, start: str, *, behind: str = "pos", step: bool = False) -> None:
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
        return any(counts_rest(expr) and last_needed(self.unit, field, expr) is not field for expr, _, _ in rules)

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

    def _finish(self) -> None:
        """What follows the last field: the value of a codec, the checks of the whole."""
        unit, out = self.unit, self.out
        if unit.codec is not None:
            out.add('step = ""')
            for line in codec_value(unit, self.scope):
                out.add(line)
        for where in unit.checks:
            out.add('step, start = "", pos')
            self.out.refuse(self.scope.render(where.condition), "_in.refused", rule_of(where), "pos")


def _without_unused_buffer(lines: list[str]) -> list[str]:
    """The lines without the assignments of ``buf`` where nothing else names it."""
    named = (line for line in lines if re.search(r"(?<![\w.])buf\b", line))
    if any("buf" in line.partition(" = ")[2].replace("at.buf", "") or " = " not in line for line in named):
        return lines
    return [line.replace("buf, pos = at.buf, 0", "pos = 0") for line in lines if line.strip() != "buf = at.buf"]
