"""Edits of values in JSON, made to the values that were read, which keep what JSON does not show."""

from __future__ import annotations

import json
from typing import Any

from ..runtime.objects import Value
from ..runtime.plain import outward
from ..runtime.struct_values import UnionValue


def edited(read: Any, before: Any, after: Any) -> Any:
    """Returns a value with an edit: it is changed in place where that is possible.

    Args:
        read: the value.
        before: what its JSON says.
        after: what the edited JSON says.
    """
    if is_same(before, after):
        return read
    if type(read) is not type(after):
        return after
    if isinstance(read, UnionValue):
        return _edited_union(read, before, after)
    if isinstance(read, Value):
        for name in read._settable():
            if not is_same(getattr(before, name), getattr(after, name)):
                setattr(read, name, edited(getattr(read, name), getattr(before, name), getattr(after, name)))
        return read
    return _edited_list(read, before, after) if isinstance(read, list) else after


def is_same(one: Any, other: Any) -> bool:
    """Returns whether two values have the same JSON."""
    return type(one) is type(other) and json.dumps(outward(one, True)) == json.dumps(outward(other, True))


def _edited_union(read: UnionValue, before: Any, after: Any) -> Any:
    if read.kind is None or read.kind != after.kind:
        return after
    value = edited(read.value, before.value, after.value)
    return read if value is read.value else read.replace(value=value)


def _edited_list(read: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
    """Returns the list; elements at its start and its end that are the same, and as many between as there are, are kept."""
    if len(before) != len(read):
        return after
    most = min(len(before), len(after))
    first = next((at for at in range(most) if not is_same(before[at], after[at])), most)
    last = next((at for at in range(most - first) if not is_same(before[-1 - at], after[-1 - at])), most - first)
    old, new = len(read) - last, len(after) - last
    kept = min(old, new)
    changed = [edited(read[at], before[at], after[at]) for at in range(first, kept)]
    return [*read[:first], *changed, *after[kept:new], *read[old:]]
