"""Verification of files: the rules of their declaration, coverage, checksums, cross-checks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..runtime.errors import CodecError, DecodeError
from ..runtime.hooks import provided
from ..runtime.ranges import RangeReader
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import UNREADABLE
from ..runtime.records.reader import Reader
from ..runtime.records.record import Record
from .checks import FileChecks
from .finding import Finding, of_error
from .regions import Region
from .tracking import Track, no_progress

#: The most findings for which the field is looked up.
_MOST_PLACED = 1000


def verify_file(
    reader: RangeReader, cls: Any, checks: FileChecks | None, deep: Any = None, track: Track = no_progress
) -> list[Finding]:
    """Returns the rules that a file breaks, and the bytes that nothing explains.

    Args:
        reader: the file.
        cls: the generated class that a file is.
        checks: those of its format, None where it has none of its own.
        deep: the path of the file whose values are to be compared with its statistics.
        track: a progress display.
    """
    if issubclass(cls, LazyRecord):
        found = _with_offsets(_of_placed(cls, reader, checks, track), cls, reader)
    elif (refused := _refused(cls, reader)) is None:
        found = []
    else:
        errors = _tree(cls, reader).errors()
        # The tree tells of every rule that is broken, but the reader decides whether one is.
        found = [of_error(error, reader.name) for error in errors or [refused]]
    if isinstance(deep, str | os.PathLike) and checks is not None and not any(each.is_error for each in found):
        found += _values(checks, os.fspath(deep), reader.name)
    if deep is not None and not any(each.is_error for each in found):
        found += _normalized(cls, reader)
    return _distinct(found)


def _normalized(cls: Any, reader: RangeReader) -> Iterator[Finding]:
    """Yields a note on a file that would be written as other bytes, by a type that is declared to normalize."""
    declared = [each for each in vars(sys.modules[cls.__module__]).values() if getattr(each, "_normalizes", False)]
    if not declared or not issubclass(cls, Record):
        return
    data = reader.read(0, reader.size)
    try:
        written = cls.from_bytes(data).to_bytes()
    except CodecError:
        return
    if written != bytes(data):
        first = next((at for at, (old, new) in enumerate(zip(data, written, strict=False)) if old != new), len(written))
        names = ", ".join(sorted({each.__name__.split("_")[0] or each.__name__ for each in declared}))
        yield Finding("note", reader.name, "", first, f"it would be written as other bytes: {names} normalizes")


def _values(checks: FileChecks, path: str, name: str) -> Iterator[Finding]:
    """Yields statistics that the values of a file contradict, and pages that cannot be decoded."""
    import pyarrow as pa

    try:
        for where, rule in checks.values(path):
            yield Finding("values", name, where, None, rule)
    except CodecError as error:
        yield of_error(error, name)
    except (OSError, pa.ArrowException) as problem:
        yield Finding("values", name, "", None, f"the values cannot be decoded: {problem}")


def _tree(cls: Any, reader: RangeReader) -> Any:
    """Returns the tree of a source, for which the compiler is loaded."""
    return provided("tree")(reader, cls)


def _refused(cls: Any, reader: RangeReader) -> CodecError | None:
    """Returns the error of the reader of a type whose fields follow each other; None if it reads all bytes."""
    module: Any = sys.modules[cls.__module__]
    has_places = any(issubclass(spec.cls, LazyRecord) for spec in module.__spec__.values())
    data = reader.read(0, reader.size)
    try:
        if has_places or not issubclass(cls, Record):
            cls.from_bytes(data)
            return None
        whole = Reader(data, borrows=True)
        whole.reading(cls._decode, whole)
        whole.finish("")
    except CodecError as error:
        return error
    return None


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


def _of_placed(cls: Any, reader: RangeReader, checks: FileChecks | None, track: Track) -> list[Finding]:
    """Returns the findings of a type whose fields have places; those that follow each other are read first."""
    try:
        record = cls.open(reader)
    except DecodeError as error:
        return [of_error(error, reader.name)]
    return list(_of_lazy(record, reader, checks, track))


def _of_lazy(record: LazyRecord, reader: RangeReader, checks: FileChecks | None, track: Track) -> Iterator[Finding]:
    """Yields the findings of a record whose fields have places, and of the parts that they point to."""
    broken: set[str] = set()
    for name in record._given:
        try:
            getattr(record, name)
        except CodecError as error:
            # Fields that depend on a broken one break the same rule, which is reported once.
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
        regions = [] if checks is None else checks.regions_of(record)
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
        # Parts that only nested records point to are found in the tree.
        groups = {each.group for each in inside}
        tree = _tree(type(record), reader)
        fields = [each for each in tree.root.children if each.kind in ("field", "padding") and each.path not in groups]
        gaps = [*_coverage([_part(each) for each in (*fields, *tree.away)] + pointed, reader)]
    yield from gaps
    if checks is not None:
        yield from checks.contents(record, inside, reader, track)


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
    return Finding("rule", reader.name, "", 0, f"cannot evaluate this field's expression: {error}")


def _part(node: Any) -> tuple[int, int, str, bool]:
    return node.offset, node.size, node.path, False


def _own_parts(record: LazyRecord) -> list[tuple[int, int, str, bool]]:
    """Returns the parts of a file that its record places: of lists with a place for each element, every one that is there."""
    found = []
    for name in record._placed:
        for index in record._were_there(name):
            path = name if index is None else f"{name}[{index}]"
            if hasattr(type(record), f"_align_{name}"):
                found.append((*record._padding(name, index), path, False))
            found.append((*record.span(name, index), path, False))
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


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Returns each finding once: a broken footer is found again by each field that needs it."""
    return list({(each.offset, each.rule, each.kind): each for each in reversed(findings)}.values())[::-1]
