""" "Did you mean" hints: the known name nearest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable

from .exact import exact

#: The largest number of names that a message lists in full.
_LISTED = 12


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Returns `; did you mean 'Name'?`; empty if no known name is near."""
    import difflib

    if not isinstance(name, str):
        return ""
    wanted: str = exact(name)
    candidates = sorted(set(known))
    same = [candidate for candidate in candidates if candidate.lower() == wanted.lower()]
    near = same or difflib.get_close_matches(wanted, candidates, n=1, cutoff=0.65)
    return f"; did you mean '{near[0]}'?" if near else ""


def no_such(name: object, known: Iterable[str], what: str = "column") -> str:
    """Returns a text such as `there is no column 'idd'; did you mean 'id'?`, with all known names if none is near."""
    return f"there is no {what} {name!r}{hint(name, known)}"


def hint(name: object, known: Iterable[str]) -> str:
    """Returns the end of a message about an unknown name: the nearest known name, or all known names."""
    names = list(known)
    if near := did_you_mean(name, names):
        return near
    if not names:
        return ": there are none"
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return f"; there {'is' if len(names) == 1 else 'are'} {', '.join(names[:_LISTED])}{more}"
