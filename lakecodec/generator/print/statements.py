"""Statements of generated Python, put together line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..lower.nodes import Node
from ..names import quoted
from .expressions import ExpressionPrinter
from .text import call, statement


@dataclass(slots=True)
class _Line:
    text: str
    #: The line is needed only where something uses this variable; ``otherwise`` stands in its place.
    variable: str | None = None
    otherwise: str = ""


class Statements:
    """Lines of a method's body, without the indentation of the method.

    Attributes:
        variables: those of the method that the lines name; who writes a line says so.
        first: the field that the lines are about at their beginning, as a Python string.
        lists: the number of lists of objects that the lines read.
    """

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._indent = 0
        self._about: str | None = None
        #: Lines that are only needed if others follow, with what is enough in front of the next field.
        self._restoring: list[tuple[_Line, str]] = []
        self.variables: set[str] = set()
        self._can_fail = False
        self.first = '""'
        self.lists = 0

    def start_with(self, name: str) -> None:
        """Sets the field that the method is about in front of the lines; without that it is the one that they begin with."""
        self._about, self.first = name, quoted(name)

    @property
    def lines(self) -> list[str]:
        """The lines; those for the sake of a variable only where something uses it."""
        left = [id(line) for line, _ in self._restoring]
        chosen = (
            line.text if line.variable is None or line.variable in self.variables else line.otherwise
            for line in self._lines
            if id(line) not in left
        )
        return [line for line in chosen if line.strip()]

    def use(self, variable: str) -> str:
        """Returns a variable's name, which is named therefore."""
        self.variables.add(variable)
        return variable

    def add(self, *lines: str) -> int:
        """Adds statements, and returns the number of the last line."""
        self._restoring = []
        self._can_fail = True
        self.add_sure(*lines)
        return len(self._lines) - 1

    def add_sure(self, *lines: str) -> None:
        """Adds statements that cannot raise an error, so that no matter which field they are about."""
        blank = "    " * self._indent
        self._lines += [_Line(blank + part) for line in lines for part in statement(line, 12 + 4 * self._indent)]

    def add_for(self, variable: str, line: str, otherwise: str = "") -> None:
        """A line that is needed where something uses a variable; ``otherwise`` stands in its place where nothing does."""
        self._restoring = []
        blank = "    " * self._indent
        self._lines.append(_Line(blank + line, variable, blank + otherwise))

    def add_restoring(self, line: str, before_field: str = "", *saving: int) -> None:
        """A line that restores variables for those that follow.

        Args:
            before_field: what is enough in front of the next field.
            saving: the numbers of lines that save what it restores, needed only with it.
        """
        blank = "    " * self._indent
        self._lines.append(_Line(blank + line))
        self._restoring = [(self._lines[-1], blank + before_field), *((self._lines[each], "") for each in saving)]

    def begin_field(self, name: str) -> None:
        """The lines that follow read a field, which begins at `pos`."""
        for line, enough in self._restoring:
            line.text = enough
        if self._about is None and not self._can_fail:
            self.first = quoted(name)
        else:
            self.add(f"field, start = {quoted(name)}, pos")
        self._about = name

    def about(self, name: str) -> None:
        """Sets the variable ``field`` for the lines that follow, where it changes."""
        if self._about is None and not self._can_fail:
            self.first = quoted(name)
        elif name != self._about:
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
