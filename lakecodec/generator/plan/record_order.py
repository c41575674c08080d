"""What writing a field needs of others: encoded parts, and the names that expressions have while they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile, takewhile
from types import MappingProxyType

from ..expressions import SPAN_WORDS, walk
from ..paths import Target
from ..syntax import Expr, Name, RecordField
from .expressions import UnsupportedExpression
from .record_scope import RecordScope, item_text
from .shapes import fixed_size
from .units import Measure, Unit

#: What is known only while bytes are read.
OF_READING = frozenset(("at_end", "end"))


class WriteOrder:
    """Which fields must be encoded before their place is reached, because sizes or offsets of them are derived."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def needed(self, rule: Expr, field: RecordField) -> Iterator[tuple[str, str]]:
        """(function, field) of the encoded fields that a rule about ``field`` needs; its `rest` is what follows the field."""
        if "rest" in self.unit.span_words(rule):
            yield from (("size", name) for name in self.behind(field.name))
        yield from self.measured(rule)

    def measured(self, expr: Expr) -> Iterator[tuple[str, str]]:
        """(function, field) of the encoded fields that an expression measures."""
        for part in walk(expr):
            if (measure := self.unit.measure(part)) is None:
                continue
            if measure.function == "offset":
                yield from (("size", name) for name in self.before(measure.field))
            elif measure.note != "size" or self.known_size(measure.field) is None:
                yield measure.function, measure.field

    def known_size(self, name: str) -> int | None:
        """The bytes that a field always takes."""
        return fixed_size(self.unit.by_name(name), self.unit.module)

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
    """Measures are those of encoded parts.

    Args:
        span: what is known of the span: the text for `end`, `rest` or `at_end`.
    """

    def __init__(self, unit: Unit, span: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(unit, {**span, "end": "made._size"} if unit.located else span, self._part)
        self._order = WriteOrder(unit)

    def _part(self, measure: Measure, index: str) -> str:
        field = measure.field
        match measure.note:
            case "offset":
                return f"(begin + {self._order.size_before(field)})"
            case "offset[]":
                raise UnsupportedExpression("the offset of an element cannot be derived", measure.place)
            case "size[]":
                return item_text(f"sizes_{field}", index)
            case "raw_size[]":
                return f"len({item_text(f'raw_{field}', index)} or ())"
            case "raw_size":
                return f"len(raw_{field})"
        size = self._order.known_size(field)
        return f"len(part_{field})" if size is None else str(size)

    def _name(self, expr: Name, wanted: Target) -> str:
        if expr.name in SPAN_WORDS and self.local(expr.name) is None:
            raise UnsupportedExpression(f"'{expr.name}' is known only where bytes are read", expr)
        return super()._name(expr, wanted)
