"""Columns that have statistics, and their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

#: Names of a column and of the structs around it, outermost first.
Path = tuple[str, ...]

DAY_MICROSECONDS = 86_400_000_000
_LAST = "\U0010ffff"
_BEFORE_SURROGATES, _AFTER_SURROGATES = "\ud7ff", "\ue000"


def leaves(schema: pa.Schema) -> Iterator[tuple[Path, Any]]:
    """Yields path and Arrow type of each column that has statistics of its own: all but structs, at any depth of structs."""
    for field_ in schema:
        yield from _leaves((field_.name,), field_.type)


def has_bounds(kind: Any) -> bool:
    """Returns True if columns of the type have a minimum and a maximum."""
    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_decimal(kind)
        or types.is_date(kind)
        or types.is_timestamp(kind)
        or is_text(kind)
    )


def is_text(kind: Any) -> bool:
    """Returns True for Arrow's string types."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view())


def next_text(prefix: str) -> str | None:
    """Returns a text of at most this length that is larger than all texts with the prefix; None if there is none."""
    head = prefix.rstrip(_LAST)
    if not head:
        return None
    last = head[-1]
    return head[:-1] + (_AFTER_SURROGATES if last == _BEFORE_SURROGATES else chr(ord(last) + 1))


def _leaves(path: Path, kind: Any) -> Iterator[tuple[Path, Any]]:
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    if not pa.types.is_struct(kind):
        yield path, kind
        return
    for index in range(kind.num_fields):
        child = kind.field(index)
        yield from _leaves((*path, child.name), child.type)
