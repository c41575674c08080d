"""An IDL text as pieces: tokens and comments in their order, with the role of each in the grammar."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from lakecodec.generator.parse import idl_parser

_COMMENT = re.compile(r"/\*[\s\S]*?\*/|(?://|#)[^\n]*")
_TYPES_IN_BRACKETS = {"map_type", "set_type", "list_type", "type_arguments"}
_TIGHT_LISTS = {"arguments", "params", "attribute", "pattern_names", "function", "dimension_count", "dimension_index"}
#: Rules that begin a statement if they begin a line.
STATEMENTS = {
    "include", "cpp_include", "namespace", "const", "typedef", "enum", "senum", "struct", "service", "record", "variant",
    "encoding", "codec", "fn", "table", "field", "enum_member", "senum_member", "function", "record_field", "computed",
    "bit_fields", "bit_field", "variant_case", "shape", "loop", "column",
}  # fmt: skip


@dataclass(slots=True)
class Piece:
    """A token or a comment.

    Attributes:
        before, after: whether a space may be on that side of it.
        line: its line in the text, from 0.
        starts: whether a statement begins here.
    """

    text: str
    kind: str
    start: int
    line: int
    before: bool = True
    after: bool = True
    starts: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(slots=True)
class Pieces:
    """All pieces of a text, and its parse tree."""

    text: str
    tree: Tree[Token]
    items: list[Piece] = field(default_factory=list)
    #: The positions of tokens in the text, and their indexes in ``items``.
    _places: list[int] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)

    def at(self, offset: int) -> int:
        """Returns the number of the first token at or behind an offset of the text."""
        return self._numbers[bisect_left(self._places, offset)]

    def nodes(self) -> Iterator[Tree[Token]]:
        """Yields the nodes of the tree that have text."""
        return (node for node in self.tree.iter_subtrees() if not node.meta.empty)


def pieces_of(text: str) -> Pieces:
    """Returns the pieces of a text without syntax errors.

    Raises:
        UnexpectedInput: the text has syntax errors; `parse` reports them.
    """
    interactive = idl_parser().parse_interactive(text, start="start")
    tokens = list(interactive.iter_parse())
    tree: Tree[Token] = interactive.feed_eof(tokens[-1] if tokens else None)  # type: ignore[no-untyped-call]
    found = Pieces(text, tree)
    position = line = 0
    for token in [*tokens, Token("$END", "", start_pos=len(text))]:
        place = token.start_pos or 0
        for comment in _COMMENT.finditer(text, position, place):
            at = line + text.count("\n", position, comment.start())
            found.items.append(Piece(comment[0], "COMMENT", comment.start(), at))
        line += text.count("\n", position, place)
        position = place
        if token.type != "$END":
            found._places.append(place)
            found._numbers.append(len(found.items))
            found.items.append(Piece(str(token), token.type, place, line))
            line += token.count("\n")
            position += len(token)
    _set_spaces(found)
    return found


def ends_of(node: Tree[Token] | Token) -> tuple[int, int]:
    """Returns the offsets of a node's text: its first character, and the one behind its last."""
    if isinstance(node, Token):
        return node.start_pos or 0, node.end_pos or 0
    return node.meta.start_pos, node.meta.end_pos


def _set_spaces(found: Pieces) -> None:
    """Sets the sides of the pieces on which spaces are allowed."""
    for piece in found.items:
        if piece.text in (")", "]", ",", ";", "."):
            piece.before = False
        if piece.text in ("(", "[", ".") or piece.kind == "MINUS":
            piece.after = False
        if piece.kind == "REFERENCE":
            piece.before = False
    for node in found.nodes():
        rule, (start, end) = str(node.data), ends_of(node)
        if rule in STATEMENTS:
            found.items[found.at(start)].starts = True
        if rule in _TYPES_IN_BRACKETS:
            _tighten_brackets(found, start)
        elif rule in _TIGHT_LISTS and (rule != "attribute" or found.text[end - 1] == ")"):
            _first(found, start, ("(", "[")).before = False
        elif rule in ("index", "slice", "dimension_rest", "dimension_until"):
            base = start if rule.startswith("dimension") else ends_of(node.children[0])[1]
            _first(found, base, ("[",)).before = False
            if rule in ("slice", "dimension_rest"):
                _tighten(_first_outside(found, base, end, (":", "..")))
        elif rule == "const_map":
            found.items[found.at(start)].after = found.items[found.at(end - 1)].before = False
        elif rule == "field_id":
            found.items[found.at(end - 1)].before = False
        elif rule in ("variant_case", "const_entry", "bit_field"):
            _first(found, ends_of(node.children[0])[1], (":",)).before = False


def _tighten(piece: Piece) -> None:
    piece.before = piece.after = False


def _first(found: Pieces, offset: int, texts: tuple[str, ...]) -> Piece:
    return next(piece for piece in found.items[found.at(offset) :] if piece.text in texts)


def _first_outside(found: Pieces, base: int, end: int, texts: tuple[str, ...]) -> Piece:
    """Returns the piece directly inside the brackets behind ``base``."""
    depth = 0
    for piece in found.items[found.at(base) :]:
        if depth == 1 and piece.text in texts:
            return piece
        depth += (piece.text in ("(", "[")) - (piece.text in (")", "]"))
    raise AssertionError(f"no {texts} before {end}")


def _tighten_brackets(found: Pieces, offset: int) -> None:
    """Removes spaces inside the `<...>` of a type."""
    depth, previous = 0, ""
    for piece in found.items[found.at(offset) :]:
        if piece.text == "<":
            depth += 1
            if depth == 1:
                piece.before, piece.after = previous == "STRING", False
        elif piece.text == ">":
            depth -= 1
            if depth == 0:
                piece.before = False
                return
        previous = piece.kind
