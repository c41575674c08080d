"""Values and parts of fields: computed and encoded when something else needs them, or when their place is reached."""

from __future__ import annotations

from collections.abc import Callable

from ..expressions import names, walk
from ..syntax import Call, Expr, Index, Name, RecordField
from . import types
from .expressions import UnsupportedExpression
from .negation import negated
from .record_put import ElementWriter
from .record_rules import derived_text, index_dimension
from .shapes import FieldShape
from .units import Unit

WRONG_SIZE = "its size is not the one that its declaration gives"


class FieldWriter(ElementWriter):
    """Writes single fields. Attributes: ``parts`` are the fields that are encoded already, ``deciding`` those whose own bytes
    decide whether they are there."""

    def __init__(self, unit: Unit, only: RecordField | None = None) -> None:
        super().__init__(unit, only)
        self._valued: set[str] = set()
        self._valuing: list[str] = []
        self.raw: set[str] = set()
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
        self.prepare(field.derived, field)
        for dimension in field.dimensions:
            if dimension.kind in ("count", "index") and not self.is_own_count(dimension, field):
                self.prepare(dimension.expression, field)
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
        for function, name in self.order.measured(expr, field):
            other = self.unit.field(name)
            assert other is not None
            if function == "raw_size":
                self.encode_raw(other)
            else:
                self.encode_part(other)

    def _derive(self, field: RecordField) -> None:
        assert field.derived is not None
        scope = self.scope(field)
        text = derived_text(field, self.unit, scope)
        target = f"made.{self.unit.attr(field.name)}"
        out = self.out
        out.add(f"step = {types.quoted(field.name)}")
        dimension = index_dimension(field)
        if dimension is not None and dimension.expression is not None:
            if field.present is not None:
                text = (
                    f"{derived_text(field, self.unit, scope, operand=True)} if {scope.grouped(field.present)} else None"
                )
            out.add(f"{target} = [{text} for index in range({scope.render(dimension.expression)})]")
        elif field.present is not None:
            with out.block(f"if {scope.render(field.present)}:"):
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
        if field.name in self.raw or (
            shape.codecs and field.size is not None and not shape.lists and not field.present
        ):
            self.encode_raw(field, in_place=in_place)
            for step in shape.codecs:
                self.prepare(step, field)
            uses = self.uses(shape)
            self.parts.add(field.name)
            self.out.add(f"step = {types.quoted(field.name)}")
            self.out.add(f"part_{field.name} = {uses or f'raw_{field.name}'}")
            return
        self.parts.add(field.name)
        self._aside(f"part_{field.name}", lambda: self.encode(field), "out.offset_if_known()" if in_place else "")

    def encode_raw(self, field: RecordField, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""
        if field.name in self.raw:
            return
        shape = self.unit.shapes[field.name]
        if shape.lists or field.present is not None:
            raise UnsupportedExpression("`raw_size` takes a field that is no list and always there", field.location)
        self.raw.add(field.name)
        self._needs(field, codecs=False)
        target = f"made.{self.unit.attr(field.name)}"
        if shape.kind in ("bytes", "utf8"):
            self.out.add(f"step = {types.quoted(field.name)}", f"raw_{field.name} = {self.raw_text(shape, target)}")
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
        for expr in (*(field.type.arguments or ()), *field.type.type_arguments):
            self.prepare(expr, field)
        if codecs:
            for step in (*shape.codecs, *(field.via[-1:] if shape.own is not None else ())):
                self.prepare(step, field)

    def encode(self, field: RecordField) -> None:
        """Appends a field to `data`."""
        shape = self.unit.shapes[field.name]
        decided = self._decided(field)
        self._needs(field)
        target = "made." + self.unit.attr(field.name)
        out = self.out
        out.add(f"step = {types.quoted(field.name)}")
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
        if (index := index_dimension(field)) is not None and self.unit.shapes[field.name].lists:
            target = f"{target}[index]"
        used = {name.name for name in names(field.present)}
        waits = any(self._waits_for(name, field.name) for name in used)
        if waits or used & {"at_end", "rest", "end"}:
            if waits:
                self.deciding.setdefault(field.name, []).append(target)
            return f"{target} is not None"
        del index
        self.prepare(field.present, field)
        return self.scope(field).render(field.present)

    def _waits_for(self, name: str, encoded: str, seen: tuple[str, ...] = ()) -> bool:
        """Whether the derivation of ``name`` needs the encoded form of a field."""
        field = self.unit.field(name)
        if field is None or field.derived is None or name in seen:
            return False
        if any(measured == encoded for _, measured in self.order.measured(field.derived, field)):
            return True
        return any(self._waits_for(each.name, encoded, (*seen, name)) for each in names(field.derived))

    def _present(self, shape: FieldShape, target: str, decided: str) -> None:
        if not shape.lists:
            self._sized(shape, lambda: self.element(shape, target))
        elif shape.lists[0].kind == "index":
            self._list(shape, target, decided)
        else:
            self._sized(shape, lambda: self._list(shape, target, decided))

    def _list(self, shape: FieldShape, target: str, decided: str) -> None:
        out, field, dimension = self.out, shape.field, shape.lists[0]
        if len(shape.lists) > 1:
            raise UnsupportedExpression("a field has one dimension, beside a length", field.location)
        count = None if dimension.kind in ("rest", "until") else self.count(dimension, field)
        order = ">" if self.unit.order == "big" else "<"
        values = target if count is None else f"_out.exactly({target}, {count})"
        plain = shape.kind == "number" and shape.code is not None and shape.enum is None and field.size is None
        if plain and not (dimension.kind == "index" and field.present is not None):
            out.add(f'_out.put_numbers(data, {values}, "{order}", "{shape.code}")')
            return
        for line in self.list_state(shape):
            out.add(line)
        measured = any(name == field.name for other in self.unit.fields for name in self._measured_elements(other))
        if measured:
            out.add(f"sizes_{field.name} = []")
        with out.block(f"for index, item in enumerate({values}):"):
            if dimension.kind == "index" and field.present is not None:
                with out.block(f"if {negated(decided)}:" if "is not None" not in decided else "if item is None:"):
                    if "is not None" not in decided:
                        out.add("_out.absent(item)")
                    if measured:
                        out.add(f"sizes_{field.name}.append(0)")
                    out.add("continue")
            if measured or self.has_checked_size(field):
                out.add("begun = len(data)")
            if dimension.kind == "index":
                self._sized(shape, lambda: self.element(shape, "item"))
            else:
                self.element(shape, "item")
            if measured:
                out.add(f"sizes_{field.name}.append(len(data) - begun)")
            if self.has_checked_size(field) and field.size is not None:
                with out.block(f"if len(data) - begun != {self.scope(field).grouped(field.size)}:"):
                    out.call("raise _out.unfit", types.quoted(WRONG_SIZE))
        out.add("index = None")

    def _measured_elements(self, field: RecordField) -> list[str]:
        exprs = [where.condition for where in field.invariants]
        if field.derived is not None:
            exprs.append(field.derived)
        found = []
        for part in (part for expr in exprs for part in walk(expr)):
            if isinstance(part, Call) and isinstance(part.function, Name) and part.function.name == "size":
                argument = part.arguments[0]
                if isinstance(argument, Index) and isinstance(argument.base, Name):
                    found.append(argument.base.name)
        return found

    def _sized(self, shape: FieldShape, encode: Callable[[], None]) -> None:
        """What ``encode`` writes, through the codecs of its span."""
        if not shape.codecs or shape.own is not None or shape.kind in ("bytes", "utf8"):
            encode()
            return
        self.out.add("outer, out = out, out.part(0)", "data = out.data")
        encode()
        self.out.add("raw, out = data, outer", "data = out.data", f"data += out.through({self.use_list(shape)}, raw)")

    def has_checked_size(self, field: RecordField) -> bool:
        """Whether a field has a size that is not derived from its own bytes."""
        if field.size is None or self.only is not None:
            return False
        used = {name.name for name in names(field.size)}
        return not used & {"rest", "end", "at_end"} and not any(self._waits_for(name, field.name) for name in used)
