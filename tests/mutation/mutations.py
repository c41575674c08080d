"""Small changes to an IDL text: each drops, swaps or shifts one clause, name, number or operator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/|//[^\n]*|\#[^\n]*)
      | (?P<string>"[^"\n]*"|'[^'\n]*')
      | (?P<number>0[xX][0-9a-fA-F]+|\d+)
      | (?P<word>[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*)
      | (?P<mark>==|!=|<=|>=|->|\.\.|.)""",
    re.VERBOSE | re.DOTALL,
)
#: Words that stand for something near by: widths, byte orders, requiredness, logic.
_WORDS = {
    "required": "optional",
    "optional": "required",
    "big": "little",
    "little": "big",
    "u8": "u16",
    "u16": "u32",
    "u32": "u64",
    "u64": "u32",
    "i8": "i16",
    "i16": "i32",
    "i32": "i64",
    "i64": "i32",
    "f32": "u32",
    "f64": "u64",
    "bool8": "u16",
    "uvarint32": "u32",
    "svarint64": "i64",
    "utf8": "bytes",
    "bytes": "utf8",
    "native": "i64",
    "bool": "i32",
    "string": "binary",
    "binary": "string",
    "double": "i64",
    "byte": "i16",
    "and": "or",
    "or": "and",
    "true": "false",
    "false": "true",
    "not": "",
    "struct": "union",
    "union": "struct",
}
#: Kinds of values: numbers have no width where they are neither read nor written.
_KINDS = {"i32": "string", "i64": "string", "bool": "string", "bytes": "i64", "string": "i64", "utf8": "i64"}
_HEADS = ("codec", "fn", "const", "record", "variant", "encoding")
_MARKS = {"==": "!=", "!=": "==", "<=": "<", "<": "<=", ">": ">=", ">=": ">", "+": "-", "-": "+", "*": "+", "/": "*"}
#: Words that begin a clause of a field, a shape or an alternative.
_CLAUSES = ("=", "via", "if", "where", "at", "size", "until", "arrow", "when", "write", "else")
_OPEN, _CLOSE = "([", ")]"


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed text.

    Attributes:
        kind: what was done.
        line: the line that was changed, without comments, spaces made one.
        number: its number, from 1.
        change: the part that was changed, and what it became.
        text: the whole text.
    """

    kind: str
    line: str
    number: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.number}: {self.kind}: {self.change}   [{self.line}]"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def mutations(text: str) -> list[Mutation]:
    """All mutations of a text, in its order."""
    tokens = [_Token(found.lastgroup or "", found[0], found.start(), found.end()) for found in _TOKEN.finditer(text)]
    code = [token for token in tokens if token.kind != "space"]
    found = [*_swaps(code), *_dropped_clauses(code), *_dropped_statements(code), *_dropped_nulls(code)]
    lines = text.split("\n")
    made = []
    for kind, start, end, new in sorted(dict.fromkeys(found), key=lambda each: each[1:3]):
        number = text.count("\n", 0, start) + 1
        line = " ".join(re.sub(r"/\*.*?\*/|//.*|/\*.*|^\s*\*.*", "", lines[number - 1]).split())
        change = f"{' '.join(text[start:end].split())} -> {new or 'nothing'}"
        made.append(Mutation(kind, line, number, change, text[:start] + new + text[end:]))
    return made


def _swaps(code: list[_Token]) -> Iterator[tuple[str, int, int, str]]:
    head, depth = False, 0
    for i, token in enumerate(code):
        before = code[i - 1].text if i else ""
        depth += (token.text == "{") - (token.text == "}")
        if before in ("", ";", "{", "}", '"') or (code[i - 1].end < token.start and token.text in _HEADS):
            head = depth == 0 and token.text in _HEADS
        if before in ("namespace", "include") or (i > 1 and code[i - 2].text in ("namespace", "include")):
            continue
        match token.kind:
            case "number":
                yield "number", token.start, token.end, str(int(token.text, 0) + 1)
            case "word" if head and depth == 0 and token.text in _KINDS:
                yield "kind", token.start, token.end, _KINDS[token.text]
            case "word" if token.text in _WORDS:
                yield "word", token.start, token.end, _WORDS[token.text]
            case "mark" if token.text in _MARKS and not _is_bracket(code, i):
                yield "operator", token.start, token.end, _MARKS[token.text]
            case "string" if before != "else":
                quote, inside = token.text[0], token.text[1:-1]
                yield "string", token.start, token.end, quote + _other(inside) + quote


def _other(inside: str) -> str:
    """A text with another first character."""
    return ("Y" if inside[:1] == "X" else "X") + inside[1:]


def _is_bracket(code: list[_Token], i: int) -> bool:
    """Whether a `<` or `>` encloses types."""
    if code[i].text == "<":
        return code[i - 1].text in ("list", "set", "map", "bits")
    if code[i].text != ">":
        return False
    opened = 0
    for token in reversed(code[:i]):
        opened += (token.text == ">") - (token.text == "<")
        if token.text in (";", "{", "}"):
            return False
        if opened < 0:
            break
    return opened < 0 and _is_bracket(code, code.index(token))


def _dropped_clauses(code: list[_Token]) -> Iterator[tuple[str, int, int, str]]:
    opened = 0
    for i, token in enumerate(code):
        if token.text == "{":
            opened = i
        if token.text not in _CLAUSES or token.kind == "string" or code[i + 1].text in ("extern", ":"):
            continue
        if code[opened - 2].text == "enum":
            # A member without a number has the next one, which is the same nearly everywhere.
            continue
        depth, end = 0, i
        while end + 1 < len(code):
            following = code[end + 1].text
            depth += (following in _OPEN) - (following in _CLOSE)
            if depth < 0 or (depth == 0 and following in (*_CLAUSES, ";", "{", "}", ",", "with")):
                break
            end += 1
        if token.text == "where" and code[end + 1].text == "else":
            end += 2
        yield "clause", token.start, code[end].end, ""


def _dropped_statements(code: list[_Token]) -> Iterator[tuple[str, int, int, str]]:
    depth, start = 0, 0
    for i, token in enumerate(code):
        if token.text in ("{", "}"):
            depth += 1 if token.text == "{" else -1
            start = i + 1
        elif token.text == ";":
            if depth:
                yield "statement", code[start].start, token.end, ""
            start = i + 1


def _dropped_nulls(code: list[_Token]) -> Iterator[tuple[str, int, int, str]]:
    for i, token in enumerate(code):
        if token.text == "null" and code[i - 1].text == "}" and code[i + 1].text == "{":
            end = next(j for j in range(i, len(code)) if code[j].text == "}")
            yield "null shape", token.start, code[end].end, ""
