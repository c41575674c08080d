"""Proposals of an editor: types, fields, words of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lakecodec.generator.comments import COMMENT_OR_TEXT

from . import words
from .analysis import SUFFIXES, Analysis
from .chunks import chunks_of
from .symbols import Symbol, element_type

_TYPE_KINDS = frozenset(
    {"record", "variant", "encoding", "struct", "union", "exception", "message", "oneof", "enum", "typedef", "senum"}
)
_VALUE_KINDS = frozenset({"const", "fn", "codec", "enum", "parameter", "field", "variable"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word that can be written; ``kind`` is a symbol's, or `keyword`, `type`, `builtin`, `value`, `file`."""

    label: str
    kind: str
    detail: str = ""
    doc: str = ""


def proposals(analysis: Analysis, text: str, offset: int) -> list[Proposal]:
    """Returns the proposals for an offset of a text.

    Args:
        analysis: of the same text without what is being written; see `without_statement`.
    """
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    if re.search(r'\binclude\s+["\'][^"\']*$', before):
        return list(_files(analysis.path))
    line = text.count("\n", 0, offset) + 1
    inside = _is_inside(text, offset)
    around = analysis.definition_at(line) if inside else None
    if (dotted := re.search(r"([A-Za-z_][\w.\[\]]*)\.\w*$", before)) is not None:
        return list(_members(analysis, around, dotted[1]))
    if not inside:
        return [*_documented(words.DEFINITIONS, "keyword"), *_symbols(analysis, _TYPE_KINDS)]
    if around is None:
        return []
    if re.search(r"\bvia\s+\w*$", before):
        return [*_documented(words.CODECS, "codec"), *_symbols(analysis, frozenset({"codec"}))]
    if _at_type(before, around):
        return list(_types(analysis, around))
    return [
        *_own(around),
        *_symbols(analysis, _VALUE_KINDS),
        *_documented(words.FUNCTIONS, "builtin"),
        *_documented(words.VALUES, "value"),
        *_documented(words.CLAUSES, "keyword"),
        *_enum_members(analysis),
    ]


def without_statement(text: str, offset: int) -> str:
    """Returns a text without the unfinished field or definition at an offset; the text before it keeps its place.

    An unclosed definition is closed there.
    """
    start = max(text.rfind(sign, 0, offset) for sign in ";{}\n") + 1
    end = min((at for sign in ";}\n" if (at := text.find(sign, offset)) >= 0), default=len(text))
    chunk = next(each for each in reversed(chunks_of(text)) if each.offset <= offset)
    rest = text[max(end, chunk.offset) : chunk.offset + len(chunk.text)]
    missing = _depth(text[chunk.offset : start]) + _depth(rest)
    return text[:start] + " " * (end - start) + "}" * missing + text[end:]


def _is_inside(text: str, offset: int) -> bool:
    """True inside the braces of a definition."""
    chunk = next(each for each in reversed(chunks_of(text)) if each.offset <= offset)
    return _depth(text[chunk.offset : offset]) > 0


def _depth(text: str) -> int:
    """Returns the number of braces that a text opens and does not close."""
    plain = COMMENT_OR_TEXT.sub("", text)
    return plain.count("{") - plain.count("}")


def _at_type(before: str, around: Symbol) -> bool:
    """True where the beginning of a line ends in a type."""
    if re.search(r"[<(,]\s*\w*$", before) and around.kind in (
        "struct",
        "union",
        "exception",
        "message",
        "oneof",
        "service",
    ):
        return True
    if around.kind in ("struct", "union", "exception", "message", "oneof"):
        return bool(re.search(r"(?:^|[;,{])\s*(?:-?\d+\s*:)?\s*(?:(?:required|optional)\s+)?\w*$", before))
    return bool(re.search(r"(?:^|[;{])\s*\w*$", before))


def _types(analysis: Analysis, around: Symbol) -> Iterator[Proposal]:
    if around.kind in ("struct", "union", "exception", "message", "oneof", "service", "table"):
        yield from _documented(words.BASE_TYPES, "type")
        if around.kind == "table":
            yield from _documented(words.COLUMN_TYPES, "type")
        yield from (Proposal(word, "keyword", doc=words.CLAUSES[word]) for word in ("required", "optional"))
    else:
        yield from _documented(words.WIRE_TYPES, "type")
    yield from _symbols(analysis, _TYPE_KINDS)


def _members(analysis: Analysis, around: Symbol | None, base: str) -> Iterator[Proposal]:
    """Yields the names behind `base.`: those of an included file, an enum, or the value of a record or struct."""
    names = re.sub(r"\[[^\]]*\]", "", base).split(".")
    if names[0] in analysis.declared.included and len(names) == 1:
        included = analysis.declared.included[names[0]].symbols.values()
        yield from (_proposal(each) for each in included)
        return
    found = analysis.declared.find(".".join(names)) if len(names) > 1 else None
    if found is None:
        found = around.parts.get(names[0]) if around is not None else None
        found = found or analysis.declared.find(names[0])
        for name in names[1:]:
            type_ = element_type(found, analysis.declared)
            found = None if type_ is None else type_.parts.get(name)
    type_ = found if found is not None and found.kind == "enum" else element_type(found, analysis.declared)
    for part in () if type_ is None else type_.parts.values():
        yield from (_proposal(each) for each in (part.parts.values() if part.kind == "case" else [part]))


def _own(around: Symbol) -> Iterator[Proposal]:
    for part in around.parts.values():
        yield from (_proposal(each) for each in (part.parts.values() if part.kind == "case" else [part]))


def _symbols(analysis: Analysis, kinds: frozenset[str]) -> Iterator[Proposal]:
    yield from (_proposal(each) for each in analysis.declared.symbols.values() if each.kind in kinds)
    yield from (Proposal(prefix, "file", "included file") for prefix in analysis.declared.included)


def _enum_members(analysis: Analysis) -> Iterator[Proposal]:
    for each in analysis.declared.symbols.values():
        if each.kind == "enum":
            yield from (_proposal(member) for member in each.parts.values())


def _proposal(symbol: Symbol) -> Proposal:
    return Proposal(symbol.name, symbol.kind, f"{symbol.kind} {symbol.path}", symbol.doc)


def _documented(known: dict[str, str], kind: str) -> Iterator[Proposal]:
    yield from (Proposal(word, kind, doc=doc) for word, doc in known.items())


def _files(path: Path) -> Iterator[Proposal]:
    for each in sorted(path.parent.iterdir()):
        if each.suffix in SUFFIXES and each != path:
            yield Proposal(each.name, "file")
