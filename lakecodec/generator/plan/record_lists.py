"""The statements that write lists, and what stands in a span of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..expressions import walk
from ..syntax import Expr, RecordField
from . import types
from .negation import negated
from .record_put import ElementWriter
from .shapes import FieldShape
from .units import Unit

WRONG_SIZE = "its size is not the one that its declaration gives"


class ListWriter(ElementWriter):
    """Attributes:
    raw: the fields that are encoded already as they are before their codecs.
    measured: (field, what) of all measures that the unit's fields ask for.
    """

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        super().__init__(unit, only)
        self.raw: set[str] = set()
        exprs = [
            *(where.condition for where in unit.checks),
            *(expr for each in unit.fields for expr in _clauses(each)),
        ]
        found = (unit.measure(part) for expr in exprs for part in walk(expr))
        self.measured = {(each.field, each.note) for each in found if each is not None}

    def put_list(self, shape: FieldShape, target: str, decided: str) -> None:
        """Appends a list; its elements are there where ``decided`` holds."""
        out, field, dimension = self.out, shape.field, shape.lists[0]
        count = None if dimension.kind in ("rest", "until") else self.count(dimension, field)
        order = ">" if self.unit.order == "big" else "<"
        values = target if count is None else f"_out.exactly({target}, {count})"
        measured = (field.name, "size[]") in self.measured
        plain = shape.kind == "number" and shape.code is not None and shape.enum is None and field.size is None
        if plain and not measured and not (dimension.kind == "index" and field.present is not None):
            out.add(f'_out.put_numbers(data, {values}, "{order}", "{shape.code}")')
            return
        if field.name in self.raw:
            values, decided = f"raw_{field.name}", "item is not None"
        for line in self.list_state(shape):
            out.add(line)
        if measured:
            out.add(f"sizes_{field.name} = []")
        absent = [f"sizes_{field.name}.append(0)"] if measured else []
        with self._each(shape, values, decided, *absent):
            has_own_size = shape.by_element and self.has_checked_size(field)
            if measured or has_own_size:
                out.add("begun = len(data)")
            if field.name in self.raw:
                out.add(f"data += {self.counted(shape, f'out.through({self.use_list(shape)}, item)')}")
            elif shape.by_element:
                self.sized(shape, lambda: self.element(shape, "item"))
            else:
                self.element(shape, "item")
            if measured:
                out.add(f"sizes_{field.name}.append(len(data) - begun)")
            if has_own_size and field.size is not None:
                with out.block(f"if len(data) - begun != {self.scope(field).grouped(field.size)}:"):
                    out.call("raise _out.unfit", types.quoted(WRONG_SIZE))
        out.add("index = None")

    def raw_list(self, shape: FieldShape, target: str, decided: str) -> None:
        """Encodes the elements of an [i < n] as they are before their codecs, None for absent ones."""
        out, name = self.out, shape.field.name
        count = self.count(shape.lists[0], shape.field)
        out.step(name)
        out.add(*self.list_state(shape), f"raw_{name} = []")
        values = target if count is None else f"_out.exactly({target}, {count})"
        with self._each(shape, values, decided, f"raw_{name}.append(None)"):
            if shape.kind in ("bytes", "utf8"):
                out.add(f"raw_{name}.append({self.raw_text(shape, 'item')})")
            else:
                out.add("outer, out = out, out.part(0)", "data = out.data")
                self.element(shape, "item")
                out.add(f"raw_{name}.append(data)", "out = outer", "data = out.data")
        out.add("index = None")

    @contextmanager
    def _each(self, shape: FieldShape, values: str, decided: str, *absent: str) -> Iterator[None]:
        """A loop over the elements that are there; ``absent`` are the statements for the others."""
        out = self.out
        with out.block(f"for index, item in enumerate({values}):"):
            if shape.by_element and shape.field.present is not None:
                by_value = "is not None" in decided
                with out.block("if item is None:" if by_value else f"if {negated(decided)}:"):
                    if not by_value:
                        out.add("_out.absent(item)")
                    out.add(*absent, "continue")
            yield

    def sized(self, shape: FieldShape, encode: Callable[[], None]) -> None:
        """What ``encode`` writes, through the codecs of its span."""
        if not shape.span_codecs:
            encode()
            return
        self.out.add("outer, out = out, out.part(0)", "data = out.data")
        encode()
        self.out.add("raw, out = data, outer", "data = out.data", f"data += out.through({self.use_list(shape)}, raw)")


def _clauses(field: RecordField) -> Iterator[Expr]:
    """The expressions of a field that can measure others."""
    yield from (where.condition for where in field.invariants)
    yield from (expr for expr in (field.derived, field.present, field.size) if expr is not None)
