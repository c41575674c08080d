"""Records whose expressions use values inside of fields: they may have to be written again, since fields are written later, or
may be refused, since an object stands in several fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import EncodeError
from ..memo import kept_with
from .held import fields_with, held_classes
from .values import Fields

#: How often a record is written until its bytes stay the same.
_MOST_WRITINGS = 8


@kept_with
def holds(cls: Any, flag: str) -> bool:
    """Returns whether instances of a class can contain records whose class has a flag."""
    return any(getattr(each, flag, False) for each in held_classes(cls))


@kept_with
def _leading(cls: Any) -> tuple[str, ...]:
    """Returns the names of the fields of a class in which objects with parameters can be."""
    return fields_with(cls, lambda each: bool(each._parameters))


def until_same(data: bytes, write: Callable[[], bytes]) -> bytes:
    """Returns the bytes of a record that is written until they stay the same; ``data`` are those of the first time."""
    for _ in range(_MOST_WRITINGS):
        before, data = data, write()
        if before == data:
            return data
    raise EncodeError("its bytes differ each time that it is written: what it derives depends on itself")


def shared_object(record: Any) -> str | None:
    """Returns the name of the class of an object with parameters that stands in several places of a record; None without one."""
    pending, seen = [record], set[int]()
    while pending:
        value = pending.pop()
        if isinstance(value, list | tuple):
            pending += value
        elif isinstance(value, Fields):
            if id(value) in seen and value._parameters:
                return type(value).__name__
            if id(value) not in seen:
                seen.add(id(value))
                placed = getattr(value, "_placed", ())
                for name in _leading(type(value)):
                    pending.append(value._found.get(name) if name in placed else getattr(value, name, None))  # type: ignore[attr-defined]
    return None
