"""Verification of files and tables: the rules of their declaration, coverage, checksums, cross-checks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..runtime.errors import CodecError, DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import UNREADABLE
from ..runtime.records.record import Record
from ..runtime.records.span import Span
from ..runtime.urls import below, is_directory, located
from .findings import Finding, of_error
from .regions import Region, region_value, regions_of
from .sources import format_of, open_source, type_of
from .tracking import Track, untold
from .tree import Node, Tree

#: Findings whose fields are looked for.
_MOST_PLACED = 1000


def verify(
    source: Any,
    type: Any = None,
    *,
    idl: Any = None,
    allow_extern: Iterable[str] = (),
    deep: bool = False,
    track: Track = untold,
    storage_options: Mapping[str, Any] | None = None,
) -> list[Finding]:
    """Returns the rules that a file or table breaks, and the bytes of a file that nothing explains; empty for a sound one.

    Files are checked against all rules of their declaration; parts that the metadata points to must be inside the file and
    must not overlap. Parquet: sizes and counts of chunks against their pages, page indexes against pages, checksums where
    pages have them. Mosaic: all buckets. A directory with a Delta log: the log against its files.

    Args:
        source: a path, URL, bytes-like or binary file object; or the path of a table.
        type: as for `explore`.
        idl: as for `explore`.
        allow_extern: as for `explore`.
        deep: decode all values too, and compare statistics with them.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`.
        track: a progress display, called with the parts and their name; yields the parts.

    Raises:
        ValueError: no type is given and the format is not recognised.
        OSError: the source cannot be read.
    """
    (source,) = located(storage_options, source)
    if isinstance(source, str | os.PathLike) and is_directory(path := os.fspath(source)):
        return _of_table(path, deep)
    with open_source(source) as reader:
        cls = type_of(reader, type, idl, allow_extern=allow_extern)
        if issubclass(cls, LazyRecord):
            found = _with_offsets(_of_placed(cls, reader, track), cls, reader)
        elif _is_sound(cls, reader):
            found = []
        else:
            found = [of_error(error, reader.name) for error in _tree(cls, reader).errors()]
        if deep and not any(each.is_error for each in found):
            found += _values(source, cls, reader.name)
    return _distinct(found)


def _tree(cls: Any, reader: RangeReader) -> Tree:
    """Returns the tree of a source, for which the compiler is loaded."""
    from .explorer import tree_of

    return tree_of(reader, cls)


def _is_sound(cls: Any, reader: RangeReader) -> bool:
    """Returns whether a type without parts at places of their own reads all; its tree, which tells more, is slower."""
    module: Any = sys.modules[cls.__module__]
    if any(issubclass(spec.cls, LazyRecord) for spec in module.__spec__.values()):
        return False
    data = reader.read(0, reader.size)
    try:
        if not issubclass(cls, Record):
            cls.from_bytes(data)
            return True
        return bool(cls._decode(Span(data, borrows=True), 0)[1] == reader.size)
    except DecodeError:
        return False


def _with_offsets(findings: list[Finding], cls: Any, reader: RangeReader) -> list[Finding]:
    """Returns findings with the offsets of the fields that they are about, where they have none."""
    if all(each.offset is not None for each in findings):
        return findings
    found, tree = [], _tree(cls, reader)
    for number, each in enumerate(findings):
        if each.offset is None and number < _MOST_PLACED:
            with suppress(KeyError):
                each = replace(each, offset=tree.find(each.path).offset)
        found.append(each)
    return found


def _of_placed(cls: Any, reader: RangeReader, track: Track) -> list[Finding]:
    """Returns the findings of a type whose fields have places; those that follow each other are read first."""
    try:
        record = cls.open(reader)
    except DecodeError as error:
        return [of_error(error, reader.name)]
    return list(_of_lazy(record, reader, track))


def _of_lazy(record: LazyRecord, reader: RangeReader, track: Track) -> Iterator[Finding]:
    """Yields the findings of a record whose fields have places, and of the parts that they point to."""
    broken: set[str] = set()
    for name in record._given:
        try:
            getattr(record, name)
        except CodecError as error:
            # Fields that need a broken one break the same rule.
            if error.rule not in broken:
                yield of_error(error, reader.name)
            broken.add(error.rule)
    if broken:
        return
    try:
        _read_nested(record)
    except (CodecError, *UNREADABLE) as error:
        found = [of_error(each, reader.name) for each in _tree(type(record), reader).errors()]
        yield from found or [
            of_error(error, reader.name) if isinstance(error, CodecError) else _unreadable(reader, error)
        ]
        return
    try:
        regions = regions_of(record)
    except CodecError as error:
        yield of_error(error, reader.name)
        return
    inside: list[Region] = []
    for each in regions:
        if each.offset < 0 or each.size < 0 or each.offset + each.size > reader.size:
            rule = f"{each.size} bytes at {each.offset} are outside the {reader.size} of the file"
            yield Finding("outside", reader.name, each.path, max(0, each.offset), rule)
        elif each.size:
            inside.append(each)
    pointed = [(each.offset, each.size, each.path, True) for each in inside]
    gaps = [*_coverage(_own_parts(record) + pointed, reader)]
    if any(each.kind == "gap" for each in gaps):
        # What only nested records point to is found in the tree.
        groups = {each.group for each in inside}
        tree = _tree(type(record), reader)
        fields = [each for each in tree.root.children if each.kind == "field" and each.path not in groups]
        gaps = [*_coverage([_part(each) for each in (*fields, *tree.away)] + pointed, reader)]
    yield from gaps
    yield from _contents(record, inside, reader, track)


def _read_nested(value: Any) -> None:
    """Reads what records inside of a value place elsewhere.

    Raises:
        DecodeError: it breaks a rule.
    """
    if isinstance(value, Record):
        placed = value._placed if isinstance(value, LazyRecord) else ()
        for name in dict.fromkeys((*placed, *value._given)):
            _read_nested(getattr(value, name))
    elif isinstance(value, list) and value and any(isinstance(each, Record) for each in value):
        for each in value:
            _read_nested(each)


def _unreadable(reader: RangeReader, error: Exception) -> Finding:
    return Finding("rule", reader.name, "", 0, f"what the bytes say cannot be computed: {error}")


def _part(node: Node) -> tuple[int, int, str, bool]:
    return node.offset, node.size, node.path, False


def _own_parts(record: LazyRecord) -> list[tuple[int, int, str, bool]]:
    """Returns the parts of a file that its record places: of lists with a place for each element, every one."""
    found = []
    for name in record._placed:
        indexes = range(len(getattr(record, name) or ())) if record._placed[name].each else (None,)
        for index in indexes:
            if getattr(record, name) is not None:
                found.append((*record.span(name, index), name if index is None else f"{name}[{index}]", False))
    return found


def _coverage(parts: list[tuple[int, int, str, bool]], reader: RangeReader) -> Iterator[Finding]:
    """Yields gaps between the parts of a file, and overlaps of those that metadata points to.

    Args:
        parts: offset, size, path, and whether metadata points to it; declared fields may share bytes where they say so.
    """
    end, last, last_pointed = 0, "", False
    for offset, size, path, is_pointed in sorted(parts):
        if offset > end:
            yield _gap(reader.name, end, offset)
        elif offset < end and size and (is_pointed or last_pointed):
            shared = min(end, offset + size) - offset
            yield Finding("overlap", reader.name, path, offset, f"its first {shared} bytes are those of {last}")
        if offset + size > end:
            end, last, last_pointed = offset + size, path, is_pointed
    if end < reader.size:
        yield _gap(reader.name, end, reader.size)


def _gap(file: str, start: int, stop: int) -> Finding:
    return Finding("gap", file, "", start, f"{stop - start} bytes that nothing explains")


def _contents(record: LazyRecord, regions: list[Region], reader: RangeReader, track: Track) -> Iterator[Finding]:
    if format_of(type(record)) == "Parquet":
        from .parquet_checks import parquet_findings

        yield from parquet_findings(record, regions, reader, track)
        return
    for region in track(regions, "parts verified"):
        try:
            region_value(record, region)
        except DecodeError as error:
            # Offsets in decoded blocks are not those of the file.
            yield of_error(error, reader.name, region.offset)


def _values(source: Any, cls: Any, name: str) -> Iterator[Finding]:
    """Yields statistics that the values of a file contradict."""
    format = format_of(cls)
    if format is None or not isinstance(source, str | os.PathLike):
        return
    from .value_checks import value_findings

    yield from value_findings(os.fspath(source), format == "Mosaic", name)


def _of_table(path: str, deep: bool) -> list[Finding]:
    """Returns the findings of the check of a table."""
    from ..lake.log.check import check

    if not is_directory(below(path, "_delta_log")):
        raise ValueError(f"source: the directory {path!r} is no table, it has no _delta_log")
    return [
        Finding("note" if each.kind == "orphaned" else "table", path, each.path, None, each.message)
        for each in check(path, deep=deep)
    ]


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Returns each finding once: a broken footer is found again by each field that needs it."""
    return list({(each.offset, each.rule, each.kind): each for each in reversed(findings)}.values())[::-1]
