"""Detection of bytes of a source that no field explains and that writing the record would lose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import EncodeError
from ..memo import kept_with
from .declared_spans import span_of
from .held import fields_with
from .source import Bytes
from .values import Fields

Range = tuple[int, int]
_WORD = re.compile(r"[^\W\d]\w*")


def refuse_losses(record: Any, start: int, *, is_root: bool) -> None:
    """Raises EncodeError if a record without gaps was read from bytes that none of its fields explains.

    Args:
        record: one with places.
        start: the offset of the first byte that is written.
        is_root: whether the record is the whole source; then records inside explain parts of it.
    """
    if record._source is None or record._gaps or not (is_root or any(map(_is_near, record._placed.values()))):
        return
    begin, end = record._begin + start, record._begin + record._size
    # The bytes that it was read from stay what they are.
    record._explained = record._explained or (not start and _is_explained(record, begin, end))
    if record._explained and not start:
        return
    spans = [(record._begin, record._taken), *_near(record)]
    # Parameters can determine the place of a part of the source; one that counts from the source's end is all of it.
    is_part = is_root and record._parameters and (start or not _counts_from_end(record))
    if is_part:
        begin = min((offset for offset, size in spans if size), default=begin)
    if start or is_part:
        end = max(offset + size for offset, size in spans)
    lost = first_uncovered(begin, end, spans)
    if lost is not None and is_root:
        lost = first_uncovered(begin, end, [*spans, *far_spans(record)])
        # Values that were read may have been replaced since then.
        lost = lost and first_uncovered(begin, end, [*spans, *far_spans(record._of_bytes())])
    if lost is not None:
        start, stop = lost
        rule = f"{stop - start} bytes that it was read from, at {start}, belong to no field and would be lost"
        raise EncodeError(f"{rule}: declare a field for them, or keep them with `: gaps`")
    if (shared := _first_shared(record)) is not None:
        start, stop, names = shared
        rule = (
            f"{stop - start} bytes that it was read from, at {start}, belong to two fields and would be written twice"
        )
        raise EncodeError(f"{rule}, in {' and '.join(names)}: only `: overlaps` allows that")


def _counts_from_end(record: Any) -> bool:
    """Returns whether the offset or size of a field that a record places in itself is computed from the record's size."""
    return any(_is_near(row) and is_of_whole(type(record), name) for name, row in record._placed.items())


def _is_explained(record: Any, begin: int, end: int) -> bool:
    """Returns whether the fields in a record follow each other between two offsets, as they mostly do."""
    behind = begin
    for offset, size in sorted([(record._begin, record._taken), *_near(record)]):
        if size and offset != behind:
            return False
        behind += size
    return behind == end


def _first_shared(record: Any) -> tuple[int, int, tuple[str, str]] | None:
    """Returns (start, stop, fields) of the first bytes that two fields of a record were read from; None for none."""
    spans = [(record._begin, record._taken, "the fields that follow each other")]
    for name, row in record._placed.items():
        if _is_near(row) and _claims_span(record, name):
            spans += [(*span, f"'{name}'") for span in _spans(record, name, padding=False)]
    behind, before = 0, ""
    for offset, size, name in sorted(span for span in spans if span[1]):
        if offset < behind:
            return offset, min(behind, offset + size), (before, name)
        behind, before = offset + size, name
    return None


def _claims_span(record: Any, name: str) -> bool:
    """Returns whether a placed field has all bytes of its span: a record without a declared size that places fields may extend to
    the end, but does not claim those bytes.
    """
    found = record._found.get(name)
    values = found if isinstance(found, list) else [found]
    if not any(hasattr(value, "_placed") for value in values):
        return True
    return all(span_of(record._of_bytes(), (name, index))[1] is not None for index in record._were_there(name))


def first_uncovered(begin: int, end: int, spans: Iterable[Range]) -> Range | None:
    """Returns (start, stop) of the first bytes between two offsets that no (offset, size) covers; None if all are covered."""
    behind = begin
    for offset, size in sorted(spans):
        if offset > behind:
            break
        behind = max(behind, offset + size)
    if behind >= end:
        return None
    return behind, min((offset for offset, size in spans if offset > behind and size), default=end)


def _is_near(row: Any) -> bool:
    return not row.from_source


