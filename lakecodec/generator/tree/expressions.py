"""Expressions, literals and the bookkeeping of locations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from lark import Token, Tree
from lark.tree import Meta

from ..diagnostics import Diagnostics, Location
from ..syntax import (
    Binary,
    Call,
    Compare,
    Each,
    Expr,
    Index,
    IsCase,
    Literal_,
    Member,
    Name,
    Slice,
    Ternary,
    Unary,
)

#: Longer chains of operators or members are cut, so that later stages can recurse over them.
_LONGEST_CHAIN = 100

_MOST_DIGITS = 100
_DEEPEST = 100

_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


#: Rules that are replaced by their only part, or by None.
_ONLY = {
    "body_opt", "bound", "call", "default", "each_value", "each_where", "field_id", "field_name", "null_shape", "number",
    "origin", "param_default", "when", "word",
}  # fmt: skip
#: Rules that are replaced by the list of their parts.
_ALL = {"arguments", "params", "tags", "throws", "type_arguments", "write"}
#: Rules that this compiler ignores.
_IGNORED = {"cpp_include", "cpp_type", "xsd_attrs", "xsd_word"}


#: The precedence of operators up to version 0.1, if it differed from today's.
_BOUND = {**dict.fromkeys("+-|^", 1), **dict.fromkeys(("*", "/", "%", "&", "<<", ">>"), 2)}
#: The end of the warning about changed precedence.
REORDERED = "binds tighter, as in Python; older versions read it otherwise, so add parentheses"


class TooDeepError(Exception):
    """Raised for a text that is nested too deeply at ``location``."""

    def __init__(self, location: Location) -> None:
        super().__init__("too deep")
        self.location = location


def span(first: Location, last: Location) -> Location:
    """Returns the range from the start of ``first`` to the end of ``last``, or ``first`` if they are on different lines."""
    if first.line != last.line:
        return first
    return Location(first.file, first.line, first.column, last.column + last.length - first.column)


class ExpressionBuilder:
    """One method per grammar rule, called with the rule's location and its built children; some rules need none."""

    def __init__(self, file: str, docs: Mapping[int, str], diagnostics: Diagnostics) -> None:
        self._file = file
        self._docs = docs
        self._diagnostics = diagnostics
        #: Expressions in parentheses, and folds, by id.
        self._closed: dict[int, Expr] = {}

    def build(self, tree: Tree[Token], depth: int = 0) -> Any:
        """Returns the syntax node of a parse tree.

        Raises:
            TooDeepError: it nests deeper than later stages could follow.
        """
        if depth > _DEEPEST and not tree.meta.empty:
            raise TooDeepError(self._around(tree.meta))
        if tree.data == "closed":
            found = self.build(tree.children[0], depth)  # type: ignore[arg-type]
            self._closed[id(found)] = found
            return found
        children = [self.build(child, depth + 1) if isinstance(child, Tree) else child for child in tree.children]
        rule = str(tree.data)
        if rule in _ONLY or rule in _IGNORED:
            return children[0] if children and rule in _ONLY else None
        return tuple(children) if rule in _ALL else getattr(self, rule)(tree.meta, *children)

    # ---- helpers ----

    def _at(self, token: Token) -> Location:
        assert token.line is not None
        assert token.column is not None
        return Location(self._file, token.line, token.column, len(token.split("\n", 1)[0]))

    def _simple(self, name: Token) -> str:
        """Returns a name that is defined here; such a name has no prefix."""
        if "." in name:
            self._diagnostics.error(f"'{name}' is defined here, so it cannot have a dot", self._at(name))
        return str(name)

    def _around(self, meta: Meta) -> Location:
        length = meta.end_column - meta.column if meta.line == meta.end_line else 1
        return Location(self._file, meta.line, meta.column, length)

    def _doc(self, meta: Meta) -> str:
        return "" if meta.empty else self._docs.get(meta.start_pos, "")

    def _integer(self, token: Token) -> int:
        digits = token.lstrip("+-")
        if len(digits) > _MOST_DIGITS:
            self._diagnostics.error(f"a number of more than {_MOST_DIGITS} digits", self._at(token))
            return 0
        value = int(digits, 16) if digits[:2] == "0x" else int(digits)
        return -value if token.startswith("-") else value

    def _text(self, token: Token) -> str:
        """Returns the characters of a string literal; in bytes literals each stands for one byte."""
        body = token[2:-1] if token.type == "BYTES" else token[1:-1]

        def replace(match: re.Match[str]) -> str:
            code = match[1]
            if len(code) > 1:
                return chr(int(code[1:], 16))
            if code not in _ESCAPED:
                self._diagnostics.error(f"unknown escape '\\{code}' in a string", self._at(token))
            return _ESCAPED.get(code, code)

        return _ESCAPE.sub(replace, body) if "\\" in body else body

    def _dotted(self, token: Token) -> Expr:
        """Returns `a.b.c`, which the lexer reads as one name."""
        head, *members = token.split(".")
        at = self._at(token)
        made: Expr = Name(head, Location(at.file, at.line, at.column, len(head)))
        return self._members(made, members)

    def _members(self, base: Expr, names: list[str]) -> Expr:
        if len(names) > _LONGEST_CHAIN:
            self._diagnostics.error(f"more than {_LONGEST_CHAIN} members in a row", base.location)
        for name in names[:_LONGEST_CHAIN]:
            start = base.location
            base = Member(base, name, Location(start.file, start.line, start.column, start.length + 1 + len(name)))
        return base

    # ---- rules ----

    def literal(self, meta: Meta, token: Token) -> Literal_:
        at = self._at(token)
        if token.type == "INT":
            return Literal_(self._integer(token), at)
        if token.type == "FLOAT":
            return Literal_(float(token), at)
        if token.type == "STRING":
            return Literal_(self._text(token), at)
        try:
            return Literal_(self._text(token).encode("latin-1"), at)
        except UnicodeEncodeError:
            self._diagnostics.error("a bytes literal holds characters up to \\xFF", at)
            return Literal_(b"", at)

    def name(self, meta: Meta, token: Token) -> Expr:
        return self._dotted(token)

    def member(self, meta: Meta, base: Expr, name: Token) -> Expr:
        first, *others = name.split(".")
        at = Location(self._file, meta.line, meta.column, max(1, self._around(meta).length - len(name) + len(first)))
        return self._members(Member(base, first, at), others)

    def index(self, meta: Meta, base: Expr, index: Expr) -> Index:
        return Index(base, index, self._around(meta))

    def slice(self, meta: Meta, base: Expr, low: Expr | None, high: Expr | None) -> Slice:
        return Slice(base, low, high, self._around(meta))

    def apply(self, meta: Meta, function: Expr, arguments: tuple[Expr, ...]) -> Expr:
        is_fold = isinstance(function, Name) and function.name == "fold"
        if len(arguments) == 1 and isinstance(found := arguments[0], Each) and id(found) not in self._closed:
            self._check_fold(found, is_fold=is_fold)
            if is_fold:
                whole = replace(found, location=self._around(meta))
                self._closed[id(whole)] = whole
                return whole
        return Call(function, arguments, self._around(meta))

    def each(
        self,
        meta: Meta,
        variable: Token,
        base: Expr,
        condition: Expr | None,
        accumulator: tuple[Token, Expr] | None,
        value: Expr | None,
    ) -> Each:
        name, initial = accumulator or (None, None)
        own = None if name is None else self._simple(name)
        return Each(self._simple(variable), base, condition, value, own, initial, self._around(meta))

    def accumulator(self, meta: Meta, *parts: Any) -> tuple[Token, Expr] | None:
        return (parts[0], parts[1]) if parts else None

    def selected(self, meta: Meta, found: Each) -> Each:
        self._check_fold(found, is_fold=False)
        return found

    def _check_fold(self, found: Each, *, is_fold: bool) -> None:
        if (found.accumulator is not None, found.value is not None) != (is_fold, is_fold or found.value is not None):
            self._diagnostics.error("a fold is `fold(x in list, total = 0 : total + x)`", found.location)

    def unary(self, meta: Meta, operator: Token, operand: Expr) -> Unary:
        return Unary("not" if operator == "not" else "-", operand, self._around(meta))

    def chain(self, meta: Meta, left: Expr, *rest: Any) -> Expr:
        if len(rest) > 2 * _LONGEST_CHAIN:
            self._diagnostics.error(f"more than {_LONGEST_CHAIN} operators in a row", left.location)
            rest = ()
        for operator, right in zip(rest[::2], rest[1::2], strict=True):
            self._check_order(str(operator), left, 0)
            self._check_order(str(operator), right, 1)
            left = Binary(str(operator), left, right, span(left.location, right.location))
        return left

    def _check_order(self, operator: str, part: Expr, more: int) -> None:
        """Warns of an operand that older versions grouped otherwise, because operators did not bind as Python's do."""
        if not isinstance(part, Binary) or id(part) in self._closed or not {operator, part.operator} <= _BOUND.keys():
            return
        if _BOUND[part.operator] < _BOUND[operator] + more:
            self._diagnostics.warning(f"beside `{operator}`, `{part.operator}` {REORDERED}", part.location)

    def compare(self, meta: Meta, *parts: Any) -> Compare:
        return Compare(parts[1::2], cast("tuple[Expr, ...]", parts[::2]), self._around(meta))

    def comparator(self, meta: Meta, operator: Token) -> str:
        return str(operator)

    def is_case(self, meta: Meta, value: Expr, case: Token) -> IsCase:
        return IsCase(value, str(case), self._around(meta))

    def ternary(self, meta: Meta, condition: Expr, then: Expr, otherwise: Expr) -> Ternary:
        return Ternary(condition, then, otherwise, self._around(meta))
