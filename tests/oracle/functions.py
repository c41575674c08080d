"""The functions that expressions need no declaration for."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from itertools import takewhile
from typing import Any

from .nodes import Place


def _count(value: Any) -> int:
    return len(value.encode() if isinstance(value, str) else value)


def _same(pair: tuple[Any, ...]) -> bool:
    return bool(pair[0] == pair[1])


def _ascending(values: list[Any]) -> bool:
    keys = [value.encode() if isinstance(value, str) else value for value in values]
    return keys == sorted(keys)


def _largest(*values: Any) -> Any:
    return max(values) if len(values) > 1 else max(values[0], default=0)


def _smallest(*values: Any) -> Any:
    return min(values) if len(values) > 1 else min(values[0], default=0)


VALUES: dict[str, Callable[..., Any]] = {
    "adler32": zlib.adler32,
    "crc32": zlib.crc32,
    "big_bytes": lambda number, size: (number % 256**size).to_bytes(size, "big"),
    "big_number": lambda data: int(bytes(data).hex() or "0", 16),
    "little_bytes": lambda number, size: (number % 256**size).to_bytes(size, "little"),
    "little_number": lambda data: int(bytes(data)[::-1].hex() or "0", 16),
    "position": lambda values, wanted: values.index(wanted),
    "ascending": _ascending,
    "bit_length": lambda number: number.bit_length(),
    "common_prefix": lambda *values: len(list(takewhile(_same, zip(*values, strict=False)))),
    "contains": lambda values, member: member in values,
    "count": _count,
    "first": lambda values: values[0],
    "is_permutation": lambda values: sorted(values) == list(range(len(values))),
    "last": lambda values: values[-1],
    "list_of": lambda *values: [*values],
    "max": _largest,
    "min": _smallest,
    "present": lambda value: value is not None,
    "sum": sum,
    "tag": lambda value: value.tag,
    "tag_name": lambda value: value.case,
    "unique": lambda values: len(set(values)) == len(values),
}

PLACES: dict[str, Callable[[Place], int]] = {
    "offset": lambda place: place.start,
    "raw_size": lambda place: place.raw,
    "size": lambda place: place.end - place.start,
}
