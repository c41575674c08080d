"""The breaking changes that a project accepts: categories, patterns, patterns per file, and a baseline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from ...generator.manifest import BreakingRules
from .change import Change

_KEYS = ("file", "rule", "where", "breaks")


def judged(changes: Iterable[Change], rules: BreakingRules, known: Sequence[dict[str, str]] = ()) -> list[Change]:
    """Returns the changes that neither the rules nor the ``known`` findings of a baseline accept."""
    return [each for each in changes if not _passes(each, rules) and _identity(each) not in known]


def _passes(change: Change, rules: BreakingRules) -> bool:
    if rules.categories and change.category not in rules.categories:
        return True
    return change.is_allowed(rules.allow) or any(
        fnmatchcase(change.file, path) and change.is_allowed(patterns) for path, patterns in rules.ignore.items()
    )


def read_baseline(path: Path) -> list[dict[str, str]]:
    """Returns the findings of a baseline.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a baseline.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [{key: str(each[key]) for key in _KEYS} for each in found["breaking"]]
    except (ValueError, TypeError, KeyError) as error:
        remedy = "make it with `lakecodec breaking OLD NEW --write-baseline FILE`"
        raise ValueError(f"{str(path)!r} is not a baseline of breaking changes; {remedy}") from error


def write_baseline(path: Path, changes: Iterable[Change]) -> None:
    """Writes the findings to a file that :func:`read_baseline` reads, in an order that does not depend on theirs."""
    found = sorted((_identity(each) for each in changes), key=lambda each: tuple(each.values()))
    path.write_text(json.dumps({"breaking": found}, indent=2) + "\n", encoding="utf-8")


def outlived(changes: Iterable[Change], known: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Returns the findings of a baseline that no change causes any more."""
    found = [_identity(each) for each in changes]
    return [each for each in known if each not in found]


def _identity(change: Change) -> dict[str, str]:
    return {"file": change.file, "rule": change.rule, "where": change.where, "breaks": change.breaks}
