"""Positions in IDL text and the diagnostics that point at them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Location:
    """A stretch of one source line; line and column count from 1."""

    file: str
    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, with the source line it points at."""

    message: str
    location: Location
    source_line: str = ""
    warning: bool = False

    def __str__(self) -> str:
        place = f"{self.location.file}:{self.location.line}:{self.location.column}"
        head = f"{place}: {'warning: ' if self.warning else ''}{self.message}"
        if not self.source_line:
            return head
        shown = self.source_line.replace("\t", " ")
        caret = " " * (self.location.column - 1) + "^" * max(1, self.location.length)
        return f"{head}\n    {shown}\n    {caret}"


class IdlError(ValueError):
    """One or more problems in an IDL or manifest file; the attributes describe the first one.

    Attributes: ``file``, ``line``, ``column`` and ``message`` of the first problem, ``diagnostics`` with all of them.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0]
        self.file = first.location.file
        self.line = first.location.line
        self.column = first.location.column
        self.message = first.message
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.diagnostics,)


@dataclass(slots=True)
class Diagnostics:
    """Collects findings so that one run reports them all."""

    sources: dict[str, list[str]] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    def add_source(self, file: str, text: str) -> None:
        self.sources[file] = text.splitlines()

    def error(self, message: str, location: Location) -> None:
        self._add(message, location, warning=False)

    def warning(self, message: str, location: Location) -> None:
        self._add(message, location, warning=True)

    @property
    def errors(self) -> list[Diagnostic]:
        return [item for item in self.found if not item.warning]

    def raise_errors(self) -> None:
        """Raises IdlError with every error found so far, in source order."""
        if errors := sorted(
            self.errors, key=lambda item: (item.location.file, item.location.line, item.location.column)
        ):
            raise IdlError(errors)

    def _add(self, message: str, location: Location, *, warning: bool) -> None:
        lines = self.sources.get(location.file, [])
        line = lines[location.line - 1] if 0 < location.line <= len(lines) else ""
        diagnostic = Diagnostic(message, location, line, warning)
        if diagnostic not in self.found:
            self.found.append(diagnostic)
