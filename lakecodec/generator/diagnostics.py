"""Locations in IDL text and diagnostics with the source line that they point at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Location:
    """A range of characters in one source line; line and column count from 1, ``length`` is in characters."""

    file: str
    line: int
    column: int
    length: int = 1


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error or a warning at a location; its str has the location, the message and the source line with a caret.

    ``rule`` is the broken lint rule, empty if none is broken.
    """

    message: str
    location: Location
    source_line: str = ""
    warning: bool = False
    rule: str = ""

    def __str__(self) -> str:
        place = f"{self.location.file}:{self.location.line}:{self.location.column}"
        head = f"{place}: {'warning: ' if self.warning else ''}{self.message}{f' ({self.rule})' if self.rule else ''}"
        if not self.source_line:
            return head
        shown = self.source_line.replace("\t", " ")
        caret = " " * (self.location.column - 1) + "^" * max(1, self.location.length)
        return f"{head}\n    {shown}\n    {caret}"


class IdlError(ValueError):
    """Raised for one or more errors in an IDL or manifest file.

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
    """A collector of errors and warnings, so that one run reports them all. Equal diagnostics are kept once."""

    sources: dict[str, list[str]] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)

    def add_source(self, file: str, text: str) -> None:
        """Registers ``text`` as the contents of ``file``, from which diagnostics take their source lines."""
        self.sources[file] = text.splitlines()

    def error(self, message: str, location: Location) -> None:
        """Adds an error with a ``message`` at a ``location``."""
        self._add(message, location, warning=False)

    def warning(self, message: str, location: Location, rule: str = "") -> None:
        """Adds a warning with a ``message`` at a ``location``, for a broken lint ``rule`` or without one."""
        self._add(message, location, warning=True, rule=rule)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors found so far, without the warnings."""
        return [item for item in self.found if not item.warning]

    def raise_errors(self) -> None:
        """Raises IdlError with all errors so far, sorted by file, line and column. Returns if there are none."""
        if errors := sorted(
            self.errors, key=lambda item: (item.location.file, item.location.line, item.location.column)
        ):
            raise IdlError(errors)

    def _add(self, message: str, location: Location, *, warning: bool, rule: str = "") -> None:
        lines = self.sources.get(location.file, [])
        line = lines[location.line - 1] if 0 < location.line <= len(lines) else ""
        diagnostic = Diagnostic(message, location, line, warning, rule)
        if diagnostic not in self.found:
            self.found.append(diagnostic)


def report_duplicates(names: Iterable[tuple[str, Location]], what: str, diagnostics: Diagnostics) -> None:
    """Reports each name that occurs a second time; ``what`` is the kind of names (`field`)."""
    seen: dict[str, Location] = {}
    for name, location in names:
        if name in seen:
            diagnostics.error(f"{what} '{name}' is defined twice, first in line {seen[name].line}", location)
        else:
            seen[name] = location


def argument_count(least: int, most: int) -> str:
    """Returns the number of arguments in words: `1 argument`, `2 arguments`, `1 to 3 arguments`."""
    if least != most:
        return f"{least} to {most} arguments"
    return f"{most} argument{'' if most == 1 else 's'}"
