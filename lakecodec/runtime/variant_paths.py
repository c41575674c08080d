"""Paths into variants: ``$.a[0].b``, ``$["a name"]``."""

from __future__ import annotations

import json
import re

#: A step: ``.name``, ``[number]``, or ``["name"]`` and ``['name']`` with escapes as in JSON.
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]"'\s]+)|\[(?P<index>\d{1,9})\]|\[(?P<double>"(?:[^"\\]|\\.)*")\]|\[(?P<single>'(?:[^'\\]|\\.)*')\]"""
)


def steps_of(path: str) -> list[str | int]:
    """Returns the steps of a path: names of fields and numbers of elements.

    Raises:
        ValueError: it is not a path.
    """
    if not isinstance(path, str):
        raise TypeError(f"path: a string such as '$.a[0].b' is needed, not {type(path).__name__}")
    steps: list[str | int] = []
    at = 1
    while path.startswith("$") and at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            break
        at = step.end()
        if step["name"] is not None:
            steps.append(step["name"])
        elif step["index"] is not None:
            steps.append(int(step["index"]))
        else:
            steps.append(_unquoted(step["double"] or step["single"], path))
    if not path.startswith("$") or at != len(path):
        raise ValueError(f"path: {path!r} is not a path such as '$.a[0].b' or '$[\"a name\"]' (see its character {at})")
    return steps


def _unquoted(text: str, path: str) -> str:
    inner = text[1:-1]
    if text[0] == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    try:
        name = json.loads(f'"{inner}"')
    except ValueError:
        raise ValueError(f"path: {text} in {path!r} has an escape that JSON does not have") from None
    return str(name)
