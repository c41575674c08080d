"""Terms and conditions added to the expressions of an IDL text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .mutations import Mutation

#: What ends the expression of a clause.
_END = r"(?=\s*(?:;|\bwhere\b|\belse\b|\bwhen\b|\bif\b|\bvia\b|\bsize\b|\bat\b|\}|,))"
_DERIVED = re.compile(rf"(?<=\w)\s*(?<![<>!=])=\s+(?P<inside>(?:count|size|raw_size|value)\b[^;{{}}\"]*?){_END}")
_CONDITION = re.compile(rf"\b(?:where|if)\s+(?P<inside>[^;{{}}\"]*?){_END}")


def neutral(text: str) -> Iterator[Mutation]:
    """Yields texts that mean the same: a term that is 0, a condition that always holds."""
    yield from _inserted(text, _DERIVED, "term", "({0}) + 0 * ({0})")
    yield from _inserted(text, _CONDITION, "condition", "({0}) and 1 < 2")


def harmful(text: str) -> Iterator[Mutation]:
    """Yields texts that mean something else."""
    yield from _inserted(text, _DERIVED, "term", "({0}) % 2")
    yield from _inserted(text, _CONDITION, "condition", "({0}) and 1 > 2")


def _inserted(text: str, pattern: re.Pattern[str], kind: str, form: str) -> Iterator[Mutation]:
    comments = [found.span() for found in re.finditer(r"/\*.*?\*/|//[^\n]*", text, re.DOTALL)]
    for found in pattern.finditer(text):
        start, end = found.span("inside")
        if any(low <= start < high for low, high in comments) or "//" in found["inside"]:
            continue
        new = form.format(found["inside"])
        number = text.count("\n", 0, start) + 1
        line = " ".join(text.split("\n")[number - 1].split())
        yield Mutation(kind, line, number, f"{found['inside']} -> {new}", text[:start] + new + text[end:])
