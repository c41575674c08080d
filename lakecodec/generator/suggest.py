""" "Did you mean": the known name nearest to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'Name'?`, or nothing where no known name is near."""
    candidates = sorted(set(known))
    same = [candidate for candidate in candidates if candidate.lower() == name.lower()]
    near = same or difflib.get_close_matches(name, candidates, n=1, cutoff=0.65)
    return f"; did you mean '{near[0]}'?" if near else ""


def argument_count(least: int, most: int) -> str:
    """`1 argument`, `2 arguments`, `1 to 3 arguments`."""
    if least != most:
        return f"{least} to {most} arguments"
    return f"{most} argument{'' if most == 1 else 's'}"
