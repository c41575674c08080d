"""The statements that write lists, and what stands in a span of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..lower.field_layout import FieldLayout
from .element_writer import ElementWriter
from .expressions import AND

WRONG_SIZE = "its size is not the one that its declaration gives"


class ListWriter(ElementWriter):
    """Writes lists, and single fields through the codecs of their spans."""

    def put_list(self, field: FieldLayout, target: str, by_value: bool, from_raw: bool) -> None:
        """Appends a list.

        Args:
            by_value: the values tell which elements are there, not the field's condition.
            from_raw: the elements are kept as they are before their codecs.
        """
        out, dimension = self.out, field.dimension
        assert dimension is not None
        count = None if dimension.kind in ("rest", "until") else self.count(dimension, field)
        values = f"_out.exactly({target})" if count is None else f"_out.exactly({target}, {count})"
        measured = bool({(field.name, "size[]"), (field.name, "offset[]")} & self.order.asked)
        if field.is_plain_number and not measured and not (field.by_element and field.presence is not None):
            out.add(f'_out.put_numbers({self.data}, {values}, {self.byte_order}, "{field.code}")')
            return
        if from_raw:
            values, by_value = f"raw_{field.name}", True
        out.add(*self.list_state(field))
        if measured:
            out.add(f"sizes_{field.name} = []")
        absent = [f"sizes_{field.name}.append(0)"] if measured else []
        with self._each(field, values, by_value, *absent):
            checked = self.order.checked_size(field) if field.by_element else None
            if measured or checked is not None:
                out.add(f"begun = len({self.data})")
            if from_raw:
                out.add(f"{self.data} += {self.counted(field, f'out.through({self.uses(field)}, item)')}")
            elif field.by_element:
                self.sized(field, lambda: self.element(field, "item"))
            else:
                self.element(field, "item")
            if measured:
                out.add(f"sizes_{field.name}.append(len({self.data}) - begun)")
            if checked is not None:
                condition, size = checked
                given = "" if condition is None else f"{self.printer.operand(condition, AND)} and "
                with out.block(f"if {given}len({self.data}) - begun != {self.printer.operand(size)}:"):
                    out.raise_("_out.unfit", WRONG_SIZE)
        out.add_restoring("index = None")

    def raw_list(self, field: FieldLayout, target: str, by_value: bool) -> None:
        """Encodes the elements of an [i < n] as they are before their codecs, None for absent ones."""
        out, name, dimension = self.out, field.name, field.dimension
        assert dimension is not None
        count = self.count(dimension, field)
        out.about(name)
        out.add(*self.list_state(field), f"raw_{name} = []")
        values = f"_out.exactly({target})" if count is None else f"_out.exactly({target}, {count})"
        with self._each(field, values, by_value, f"raw_{name}.append(None)"):
            if field.kind in ("bytes", "utf8"):
                out.add(f"raw_{name}.append({self.raw_text(field, 'item')})")
            else:
                with self.apart("0", ""):
                    self.element(field, "item")
                    out.add(f"raw_{name}.append({self.data})")
        out.add_restoring("index = None")

    @contextmanager
    def apart(self, base: str, kept: str) -> Iterator[None]:
        """A block of statements on a writer of its own, whose bytes become the variable ``kept``, unless it is empty."""
        outer = f"outer_{self.depth}" if self.depth else "outer"
        self.out.add(f"{outer}, out = out, out.part({base})", f"{self.data} = out.data")
        self.depth += 1
        yield
        self.depth -= 1
        own = (f"{kept}, ", f"{self.data}, ") if kept else ("", "")
        self.out.add(f"{own[0]}out, {self.data} = {own[1]}{outer}, {outer}.data")

    @contextmanager
    def _each(self, field: FieldLayout, values: str, by_value: bool, *absent: str) -> Iterator[None]:
        """A loop over the elements that are there; ``absent`` are the statements for the others."""
        out = self.out
        with out.block(f"for index, item in enumerate({values}):"):
            if field.by_element and field.presence is not None:
                is_absent = "item is None" if by_value else self.printer.negated(field.presence).text
                with out.block(f"if {is_absent}:"):
                    if not by_value:
                        out.add("_out.absent(item)")
                    out.add(*absent, "continue")
            yield

    def sized(self, field: FieldLayout, encode: Callable[[], None]) -> None:
        """Prints the statements of ``encode``; their bytes go through the codecs of the field's span."""
        if not field.span_codecs:
            encode()
            return
        with self.apart("0", "raw"):
            encode()
        self.out.add(f"{self.data} += out.through({self.uses(field)}, raw)")
