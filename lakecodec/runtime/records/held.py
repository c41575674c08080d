"""The classes of records that values of a class can contain, by the annotations of fields."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..memo import kept_with
from .rows import RecordRow
from .values import Fields


@kept_with
def held_fields(cls: Any) -> dict[str, tuple[Any, ...]]:
    """Returns a dict of field -> the classes of records that it is declared with."""
    owner = next((base for base in cls.__mro__ if vars(base).get("__rows__")), cls)
    declared, names = vars(owner).get("__annotations__", {}), vars(sys.modules[owner.__module__])
    rows = owner.__rows__
    found = {
        field: tuple(_named(str(text), names))
        for field, text in declared.items()
        if isinstance(rows.get(field), RecordRow)
    }
    return {field: classes for field, classes in found.items() if classes}


def _named(text: str, names: dict[str, Any]) -> Iterator[Any]:
    for name in re.findall(r"[A-Za-z_][\w.]*", text):
        first, *path = name.split(".")
        found = names.get(first)
        for each in path:
            found = getattr(found, each, None)
        if isinstance(found, type) and issubclass(found, Fields):
            yield found


@kept_with
def held_classes(cls: Any) -> tuple[Any, ...]:
    """Returns a class, and those of the records that its instances can contain."""
    pending, seen = [cls], {cls: None}
    while pending:
        each = pending.pop()
        alternatives = getattr(each, "_all", ()) if not hasattr(each, "kind") else ()
        inside = [*alternatives, *(found for classes in held_fields(each).values() for found in classes)]
        new = dict.fromkeys(found for found in inside if found not in seen)
        seen |= new
        pending += new
    return tuple(seen)


def fields_with(cls: Any, is_sought: Callable[[Any], bool]) -> tuple[str, ...]:
    """Returns the fields of a class that can contain records of a sought class."""
    return tuple(
        field
        for field, classes in held_fields(cls).items()
        if any(is_sought(held) for each in classes for held in held_classes(each))
    )
