"""Columns: names, clauses and bodies of neighbouring fields are aligned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from lark import Token, Tree

from .layout import Line
from .pieces import Pieces, ends_of

#: Longer names and types are not aligned.
_LONGEST = 22
#: Longer types with arguments never widen a column. Shorter ones do if they make up half of all.
_LONGEST_CALL = 14
#: After a longer text, a condition, a body or an `arrow` clause has too little room.
_LONGEST_LINE = 56

Node = Tree[Token]


@dataclass(slots=True)
class _Row:
    """The cells that a line has besides its first: for each column the number of its first piece, and the least spaces before."""

    line: Line
    cells: dict[int, tuple[int, int]] = field(default_factory=dict)
    is_call: bool = False


class Columns:
    """The places of pieces in lines, by which the rows of a tree are found."""

    def __init__(self, found: Pieces, lines: list[Line]) -> None:
        self._found = found
        #: The total number of blank lines before each line.
        self._blanks = dict(zip(map(id, lines), accumulate(line.blank_before for line in lines), strict=True))
        self._places = {
            piece.start: (line, number)
            for line in lines
            for number, piece in enumerate(line.pieces)
            if piece.kind != "COMMENT"
        }

    def align(self) -> None:
        """Sets the spaces in lines so that cells are aligned."""
        for node in self._found.nodes():
            children = _parts(node.children)
            for each in children:
                if each.data == "record_field":
                    self._space_clauses(each)
            self._align([child for child in children if child.data in ("record_field", "column")], self._field, _fields)
            self._align([child for child in children if child.data == "variant_case"], self._case, None)
            self._align([child for child in children if child.data == "shape"], self._shape, None)

    def _align(
        self,
        nodes: list[Node],
        row_of: Callable[[Node], _Row | None],
        chosen: Callable[[list[_Row]], list[_Row]] | None,
    ) -> None:
        for run in self._runs(nodes):
            rows = [row for node in run if (row := row_of(node)) is not None]
            if chosen is not None:
                rows = chosen(rows)
            for column in sorted({column for row in rows for column in row.cells}):
                _align(rows, column)

    # ---- rows ----

    def _field(self, node: Node) -> _Row | None:
        """Returns the row of a field that begins a line: its name, its first clause, and a condition behind others."""
        line, first = self._place(node.children[1])
        if line is not self._line_begun_by(node):
            return None
        is_call = any(piece.text == "(" for piece in line.pieces[:first])
        if line.width(0, first) > _LONGEST:
            return None
        row = _Row(line, {1: (first, 1)}, is_call)
        if node.data == "column":
            _, end = ends_of(_parts(node.children[2:3])[-1] if _parts(node.children[2:3]) else node.children[1])
            self._add(row, 2, self._found.items[self._found.at(end)].start, 1, _LONGEST, first)
            return row
        clauses = _clauses(node)
        conditions = [clause for clause in clauses if _is_condition(clause)]
        if clauses and clauses[0] not in conditions:
            self._add(row, 2, ends_of(clauses[0])[0], 1, _LONGEST, first)
            if conditions:
                self._add(row, 3, ends_of(conditions[0])[0], 2, _LONGEST_LINE, 0)
        elif clauses:
            self._add(row, 3 if clauses[0].data != "where" else 2, ends_of(clauses[0])[0], 2, _LONGEST, first)
        return row

    def _case(self, node: Node) -> _Row | None:
        """Returns the row of a variant's case: its name, its body, and what it is in Arrow."""
        line, first = self._place(node.children[1])
        if line is not self._line_begun_by(node) or line.width(0, first) > _LONGEST:
            return None
        row = _Row(line, {1: (first, 1)})
        for part in _parts(node.children[2:]):
            column = 3 if part.data == "arrow_map" else 2
            if column not in row.cells:
                self._add(row, column, ends_of(part)[0], 1, _LONGEST_LINE, 0)
        return row

    def _shape(self, node: Node) -> _Row | None:
        """Returns the row of an encoding's case: its body."""
        line = self._line_begun_by(node)
        body = next(part for part in _parts(node.children) if part.data == "body")
        if line is None:
            return None
        row = _Row(line)
        self._add(row, 1, ends_of(body)[0], 1, _LONGEST_LINE, 0)
        return row

    def _add(self, row: _Row, column: int, offset: int, gap: int, longest: int, since: int) -> None:
        """Adds a cell to a row if it is on the row's line, and not too far to the right."""
        line, number = self._places[offset]
        if line is row.line and line.width(since, number) <= longest:
            row.cells[column] = number, gap

    def _space_clauses(self, node: Node) -> None:
        """Sets off the conditions of a field that begins a line, and the message of its value."""
        if self._line_begun_by(node) is None:
            return
        for clause in _clauses(node):
            line, number = self._place(clause)
            line.gaps[number] = min(number, 2 if _is_condition(clause) else 1)
            message = _parts(clause.children[-1:])
            if clause.data == "derived" and message and message[0].data == "otherwise":
                line, number = self._place(message[0])
                line.gaps[number] = min(number, 2)

    # ---- places ----

    def _place(self, node: Node | Token) -> tuple[Line, int]:
        return self._places[ends_of(node)[0]]

    def _line_begun_by(self, node: Node) -> Line | None:
        line, number = self._place(node)
        return None if number else line

    def _runs(self, nodes: Iterable[Node]) -> list[list[Node]]:
        """Returns the nodes in groups that no blank line divides."""
        groups = groupby(nodes, lambda node: self._blanks[id(self._place(node)[0])])
        return [list(group) for _, group in groups]


def _parts(children: list[Node | Token]) -> list[Node]:
    return [child for child in children if isinstance(child, Tree) and not child.meta.empty]


def _clauses(node: Node) -> list[Node]:
    return [part for part in _parts(node.children[2:]) if not str(part.data).startswith("dimension")]


def _is_condition(clause: Node) -> bool:
    """True for rules and conditions; other clauses describe the layout of the field's bytes."""
    first = clause.children[0] if clause.children else None
    return clause.data == "where" or (isinstance(first, Token) and first.type == "IF")


def _fields(rows: list[_Row]) -> list[_Row]:
    """Returns the rows that form columns, without types with arguments that alone would widen them."""
    widths = {id(row): row.line.width(0, row.cells[1][0]) for row in rows}
    calls = [row for row in rows if row.is_call]
    plain = max((widths[id(row)] for row in rows if not row.is_call), default=0)
    most = max(plain, _LONGEST_CALL) if 2 * len(calls) >= len(rows) else plain
    chosen = [row for row in rows if not row.is_call or widths[id(row)] <= most]
    if not any(set(row.cells) >= {2, 3} for row in chosen):
        for row in chosen:
            if 3 in row.cells:
                row.cells[2] = row.cells.pop(3)
    return chosen


def _align(rows: list[_Row], column: int) -> None:
    """Widens the spaces before a cell so that it begins at the same place in all rows that have it."""
    starts = [(row, *row.cells[column], row.line.width(0, row.cells[column][0])) for row in rows if column in row.cells]
    place = max(width + gap for _, _, gap, width in starts)
    for row, number, _, width in starts:
        row.line.gaps[number] = place - width
