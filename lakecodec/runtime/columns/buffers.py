"""Buffers that are borrowed, never copied."""

from __future__ import annotations

from typing import Any, TypeAlias

#: Anything with contiguous bytes: bytes, bytearray, memoryview, mmap, pyarrow.Buffer, a NumPy array.
Buffer: TypeAlias = Any


def flat(data: Buffer) -> Buffer:
    """Returns ``data``, or a memoryview of it, that is indexed and sliced by byte.

    Raises:
        TypeError: ``data`` is not a C-contiguous buffer.
    """
    if type(data) is bytes or (type(data) is memoryview and data.format == "B"):
        return data
    return memoryview(data).cast("B")
