"""Outlines: the tables of a record made into steps that find its packed numbers and values without making objects.

They serve records whose fields are whole numbers, packed numbers and encoded values of a list of types, and records and
lists of these. An outline says where things are, or only that something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from ...records.table import Body, Choice, Expr, Step
from .. import backend
from .code import Cell, Code, Op
from .expressions import MOST_RAW, Expressions, Scope
from .symbols import Encoded, Given, GivenItem, Listing, NoOutline, Number, Packed, Part, Raw, Symbol

#: What a step may say beyond its name and type.
_KNOWN_CLAUSES = {
    "big", "target", "arguments", "dimension", "count", "smallest", "length", "width", "present", "checks",
}  # fmt: skip
_UNKNOWN_CLAUSES = Step.__dataclass_fields__.keys() - _KNOWN_CLAUSES - {"name", "type", "derived"}
_PLAIN = Step("", "")
#: Bytes of numbers, negative where they are signed.
_WIDTHS = {f"{sign}{8 * width}": -width if sign == "i" else width for sign in "iu" for width in (1, 2, 4, 8)}


class Outline:
    """The steps that find the parts of a record.

    Args:
        record: the class of the record.
        encoding: that of all values; the type of each is an element of a list that is given.

    Attributes:
        code: the steps.
        end: the scalar that takes the size of the bytes.
        given: the scalars that take what is given: the parameters, or what attributes of them lead to. They are numbers
            and, told by True, the sizes of lists.
        types: the list of types, and the attributes that lead to the type from each element; None without values.

    Raises:
        NoOutline: the record has something that outlines do not.
    """

    def __init__(self, record: Any, encoding: Any) -> None:
        self.code = Code()
        self._encoding = encoding
        self.end = self.code.scalar()
        self.types: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        table = record._table()
        self._expressions = Expressions(self.code, self.end)
        self.given = self._expressions.given
        there = Cell(self.code.constant(1))
        self._root = Part(there, self._body(table, {name: Given((name,)) for name in table.params}, there))
        self.code.emit(Op.END)

    def find(self, *path: str) -> Symbol:
        """The variables of a field, by the names of the fields on the way to it; lists stand for their elements."""
        symbol: Symbol = self._root
        for name in path:
            symbol = symbol.element if isinstance(symbol, Listing) else symbol
            if not isinstance(symbol, Part):
                raise NoOutline(path)
            symbol = symbol.fields[name]
        return symbol.element if isinstance(symbol, Listing) else symbol

    def machine(self, given: Sequence[tuple[Given, bool]]) -> Any:
        """What runs the steps natively, when it is told what is given in this order.

        Raises:
            NoOutline: the steps need something else.
        """
        if missing := self.given.keys() - set(given):
            raise NoOutline(missing)
        scalars = [self.given[each] if each in self.given else self.code.scalar() for each in given]
        code = self.code
        return backend.outlines.Machine(code.steps, code.scalars, code.lists, self.end, scalars)

    # ---- fields ----

    def _body(self, table: Any, scope: dict[str, Symbol], there: Cell, sure: bool = True) -> dict[str, Symbol]:
        """Writes the steps of a record, whose fields are added to the scope of its parameters.

        Args:
            there: tells whether the record is.
            sure: fields need not be looked at for that; those of alternatives do.
        """
        if not isinstance(table, Body) or table.states or table.tag is not None or table.value is not None:
            raise NoOutline(table)
        fields: dict[str, Symbol] = {}
        for step in table.steps:
            if any(getattr(step, name) != getattr(_PLAIN, name) for name in _UNKNOWN_CLAUSES):
                raise NoOutline(step)
            fields[step.name] = scope[step.name] = self._field(step, scope, there, sure)
            self._checks(step.checks, scope)
        self._checks(table.checks, scope)
        return fields

    def _field(self, step: Step, scope: Scope, there: Cell, sure: bool) -> Symbol:
        code = self.code
        if step.dimension not in ("", "count", "index"):
            raise NoOutline(step)
        each = step.dimension == "index"
        if not step.dimension:
            with self._present(step, scope, there, sure) as (there, sure):
                return self._element(step, scope, there, sure)
        always = Cell(code.constant(1))
        with nullcontext((there, sure)) if each else self._present(step, scope, there, sure) as (there, sure):
            count = self._count(step, scope)
            held = Cell(count) if code.loop is None else self._held(count)
            with (
                code.elements(count) as first,
                self._present(step if each else _PLAIN, scope, always, True) as (
                    inner,
                    certain,
                ),
            ):
                element = self._element(step, scope, inner, certain)
            base = None if first is None else self._held(first)
        return Listing(there, base, held, element, sure)

    def _count(self, step: Step, scope: Scope) -> int:
        """How many elements a list has, which can be no more than the bytes left allow."""
        code = self.code
        count = self._expressions.number(step.count, scope)
        if step.smallest is not None:
            if not step.smallest:
                raise NoOutline(step)
            least = code.result(Op.MULTIPLY, count, code.constant(step.smallest))
            left = code.result(Op.SUBTRACT, self.end, code.result(Op.POS))
            code.check(code.result(Op.LE, least, left))
        return count

    def _held(self, scalar: int) -> Cell:
        """A variable with the value that a scalar has now."""
        cell = self.code.cell()
        self.code.store(cell, scalar)
        return cell

    @contextmanager
    def _present(self, step: Step, scope: Scope, there: Cell, sure: bool) -> Iterator[tuple[Cell, bool]]:
        """What is written inside runs only where the field, or the element, is there; what tells that afterwards."""
        if step.present is None:
            yield there, sure
            return
        with self.code.when(self._expressions.number(step.present, scope)):
            cell = self.code.cell()
            self.code.store(cell, self.code.constant(1))
            yield cell, False

    def _element(self, step: Step, scope: Scope, there: Cell, sure: bool) -> Symbol:
        code = self.code
        match step.type:
            case "uvarint32":
                return Number(self._held(code.result(Op.UVARINT)), None if sure else there)
            case name if name in _WIDTHS:
                number = code.result(Op.FIXED, _WIDTHS[name], int(step.big))
                return Number(self._held(number), None if sure else there)
            case "bytes" if isinstance(step.length, int) and 0 < step.length <= MOST_RAW:
                number = code.result(Op.FIXED, step.length, 1)
                return Raw(Number(self._held(number), None if sure else there), step.length)
            case "bits":
                packed = Packed(there, code.cell(), code.cell(), code.cell(), sure)
                count, width = self._expressions.number(step.length, scope), self._expressions.number(step.width, scope)
                for cell, scalar in zip(
                    (packed.start, packed.count, packed.width),
                    (code.result(Op.PACKED, count, width), count, width),
                    strict=True,
                ):
                    code.store(cell, scalar)
                return packed
            case "values" if step.target is self._encoding and len(step.arguments) == 1:
                encoded = Encoded(there, code.cell(), code.cell(), code.cell(), sure)
                count = code.constant(1) if step.length is None else self._expressions.number(step.length, scope)
                type = self._expressions.symbol(step.arguments[0], scope)
                if not isinstance(type, GivenItem) or self.types not in (None, (type.path, type.attributes)):
                    raise NoOutline(step)
                self.types = type.path, type.attributes
                span = code.scalar(2)
                code.emit(Op.VALUES, span, count, type.place)
                for cell, scalar in zip(
                    (encoded.start, encoded.end, encoded.count), (span, span + 1, count), strict=True
                ):
                    code.store(cell, scalar)
                return encoded
            case "record":
                arguments = [self._expressions.symbol(argument, scope) for argument in step.arguments]
                table = step.target._table()
                return Part(there, self._record(table, dict(zip(table.params, arguments, strict=True)), there))
        raise NoOutline(step)

    def _record(self, table: Any, scope: dict[str, Symbol], there: Cell) -> dict[str, Symbol]:
        if not isinstance(table, Choice):
            return self._body(table, scope, there)
        if table.table is None or table.otherwise is not None:
            raise NoOutline(table)
        code = self.code
        tag, found = self._expressions.number(table.tag, scope), code.cell()
        fields: dict[str, Symbol] = {"tag": Number(found)}
        code.store(found, tag)
        branches = []
        for value, cls in table.table.items():
            with code.when(code.result(Op.EQ, tag, code.constant(int(value)))) as branch:
                branch.leaves = True
                chosen = code.cell()
                code.store(chosen, code.constant(1))
                inner = self._body(cls._table(), dict(scope), chosen, False)
            branches.append(branch)
            if inner.keys() & fields.keys():
                raise NoOutline(table)
            fields |= inner
        code.check(code.constant(0))
        code.meet(*branches)
        return fields

    def _checks(self, checks: Sequence[Expr], scope: Scope) -> None:
        for check in checks:
            if check[0] == "every":
                with self.code.each(self._expressions.count(scope[check[1]])):
                    self.code.check(self._expressions.number(check[2], scope))
            else:
                self.code.check(self._expressions.number(check, scope))
