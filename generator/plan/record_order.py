"""What writing a field needs of others: encoded parts, and the names that expressions have while they are made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile, takewhile

from ..expressions import walk
from ..paths import Target
from ..syntax import Call, Expr, Index, Name, RecordField
from .expressions import UnsupportedExpression
from .record_scope import RecordScope
from .shapes import fixed_size
from .units import Unit

#: What is known only while bytes are read.
OF_READING = frozenset(("at_end", "end"))


class WriteOrder:
    """Which fields must be encoded before their place is reached, because sizes or offsets of them are derived."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def measured(self, expr: Expr, field: RecordField) -> Iterator[tuple[str, str]]:
        """(function, field) of the encoded fields that an expression about ``field`` needs."""
        for part in walk(expr):
            if isinstance(part, Call) and isinstance(part.function, Name) and part.arguments:
                argument = part.arguments[0]
                base = argument.base if isinstance(argument, Index) else argument
                is_known = part.function.name == "size" and base is argument and self.known_size(base) is not None
                if part.function.name in ("size", "raw_size") and isinstance(base, Name) and not is_known:
                    yield part.function.name, base.name
                if part.function.name == "offset" and isinstance(base, Name):
                    yield from (("size", name) for name in self.before(base.name))
            if isinstance(part, Name) and part.name == "rest":
                yield from (("size", name) for name in self.behind(field.name))

    def known_size(self, expr: Expr) -> int | None:
        """The bytes that the field of that name always takes."""
        field = self.unit.field(expr.name) if isinstance(expr, Name) else None
        return None if field is None else fixed_size(field, self.unit.module)

    def before(self, name: str) -> list[str]:
        """The fields before one whose sizes vary."""
        return [field.name for field in self._before(name) if fixed_size(field, self.unit.module) is None]

    def behind(self, name: str) -> list[str]:
        return [field.name for field in self._behind(name) if fixed_size(field, self.unit.module) is None]

    def size_before(self, name: str) -> str:
        """The bytes before a field, as Python text."""
        return self._sum(self._before(name))

    def size_behind(self, name: str) -> str:
        return self._sum(self._behind(name))

    def _before(self, name: str) -> list[RecordField]:
        return list(takewhile(lambda field: field.name != name, self.unit.fields))

    def _behind(self, name: str) -> list[RecordField]:
        return list(dropwhile(lambda field: field.name != name, self.unit.fields))[1:]

    def _sum(self, fields: list[RecordField]) -> str:
        sizes = [fixed_size(field, self.unit.module) for field in fields]
        terms = [f"len(part_{field.name})" for field, size in zip(fields, sizes, strict=True) if size is None]
        known = sum(size for size in sizes if size is not None)
        if known or not terms:
            terms.append(str(known))
        return " + ".join(terms)


class WriteScope(RecordScope):
    """Measures are those of encoded parts."""

    def __init__(self, unit: Unit, current: RecordField | None) -> None:
        special = {"end": "made._size"} if unit.located else {}
        super().__init__(unit, special, self._part)
        self._order = WriteOrder(unit)
        self._current = current

    def local(self, name: str) -> str | None:
        if name == "rest" and self._current is not None:
            return self._order.size_behind(self._current.name)
        return super().local(name)

    def _part(self, function: str, field: str, of_element: bool, place: Expr) -> str:
        if function == "offset":
            if of_element:
                raise UnsupportedExpression("the offset of an element cannot be derived", place)
            return f"(begin + {self._order.size_before(field)})"
        if of_element:
            return f"sizes_{field}[index]"
        if function == "size" and (size := self._order.known_size(place)) is not None:
            return str(size)
        return f"len({'raw' if function == 'raw_size' else 'part'}_{field})"

    def _name(self, expr: Name, wanted: Target) -> str:
        if expr.name in OF_READING and self.local(expr.name) is None:
            raise UnsupportedExpression(f"'{expr.name}' is known only where bytes are read", expr)
        return super()._name(expr, wanted)
