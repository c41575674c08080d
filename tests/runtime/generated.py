"""Records by their generated readers and writers, whatever backend runs."""

from __future__ import annotations

from typing import Any

from lakecodec.runtime.records.reader import Reader
from lakecodec.runtime.records.writer import Writer


def read(cls: Any, data: Any, pos: int = 0, *parameters: Any) -> tuple[Any, int]:
    """The record at a position, and the position behind it."""
    reader = Reader(data, pos)
    return reader.whole_record(cls, *parameters), reader.pos


def write(value: Any, *parameters: Any) -> bytes:
    """The bytes of a record."""
    out = Writer()
    out.whole_record(value, *parameters)
    return bytes(out.data)
