"""Random edits of an IDL text: the small mutations, and what else people do to fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from .mutations import Mutation, mutations

_BODY = re.compile(
    r"\b(record|struct|union|exception|message|enum|variant|service|table|encoding|codec)\s+(\w+)[^{};]*\{"
)
_SPACE = re.compile(r"/\*.*?\*/|//[^\n]*|\#[^\n]*", re.DOTALL)
#: A field of a record: type, name, and the clauses behind it.
_FIELD = re.compile(r"^\s*([\w.]+(?:<\d+>)?(?:\([^()]*\))?)\s+(\w+)\s*(\[[^\]]*\])?([^;]*);$", re.DOTALL)
_MEMBER = re.compile(r"\b(\d+):\s*(required|optional)?\s*((?:list|set|map)<[^;{}=]*?>|[\w.]+)\s+(\w+)")
_NUMBERS = ("u8", "u16", "u24", "u32", "u64", "i8", "i16", "i32", "i64", "uvarint32", "svarint64", "f32")
_TYPES = (
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "double",
    "string",
    "binary",
    "list<i32>",
    "set<string>",
    "map<string, i32>",
)
_CONDITIONS = ("if 1 < 0", "if not at_end", "where {0} != 1", "where {0} < 200", "size 2")


def edits(text: str) -> list[Mutation]:
    """Returns all small mutations of a text, and the larger edits."""
    return [*mutations(text), *larger_edits(text)]


def larger_edits(text: str) -> list[Mutation]:
    """Returns edits that mutations of single tokens do not make."""
    blank = _SPACE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    found = [*_statements(blank), *_members(blank), *_attributes(blank), *_orders(blank), *_renames(blank)]
    made = []
    for kind, start, end, new in dict.fromkeys(found):
        if text[start:end] != new:
            number = text.count("\n", 0, start) + 1
            change = f"{' '.join(text[start:end].split())} -> {' '.join(new.split()) or 'nothing'}"
            line = " ".join(text.split("\n")[number - 1].split())
            made.append(Mutation(kind, line, number, change, text[:start] + new + text[end:]))
    return made


Edit = tuple[str, int, int, str]


def _bodies(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields the kind and the inside of each body, those of alternatives too."""
    opened: list[int] = []
    for place, sign in enumerate(text):
        if sign == "{":
            opened.append(place)
        elif sign == "}" and opened:
            start = opened.pop()
            head = text[text.rfind("\n\n", 0, start) + 1 : start]
            kinds = re.findall(
                r"\b(record|struct|union|exception|message|enum|variant|service|table|encoding|codec|fn)\b", head
            )
            yield (kinds[-1] if kinds else ""), start + 1, place


def _statements(text: str) -> Iterator[Edit]:
    """Fields of records: swapped, moved, repeated, with other widths, names, conditions, sizes."""
    for _, start, end in _bodies(text):
        inside = text[start:end]
        if "{" in inside or ";" not in inside:
            continue
        spans = [(start + found.start(), start + found.end()) for found in re.finditer(r"[^;]+;", inside)]
        for first, second in pairwise(spans):
            swapped = text[second[0] : second[1]] + text[first[0] : first[1]]
            yield "order", first[0], second[1], swapped
        if len(spans) > 2:
            last = spans[-1]
            yield "order", spans[0][0], last[1], text[last[0] : last[1]] + text[spans[0][0] : last[0]]
        for low, high in spans:
            yield from _field(text[low:high], low, high)


def _field(statement: str, low: int, high: int) -> Iterator[Edit]:
    found = _FIELD.match(statement)
    if found is None:
        return
    type_, name, _, clauses = found.groups()
    at = low + found.start(1)
    if type_ in _NUMBERS:
        for other in _NUMBERS:
            if other != type_:
                yield "width", at, at + len(type_), other
    yield "added", low, low, f" u8 added_{name};"
    yield "added", high, high, f" u8 added_{name} if not at_end;"
    yield "name", low + found.start(2), low + found.end(2), f"{name}_renamed"
    for each in _CONDITIONS:
        if each.split()[0] not in clauses:
            yield "condition", high - 1, high - 1, " " + each.format(name)
    if type_ in _NUMBERS and "=" not in clauses:
        yield "derived", high - 1, high - 1, " = 1"


