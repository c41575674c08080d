"""Nodes of the parts that a file's metadata points to; Parquet's pages go down to levels and encoded values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from ..generated import parquet, parquet_file
from ..parquet.compression import is_known
from ..parquet.regions import page_places
from ..parquet.schema import element_paths, is_leaf
from ..runtime.errors import CodecError, DecodeError, join_path
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.reader import Reader
from ..verify.regions import Region, region_value
from .records import body, located
from .sources import regions_of
from .tree import Node

#: A function that finds type, width and levels of all leaf columns of a Parquet file, once.
Leaves = Callable[[], list[tuple[Any, int, int, int]]]

_NUMBER = re.compile(r"\d+")
_IDL = Path(__file__).parent.parent / "idl" / "parquet_page.idl"


def region_nodes(record: Any, node: Node) -> list[Node]:
    """Returns the nodes of the parts that a file's metadata points to; none where that cannot be read."""
    try:
        found = regions_of(record)
    except CodecError:
        return []
    inside = [each for each in found if each.size and 0 <= each.offset <= each.offset + each.size <= node.size]
    leaves = cache(lambda: _leaves(record))
    return [_group(record, name, list(run), node, leaves) for name, run in groupby(inside, key=lambda each: each.group)]


def _group(record: LazyRecord, name: str, run: Sequence[Region], parent: Node, leaves: Leaves) -> Node:
    """Returns the node of regions of a group that follow each other."""
    start = run[0].offset
    end = max(each.offset + each.size for each in run)

    def grow(node: Node) -> list[Node]:
        return [_node(record, each, node, leaves) for each in run]

    return Node(parent.tree, name, start, end - start, f"{run[0].cls.__name__}[{len(run)}]", name=name, grow=grow)


def _node(record: LazyRecord, region: Region, parent: Node, leaves: Leaves) -> Node:
    source: Any = record._source
    cls = region.cls

    def grow(node: Node) -> Sequence[Node]:
        if cls is parquet_file.Chunk:
            group, column = (int(each) for each in _NUMBER.findall(region.path))
            return page_nodes(record, group, column, node, leaves)  # type: ignore[arg-type]
        if issubclass(cls, LazyRecord):
            part = cls.open(source, **dict(zip(cls._parameters, region.arguments, strict=True)))
            return located(part, node)
        span = Reader(source.read(region.offset, region.size), base=region.offset)
        return body((cls, region.arguments, None), span, 0)(node)

    spec = cls.__spec__
    return Node(
        parent.tree, region.path, region.offset, region.size, spec.name, name=region.step, doc=spec.doc, grow=grow,
        look=None if cls is parquet_file.Chunk else lambda: region_value(record, region),
    )  # fmt: skip


# ---- pages ----


def page_nodes(file: parquet_file.File, group: int, column: int, node: Node, leaves: Leaves) -> Sequence[Node]:
    """Returns the node of the pages of a column chunk, given the chunk's node. Pages are read lazily."""

    def grow(pages: Node) -> Sequence[Node]:
        cls, arguments = _reader(file, group, column, leaves)
        found: list[Node] = []
        start = node.offset
        try:
            for place in page_places(file._source, node.offset, node.end):  # type: ignore[arg-type]
                found.append(_page(pages, len(found), place.start, place.end, cls, arguments))
                start = place.end
        except DecodeError:
            # The page is shown as it is declared, with the byte that breaks a rule.
            found.append(_page(pages, len(found), start, node.end, parquet_file.Page, ()))
        return found

    name = f"{parquet_file.Page.__name__}[..]"
    path = join_path(node.path, "pages")
    return [Node(node.tree, path, node.offset, node.size, name, name="pages", grow=grow)]


def _page(pages: Node, number: int, start: int, end: int, cls: Any, arguments: tuple[Any, ...]) -> Node:
    step, source = f"[{number}]", pages.tree.data

    def grow(node: Node) -> Sequence[Node]:
        return body((cls, arguments, None), Reader(source.read(start, end - start), base=start), 0)(node)

    return Node(
        pages.tree, f"{pages.path}{step}", start, end - start, cls.__name__, name=step, doc=cls.__spec__.doc, grow=grow,
        look=lambda: cls.from_bytes(source.read(start, end - start), *arguments),
    )  # fmt: skip


def _reader(file: parquet_file.File, group: int, column: int, leaves: Leaves) -> tuple[Any, tuple[Any, ...]]:
    """Returns the type of a column chunk's pages and its arguments; pages whose values cannot be found keep their bodies."""
    meta = file.meta.row_groups[group].columns[column].meta_data
    try:
        type_, width, repetition, definition = leaves()[column]
    except (CodecError, IndexError):
        return parquet_file.Page, ()
    if meta is None or not is_known(meta.codec) or type_ is None:
        return parquet_file.Page, ()
    return _declared().Page, (meta.codec, type_, width, repetition, definition)


def _leaves(file: Any) -> list[tuple[Any, int, int, int]]:
    """Returns type, width in bytes, and highest repetition and definition level of each leaf column."""
    schema = file.meta.schema
    elements = dict(zip(element_paths(schema), schema, strict=True))
    found = []
    for path, element in elements.items():
        if is_leaf(element) and path:
            above = [elements[path[: n + 1]].repetition_type for n in range(len(path))]
            repeated = above.count(parquet.FieldRepetitionType.REPEATED)
            optional = above.count(parquet.FieldRepetitionType.OPTIONAL)
            width = 12 if element.type == parquet.Type.INT96 else element.type_length or 0
            found.append((element.type, width, repeated, repeated + optional))
    return found


@cache
def _declared() -> ModuleType:
    """Returns the module of the IDL file of pages, which nothing else needs."""
    from ..generator import compile_idl

    return compile_idl(_IDL)
