"""Values and parts of fields: computed and encoded when something else needs them, or when their place is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..expressions import names
from ..syntax import Expr, RecordField
from .expressions import UnsupportedExpression
from .record_lists import ListWriter
from .record_rules import derived_text, index_dimension
from .shapes import FieldShape
from .units import Unit


class FieldWriter(ListWriter):
    """Writes single fields. Attributes: ``parts`` are the fields that are encoded already, ``deciding`` those whose own bytes
    decide whether they are there."""

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        super().__init__(unit, only)
        self._valued: set[str] = set()
        self._valuing: list[str] = []
        self.parts: set[str] = set()
        self.deciding: dict[str, list[str]] = {}

    # ---- values ----

    def value(self, field: RecordField) -> None:
        """Computes a derived field, after all that its derivation needs."""
        if field.derived is None or field.name in self._valued:
            return
        if field.name in self._valuing:
            circle = " -> ".join([*self._valuing[self._valuing.index(field.name) :], field.name])
            first = self.unit.field(self._valuing[self._valuing.index(field.name)]) or field
            raise UnsupportedExpression(f"what '{field.name}' is derived from depends on it: {circle}", first.location)
        self._valuing.append(field.name)
        self.prepare_rule(field.derived, field)
        for dimension in field.dimensions:
            expr = dimension.expression
            if expr is not None and dimension.kind in ("count", "index") and not self.is_own_count(dimension, field):
                self.prepare_rule(expr, field)
        if field.present is not None:
            self.prepare(field.present, field)
        self._valuing.pop()
        self._valued.add(field.name)
        self._derive(field)

    def prepare(self, expr: Expr | None, field: RecordField) -> None:
        """Makes the values and parts ready that an expression needs."""
        if expr is None:
            return
        for used in names(expr):
            if (other := self.unit.field(used.name)) is not None and other is not field:
                self.value(other)
        self._encode_measured(self.order.measured(expr))

    def prepare_rule(self, rule: Expr, field: RecordField) -> None:
        """The same for what a field must be, which can count the bytes behind it."""
        self.prepare(rule, field)
        self._encode_measured(self.order.needed(rule, field))

    def _encode_measured(self, measures: Iterable[tuple[str, str]]) -> None:
        for function, name in measures:
            if function == "raw_size":
                self.encode_raw(self.unit.by_name(name))
            else:
                self.encode_part(self.unit.by_name(name))

    def _derive(self, field: RecordField) -> None:
        assert field.derived is not None
        scope = self.rule_scope(field)
        present = None if field.present is None else self.scope(field).grouped(field.present)
        text = derived_text(field, self.unit, scope)
        target = f"made.{self.unit.attr(field.name)}"
        out = self.out
        out.step(field.name)
        dimension = index_dimension(field)
        if dimension is not None and dimension.expression is not None:
            if present is not None:
                text = f"{derived_text(field, self.unit, scope, operand=True)} if {present} else None"
            out.add(f"{target} = [{text} for index in range({scope.render(dimension.expression)})]")
        elif field.present is not None:
            with out.block(f"if {self.scope(field).render(field.present)}:"):
                out.add(f"{target} = {text}")
            with out.block("else:"):
                out.add(f"{target} = None")
        else:
            out.add(f"{target} = {text}")

    # ---- parts ----

    def encode_part(self, field: RecordField, *, in_place: bool = False) -> None:
        """Encodes a field whose size must be known before its place is reached, or ``in_place`` when it is."""
        if field.name in self.parts:
            return
        shape = self.unit.shapes[field.name]
        self.value(field)
        is_sized = bool(shape.codecs) and shape.own is None and field.size is not None and field.present is None
        if not shape.lists and (field.name in self.raw or is_sized):
            self.encode_raw(field, in_place=in_place)
            for step in shape.codecs:
                self.prepare(step, field)
            uses = self.uses(shape)
            self.parts.add(field.name)
            self.out.step(field.name)
            self.out.add(f"part_{field.name} = {uses or f'raw_{field.name}'}")
            return
        self.parts.add(field.name)
        self._aside(f"part_{field.name}", lambda: self.encode(field), "out.offset_if_known()" if in_place else "")

    def encode_raw(self, field: RecordField, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""
        if field.name in self.raw:
            return
        shape = self.unit.shapes[field.name]
        target = f"made.{self.unit.attr(field.name)}"
        if shape.by_element:
            self.raw.add(field.name)
            self._needs(field, codecs=False)
            self.raw_list(shape, target, self._decided(field))
            return
        if shape.lists or field.present is not None:
            message = "`raw_size` takes a field that is always there, or an element of an [i < n]"
            raise UnsupportedExpression(message, field.location)
        self.raw.add(field.name)
        self._needs(field, codecs=False)
        self.out.step(field.name)
        if shape.kind in ("bytes", "utf8"):
            self.out.add(f"raw_{field.name} = {self.raw_text(shape, target)}")
            return
        base = "0" if shape.codecs else "out.offset_if_known()" if in_place else ""
        self._aside(f"raw_{field.name}", lambda: self.element(shape, target), base)

    def _aside(self, name: str, encode: Callable[[], None], base: str) -> None:
        """Runs ``encode`` on a writer of its own, whose bytes become the variable ``name``; ``base`` is that of the writer."""
        self.out.add(f"outer, out = out, out.part({base})", "data = out.data")
        encode()
        self.out.add(f"{name}, out = data, outer", "data = out.data")

    # ---- one field ----

    def _needs(self, field: RecordField, *, codecs: bool = True) -> None:
        """Makes ready what the encoding of a field needs."""
        shape = self.unit.shapes[field.name]
        self.value(field)
        for dimension in field.dimensions:
            if dimension.kind in ("count", "index") and not self.is_own_count(dimension, field):
                self.prepare(dimension.expression, field)
        inside = (*(field.type.arguments or ()), *field.type.type_arguments)
        if field.size is not None and self.has_checked_size(field) and any(map(self.unit.span_words, inside)):
            inside = (*inside, field.size)
        for expr in inside:
            self.prepare(expr, field)
        if codecs:
            for step in (*shape.codecs, *(field.via[-1:] if shape.own is not None else ())):
                self.prepare(step, field)

    def encode(self, field: RecordField) -> None:
        """Appends a field to `data`."""
        shape = self.unit.shapes[field.name]
        decided = self._decided(field)
        if (field.name, "raw_size[]") in self.measured:
            self.encode_raw(field)
        self._needs(field)
        target = "made." + self.unit.attr(field.name)
        out = self.out
        out.step(field.name)
        elementwise = index_dimension(field) is not None and bool(shape.lists)
        if field.present is None or elementwise:
            self._present(shape, target, decided)
            return
        with out.block(f"if {decided}:"):
            self._present(shape, target, decided)
        if field.derived is None and decided != f"{target} is not None":
            with out.block("else:"):
                out.add(f"_out.absent({target})")

    def _decided(self, field: RecordField) -> str:
        """The condition under which a field, or an element of it, is written.

        Where the condition itself hangs on the field's bytes, or on the end of the span, the value decides.
        """
        if field.present is None:
            return ""
        target = f"made.{self.unit.attr(field.name)}"
        if self.unit.shapes[field.name].by_element:
            target = f"{target}[index]"
        used = {name.name for name in names(field.present)}
        waits = any(self.waits_for(name, field.name) for name in used)
        if waits or self.unit.span_words(field.present):
            if waits:
                self.deciding.setdefault(field.name, []).append(target)
            return f"{target} is not None"
        self.prepare(field.present, field)
        return self.scope(field).render(field.present)

    def _present(self, shape: FieldShape, target: str, decided: str) -> None:
        if not shape.lists:
            self.sized(shape, lambda: self.element(shape, target))
        elif shape.by_element:
            self.put_list(shape, target, decided)
        else:
            self.sized(shape, lambda: self.put_list(shape, target, decided))
