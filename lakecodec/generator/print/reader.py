"""The statements that read a body of fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..lower import nodes
from ..lower.field_layout import Dimension, FieldLayout
from ..lower.record_layout import RecordLayout
from ..names import free_name, quoted
from .check_reader import CheckReader
from .expressions import OR
from .failing import can_fail
from .hints import class_of, enum_table
from .text import choice, flat, group, operation

#: The variable of the reader of a field's own span.
_INNER = "inner"


class Reader(CheckReader):
    """Reads whole bodies. Attributes: ``runs`` are those of fixed width: name, byte order, and (field, code)."""

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        super().__init__(layout, imports, only, by_backend=by_backend)
        self.runs: list[tuple[str, str, list[tuple[str, str]]]] = []

    def lines(self) -> list[str]:
        """Returns the statements of the reading method."""
        if self.only is not None:
            self._placed(self.only)
            return self.choosing(self.out.lines)
        fields = list(self.layout.fields)
        while fields:
            run = fixed_run(fields) if self.layout.order is None else []
            if len(run) > 1:
                self._read_run(run)
            else:
                run = fields[:1]
                self._field(run[0])
            del fields[: len(run)]
        self._finish()
        found = [part for each in self.layout.fields for node in each.nodes() for part in nodes.walk(node)]
        begin = ["begin = r.tell()"] if any(isinstance(part, nodes.AllBut) for part in found) else []
        return begin + self.choosing(self.out.lines)

    def _placed(self, field: FieldLayout) -> None:
        """Reads a present field or element at its own place."""
        is_list = field.dimension is not None and not field.by_element
        at = "at" if field.by_element else quoted(field.name)
        size = f"{self.out.cursor}.left" if field.codecs else None
        has_size = field.size is not None or (field.fixed is not None and not field.by_element)
        is_finished = (size is None or field.text_codecs) and field.kind != "struct" and has_size
        rules = self.layout.placing[field.name].rules
        self._needs(field)
        if not (is_list or is_finished or rules or field.keeps or (size is not None and not field.text_codecs)):
            self.out.add(f"return {self.element(field, at, size)}")
            return
        if (
            is_finished
            and size is None
            and not is_list
            and self.record_method(field) == "decode"
            and field.kind == "record"
        ):
            whole = self.out.call("decode_all", at, class_of(field.target, self.layout.module), *self.arguments(field))
            self.out.add(f"value = {whole}" if rules else f"return {whole}")
            if not rules:
                return
        else:
            self._sized(field, "value", at, size, is_list=is_list)
            if is_finished:
                self.out.add(self.out.call("finish", at))
        self.after(field)
        self.out.add("return value")

    # ---- runs of fixed width ----

    def _read_run(self, run: list[FieldLayout]) -> None:
        targets = [f"self.{field.slot}" for field in run]
        name = run_name(self.layout, run[0])
        self.runs.append((name, self.byte_order[1:-1], [(field.name, field.run_code or "") for field in run]))
        assigned = ", ".join(targets)
        if len(assigned) > 90:
            assigned = group("(", targets, ")")
        self.out.add_for("", f"{assigned} = {self.out.cursor}.run({name})")
        behind = sum(field.run_size for field in run)
        for field, target in zip(run, targets, strict=True):
            if field.enum is not None:
                self.out.add(f"{target} = {enum_table(field, self.layout.module)}[{target}]")
            if "start" in field.captures and self.needs_place(field, run):
                self.out.add(f"{self.variable(field, 'at')} = r.tell() - {behind}")
            behind -= field.run_size
            self.after(field, behind, run)

    # ---- one field ----

    def _field(self, field: FieldLayout) -> None:
        out, target = self.out, f"self.{field.slot}"
        if field.captures & {"start", "size"}:
            behind = "" if field.bits is None else f" - {self.layout.number_of(field).fixed}"
            out.add(f"{self.variable(field, 'at')} = r.tell(){behind}")
        if field.bits is not None:
            number, low, width = field.bits
            shifted = f"self.{number} >> {low}" if low else f"self.{number}"
            value = f"{shifted} & 0x{(1 << width) - 1:X}"
            if field.enum is not None:
                value = f"{enum_table(field, self.layout.module)}[{value}]"
            out.add(f"{target} = {value}")
            self.after(field)
            return
        # An absent list has measures of its elements, too.
        out.add(*(f"{name} = list[int]()" for name, _, _ in self._kept(field)))
        if (presence := field.whole_presence) is not None:
            out.about(field.name, can_fail(presence, self.layout))
            before = list(out.lines)
            out.add(f"{target} = None")
            with out.block(f"if {self.printer.text(presence)}:"):
                self._value(field, target)
            self._shorten(before, field, target)
        else:
            self._value(field, target)
        if "size" in field.captures:
            out.add(f"{self.variable(field, 'size')} = r.tell() - {self.variable(field, 'at')}")
        self.after(field)

    def _shorten(self, before: list[str], field: FieldLayout, target: str) -> None:
        """Puts `x = None; if c: x = y` into one line if it fits."""
        assert field.presence is not None
        added = self.out.lines[len(before) :]
        if len(added) != 3:
            return
        value = added[2].strip().removeprefix(f"{target} = ")
        line = f"{target} = {value} if {flat(self.printer.operand(field.presence, OR))} else None"
        if value != added[2].strip() and len(line) <= 110:
            self.out.lines = [*before, line]

    def _value(self, field: FieldLayout, target: str) -> None:
        """Reads a present field."""
        self._needs(field)
        if field.by_element:
            self._list(field, target)
            return
        size = None if field.size is None else self.printer.text(field.size)
        self._sized(field, target, quoted(field.name), size, is_list=field.dimension is not None)

    def _needs(self, field: FieldLayout) -> None:
        """Ensures that errors in the arguments of the field's own call name the field."""
        parts = [each.value for each in field.dimensions]
        if not field.by_element:
            parts += [*field.arguments, field.size, field.width]
            parts += [part for codec in field.codecs for part in (codec.call, *codec.arguments)]
        self.out.about(field.name, any(can_fail(part, self.layout) for part in parts))

    def _sized(self, field: FieldLayout, target: str, at: str, size: str | None, *, is_list: bool = False) -> None:
        """Reads a field or an element into ``target``; one with a size is read in its own span."""
        if size is None or field.text_codecs:
            self._assign(field, target, at, size, is_list=is_list)
            if field.keeps and not is_list and not field.span_codecs:
                self._keep(field)
            return
        with self._span(field, at, size, is_list):
            self._assign(field, target, at, None, is_list=is_list)
        if field.keeps and field.span_codecs:
            self._keep(field)
        if self.captures_raw(field):
            self.out.add(f"{self.variable(field, 'raw')} = {_INNER}.tell()")

    def _keep(self, field: FieldLayout) -> None:
        """Keeps the encoded bytes of a field or an element."""
        at = ["at"] if field.codes_elements else []
        self.out.add(self.out.call("keep", "self", self.number(field), *at))

    @contextmanager
    def _span(self, field: FieldLayout, at: str, size: str, is_list: bool) -> Iterator[None]:
        """A block in which a field is read in its own span."""
        if field.span_codecs:
            head = self.out.call("through", at, size, *self.codecs(field))
        else:
            # A struct knows its own end, and keeps the rest of its span.
            head = self.out.call(
                "within", at, size, *(["loose=True"] if field.kind == "struct" and not is_list else [])
            )
        with self.out.block(f"with {head} as {_INNER}:"), self.out.moving(_INNER), self.printer.inside(_INNER):
            yield

    def _assign(self, field: FieldLayout, target: str, at: str, size: str | None, *, is_list: bool) -> None:
        if is_list:
            self._list(field, target)
        else:
            self.out.add_for(field.name, f"{target} = {self.element(field, at, size)}")

    # ---- lists ----

    def _list(self, field: FieldLayout, target: str) -> None:
        dimension, out = field.dimension, self.out
        assert dimension is not None
        name, kept = quoted(field.name), self._kept(field)
        if dimension.kind == "count" and field.is_plain_number and not kept:
            numbers = out.call("numbers", name, self.printer.text(dimension.count), self.code(field))
            out.add_for(field.name, f"{target} = {numbers}")
            return
        if dimension.kind == "count" and field.kind == "bool8" and not kept:
            out.add_for(field.name, f"{target} = {out.call('bools', name, self.printer.text(dimension.count))}")
            return
        is_record = field.kind == "record" and field.coder is None and not field.codecs
        is_counted = dimension.kind == "count" and not field.counts_what_exists
        method = self.record_method(field)
        is_alike = not any(map(nodes.names_index, field.arguments))
        if is_record and is_counted and not kept and method != "decode" and is_alike:
            cls, count = class_of(field.target, self.layout.module), self.printer.text(dimension.count)
            arguments = [name, count, str(field.smallest), cls, *self.arguments(field)]
            out.add_for(field.name, f"{target} = {out.call(f'{method}s', *arguments)}")
        else:
            out.add(*self.list_state(field))
            self._loop(field, target, dimension)

    def _loop(self, field: FieldLayout, target: str, dimension: Dimension) -> None:
        """Prints a list whose elements are read one by one, as one expression if possible."""
        out, kept = self.out, self._kept(field)
        given = field.presence if dimension.kind == "index" else None
        size = self.printer.text(field.size) if dimension.kind == "index" and field.size is not None else None
        head = self._places(field, dimension)
        refers = {
            part.field
            for clause in field.clauses()
            for part in nodes.walk(clause)
            if isinstance(part, nodes.FieldValue)
        }
        by_itself = dimension.kind == "until" or field.name in refers or (field.keeps and field.codes_elements)
        if not by_itself and not kept and (size is None or field.text_codecs):
            before = len(out.lines)
            value = self.element(field, "at", size)
            if len(out.lines) == before:
                if given is not None:
                    value = f"({value})" if ":=" in value else value
                    value = choice(value, self.printer.operand(given, OR), out.call("absent", "at"))
                out.add_for(field.name, f"{target} = {group('[', [operation('for', [value, f'at in {head}'])], ']')}")
                return
            del out.lines[before:]
        out.add(f"{target} = list[_Any]()")
        with out.block(f"for at in {head}:"):
            if given is not None:
                with out.block(f"if {self.printer.negated(given).text}:"):
                    out.add(f"{target}.append({out.call('absent', 'at')})")
                    out.add(*(f"{name}.append({absent})" for name, _, absent in kept), "continue")
            if any("start" in measured for _, measured, _ in kept):
                out.add("start = r.tell()")
            self._sized(field, "item", "at", size)
            out.add(f"{target}.append(item)", *(f"{name}.append({measured})" for name, measured, _ in kept))
        out.add_for(field.name)

    def _places(self, field: FieldLayout, dimension: Dimension) -> str:
        """Returns the call of the cursor that yields the places of the elements."""
        name, call_ = quoted(field.name), self.out.call
        if dimension.kind == "rest":
            return call_("rest", name)
        if dimension.kind == "until":
            last = "False" if dimension.value is None else self.printer.text(dimension.value)
            return call_("until", name, f"lambda: {last}")
        smallest = "None" if field.counts_what_exists else str(field.smallest)
        bound = [] if smallest == "0" else [smallest]
        return call_("each", name, self.printer.text(dimension.count), *bound)

    def _kept(self, field: FieldLayout) -> list[tuple[str, str, str]]:
        """Returns (variable, value for an element, value for an absent element) of each measure of elements."""
        measures = [
            ("offset[]", self.variable(field, "places"), "start", "r.tell()"),
            ("size[]", self.variable(field, "sizes"), "r.tell() - start", "0"),
            ("raw_size[]", self.variable(field, "raws"), self.variable(field, "raw"), "0"),
        ]
        return [(name, measured, absent) for kept, name, measured, absent in measures if kept in field.captures]

    def _finish(self) -> None:
        """Prints the end of a reader: the value of a codec and the checks of the whole body."""
        if self.layout.value is not None:
            self.out.about("", can_fail(self.layout.value, self.layout))
            self.out.add(f"self.value = {self.printer.text(self.layout.value)}")
        for rule in self.layout.checks:
            self.out.about("", can_fail(rule.condition, self.layout))
            self._refuse('""', rule.condition, rule, [], self.printer.standing_at())


def fixed_run(fields: Sequence[FieldLayout]) -> list[FieldLayout]:
    """Returns the fields of fixed width that follow each other at the beginning."""
    run: list[FieldLayout] = []
    for field in fields:
        if field.run_code is None:
            break
        run.append(field)
    return run


def run_name(layout: RecordLayout, first: FieldLayout) -> str:
    """Returns the constant of a run of fixed width."""
    return free_name(layout.module, f"_{layout.name.lstrip('_')}_{first.name}")
