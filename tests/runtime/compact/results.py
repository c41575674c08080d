"""Results and errors in a form that two backends can be compared by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lakecodec.runtime.compact.program import Columns
from lakecodec.runtime.errors import CodecError


def outcome(call: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, ...]:
    """("value", its repr and it), or the parts of the CodecError."""
    try:
        value = call(*arguments, **named)
    except CodecError as error:
        return type(error).__name__, error.rule, error.format, error.path, error.offset
    return "value", repr(value), value


def plain(columns: Columns) -> list[Any]:
    """Columns as numbers, bytes and tuples."""

    def content(buffer: Any) -> bytes | None:
        return None if buffer is None else bytes(buffer)

    return [
        columns.rows,
        [list(map(int, parents)) for parents in columns.parents],
        [list(map(int, ordinals)) for ordinals in columns.ordinals],
        [
            (content(c.validity), content(c.values), content(c.offsets), c.null_count, c.is_ascii)
            for c in columns.columns
        ],
        [(number, str(error)) for number, error in columns.errors],
    ]
