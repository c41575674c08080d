"""The places of a generated value where another one can be put."""

from __future__ import annotations

from typing import Any

from lakecodec.runtime.objects import Value
from lakecodec.runtime.struct_values import UnionValue

#: The way from a value to one inside of it: names of attributes, indices, keys.
Path = tuple[Any, ...]


def names_of(value: Any) -> list[str]:
    """Returns the attributes of a generated value that can be set."""
    if isinstance(value, UnionValue):
        if value is type(value).__singletons__.get(value.id):
            return []  # others have it, too
        return ["value"] if value.kind is not None else ["raw", "id", "wire"]
    # Of messages; those of structs are only to be looked at.
    unknown = getattr(type(value), "unknown_fields", None)
    return [
        *value._settable(),
        *(["unknown_fields"] if unknown is not None and not isinstance(unknown, property) else []),
    ]


def places(value: Any, path: Path = (), depth: int = 0) -> list[Path]:
    """Returns the ways to all values inside of a generated one, which has few."""
    if depth > 6:
        return []
    if isinstance(value, Value):
        inner: list[tuple[Any, Any]] = [(name, getattr(value, name)) for name in names_of(value)]
    elif type(value) is list:
        inner = list(enumerate(value))[:4]
    elif type(value) is dict:
        inner = [*value.items()][:4]
    else:
        return []
    found = []
    for key, item in inner:
        if item is not None:
            found.append((*path, key))
            found += places(item, (*path, key), depth + 1)
    return found


def step(value: Any, key: Any) -> Any:
    return getattr(value, key) if isinstance(value, Value) else value[key]


def put(value: Any, key: Any, item: Any) -> None:
    """Puts an item in the place of another one."""
    if isinstance(value, UnionValue):
        object.__setattr__(value, key, item)
    elif isinstance(value, Value):
        setattr(value, key, item)
    else:
        value[key] = item
