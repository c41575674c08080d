"""What png.idl names as external."""

from __future__ import annotations

import zlib

from lakecodec.runtime.errors import DecodeError

_SIZE = 4


class Checked:
    """Content with its checksum behind it."""

    def __init__(self, name: bytes) -> None:
        self._start = zlib.crc32(name)

    def decode(self, data: bytes | memoryview) -> bytes:
        content = bytes(data[:-_SIZE])
        if self._checksum(content) != data[-_SIZE:]:
            raise DecodeError("the checksum is another")
        return content

    def encode(self, value: bytes) -> bytes:
        return bytes(value) + self._checksum(value)

    def _checksum(self, content: bytes) -> bytes:
        return zlib.crc32(content, self._start).to_bytes(_SIZE, "big")
