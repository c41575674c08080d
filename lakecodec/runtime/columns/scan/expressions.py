"""The steps of an offset scan that compute expressions: instructions for the same nodes that the record reader evaluates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...records.nodes import Node
from .code import Code, Op, Register
from .symbols import (
    Bytes,
    Each,
    Encoded,
    Given,
    GivenItem,
    Listing,
    NotScannable,
    Number,
    Packed,
    Part,
    Raw,
    Symbol,
    moved,
)

_BINARY = {
    "+": Op.ADD, "-": Op.SUBTRACT, "*": Op.MULTIPLY, "min": Op.LEAST, "max": Op.MOST,
    "==": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE,
}  # fmt: skip

#: Symbols by the numbers that nodes use for variables.
Scope = dict[int, Symbol]

#: The largest size in bytes of a bytes value that is handled as one number.
MOST_RAW = 7


class Expressions:
    """Writes the steps that compute expressions.

    Args:
        code: where the steps go.
        end: the scalar that holds the size of the bytes.

    Attributes:
        given: the scalars for the caller's arguments: numbers, and sizes of lists, which True marks.
    """

    def __init__(self, code: Code, end: int) -> None:
        self._code = code
        self._end = end
        self.given: dict[tuple[Given, bool], int] = {}

    def number(self, node: Node | None, scope: Scope) -> int:
        """Returns a scalar with the value of an expression."""
        if node is None:
            raise NotScannable(node)
        return self._number(self.symbol(node, scope))

    def _number(self, symbol: Symbol) -> int:
        if isinstance(symbol, Given):
            return self._given(symbol, False)
        if not isinstance(symbol, Number):
            raise NotScannable(symbol)
        self._expect(symbol.presence)
        return self._code.load(symbol.cell)

    def _expect(self, presence: Register | None) -> None:
        if presence is not None:
            self._code.check(self._code.load(presence))

    def symbol(self, node: Node, scope: Scope) -> Symbol:
        """Returns the symbol of an expression: a number, a list, a record or a type."""
        match node.word, node.operands:
            case "variable", _:
                if node.number not in scope:
                    raise NotScannable(node)
                return scope[node.number]
            case "constant", _:
                return self._constant(node.object)
            case "item", (listing, place):
                return self._item(self.symbol(listing, scope), self.number(place, scope))
            case "get", (holder,):
                return self._attribute(self.symbol(holder, scope), node.object)
            case "each", (listing,):
                return self._each(self.symbol(listing, scope), node.object)
            case "let", (*values, body):
                scope.update(enumerate([self.symbol(value, scope) for value in values], node.number))
                return self.symbol(body, scope)
        return Number(Register(self._computed(node, scope)))

    def _constant(self, value: Any) -> Symbol:
        if isinstance(value, bytes) and 0 < len(value) <= MOST_RAW:
            return Raw(Number(Register(self._code.constant(int.from_bytes(value)))), len(value))
        if isinstance(value, int):
            return Number(Register(self._code.constant(int(value))))
        raise NotScannable(value)

    def _computed(self, node: Node, scope: Scope) -> int:
        code = self._code
        match node.word, node.operands:
            case "index", () if code.loop is not None:
                loop = code.loop
                return loop.index if loop.base is None else code.result(Op.SUBTRACT, loop.index, loop.base)
            case "pos", ():
                return code.result(Op.POS)
            case "end", ():
                return self._end
            case "int", (operand,):
                return self.number(operand, scope)
            case "is", (operand, other) if other.is_none:
                return code.result(Op.NOT, self._presence(operand, scope))
            case "not", (Node(operands=(operand, other)) as inner,) if inner.word == "is" and other.is_none:
                return self._presence(operand, scope)
            case "not", (operand,):
                return code.result(Op.NOT, self.number(operand, scope))
            case "bit_length", (operand,):
                return code.result(Op.BITS, self.number(operand, scope))
            case "count", (operand,):
                return self.count(self.symbol(operand, scope))
            case "sum" | "largest" as word, (operand,):
                packed = self.symbol(operand, scope)
                if not isinstance(packed, Packed):
                    raise NotScannable(node)
                return code.result(Op.TOTAL if word == "sum" else Op.LARGEST, self._packed(packed))
            case "unique", (operand,):
                return self._unique(self.symbol(operand, scope))
            case "if", (condition, first, second):
                chosen = partial(self.number, first, scope), partial(self.number, second, scope)
                return self._either(self.number(condition, scope), *chosen)
            case "and" | "or" as word, operands:
                return self._all_or_any(word, operands, scope)
            case "==" | "!=" as word, (left, right):
                return self._equal(word, self.symbol(left, scope), self.symbol(right, scope))
            case word, (left, right) if word in _BINARY:
                return code.result(_BINARY[word], self.number(left, scope), self.number(right, scope))
        raise NotScannable(node)

    def _presence(self, node: Node, scope: Scope) -> int:
        presence = getattr(self.symbol(node, scope), "presence", None)
        return self._code.constant(1) if presence is None else self._code.load(presence)

    def _equal(self, word: str, left: Symbol, right: Symbol) -> int:
        if isinstance(left, Raw) and isinstance(right, Raw) and left.length == right.length:
            left, right = left.number, right.number
        return self._code.result(_BINARY[word], self._number(left), self._number(right))

    def _all_or_any(self, word: str, operands: Sequence[Node], scope: Scope) -> int:
        first, *others = operands
        found = self.number(first, scope)
        if not others:
            return found
        rest, decided = partial(self._all_or_any, word, others, scope), partial(self._code.constant, int(word == "or"))
        return self._either(found, rest, decided) if word == "and" else self._either(found, decided, rest)

    def _either(self, condition: int, first: Callable[[], int], second: Callable[[], int]) -> int:
        """Returns a scalar set by one of two branches; each argument emits a branch's steps and returns its scalar."""
        made = self._code.scalar()
        with self._code.when(condition) as branch:
            branch.leaves = True
            self._code.emit(Op.MOVE, made, first())
        with self._code.otherwise(branch):
            self._code.emit(Op.MOVE, made, second())
        return made

    def count(self, symbol: Symbol) -> int:
        """Returns a scalar with the number of elements."""
        if isinstance(symbol, Given):
            return self._given(symbol, True)
        if isinstance(symbol, Bytes | Packed | Encoded | Listing):
            self._expect(None if symbol.always_present else symbol.presence)
            return self._code.load(symbol.count)
        raise NotScannable(symbol)

    def _given(self, symbol: Given, is_list: bool) -> int:
        found = self.given.get((symbol, is_list))
        if found is None:
            found = self.given[symbol, is_list] = self._code.scalar()
        return found

    def _attribute(self, holder: Symbol, name: str) -> Symbol:
        match holder:
            case Part():
                self._expect(holder.presence)
                return holder.fields[name]
            case Given():
                return Given((*holder.path, name))
            case GivenItem():
                return GivenItem(holder.path, holder.place, (*holder.attributes, name))
        raise NotScannable(holder)

    def _each(self, listing: Symbol, name: str) -> Symbol:
        if isinstance(listing, Listing) and isinstance(listing.element, Part):
            number = listing.element.fields[name]
            if isinstance(number, Number) and number.presence is None and number.cell.index is not None:
                return Each(listing, number)
        raise NotScannable(listing)

    def _unique(self, each: Symbol) -> int:
        if not isinstance(each, Each):
            raise NotScannable(each)
        code, listing = self._code, each.listing
        count, span = self.count(listing), code.scalar(2)
        code.emit(Op.MOVE, span, count)
        code.emit(Op.MOVE, span + 1, code.constant(0) if listing.base is None else code.load(listing.base))
        return code.result(Op.UNIQUE, span, each.number.cell.number)

    def _item(self, listing: Symbol, place: int) -> Symbol:
        code = self._code
        match listing:
            case Packed():
                return Number(Register(code.result(Op.NUMBER, self._packed(listing), place)))
            case Given():
                return GivenItem(listing.path, place)
            case Listing():
                count = self.count(listing)
                if listing.base is None:
                    # No check here: an index within the list is one within its arrays, which the machine checks.
                    return moved(listing.element, place)
                code.check(code.result(Op.LT, place, count))
                code.check(code.result(Op.GE, place, code.constant(0)))
                return moved(listing.element, code.result(Op.ADD, code.load(listing.base), place))
        raise NotScannable(listing)

    def _packed(self, packed: Packed) -> int:
        """Returns the first of three scalars in a row: start, count and width of packed numbers."""
        self._expect(None if packed.always_present else packed.presence)
        cells = packed.start, packed.count, packed.width
        if [cell.number - packed.start.number for cell in cells if cell.index is None] == [0, 1, 2]:
            return packed.start.number
        first = self._code.scalar(3)
        for place, cell in enumerate(cells):
            self._code.load(cell, first + place)
        return first
