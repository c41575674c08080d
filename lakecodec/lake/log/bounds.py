"""Bounds of columns as the log's JSON.

They may be wider than the data, never narrower: texts are cut to 32 characters and times to milliseconds, downwards for
the minimum and upwards for the maximum.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from ...statistics.columns import Path, is_text, next_text

PREFIX_LENGTH = 32
_EPOCH = datetime(1970, 1, 1)


def lower_text(value: Any, kind: Any) -> str | None:
    """Returns a minimum as JSON, rounded down; None if JSON cannot hold it.

    Dates are in days, times in microseconds since 1970.
    """
    if is_text(kind):
        return _quoted(value[:PREFIX_LENGTH])
    if pa.types.is_timestamp(kind):
        return _time_text(value // 1000, kind)
    if pa.types.is_floating(kind) and value == 0:
        value = -0.0  # some readers order -0.0 below 0.0
    return _plain_text(value, kind)


def upper_text(value: Any, kind: Any) -> str | None:
    """Returns a maximum as JSON, rounded up; None if JSON cannot hold it or no larger text is short enough."""
    if is_text(kind):
        bound = value if len(value) <= PREFIX_LENGTH else next_text(value[:PREFIX_LENGTH])
        return None if bound is None else _quoted(bound)
    if pa.types.is_timestamp(kind):
        return _time_text(-(-value // 1000), kind)
    if pa.types.is_floating(kind) and value == 0:
        value = 0.0
    return _plain_text(value, kind)


def encode_statistics(
    rows: int, minimum: Mapping[Path, str], maximum: Mapping[Path, str], null_count: Mapping[Path, str]
) -> str:
    """Returns the JSON of a file's statistics, made from values that are JSON types."""
    return (
        f'{{"numRecords":{rows},"minValues":{_nested(minimum)},"maxValues":{_nested(maximum)},'
        f'"nullCount":{_nested(null_count)}}}'
    )


def _plain_text(value: Any, kind: Any) -> str | None:
    if pa.types.is_floating(kind):
        return repr(float(value)) if math.isfinite(value) else None
    if pa.types.is_decimal(kind):
        return format(value, "f")
    if pa.types.is_date(kind):
        try:
            return f'"{(_EPOCH + timedelta(days=value)).date().isoformat()}"'
        except OverflowError:
            return None
    return str(value)


def _time_text(milliseconds: int, kind: Any) -> str | None:
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return f'"{moment.isoformat(timespec="milliseconds")}{"Z" if kind.tz else ""}"'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _nested(values: Mapping[Path, str]) -> str:
    tree: dict[str, Any] = {}
    for path, text in values.items():
        node = tree
        for name in path[:-1]:
            node = node.setdefault(name, {})
        node[path[-1]] = text
    return _object(tree)


def _object(tree: Mapping[str, Any]) -> str:
    items = (f"{_quoted(name)}:{_object(node) if isinstance(node, dict) else node}" for name, node in tree.items())
    return f"{{{','.join(items)}}}"
