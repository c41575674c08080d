"""Codecs of bytes that a checksum follows, which IDL files name behind ``via``."""

from __future__ import annotations

import zlib
from typing import Any

from .errors import DecodeError

_SIZE = 4


class Crc32:
    """Codec of bytes with their CRC-32 (ISO 3309) behind them, as four bytes, the highest first.

    Args:
        before: bytes that the checksum begins with and that stand elsewhere.
    """

    def __init__(self, before: bytes = b"") -> None:
        self._start = zlib.crc32(before)

    def decode(self, data: Any) -> bytes:
        """Returns the bytes without their checksum.

        Raises:
            DecodeError: the checksum is another, or there is none.
        """
        content = bytes(data[:-_SIZE])
        if self._checksum(content) != data[-_SIZE:]:
            raise DecodeError("the checksum is another")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns the bytes and their checksum."""
        return bytes(value) + self._checksum(value)

    def _checksum(self, content: Any) -> bytes:
        return zlib.crc32(content, self._start).to_bytes(_SIZE, "big")
