"""The statements that read a body of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..syntax import Dimension, RecordField
from . import types
from .negation import negated
from .record_checks import CheckReader
from .record_rules import (
    codec_value,
    counts_what_exists,
    rule_of,
    run_size,
)
from .shapes import FieldShape, smallest_size
from .units import Unit


class Reader(CheckReader):
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
            self.after(run[0], "start")
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
            self.after(field, start, behind=f"start + {offset}" if offset < size else "pos", step=True)

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
        if field.present is not None and not shape.by_element:
            with out.block(f"if {self.scope.render(field.present)}:"):
                self._value(shape, target)
            with out.block("else:"):
                out.add(f"{target} = None")
        else:
            self._value(shape, target)
        self.note(field)
        self.after(field, "start")

    def _value(self, shape: FieldShape, target: str) -> None:
        """Reads a field that is there."""
        if shape.by_element:
            self._list(shape, target)
        else:
            self._sized(shape, target, self._list if shape.lists else self.element)

    def _sized(self, shape: FieldShape, target: str, read: Callable[..., None]) -> None:
        """What ``read`` reads, in a span of its own where the field has a size; that of a located field is the source's."""
        field = shape.field
        size = None if field.size is None else self.scope.render(field.size)
        if self.only is not None:
            size = None if not shape.codecs else "len(buf)"
        if size is None or shape.text_codecs:
            read(shape, target, size)
            if self.only is not None:
                self._leave_nothing(shape)
            return
        if shape.span_codecs:
            self.out.add(f"size = {size}", "stop = pos + size")
            self.out.add(f"outer, at = at, at.through({self.codecs(shape)}, pos, size)", "buf, pos = at.buf, 0")
        else:
            self.out.add(f"outer, at = at, at.within(pos, {size})", "buf = at.buf")
        read(shape, target, None)
        if shape.kind == "struct" and not shape.span_codecs:
            self.out.add("pos = len(buf)")
        else:
            self.out.add("at.finish(pos)")
        if self.notes_raw(field):
            self.out.add(f"raw_{field.name} = pos")
        if shape.span_codecs:
            self.out.add("pos = stop")
        self.out.add("at = outer", "buf = at.buf")

    def _leave_nothing(self, shape: FieldShape) -> None:
        if shape.kind != "struct":
            self.out.add("at.finish(pos)")

    def _list(self, shape: FieldShape, target: str, _size: str | None = None) -> None:
        dimension = shape.lists[0]
        if dimension.kind == "count" and self._is_plain(shape):
            order = ">" if self.unit.order == "big" else "<"
            count = self.scope.render(dimension.expression) if dimension.expression is not None else ""
            self.out.add(f'{target}, pos = _in.numbers(buf, pos, {count}, "{order}", "{shape.code}")')
            return
        for line in self.list_state(shape):
            self.out.add(line)
        self.out.add(f"{target} = items = []", "begin = pos")
        for name, _, _ in self._kept(shape.field):
            self.out.add(f"{name} = []")
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
                for name, _, absent in self._kept(field):
                    out.add(f"{name}.append({absent})")
                out.add("continue")
        out.add("start = pos")
        if dimension.kind == "index":
            self._sized(shape, "item", self.element)
        else:
            self.element(shape, "item", None)
        out.add("items.append(item)")
        for name, measured, _ in self._kept(field):
            out.add(f"{name}.append({measured})")
        if not counted:
            with out.block("if pos == start:"):
                out.add('raise _in.refused("an element takes no bytes", start)')
        if dimension.kind == "until" and dimension.expression is not None:
            with out.block(f"if {self.scope.render(dimension.expression)}:"):
                out.add("break")

    def _kept(self, field: RecordField) -> list[tuple[str, str, str]]:
        """(variable, what it gets for an element, and for an absent one) of the measures of elements."""
        measures = [
            ("offset[]", f"starts_{field.name}", "start", "pos"),
            ("size[]", f"sizes_{field.name}", "pos - start", "0"),
            ("raw_size[]", f"raws_{field.name}", f"raw_{field.name}", "0"),
        ]
        return [
            (name, measured, absent) for note, name, measured, absent in measures if (field.name, note) in self.noted
        ]

    def _is_plain(self, shape: FieldShape) -> bool:
        """Whether the elements are fixed-width numbers as they stand, and nothing measures one of them."""
        if self._kept(shape.field):
            return False
        return shape.kind == "number" and shape.code is not None and shape.enum is None and shape.field.size is None

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
