"""Buffers that are borrowed, never copied."""

from __future__ import annotations

from typing import Any, TypeAlias

#: Anything with contiguous bytes: bytes, bytearray, memoryview, mmap, pyarrow.Buffer, a NumPy array.
Buffer: TypeAlias = Any


def flat(data: Buffer) -> Buffer:
    """``data`` so that indexing and slicing it are by byte."""
    if type(data) is bytes or (type(data) is memoryview and data.format == "B"):
        return data
    return memoryview(data).cast("B")
