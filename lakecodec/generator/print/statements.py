"""Statements of generated Python, collected line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..lower import nodes
from ..lower.field_layout import Rule
from ..lower.nodes import Node
from ..names import quoted
from .expressions import ExpressionPrinter
from .text import call, statement


class Statements:
    """Lines of a method's body, without the indentation of the method.

    Attributes:
        cursor: the variable of the cursor that the lines move; its first field is ``field``.
    """

    def __init__(self, cursor: str, field: str = "") -> None:
        self.lines: list[str] = []
        self.cursor = cursor
        self._indent = 0
        #: The field that an error would name; None if it is unknown.
        self._about: str | None = field

    @property
    def is_outermost(self) -> bool:
        """True if the next statement is in no other one."""
        return self._indent == 0

    def add(self, *lines: str) -> None:
        """Adds statements."""
        blank = "    " * self._indent
        self.lines += [blank + part for line in lines for part in statement(line, 8 + 4 * self._indent)]

    def add_for(self, field: str, *lines: str) -> None:
        """Adds statements; the last one calls the cursor for a field."""
        self.add(*lines)
        self._about = field

    def about(self, field: str, can_fail: bool = True) -> None:
        """Ensures that an error in the expressions of the next statement names a field."""
        if can_fail and self._about != field:
            self.add(f"{self.cursor}.about({quoted(field)})")
            self._about = field

    def refuse(self, condition: Node, printer: ExpressionPrinter, at: str, rule: Rule, *start: str) -> None:
        """Adds statements that raise the error of a rule if a condition is false."""
        message, numbers = quoted(rule.message), _equal_numbers(condition) if rule.is_told_by_itself else ()
        if numbers:
            message = call("_rec.unequal", message, *map(printer.text, numbers))
        self.add(f"if {printer.negated(condition).text}:")
        self._indent += 1
        self.add(self.call("refuse", at, message, *start))
        self._indent -= 1

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines inside a compound statement."""
        self.add(head)
        about = self._about
        self._indent += 1
        yield
        self._indent -= 1
        if self._about != about:
            self._about = None

    @contextmanager
    def moving(self, cursor: str) -> Iterator[None]:
        """Lines that move another cursor."""
        before, self.cursor = self.cursor, cursor
        yield
        self.cursor = before

    def call(self, method: str, *arguments: str) -> str:
        """Returns a call of a method of the cursor."""
        return call(f"{self.cursor}.{method}", *arguments)


def _equal_numbers(condition: Node) -> tuple[Node, ...]:
    """Returns the two numbers that a condition says are equal, if one of them is counted or measured; else nothing."""
    match condition:
        case nodes.Logical(word="or", operands=(_, nodes.Comparison() as same)):
            return _equal_numbers(same)
        case nodes.Comparison(operators=("==",), operands=operands) if any(map(_is_measured, operands)):
            return operands
    return ()


def _is_measured(node: Node) -> bool:
    match node:
        case nodes.Peek() | nodes.Ahead() | nodes.SpanWord(word="at_end"):
            return False
        case nodes.SpanWord() | nodes.Measure() | nodes.PlacedMeasure() | nodes.Count():
            return True
        case nodes.Arithmetic(left=left, right=right):
            return _is_measured(left) or _is_measured(right)
    return False
