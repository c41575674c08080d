"""The fields of a record with places after it was written with values that it computed inside of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from operator import is_
from typing import Any

from ..memo import kept_with
from .derived_lists import edit_of
from .rows import store
from .values import Fields
from .write import replaced


@kept_with
def settings_of(cls: Any) -> Mapping[str, Sequence[Sequence[str]]]:
    """Returns the paths inside of a class's fields at which it computes values, by field."""
    rows = {name: row for base in cls.__mro__[::-1] for name, row in vars(base).get("__rows__", {}).items()}
    steps = {name: row.step for name, row in rows.items() if getattr(row, "step", None)}
    return {name: [path for path, _ in step["sets"]] for name, step in steps.items() if "sets" in step}


def keep_settings(record: Any, name: str, written: Any) -> None:
    """Gives a record the values that were computed inside of its field ``name``: copies, unless they are those that it has.

    Offsets that the field holds stay as they were given.
    """
    placed = name in record._placed
    given = record._found.get(name) if placed else getattr(record, name)
    made = given
    for path in settings_of(type(record))[name]:
        made = _taken(made, written, path)
    if made is given:
        return
    if placed:
        record._found[name] = made
    else:
        store(record, name, made)


def _taken(given: Any, written: Any, path: Sequence[str]) -> Any:
    """Returns a value with that at the end of a path in another one; what is on the path is copied unless nothing changes."""
    if given is None or written is None or given is written:
        return given if path else written
    if not path:
        return given if type(given) is type(written) and given == written else written
    step, *behind = path
    if step == "[]":
        items = [_taken(*pair, behind) for pair in zip(given, written, strict=True)]
        return given if all(map(is_, items, given)) else items
    old = getattr(given, step)
    new = _taken(old, getattr(written, step), behind)
    if new is old:
        return given
    changed = copy.copy(given)
    store(changed, step, new)
    return changed


def given_again(written: Any, given: Any, paths: Sequence[Sequence[str]], index: int | None) -> Any:
    """Returns a value with what was given at the ends of paths in it, or in its element ``index``, where others were computed."""
    if index is not None:
        made = given_again(written[index], given[index], [path[1:] for path in paths], None)
        return replaced(written, index, made)
    for path in paths:
        written = _taken(written, given, path)
    return written


def show_edits(record: Any) -> None:
    """Puts what callers have set back into the fields of a value that could not be written: computed values can stand there."""
    pending, seen = [record], set[int]()
    while pending:
        value = pending.pop()
        if isinstance(value, list | tuple):
            pending += [each for each in value if isinstance(each, Fields | list | tuple)]
        elif isinstance(value, Fields) and id(value) not in seen:
            seen.add(id(value))
            rows, placed = getattr(type(value), "__rows__", {}), getattr(value, "_placed", ())
            for name in value._settable():
                if getattr(rows.get(name), "settled", False) and (edit := edit_of(value, name)) is not None:
                    store(value, name, edit)
                # What was not read has no edits.
                pending.append(value._found.get(name) if name in placed else getattr(value, name, None))  # type: ignore[attr-defined]
