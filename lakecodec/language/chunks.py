"""Syntax trees of a text that changes: only definitions that are new, or stand on other lines, are parsed again."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from lakecodec.generator.comments import COMMENT_OR_TEXT
from lakecodec.generator.diagnostics import Diagnostic, Diagnostics, Location
from lakecodec.generator.parse import parse
from lakecodec.generator.syntax import File

#: The beginning of a definition: its keyword at the start of a line. Headers belong to the part before them.
_BEGINNING = re.compile(
    r"^(?:const|typedef|enum|senum|struct|union|exception|service|message|oneof|record|variant|encoding|codec|fn|table)\s",
    re.MULTILINE,
)
#: A syntax tree, and the errors in its text.
_Parsed = tuple[File, tuple[Diagnostic, ...]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A definition with the comments before it, or the text before the first one; lines count from 0."""

    text: str
    offset: int
    line: int


def chunks_of(text: str) -> list[Chunk]:
    """Returns the parts of a text; together they are the text."""
    cuts = list(_cuts(text))
    ends = [*cuts[1:], len(text)]
    found: list[Chunk] = []
    line = 0
    for start, end in zip(cuts, ends, strict=True):
        part = text[start:end]
        found.append(Chunk(part, start, line))
        line += part.count("\n")
    return found


def _cuts(text: str) -> Iterator[int]:
    """Yields the offsets of parts: each definition begins one, with the comments that belong to it."""
    yield 0
    comments = [match.span() for match in COMMENT_OR_TEXT.finditer(text)]
    first, last = 0, 0
    for match in _BEGINNING.finditer(text):
        start = match.start()
        while first < len(comments) and comments[first][1] <= start:
            first += 1
        if first < len(comments) and comments[first][0] < start:
            continue
        before = first
        while before and not text[comments[before - 1][1] : start].strip() and text[comments[before - 1][0]] in "/#":
            if text[: comments[before - 1][0]].rpartition("\n")[2].strip():
                break
            before -= 1
            start = comments[before][0]
        start = text.rfind("\n", 0, start) + 1
        if start > last:
            yield start
            last = start


class ChunkParser:
    """A parser that caches the trees of the parts of texts."""

    def __init__(self, most: int = 4000) -> None:
        #: Results by file, text of the part, and following text (only if the part has errors): the part's line, and its result.
        self._kept: OrderedDict[tuple[str, str, str], tuple[int, _Parsed]] = OrderedDict()
        self._most = most

    def parse(self, text: str, file: str, diagnostics: Diagnostics) -> File:
        """Returns the syntax tree of a text. Each part has its own errors, so that one mistake hides no other."""
        diagnostics.add_source(file, text)
        chunks = chunks_of(text)
        found: list[File] = []
        for number, chunk in enumerate(chunks):
            following = chunks[number + 1].text if number + 1 < len(chunks) else ""
            tree, problems = self._of(chunk, following, file)
            found.append(tree)
            for problem in problems:
                (diagnostics.warning if problem.warning else diagnostics.error)(problem.message, problem.location)
        broken = frozenset[str]().union(*(each.broken for each in found))
        definitions = tuple(item for each in found for item in each.definitions)
        return replace(found[0], definitions=definitions, broken=broken)

    def _of(self, chunk: Chunk, following: str, file: str) -> _Parsed:
        key = (file, chunk.text, "")
        kept = self._kept.get(key) or self._kept.get(key := (file, chunk.text, following))
        if kept is None:
            made = _parsed(chunk.line, chunk.text, file)
            if made[1]:
                # The expected tokens depend on the tokens that follow.
                made = _with_next(chunk, following, file, made)
            else:
                key = (file, chunk.text, "")
            kept = chunk.line, made
        elif kept[0] != chunk.line:
            kept = chunk.line, _moved(kept[1], chunk.line - kept[0])
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return kept[1]


def _moved(node: Any, lines: int) -> Any:
    """Returns a tree, or a part of one, moved down by some lines."""
    if isinstance(node, Location):
        return Location(node.file, node.line + lines, node.column, node.length)
    if isinstance(node, tuple | list):
        return type(node)([_moved(each, lines) for each in node])
    if isinstance(node, dict):
        return {key: _moved(value, lines) for key, value in node.items()}
    if is_dataclass(node) and not isinstance(node, type):
        return type(node)(*[_moved(getattr(node, name), lines) for name in _fields_of(type(node))])
    return node


@cache
def _fields_of(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


def _parsed(line: int, text: str, file: str) -> _Parsed:
    diagnostics = Diagnostics()
    tree = parse("\n" * line + text, file, diagnostics)
    return tree, tuple(diagnostics.found)


def _with_next(chunk: Chunk, following: str, file: str, made: _Parsed) -> _Parsed:
    """Returns a part's tree with the errors that it has before the next part: the end of a part is not that of the file."""
    end = chunk.line + chunk.text.count("\n")
    _, problems = _parsed(chunk.line, chunk.text + following, file)
    first_line = end + len(following[: len(following) - len(following.lstrip())].split("\n"))
    own = tuple(problem for problem in problems if problem.location.line <= first_line)
    return made[0], own or made[1]
