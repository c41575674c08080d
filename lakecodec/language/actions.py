"""Code actions that an editor offers for findings, and for rules without a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lakecodec.generator.diagnostics import Diagnostic, Location
from lakecodec.generator.lint import RULES
from lakecodec.generator.syntax import File, RecordDef, StructDef, Where

_MEANT = re.compile(r"did you mean '([^']+)'")
_FOUND = re.compile(r"'([^']+)'")


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of the text at one place.

    Attributes:
        at: what is replaced; nothing where its length is 0.
        finding: the finding that it fixes, None if nothing is wrong.
    """

    title: str
    at: Location
    text: str
    finding: Diagnostic | None = None


def fixes_of(tree: File, findings: list[Diagnostic], text: str, first: int, last: int) -> Iterator[Fix]:
    """Yields the code actions for some lines of a file; lines count from 1."""
    lines = text.splitlines()
    for finding in findings:
        if not first <= finding.location.line <= last:
            continue
        if (meant := _MEANT.search(finding.message)) is not None:
            yield from _replaced(finding, meant[1], lines)
        if finding.rule in RULES:
            yield _exempted(finding, lines)
    for item in tree.definitions:
        if isinstance(item, StructDef):
            yield from _ids(item, lines, first, last)
        if isinstance(item, RecordDef):
            wheres = [*item.checks, *(rule for field in item.fields for rule in field.invariants)]
            yield from _messages(wheres, text, first, last)


def _exempted(finding: Diagnostic, lines: list[str]) -> Fix:
    """Returns a comment behind the line of a finding that exempts it from its lint rule; the reason is the user's to write."""
    at = finding.location
    end = Location(at.file, at.line, len(lines[at.line - 1].rstrip()) + 1, 0)
    return Fix(f"Exempt this line from {finding.rule}", end, f"  // lint: off {finding.rule}: ", finding)


def _replaced(finding: Diagnostic, meant: str, lines: list[str]) -> Iterator[Fix]:
    """Yields the replacement of a misspelt word by the suggested one, if the finding is on it."""
    at = finding.location
    line = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
    for word in _FOUND.findall(finding.message):
        if word == meant:
            continue
        place = line.find(word, at.column - 1)
        if place >= 0 and place <= at.column - 1 + at.length:
            found = Location(at.file, at.line, place + 1, len(word))
            yield Fix(f"Change '{word}' to '{meant}'", found, meant, finding)
            return


def _ids(struct: StructDef, lines: list[str], first: int, last: int) -> Iterator[Fix]:
    """Yields an id for each field that has none: the one after the greatest."""
    if struct.kind in ("message", "oneof"):
        return
    taken = max((each.id for each in struct.fields if each.id is not None), default=0)
    for each in struct.fields:
        if each.id is None:
            taken += 1
            if first <= each.location.line <= last:
                at = each.type.location
                before = lines[at.line - 1][: at.column - 1]
                word = re.search(r"(required|optional)\s+$", before)
                place = len(before) if word is None else word.start()
                yield Fix(f"Give {each.name} the id {taken}", Location(at.file, at.line, place + 1, 0), f"{taken}: ")


def _messages(wheres: list[Where], text: str, first: int, last: int) -> Iterator[Fix]:
    """Yields a place for the message of each rule that has none."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for rule in wheres:
        at = rule.location
        if rule.message is not None or rule.setting is not None or not first <= at.line <= last:
            continue
        offset = starts[at.line - 1] + at.column - 1 + (at.length if at.length > 1 else 0)
        end = re.compile(r"\bwhere\b|\bif\b|;|\n|\{").search(text, offset)
        if end is None:
            continue
        place = len(text[: end.start()].rstrip())
        line = text.count("\n", 0, place) + 1
        spot = Location(at.file, line, place - starts[line - 1] + 1, 0)
        yield Fix("Add a message to this rule", spot, ' else "..."')
