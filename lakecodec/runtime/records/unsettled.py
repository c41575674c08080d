"""Records whose expressions use values inside of fields: they may have to be written again, since fields are written later, or
may be refused, since an object stands in several fields.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import EncodeError
from ..memo import kept_with
from .values import Fields

#: How often a record is written until its bytes stay the same.
_MOST_WRITINGS = 8


@kept_with
def holds(cls: Any, flag: str) -> bool:
    """Returns whether instances of a class can contain records whose class has a flag."""
    pending, seen = [cls], {cls}
    while pending:
        each = pending.pop()
        if getattr(each, flag):
            return True
        new = {*_inside(each)} - seen
        seen |= new
        pending += new
    return False


def _inside(cls: Any) -> Iterator[Any]:
    """Yields the classes of records that the fields of a class, or its alternatives, are declared with."""
    yield from getattr(cls, "_all", ())
    for _, each in _declared(cls):
        yield each


def _declared(cls: Any) -> Iterator[tuple[str, Any]]:
    """Yields the names of fields with the classes of records that they are declared with."""
    names = vars(sys.modules[cls.__module__])
    for field, declared in vars(cls).get("__annotations__", {}).items():
        for name in re.findall(r"[A-Za-z_][\w.]*", str(declared)):
            first, *path = name.split(".")
            found = names.get(first)
            for each in path:
                found = getattr(found, each, None)
            if isinstance(found, type) and issubclass(found, Fields):
                yield field, found


@kept_with
def _leading(cls: Any) -> tuple[str, ...]:
    """Returns the names of the fields of a class in which objects with parameters can be."""
    return tuple({field: None for field, each in _declared(cls) if holds(each, "_parameters")})


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
