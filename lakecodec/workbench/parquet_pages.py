"""Pages of Parquet's column chunks: found by their headers, explored down to levels and encoded values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..generated import parquet, parquet_file
from ..parquet.compression import is_known
from ..parquet.pages import broken_rule
from ..parquet.schema import element_paths, is_leaf
from ..runtime.errors import CodecError, DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.records.read import Span
from .records import body
from .tree import Node, join

#: Bytes that are read for a page header first; statistics can make it longer.
_HEADER = 4096
_IDL = Path(__file__).parent.parent / "idl" / "parquet_page.idl"


class Place(NamedTuple):
    """A page of a column chunk: its header, and the offsets where it, its body and the next page begin."""

    start: int
    header: parquet.PageHeader
    body: int
    end: int


def page_places(reader: RangeReader, start: int, stop: int) -> Iterator[Place]:
    """Yields the pages between two offsets; their bodies are not read.

    Raises:
        DecodeError: a header breaks a rule; its path begins with ``pages[3].header``.
    """
    page = 0
    while start < stop:
        path = f"pages[{page}].header"
        try:
            header, after = _header(reader, start, stop)
        except DecodeError as error:
            error.path = join(path, error.path) if error.path else path
            raise
        if rule := broken_rule(header, stop - after, page):
            raise DecodeError(rule, path=path, offset=start)
        end = after + header.compressed_page_size
        yield Place(start, header, after, end)
        start, page = end, page + 1


def _header(reader: RangeReader, position: int, end: int) -> tuple[parquet.PageHeader, int]:
    """Returns the page header at a position, and the position after it."""
    length = end - position if reader.in_memory else _HEADER
    while True:
        size = min(length, end - position)
        try:
            header, after = parquet.PageHeader.read(reader.read(position, size))
        except DecodeError as error:
            if size < end - position:
                length *= 16
                continue
            error.offset = position + (error.offset or 0)
            raise
        return header, position + after


def page_nodes(file: parquet_file.File, group: int, column: int, node: Node) -> Sequence[Node]:
    """Returns the node of the pages of a column chunk, whose own node is given; each is read when it is asked for."""

    def grow(pages: Node) -> Sequence[Node]:
        cls, arguments = _reader(file, group, column)
        found: list[Node] = []
        start = node.offset
        try:
            for place in page_places(file._source, node.offset, node.end):  # type: ignore[arg-type]
                found.append(_page(pages, len(found), place.start, place.end, cls, arguments))
                start = place.end
        except DecodeError:
            # As it is declared, with the byte that breaks a rule.
            found.append(_page(pages, len(found), start, node.end, parquet_file.Page, ()))
        return found

    name = f"{parquet_file.Page.__name__}[..]"
    path = join(node.path, "pages")
    return [Node(node.tree, path, node.offset, node.size, name, name="pages", grow=grow)]


def _page(pages: Node, number: int, start: int, end: int, cls: Any, arguments: tuple[Any, ...]) -> Node:
    step, source = f"[{number}]", pages.tree.data

    def grow(node: Node) -> Sequence[Node]:
        return body((cls, arguments, None), Span(source.read(start, end - start), base=start), 0)(node)

    return Node(
        pages.tree, f"{pages.path}{step}", start, end - start, cls.__name__, name=step, doc=cls.__spec__.doc, grow=grow,
        look=lambda: cls.from_bytes(source.read(start, end - start), *arguments),
    )  # fmt: skip


def _reader(file: parquet_file.File, group: int, column: int) -> tuple[Any, tuple[Any, ...]]:
    """Returns the type of a column chunk's pages and its arguments; pages whose values cannot be found keep their bodies."""
    meta = file.meta.row_groups[group].columns[column].meta_data
    try:
        type_, width, repetition, definition = _leaves(file)[column]
    except (CodecError, IndexError):
        return parquet_file.Page, ()
    if meta is None or not is_known(meta.codec) or type_ is None:
        return parquet_file.Page, ()
    return _declared().Page, (meta.codec, type_, width, repetition, definition)


def _leaves(file: parquet_file.File) -> list[tuple[Any, int, int, int]]:
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
