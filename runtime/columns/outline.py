"""Outlines: the tables of a record made into steps that find its packed numbers and values without making objects.

They serve records whose fields are counts, packed numbers and encoded values of a list of types, and records and lists
of these, one list inside no other. An outline says where things are, or only that something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from ..record_table import Body, Choice, Expr, Step
from .outline_code import Cell, Code, Op
from .outline_expressions import Expressions, Scope
from .outline_symbols import Encoded, Listing, NoOutline, Number, Packed, Part, Symbol, Type, Types

#: What a step may say beyond its name and type.
_KNOWN_CLAUSES = {"target", "arguments", "dimension", "count", "smallest", "length", "width", "present", "checks"}
_UNKNOWN_CLAUSES = Step.__dataclass_fields__.keys() - _KNOWN_CLAUSES - {"name", "type"}
_PLAIN = Step("", "")


class Outline:
    """The steps that find the parts of a record.

    Args:
        record: the class of the record. Its parameters are numbers but for the first, which is the list of types.
        encoding: that of all values; the type of each is one of the list's.

    Attributes:
        code: the steps.
        end: the scalar that takes the size of the bytes.
        parameters: the scalars that take the parameters, the count of the types first.

    Raises:
        NoOutline: the record has something that outlines do not.
    """

    def __init__(self, record: Any, encoding: Any) -> None:
        self.code = Code()
        self._encoding = encoding
        self.end = self.code.scalar()
        table = record._table()
        self.parameters = [self.code.scalar() for _ in table.params]
        self._expressions = Expressions(self.code, self.end, self.parameters[0])
        types, *numbers = table.params
        scope: dict[str, Symbol] = {types: Types(self.parameters[0])}
        for name, scalar in zip(numbers, self.parameters[1:], strict=True):
            scope[name] = Number(Cell(scalar))
        there = Cell(self.code.constant(1))
        self._root = Part(there, self._body(table, scope, there))
        self.code.emit(Op.END)

    def find(self, *path: str) -> Packed | Encoded:
        """The variables of a field, by the names of the fields on the way to it; lists stand for their elements."""
        symbol: Symbol = self._root
        for name in path:
            symbol = symbol.element if isinstance(symbol, Listing) else symbol
            if not isinstance(symbol, Part):
                raise NoOutline(path)
            symbol = symbol.fields[name]
        symbol = symbol.element if isinstance(symbol, Listing) else symbol
        if not isinstance(symbol, Packed | Encoded):
            raise NoOutline(path)
        return symbol

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
        if code.index is not None:
            raise NoOutline(step)
        always = Cell(code.constant(1))
        with nullcontext((there, sure)) if each else self._present(step, scope, there, sure) as (there, sure):
            count = self._expressions.number(step.count, scope)
            with code.loop(count), self._present(step if each else _PLAIN, scope, always, True) as (inner, certain):
                element = self._element(step, scope, inner, certain)
        return Listing(there, Cell(count), element, sure)

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
                value = code.cell()
                code.store(value, code.result(Op.UVARINT))
                return Number(value, None if sure else there)
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
                if not isinstance(type, Type):
                    raise NoOutline(step)
                span = code.scalar(2)
                code.emit(Op.VALUES, span, count, type.number)
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
                with self.code.loop(self._expressions.count(scope[check[1]])):
                    self.code.check(self._expressions.number(check[2], scope))
            else:
                self.code.check(self._expressions.number(check, scope))