def _near(record: Any) -> Iterator[Range]:
    """Yields (offset, size) of the fields that a record places in itself."""
    return (span for name, row in record._placed.items() if _is_near(row) for span in _spans(record, name))


def _spans(record: Any, name: str, *, padding: bool = True) -> Iterator[Range]:
    """Yields (offset, size) of a placed field; with ``padding`` also of the alignment zeros before it."""
    # Only the bytes of a field can determine its end, so it must be read.
    there, is_aligned = record._were_there(name), padding and hasattr(type(record), f"_align_{name}")
    for index in there:
        yield record._spans[name, index][:2]
        if is_aligned:
            yield record._padding(name, index)


def far_spans(value: Any, origin: Any = None) -> Iterator[Range]:
    """Yields (offset, size) of the fields that a value, and values inside, place in the source they were read from.

    Args:
        origin: only records of this origin count; None for the origin of the first record with places.
    """
    seen: set[Any] = set()
    pending: list[Any] = [value]
    is_new = getattr(value, "_original", None) is value
    while pending:
        each = pending.pop()
        if isinstance(each, list | tuple):
            pending += (item for item in each if isinstance(item, Fields | list | tuple))
            continue
        source, placed = getattr(each, "_source", None), getattr(each, "_placed", {})
        # What is read anew is another object each time, and places can form circles.
        key = (type(each), each._begin, each._size) if is_new and source is not None else id(each)
        if isinstance(each, Fields) and key not in seen:
            seen.add(key)
            pending += (getattr(each, name, None) for name in each._settable())
            if source is not None and (origin is None or origin_of(source) is origin):
                origin = origin_of(source)
                for name, row in placed.items():
                    yield from () if _is_near(row) else _spans(each, name)


def origin_of(source: Any) -> Any:
    """Returns the object from which a source takes its bytes."""
    return source.data if isinstance(source, Bytes) else source


@kept_with
def keeping_fields(cls: Any) -> tuple[str, ...]:
    """Returns the placed fields of which what their codecs were given is kept."""
    return tuple(name for name, row in cls._placed.items() if row.step.get("keeps"))


@kept_with
def placing_elsewhere(cls: Any) -> tuple[str, ...]:
    """Returns the fields in which records can be that place fields in the source, or in a record around them."""
    return fields_with(cls, lambda held: any(row.from_source for row in getattr(held, "_placed", {}).values()))


@kept_with
def named_by_others(cls: Any) -> frozenset[str]:
    """Returns the placed fields that clauses of other fields name, or of their own elements; all of them where no table has
    these clauses.
    """
    placed: Mapping[str, Any] = cls._placed
    if cls._table() is None:
        return frozenset(placed)
    rows = {name: row for name, row in cls.__rows__.items() if hasattr(row, "step")}
    others = {name for each in rows for name in named_by(cls, each) if name in placed}
    return frozenset(others.union(name for name in placed if name in _words(rows[name])))


@kept_with
def named_by(cls: Any, name: str) -> tuple[str, ...]:
    """Returns the fields, parameters and computed attributes that the clauses of a field name; where no table has these
    clauses, all that places are computed from.
    """
    rows: Mapping[str, Any] = cls.__rows__
    if cls._table() is None:
        return tuple(each for each in rows if each != name and (each not in cls._placed or cls._placed[each].places))
    found = _words(rows[name])
    return tuple(each for each in rows if each != name and (each in found or rows[each].name in found))


@kept_with
def decided_by(cls: Any, name: str) -> tuple[str, ...]:
    """Returns the names in the clauses of a placed field, and in the clauses of those: writing may compute them from it."""
    found = {name: None}
    pending = [name]
    while pending:
        new = [each for each in named_by(cls, pending.pop()) if each not in found]
        found |= dict.fromkeys(new)
        pending += new
    return tuple(found)[1:]


@kept_with
def is_of_whole(cls: Any, name: str) -> bool:
    """Returns whether what the clauses of a placed field say, or those of what they name, is about all of the record's bytes."""
    rows: Mapping[str, Any] = cls.__rows__
    return any(_words(rows[each]) & {"all_but", "end"} for each in (name, *decided_by(cls, name)))


def _words(row: Any) -> set[str]:
    """Returns the words in a row's clauses."""
    found, pending = set[str](_WORD.findall(getattr(row, "text", ""))), [*getattr(row, "step", {}).values()]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            found.add(each)
        elif isinstance(each, tuple | list):
            pending += each
    return found
