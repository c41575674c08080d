"""Statements of generated Python, put together line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..lower.nodes import Node
from ..names import quoted
from .expressions import ExpressionPrinter
from .text import call, statement


class Statements:
    """Lines of a method's body, without the indentation of the method.

    Attributes: ``variables`` are those of the method that the lines name; who writes a line says so.
    """

    def __init__(self) -> None:
        self._lines: list[tuple[str, str | None, str]] = []
        self._indent = 0
        self._about: str | None = None
        self.variables: set[str] = set()

    @property
    def lines(self) -> list[str]:
        """The lines; those for the sake of a variable only where something uses it."""
        chosen = (
            text if variable is None or variable in self.variables else other for text, variable, other in self._lines
        )
        return [line for line in chosen if line.strip()]

    def use(self, variable: str) -> str:
        """Returns a variable's name, which is named therefore."""
        self.variables.add(variable)
        return variable

    def add(self, *lines: str) -> None:
        blank = "    " * self._indent
        self._lines += [(blank + part, None, "") for line in lines for part in statement(line, 12 + 4 * self._indent)]

    def add_for(self, variable: str, line: str, otherwise: str = "") -> None:
        """A line that is needed where something uses a variable; ``otherwise`` stands in its place where nothing does."""
        blank = "    " * self._indent
        self._lines.append((blank + line, variable, blank + otherwise))

    def about(self, name: str) -> None:
        """Sets the variable ``field`` for the lines that follow, where it changes."""
        if name != self._about:
            self.add(f"field = {quoted(name)}")
        self._about = name

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

    def refuse(self, printer: ExpressionPrinter, condition: Node, function: str, rule: str, *arguments: str) -> None:
        """`if not condition: raise function(rule, ...)`."""
        with self.block(f"if {printer.negated(condition).text}:"):
            self.raise_(function, rule, *arguments)

    def raise_(self, function: str, rule: str, *arguments: str) -> None:
        """`raise function(rule, ...)`."""
        self.call(f"raise {function}", quoted(rule), *arguments)

    def call(self, function: str, *arguments: str) -> None:
        """A call as a statement."""
        self.add(call(function, *arguments))
