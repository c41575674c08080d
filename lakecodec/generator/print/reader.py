"""The statements that read a body of fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..lower import nodes
from ..lower.field_layout import Dimension, FieldLayout
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .check_reader import CheckReader
from .expressions import Atom
from .hints import enum_table
from .spelling import POS
from .text import group

START = Atom("start")


class Reader(CheckReader):
    """Reads whole bodies. Attributes: ``runs`` are those of fixed width: name, byte order, and (field, code)."""

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        super().__init__(layout, imports, only, by_backend=by_backend)
        self.runs: list[tuple[str, str, list[tuple[str, str]]]] = []

    def lines(self) -> list[str]:
        """Returns the statements inside the reading method's `try`."""
        if self.only is not None:
            self._placed(self.only)
            return self.choosing(self.out.lines)
        fields = list(self.layout.fields)
        while fields:
            run = fixed_run(fields) if self.layout.order is None else []
            if run:
                self._read_run(run)
            else:
                run = fields[:1]
                self._field(run[0])
            del fields[: len(run)]
        self._finish()
        return self.choosing(self.out.lines)

    def _placed(self, field: FieldLayout) -> None:
        """Reads a field, or an element, that is there, at its own place."""
        self.trace("inner = about = None", "field_at = pos")
        if field.dimension or field.size is not None:
            self.out.begin_field(field.name)
        is_list = field.dimension is not None and not field.by_element
        self._sized(field, "value", self._list if is_list else self.element)
        self.trace(f"note({quoted(field.name)}, None, span, field_at, pos, value, inner, about)")
        self.after(field, START)

    # ---- runs of fixed width ----

    def _read_run(self, run: list[FieldLayout]) -> None:
        targets = [f"obj.{field.attribute}" for field in run]
        self.trace("inner = about = None", "field_at = pos")
        if len(run) == 1 and run[0].type == "u8":
            self.out.begin_field(run[0].name)
            self.out.add(f"{targets[0]} = {self.buf}[pos]", "pos += 1")
            self.enum(run[0], targets[0])
            self.trace(f"note({quoted(run[0].name)}, None, span, start, pos, {targets[0]})")
            self.after(run[0], START)
            return
        name = run_name(self.layout, run[0])
        self.runs.append((name, self.byte_order[1:-1], [(field.name, field.run_code or "") for field in run]))
        self.out.begin_field("")
        size = sum(field.run_size for field in run)
        assigned = f"({targets[0]},)" if len(targets) == 1 else ", ".join(targets)
        if len(assigned) > 90:
            assigned = group("(", targets, ")")
        self.out.add(f"{assigned} = {name}.unpack({self.buf}, pos)")
        self.out.add(f"pos += {size}")
        offset = 0
        for field, target in zip(run, targets, strict=True):
            value = f"{enum_table(field, self.layout.module)}({target}, {target})" if field.enum else target
            place = f"start + {offset}, start + {offset + field.run_size}"
            self.trace(f"note({quoted(field.name)}, None, span, {place}, {value})")
            offset += field.run_size
        offset = 0
        for field, target in zip(run, targets, strict=True):
            start = _start_plus(offset)
            self.enum(field, target)
            offset += field.run_size
            self.after(field, start, behind=_start_plus(offset) if offset < size else POS, named=True)

    # ---- one field ----

    def _field(self, field: FieldLayout) -> None:
        out = self.out
        target = f"obj.{field.attribute}"
        if field.bits is not None:
            number, low, width = field.bits
            shifted = f"obj.{number} >> {low}" if low else f"obj.{number}"
            out.begin_field(field.name)
            out.add(f"{target} = {shifted} & {(1 << width) - 1:#x}")
            self.trace(f"note({quoted(field.name)}, None, span, pos, pos, {target})")
            self.after(field, START)
            return
        out.begin_field(field.name)
        self.trace("inner = about = None", "field_at = pos")
        if field.presence is not None and not field.by_element:
            with out.block(f"if {self.printer.text(field.presence)}:"):
                self._value(field, target)
            out.add_sure("else:", f"    {target} = None")
        else:
            self._value(field, target)
        if "size" in field.captures:
            out.add(f"size_{field.name} = pos - start")
        inner = "None" if field.by_element else "inner"
        self.trace(f"note({quoted(field.name)}, None, span, field_at, pos, {target}, {inner}, about)")
        self.after(field, START)

    def _value(self, field: FieldLayout, target: str) -> None:
        """Reads a field that is there."""
        if field.by_element:
            self._list(field, target)
        else:
            self._sized(field, target, self._list if field.dimension else self.element)

    def _sized(self, field: FieldLayout, target: str, read: Callable[..., None]) -> None:
        """Prints the statements of ``read``, in a span of its own where the field has a size; a placed field has the source's."""
        if self.only is not None:
            size = f"len({self.buf})" if field.codecs else None
        else:
            size = None if field.size is None else self.printer.text(field.size)
        if size is None or field.text_codecs:
            read(field, target, size)
            has_size = field.size is not None or (field.fixed is not None and not field.by_element)
            if self.only is not None and field.kind != "struct" and has_size:
                self.out.add("span.finish(pos)")
            return
        if field.span_codecs:
            self.out.add(f"size = {size}", "stop = pos + size")
            self.out.add(f"outer, span = span, span.through({self.codecs(field)}, pos, size)")
            self.out.add_for("buf", "buf, pos = span.buf, 0", "pos = 0")
        else:
            self.out.add(f"outer, span = span, span.within(pos, {size})")
            self.out.add_for("buf", "buf = span.buf")
        self.trace("inner = span")
        with self.printer.inside("outer" if field.span_codecs else "span"):
            read(field, target, None)
        if field.kind == "struct" and not field.span_codecs:
            self.out.add(f"pos = len({self.buf})")
        else:
            self.out.add("span.finish(pos)")
        if self.captures_raw(field):
            self.out.add(f"raw_{field.name} = pos")
        if field.span_codecs:
            self.out.add("pos = stop")
        self.out.add_for("buf", "span, buf = outer, outer.buf", "span = outer")

    def _list(self, field: FieldLayout, target: str, _size: str | None = None) -> None:
        dimension = field.dimension
        assert dimension is not None
        if dimension.kind == "count" and field.is_plain_number and not self._kept(field):
            count = self.printer.text(dimension.count)
            self.out.add(f'{target}, pos = _in.numbers({self.buf}, pos, {count}, {self.byte_order}, "{field.code}")')
            return
        self.out.add(*self.list_state(field))
        self.out.lists += 1
        self.out.add(f"{target} = items = []")
        saved = self.out.add("begin = start")
        for name, _, _ in self._kept(field):
            self.out.add(f"{name} = []")
        with self.out.block(self._loop(field, dimension)):
            self._list_element(field, dimension)
        self.out.add_restoring("index, start = None, begin", "index = None", saved)

    def _loop(self, field: FieldLayout, dimension: Dimension) -> str:
        if dimension.kind == "rest":
            return f"while pos < len({self.buf}):"
        if dimension.kind == "until":
            return "while True:"
        count = self.printer.text(dimension.count)
        if field.counts_what_exists:
            return f"for index in range({count}):"
        return f"for index in range(_in.bounded({count}, {field.smallest}, {self.buf}, pos)):"

    def _list_element(self, field: FieldLayout, dimension: Dimension) -> None:
        out = self.out
        counted = dimension.kind in ("count", "index")
        if not counted:
            out.add("index = len(items)")
        if dimension.kind == "index" and field.presence is not None:
            with out.block(f"if {self.printer.negated(field.presence).text}:"):
                out.add("span.took_nothing(pos, 1)", "items.append(None)")
                for name, _, absent in self._kept(field):
                    out.add(f"{name}.append({absent})")
                out.add("continue")
        out.add("start = pos")
        self.trace(*(["inner = about = None"] if dimension.kind == "index" else []), "item_at = pos")
        if dimension.kind == "index":
            self._sized(field, "item", self.element)
        else:
            self.element(field, "item", None)
        out.add("items.append(item)")
        inner = "inner" if dimension.kind == "index" else "None"
        # Where numbers of one width stand is known without a note of each.
        if dimension.kind == "index" or not field.is_plain_number:
            self.trace(f"note({quoted(field.name)}, index, span, item_at, pos, item, {inner}, about)")
        for name, measured, _ in self._kept(field):
            out.add(f"{name}.append({measured})")
        if counted and not field.smallest:
            out.add("span.passed(start, pos)")
        elif not field.smallest:
            with out.block("if pos == start:"):
                out.add('raise _in.refused("an element takes no bytes", start)')
        if dimension.kind == "until" and dimension.value is not None:
            with out.block(f"if {self.printer.text(dimension.value)}:"):
                out.add("break")

    def _kept(self, field: FieldLayout) -> list[tuple[str, str, str]]:
        """Returns (variable, what it gets for an element, and for an absent one) of the measures of elements."""
        measures = [
            ("offset[]", f"starts_{field.name}", "start", "pos"),
            ("size[]", f"sizes_{field.name}", "pos - start", "0"),
            ("raw_size[]", f"raws_{field.name}", f"raw_{field.name}", "0"),
        ]
        return [(name, measured, absent) for kept, name, measured, absent in measures if kept in field.captures]

    def _finish(self) -> None:
        """Prints the end of a reader: the value of a codec, the checks of the whole."""
        if self.layout.value is not None:
            self.out.add('field = ""', f"obj.value = {self.printer.text(self.layout.value)}")
        for rule in self.layout.checks:
            self.out.begin_field("")
            self.out.refuse(self.printer, rule.condition, "_in.refused", rule.message, "pos")


def fixed_run(fields: Sequence[FieldLayout]) -> list[FieldLayout]:
    """Returns the fields of fixed width that stand in a row at the beginning."""
    run: list[FieldLayout] = []
    for field in fields:
        if field.run_code is None:
            break
        run.append(field)
    return run


def run_name(layout: RecordLayout, first: FieldLayout) -> str:
    """Returns the constant of a run of fixed width."""
    return f"_{layout.name.lstrip('_')}_{first.name}"


def _start_plus(offset: int) -> nodes.Node:
    return nodes.Arithmetic("+", START, nodes.Constant(offset)) if offset else START
