"""What names and calls mean in the methods that read and write a body of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import copy
from typing import Self

from ..syntax import Call, Expr, Index, Literal_, Name
from .expressions import Scope, UnsupportedExpression
from .functions import call_text
from .names import argument_name
from .units import Unit

Measure = Callable[[str, str, bool, Expr], str]


class RecordScope(Scope):
    """Args:
    unit: whose fields and parameters can be named.
    special: the text for ``end``, ``rest`` and ``at_end`` where they mean something.
    measure: the text for `size`, `raw_size` or `offset` of a field (function, field, of an element, place).
    own: the field that is only just being read into the variable ``value``.
    made: whether there is an object that holds the parameters; else they are the method's arguments.
    """

    def __init__(
        self, unit: Unit, special: Mapping[str, str], measure: Measure, *, own: str | None = None, made: bool = True
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
        if function in ("size", "raw_size", "offset"):
            argument = expr.arguments[0]
            of_element = isinstance(argument, Index)
            base = argument.base if isinstance(argument, Index) else argument
            if not isinstance(base, Name) or self.unit.field(base.name) is None:
                raise UnsupportedExpression(f"{function!r} takes a field of the record", argument)
            return self._measure(function, base.name, of_element, argument)
        return call_text(self, function, expr)

    def index(self, expr: Index) -> str:
        """Indexes that cannot be negative are Python's own; others are checked."""
        index = self.render(expr.index)
        is_safe = index == "index" or (isinstance(expr.index, Literal_) and not index.startswith("-"))
        if is_safe:
            return f"{self.grouped(expr.base)}[{index}]"
        return f"_fn.item({self.render(expr.base)}, {index})"
