"""The use of included files: which include prefixes occur in names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from ..diagnostics import Location
from ..syntax import ConstReference, EncodingDef, File, Name, NamedType, ServiceDef, TableDef, WireType


def unused_prefixes(file: File, prefixes: Iterable[str]) -> set[str]:
    """Returns the prefixes that no name in the file begins with."""
    unused = set(prefixes)
    for name in _names(file.definitions) if unused else ():
        unused -= {prefix for prefix in unused if name == prefix or name.startswith(prefix + ".")}
    return unused


def _names(node: Any) -> Iterator[str]:
    match node:
        case tuple() | list():
            for item in node:
                yield from _names(item)
        case dict():
            yield from _names(list(node.values()))
        case NamedType() | WireType() | ConstReference() | Name():
            yield node.name
        case TableDef():
            yield node.source
        case EncodingDef():
            yield node.over
        case ServiceDef() if node.extends is not None:
            yield node.extends
        case _:
            pass
    if dataclasses.is_dataclass(node) and not isinstance(node, Location):
        for part in dataclasses.fields(node):
            yield from _names(getattr(node, part.name))
