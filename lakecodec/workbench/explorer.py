"""`explore`: the tree of a source."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..runtime.compact.rules import RULES
from ..runtime.errors import DecodeError, format_name
from ..runtime.ranges import RangeReader, map_ranges
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.reader import Reader
from ..runtime.urls import located as at_stores
from .records import body, located, reach, unread_record
from .region_nodes import region_nodes
from .sources import type_of
from .tree import Node, Tree


def explore(
    source: Any,
    type: Any = None,
    *,
    idl: Any = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> Tree:
    """Returns the tree of a source: every byte explained by a field of its type, or named as a gap.

    Nodes are read on first access; a local file is mapped, not read. Damaged bytes raise nothing: the
    tree goes as far as they can be read, and the node that breaks a rule has it as ``error``.

    Args:
        source: a path or URL, bytes-like, or a seekable binary file object.
        type: a generated class or its name (``mosaic.File``); by default what the source's magic tells.
        idl: an IDL file or text that declares ``type``, which is then a name of it.
        allow_extern: Python modules whose externs ``idl`` may name, besides those of lakecodec: their code runs.
        parameters: arguments of the type's declared parameters.
        storage_options: options of the client for the object store of a URL, see `StoreUrl`.

    Raises:
        ValueError: no type is given and the format is not recognised, or a parameter is missing.
        KeyError: there is no such type.
        TypeError: ``source`` is none of these.
        OSError: it cannot be opened.
    """
    (source,) = at_stores(storage_options, source)
    reader = map_ranges(source)
    return tree_of(reader, type_of(reader, type, idl, parameters, allow_extern), parameters)


def tree_of(reader: RangeReader, cls: Any, parameters: Sequence[Any] = ()) -> Tree:
    """Returns the tree of an open source that is read as a generated class."""
    tree = Tree(reader, format_name(cls))
    tree.has_pointers = _has_pointers(cls)
    spec = cls.__spec__
    if issubclass(cls, LazyRecord):
        record = unread_record(cls, reader, 0, reader.size, parameters)
        grow: Any = lambda node: [*located(record, node), *region_nodes(record, node)]  # noqa: E731
        named = dict(zip(cls._parameters, parameters, strict=False))
        look: Any = lambda: cls.open(reader, **named)  # noqa: E731
    else:
        span = Reader(reader.read(0, reader.size), borrows=True)
        about = (cls, tuple(parameters), None)
        inner = body(about, span, 0)
        grow = lambda node: _check_end(node, inner(node))  # noqa: E731
        look = lambda: cls.from_bytes(span.buf, *parameters)  # noqa: E731
    tree.root = Node(tree, "", 0, reader.size, spec.name, name=spec.name, doc=spec.doc, look=look, grow=grow)
    if not issubclass(cls, LazyRecord):
        tree.root._reach = reach(about, span, 0)
    return tree


def _has_pointers(cls: Any) -> bool:
    """Returns whether records of the type's module place fields anywhere in the source."""
    module: Any = sys.modules[cls.__module__]
    placed = (getattr(spec.cls, "_placed", {}) for spec in module.__spec__.values())
    return any(row.from_source for rows in placed for row in rows.values())


def _check_end(root: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Returns the children of a root, which breaks a rule where bytes follow the last of them."""
    end = max((each.end for each in children if not each.is_away and each.kind != "computed"), default=0)
    if end < root.size and root.error is None and all(each.error is None for each in children):
        root.error = DecodeError(RULES["trailing"], offset=end)
    return children
