"""Expressions of records as steps of an outline."""

from __future__ import annotations

from collections.abc import Mapping

from ..record_table import Expr
from .outline_code import Cell, Code, Op
from .outline_symbols import Encoded, Listing, NoOutline, Number, Packed, Part, Symbol, Type, Types, moved

_BINARY = {
    "+": Op.ADD, "-": Op.SUBTRACT, "==": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE,
}  # fmt: skip

Scope = Mapping[str, Symbol]


class Expressions:
    """Writes the steps that compute expressions.

    Args:
        code: where the steps go.
        end: the scalar that holds the size of the bytes.
        types: the scalar that holds the number of types.
    """

    def __init__(self, code: Code, end: int, types: int) -> None:
        self._code = code
        self._end = end
        self._types = types

    def number(self, expr: Expr, scope: Scope) -> int:
        """A scalar that holds what an expression gives."""
        symbol = self.symbol(expr, scope)
        if not isinstance(symbol, Number):
            raise NoOutline(expr)
        self._expect(symbol.there)
        return self._code.load(symbol.cell)

    def _expect(self, there: Cell | None) -> None:
        if there is not None:
            self._code.check(self._code.load(there))

    def symbol(self, expr: Expr, scope: Scope) -> Symbol:
        """What an expression means, which may be no number."""
        if isinstance(expr, str):
            return scope[expr]
        if isinstance(expr, int):
            return Number(Cell(self._code.constant(int(expr))))
        if not isinstance(expr, tuple):
            raise NoOutline(expr)
        match expr:
            case ("item", listing, place):
                return self._item(self.symbol(listing, scope), self.number(place, scope))
            case ("get", holder, name):
                part = self.symbol(holder, scope)
                if not isinstance(part, Part):
                    raise NoOutline(expr)
                self._expect(part.there)
                return part.fields[name]
            case ("let", pairs, body):
                return self.symbol(body, {name: self.symbol(value, scope) for name, value in pairs})
        return Number(Cell(self._computed(expr, scope)))

    def _computed(self, expr: Expr, scope: Scope) -> int:
        code = self._code
        match expr:
            case ("index",) if code.index is not None:
                return code.index
            case ("pos",):
                return code.result(Op.POS)
            case ("end",):
                return self._end
            case ("int", operand):
                return self.number(operand, scope)
            case ("not", ("is", operand, None)):
                there = getattr(self.symbol(operand, scope), "there", None)
                return code.constant(1) if there is None else code.load(there)
            case ("not", operand):
                return code.result(Op.NOT, self.number(operand, scope))
            case ("bit_length", operand):
                return code.result(Op.BITS, self.number(operand, scope))
            case ("is", operand, None):
                return code.result(Op.NOT, self.number(("not", expr), scope))
            case ("count", operand):
                return self.count(self.symbol(operand, scope))
            case ("sum" | "largest" as word, operand):
                packed = self.symbol(operand, scope)
                if not isinstance(packed, Packed):
                    raise NoOutline(expr)
                return code.result(Op.TOTAL if word == "sum" else Op.LARGEST, self._packed(packed))
            case ("if", condition, first, second):
                return self._either(self.number(condition, scope), first, second, scope)
            case ("and", left, right):
                return self._either(self.number(left, scope), right, False, scope)
            case ("or", left, right):
                return self._either(self.number(left, scope), True, right, scope)
            case (word, left, right) if word in _BINARY:
                return code.result(_BINARY[word], self.number(left, scope), self.number(right, scope))
        raise NoOutline(expr)

    def _either(self, condition: int, first: Expr, second: Expr, scope: Scope) -> int:
        made = self._code.scalar()
        with self._code.when(condition) as branch:
            branch.leaves = True
            self._code.emit(Op.MOVE, made, self.number(first, scope))
        with self._code.otherwise(branch):
            self._code.emit(Op.MOVE, made, self.number(second, scope))
        return made

    def count(self, symbol: Symbol) -> int:
        """A scalar that holds how many elements there are."""
        if isinstance(symbol, Types):
            return symbol.count
        if isinstance(symbol, Packed | Encoded | Listing):
            self._expect(None if symbol.sure else symbol.there)
            return self._code.load(symbol.count)
        raise NoOutline(symbol)

    def _item(self, listing: Symbol, place: int) -> Symbol:
        code = self._code
        if isinstance(listing, Packed):
            return Number(Cell(code.result(Op.NUMBER, self._packed(listing), place)))
        if isinstance(listing, Types):
            return Type(place)
        if isinstance(listing, Listing):
            # The machine keeps places within the number of types.
            if (count := self.count(listing)) != self._types:
                code.check(code.result(Op.LT, place, count))
            return moved(listing.element, place)
        raise NoOutline(listing)

    def _packed(self, packed: Packed) -> int:
        """Start, count and width in three scalars in a row."""
        self._expect(None if packed.sure else packed.there)
        cells = packed.start, packed.count, packed.width
        if [cell.number - packed.start.number for cell in cells if cell.index is None] == [0, 1, 2]:
            return packed.start.number
        first = self._code.scalar(3)
        for place, cell in enumerate(cells):
            self._code.load(cell, first + place)
        return first
