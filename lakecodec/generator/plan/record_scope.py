"""What names and calls mean in the methods that read and write a body of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from typing import Self

from ..syntax import Call, Index, Literal_
from .expressions import Scope
from .functions import call_text
from .names import argument_name
from .units import Measure, Unit

#: The text of a measure, given the text of its index.
Measured = Callable[[Measure, str], str]


class RecordScope(Scope):
    """Args:
    unit: whose fields and parameters can be named.
    special: the text for ``end``, ``rest`` and ``at_end`` where they mean something.
    measure: the text for `size`, `raw_size` or `offset` of a field, or of an element.
    own: the field that is only just being read into the variable ``value``.
    made: whether there is an object that holds the parameters; else they are the method's arguments.
    """

    def __init__(
        self, unit: Unit, special: Mapping[str, str], measure: Measured, *, own: str | None = None, made: bool = True
    ) -> None:
        super().__init__(unit.module, unit.kinds)
        self.unit = unit
        self.special = special
        self._measure = measure
        self._own = own
        self._made = made
        self._indexes = {d.variable for field in unit.fields for d in field.dimensions if d.variable is not None}

    def standing_at(self, place: str) -> Self:
        """The scope of an expression whose ``rest`` and ``at_end`` count from ``place`` instead of ``pos``."""
        moved = copy(self)
        operand = f"({place})" if " " in place else place
        moved.special = {name: re.sub(r"\bpos\b", lambda _: operand, text) for name, text in self.special.items()}
        return moved

    def local(self, name: str) -> str | None:
        if name in self._indexes:
            return "index"
        if name == self._own:
            return "value"
        if self.unit.field(name) is not None:
            return f"made.{self.unit.attr(name)}"
        if any(param == name for param, _ in self.unit.params):
            return f"made.{self.unit.attr(name)}" if self._made else argument_name(name)
        if name == "value" and self.unit.codec is not None:
            return "made.value"
        return self.special.get(name)

    def call(self, function: str, expr: Call) -> str:
        if (measure := self.unit.measure(expr)) is not None:
            return self._measure(measure, "" if measure.index is None else self.render(measure.index))
        return call_text(self, function, expr)

    def index(self, expr: Index) -> str:
        """Indexes that cannot be negative are Python's own; others are checked."""
        index = self.render(expr.index)
        is_safe = index == "index" or (isinstance(expr.index, Literal_) and not index.startswith("-"))
        if is_safe:
            return f"{self.grouped(expr.base)}[{index}]"
        return f"_fn.item({self.render(expr.base)}, {index})"


def item_text(values: str, index: str) -> str:
    """An element; the index of the element that is read or written is one of the values."""
    return f"{values}[index]" if index == "index" else f"_fn.item({values}, {index})"
