"""Statements of generated Python, put together line by line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import types
from .negation import negated
from .wrap import wrap


class Lines:
    """Lines of a method's body, without the indentation of the method."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._indent = 0
        self._step: str | None = None

    def add(self, *lines: str) -> None:
        self.lines += ["    " * self._indent + part for line in lines for part in wrap(line, 12 + 4 * self._indent)]

    def step(self, name: str) -> None:
        """Says which field the lines that follow are about, where that is another one."""
        if name != self._step:
            self.add(f"step = {types.quoted(name)}")
        self._step = name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines inside a compound statement."""
        self.add(head)
        step = self._step
        self._indent += 1
        yield
        self._indent -= 1
        if self._step != step:
            self._step = None

    def refuse(self, condition: str, function: str, rule: str, *arguments: str) -> None:
        """`if not condition: raise function(rule, ...)`."""
        with self.block(f"if {negated(condition)}:"):
            self.call(f"raise {function}", types.quoted(rule), *arguments)

    def call(self, function: str, *arguments: str) -> None:
        """A call as a statement."""
        self.add(f"{function}({', '.join(arguments)})")
