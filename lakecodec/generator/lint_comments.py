"""Comments that exempt a place from a lint rule: ``// lint: off RULE: REASON``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..runtime.suggest import did_you_mean
from .comments import COMMENT_OR_TEXT
from .diagnostics import Location

#: The rule that warns of comments themselves. Nothing switches it off.
RULE = "exemptions"

_OFF = re.compile(r"(?://|\#)\s*lint\s*:\s*off\b\s*(?P<rule>[\w-]*)\s*:?\s*(?P<reason>.*)")


@dataclass(slots=True)
class _Exemption:
    rule: str
    reason: str
    location: Location
    #: The line that it is about.
    line: int
    used: bool = False


def exempted(
    findings: Iterable[tuple[str, Location, str]], text: str, file: str, rules: Sequence[str]
) -> Iterator[tuple[str, Location, str]]:
    """Yields the findings that no comment of the text exempts, then what is wrong with the comments.

    A comment at the end of a line is about that line; one that stands alone is about the next line with code. It names one rule,
    and gives a reason; one that exempts nothing is a finding.
    """
    known = list(_exemptions(text, file))
    for message, location, rule in findings:
        matching = [each for each in known if (each.rule, each.line) == (rule, location.line)]
        for each in matching:
            each.used = True
        if not matching:
            yield message, location, rule
    for each in known:
        if each.rule not in rules:
            hint = did_you_mean(each.rule, rules) or f"; rules are {', '.join(rules)}"
            yield f"there is no lint rule '{each.rule}'{hint}", each.location, RULE
        elif not each.used:
            yield f"nothing here breaks the rule '{each.rule}': remove the comment", each.location, RULE
        elif not each.reason:
            yield f"say why the rule '{each.rule}' is off: // lint: off {each.rule}: REASON", each.location, RULE


def _exemptions(text: str, file: str) -> Iterator[_Exemption]:
    lines = text.split("\n")
    code = _without_comments(text).split("\n")
    for match in COMMENT_OR_TEXT.finditer(text):
        if not (off := _OFF.fullmatch(match[0].rstrip())):
            continue
        number = text.count("\n", 0, match.start())
        column = match.start() - text.rfind("\n", 0, match.start())
        about = number
        if not code[number].strip():
            about = next((line for line in range(number + 1, len(lines)) if code[line].strip()), number)
        place = Location(file, number + 1, column, len(match[0].rstrip()))
        yield _Exemption(off["rule"].replace("-", "_"), off["reason"].strip(), place, about + 1)


def _without_comments(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        return match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]", " ", match[0])

    return COMMENT_OR_TEXT.sub(blank, text)
