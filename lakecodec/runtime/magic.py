"""Recognition of other formats by a file's first and last bytes, for messages."""

from __future__ import annotations

from typing import Any

_HEADS = (
    (b"ARROW1", "Arrow IPC"),
    (b"ORC", "ORC"),
    (b"Obj\x01", "Avro"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"SQLite format 3", "SQLite"),
    (b"{", "JSON"),
    (b"[", "JSON"),
)
_TAILS = ((b"PAR1", "Parquet"), (b"PARE", "encrypted Parquet"), (b"MOSA", "Mosaic"))


def other_format(source: Any, own: str) -> str | None:
    """Returns the name of the format with a source's magic bytes; None if that is unknown or ``own``."""
    length = min(16, source.size)
    try:
        found = recognised(bytes(source.read(0, length)), bytes(source.read(source.size - length, length)))
    except (OSError, ValueError):
        return None
    return None if found == own else found


def recognised(head: bytes, tail: bytes) -> str | None:
    """Returns the name of a file's format from its first and last 16 bytes; None if they match no format."""
    for magic, name in _TAILS:
        if tail.endswith(magic):
            return name
    return next((name for magic, name in _HEADS if head.startswith(magic)), None)
