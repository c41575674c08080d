"""Pieces as lines: pieces stay on their lines; indentation, spaces and blank lines are set again."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .pieces import Piece, Pieces

_INDENT = 2
#: The extra indentation of a statement's lines after the first, inside and outside a definition.
_CONTINUED = 4
_CONTINUED_OUTSIDE = 2
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())


@dataclass(slots=True)
class Line:
    """One line: its pieces, and the spaces before each."""

    number: int
    indent: int = 0
    blank_before: bool = False
    pieces: list[Piece] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)

    def width(self, first: int, last: int) -> int:
        """Returns the width in characters of the pieces from ``first`` to before ``last``, with the spaces between them."""
        lengths = sum(len(piece.text) for piece in self.pieces[first:last])
        return lengths + sum(self.gaps[first + 1 : last])


def lines_of(found: Pieces) -> list[Line]:
    """Returns the lines of a text, laid out without columns."""
    lines: list[Line] = []
    ended = -1
    for piece in found.items:
        if not lines or piece.line > ended:
            lines.append(Line(piece.line, blank_before=bool(lines) and piece.line > ended + 1))
        _append(lines[-1], piece)
        ended = piece.line + piece.text.count("\n")
    _indent(lines)
    return lines


def _append(line: Line, piece: Piece) -> None:
    before = line.pieces[-1] if line.pieces else None
    if before is None:
        gap = 0
    elif piece.kind == "COMMENT":
        gap = 2 if piece.text[0] != "/" or piece.text[1] == "/" else 1
    elif before.text == "{" and piece.text == "}":
        gap = 0
    else:
        gap = int(before.after and piece.before)
    line.pieces.append(piece)
    line.gaps.append(gap)


def _indent(lines: list[Line]) -> None:
    """Sets how far lines are indented, and removes blank lines at both ends of braces."""
    opened: list[tuple[str, int]] = []
    previous: Piece | None = None
    statement = 0
    for number, line in enumerate(lines):
        first = _first_token(lines, number)
        if line.pieces[0].text in _CLOSING and opened:
            statement = line.indent = opened[-1][1]
            line.blank_before = False
        elif _continues(first, previous, opened):
            line.indent = statement + (_CONTINUED if opened else _CONTINUED_OUTSIDE)
        else:
            statement = line.indent = opened[-1][1] + _INDENT if opened else 0
        if previous is not None and previous.text == "{":
            line.blank_before = False
        for piece in line.pieces:
            if piece.kind == "COMMENT":
                continue
            if piece.text in _OPENING:
                opened.append((piece.text, statement if piece.text == "{" else line.indent))
            elif piece.text in _CLOSING and opened:
                bracket, indent = opened.pop()
                statement = indent if bracket == "{" else statement
            previous = piece


def _continues(first: Piece, previous: Piece | None, opened: list[tuple[str, int]]) -> bool:
    """Returns True if a line continues the statement of the line before."""
    if first.starts or first.text in _CLOSING or previous is None or (opened and opened[-1][0] != "{"):
        return False
    return first.kind != "COMMENT" and previous.text != "{"


def _first_token(lines: list[Line], number: int) -> Piece:
    """Returns the first token of a line, or of the lines behind it where it has only comments."""
    for line in lines[number:]:
        for piece in line.pieces:
            if piece.kind != "COMMENT":
                return piece
    return lines[number].pieces[0]


def text_of(lines: list[Line]) -> str:
    """Returns the text of lines."""
    parts: list[str] = []
    for line in lines:
        if line.blank_before:
            parts.append("\n")
        parts.append(" " * line.indent)
        for piece, gap in zip(line.pieces, line.gaps, strict=True):
            parts.append(" " * gap)
            parts.append(_comment(piece, line.indent) if piece.kind == "COMMENT" else piece.text)
        parts.append("\n")
    return "".join(parts)


def _comment(piece: Piece, indent: int) -> str:
    """Returns a comment whose stars at the beginning of lines are aligned with the first one."""
    first, *others = (line.rstrip() for line in piece.text.split("\n"))
    if others and all(line.lstrip().startswith("*") for line in others):
        others = [" " * (indent + 1) + line.lstrip() for line in others]
    return "\n".join([re.sub(r"\s+$", "", first), *others])
