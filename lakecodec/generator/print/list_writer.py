"""Statements that write lists, and fields with a span of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..names import quoted
from .element_writer import ElementWriter
from .hints import class_of


class ListWriter(ElementWriter):
    """Writes lists, and single fields through the codecs of their spans."""

    def put_list(self, field: FieldLayout, target: str, by_value: bool, from_raw: bool) -> None:
        """Appends a list.

        Args:
            by_value: whether the values decide which elements are present, instead of the field's condition.
            from_raw: whether the elements are available as they are before their codecs.
        """
        out, dimension, name = self.out, field.dimension, quoted(field.name)
        assert dimension is not None
        count = None if dimension.kind in ("rest", "until") else self.count(dimension, field)
        counted = [] if count is None else [count]
        measured = self._measures_elements(field)
        if field.is_plain_number and not measured and field.element_presence is None:
            out.add(out.call("numbers", name, target, self.code(field), *counted))
            return
        is_record = field.kind == "record" and field.coder is None and not field.codecs and not field.by_element
        method = self.record_method(field)
        is_alike = not any(map(nodes.names_index, field.arguments))
        if is_record and not measured and not from_raw and method != "encode" and is_alike:
            arguments = self.inner_printer(field).texts(field.arguments)
            counted = [count or "None"] if count or arguments else []
            cls = class_of(field.target, self.layout.module)
            out.add(out.call(f"{method}s", name, cls, target, *counted, *arguments))
            return
        out.add(*self.list_state(field))
        if from_raw:
            target, counted, by_value = self.variable(field, "raws"), [], True
        absent = [f"{self.variable(field, 'sizes')}.append(0)"] if measured else []
        with self._each(field, target, counted, by_value, *absent):
            self._put_element(field, from_raw, measured)

    def _measures_elements(self, field: FieldLayout) -> bool:
        return bool({(field.name, "size[]"), (field.name, "offset[]")} & self.order.requested)

    def begin_sizes(self, field: FieldLayout) -> None:
        """Makes the list of the sizes of elements if expressions use it; an absent list has it, too."""
        if self._measures_elements(field):
            self.out.add(f"{self.variable(field, 'sizes')} = []")

    def _put_element(self, field: FieldLayout, from_raw: bool, measured: bool) -> None:
        """Appends the element ``item`` of a list; keeps its size if ``measured``, and checks a declared size."""
        out = self.out
        checked = self.order.checked_size(field) if field.by_element else None
        if measured or checked is not None:
            out.add(f"begun = {out.cursor}.tell()")
        if from_raw:
            through = self.through(field, "at", "item")
            out.add(out.call("put", self.counted(field, "at", through)))
        elif field.by_element:
            self.sized(field, "at", lambda: self.element(field, "at", "item"))
        else:
            self.element(field, "at", "item")
        if measured:
            out.add(f"{self.variable(field, 'sizes')}.append({out.cursor}.tell() - begun)")
        if checked is not None:
            condition, size = checked
            with nullcontext() if condition is None else out.block(f"if {self.printer.text(condition)}:"):
                out.add(out.call("takes", "at", f"{out.cursor}.tell() - begun", self.printer.text(size)))

    def raw_list(self, field: FieldLayout, target: str, by_value: bool) -> None:
        """Encodes the elements of an [i < n] as they are before their codecs, None for absent ones."""
        out, raws, dimension = self.out, self.variable(field, "raws"), field.dimension
        assert dimension is not None
        count = self.count(dimension, field)
        out.add(*self.list_state(field), f"{raws} = []")
        with self._each(field, target, [] if count is None else [count], by_value, f"{raws}.append(None)"):
            if field.kind in ("bytes", "utf8"):
                out.add(f"{raws}.append({self.raw_text(field, 'at', 'item')})")
            else:
                with self.apart("part", "at", "0"):
                    self.element(field, "at", "item")
                out.add(f"{raws}.append(part)")

    @contextmanager
    def _each(self, field: FieldLayout, values: str, count: list[str], by_value: bool, *absent: str) -> Iterator[None]:
        """A loop over the present elements; ``absent`` are the statements for absent ones."""
        out = self.out
        with out.block(f"for at, item in {out.call('each', quoted(field.name), values, *count)}:"):
            if (presence := field.element_presence) is not None:
                absent_item = (
                    "item is None"
                    if by_value
                    else "not " + out.call("given", "at", "item", self.printer.text(presence))
                )
                with out.block(f"if {absent_item}:"):
                    out.add(*absent, "continue")
            yield

    def sized(self, field: FieldLayout, at: str, encode: Callable[[], None]) -> None:
        """Prints the statements of ``encode``, whose bytes go through the codecs of the field's span."""
        if not field.span_codecs:
            encode()
            return
        with self.apart("part", at, "0"):
            encode()
        self.out.add(self.out.call("put", self.through(field, at, "part")))