def _members(text: str) -> Iterator[Edit]:
    """Fields of structs and messages: other types, requiredness, defaults, names, numbers."""
    found = list(_MEMBER.finditer(text))
    for each in found:
        number, required, type_, name = each.groups()
        for other in _TYPES:
            if other != type_:
                yield "type", *each.span(3), other
        yield "id", *each.span(1), str(int(number) + 20)
        yield "name", *each.span(4), f"{name}_renamed"
        for word in ("required ", "optional ", ""):
            if word.strip() != (required or ""):
                yield "requiredness", each.end(1) + 1, each.start(3), f" {word}"
        yield "added", each.start(), each.start(), f"{int(number) + 40}: optional i32 added_{name} "
        yield "added", each.start(), each.start(), f"{int(number) + 40}: required i32 added_{name} "
    for first, second in pairwise(found):
        between = text[first.end(1) : second.start(1)]
        if "}" not in between:
            yield "id", first.start(1), second.end(1), second[1] + between + first[1]
            names = text[first.end(4) : second.start(4)]
            yield "name", first.start(4), second.end(4), second[4] + names + first[4]


def _attributes(text: str) -> Iterator[Edit]:
    """Byte order, gaps and overlaps of records; the parameters and arguments of all."""
    for found in re.finditer(r"\b(?:record|variant)\s+\w+(\([^)]*\))?(\s*:\s*[\w, ]+)?(?=\s*(?:on\b[^{]*)?\{)", text):
        for words in (" : big ", " : little ", ""):
            if found[2] is not None:
                yield "attribute", *found.span(2), words
            elif words and "on" not in found[0].split():
                yield "attribute", found.end(), found.end(), words
        if found[1]:
            yield "parameter", found.end(1) - 1, found.end(1) - 1, ", i64 added"
    for found in re.finditer(r"\(([\w.]+), ([\w.]+)\)", text):
        yield "argument", *found.span(), f"({found[2]}, {found[1]})"
        yield "argument", *found.span(), f"({found[1]}, {found[1]})"
    for found in re.finditer(r"\bat (\w+)", text):
        yield "place", *found.span(1), f"{found[1]} + 1"
    for found in re.finditer(r"\bsize (\w+)", text):
        yield "size", *found.span(1), f"{found[1]} + 1"
    for found in re.finditer(r"\bvia (\w+)", text):
        names = re.findall(r"\bcodec (\w+)", text)
        for other in names:
            if other != found[1]:
                yield "codec", *found.span(1), other


def _orders(text: str) -> Iterator[Edit]:
    """Declarations that change places, which changes nothing."""
    blocks = [
        found.span()
        for found in re.finditer(r"(?m)^(?:record|struct|enum|variant|union|message)\b[^{}]*\{[^{}]*\}\n", text)
    ]
    for first, second in pairwise(blocks):
        moved = text[slice(*second)] + text[first[1] : second[0]] + text[slice(*first)]
        yield "declarations", first[0], second[1], moved


def _renames(text: str) -> Iterator[Edit]:
    """Members of enums with other numbers, or without."""
    for found in re.finditer(r"\benum\s+\w+\s*\{([^{}]*)\}", text):
        members = list(re.finditer(r"(\w+)\s*=\s*(\w+)", found[1]))
        for first, second in pairwise(members):
            base = found.start(1)
            between = found[1][first.end(1) : second.start(1)]
            yield "enum", base + first.start(1), base + second.end(1), second[1] + between + first[1]
            yield "enum", base + first.start(2), base + first.end(2), str(int(first[2], 0) + 50)


def chosen(text: str, count: int, seed: int) -> list[Mutation]:
    """Returns some edits of a text, as many of each kind as there are, the same ones for the same seed."""
    random = Random(seed)
    kinds: dict[str, list[Mutation]] = {}
    for each in edits(text):
        kinds.setdefault(each.kind, []).append(each)
    for each_kind in kinds.values():
        random.shuffle(each_kind)
    found: list[Mutation] = []
    while len(found) < count and any(kinds.values()):
        for left in list(kinds.values()):
            if left:
                found.append(left.pop())
    return found[:count]
