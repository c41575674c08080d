"""Codecs of compressed blocks that store their own content size; IDL files name them behind ``via``."""

from __future__ import annotations

import io
import zlib
from typing import Any

import zstandard

from .errors import DecodeError
from .externs import extern_codec

#: Decoded bytes allowed per stored byte, and decoded bytes always allowed: a hostile block cannot claim more memory.
_RATIO, _LEAST = 1 << 10, 1 << 20


def _most(data: Any) -> int:
    return max(_LEAST, _RATIO * len(data))


@extern_codec
class ZstdStream:
    """Codec of one zstd frame, which may lack a content size; its content is at most 1024 times as large, or 1 MiB."""

    inverts = True

    def decode(self, data: Any) -> bytes:
        """Returns the content.

        Raises:
            DecodeError: ``data`` is not a whole frame, or its content is too large.
        """
        most = _most(data)
        try:
            with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(io.BytesIO(data)) as reader:
                content = reader.read(most + 1)
        except zstandard.ZstdError as error:
            raise DecodeError(f"not a zstd frame: {error}") from None
        if len(content) > most:
            raise DecodeError(f"the zstd frame of {len(data)} bytes holds more than {most}")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns one frame with its content size, at zstd's default level."""
        return zstandard.ZstdCompressor().compress(bytes(value))


@extern_codec
class SnappyChecked:
    """Codec of a raw Snappy block followed by the big-endian CRC-32 of its content, as in Avro."""

    inverts = True

    def decode(self, data: Any) -> bytes:
        """Returns the content.

        Raises:
            DecodeError: the block is broken, its checksum does not match, or its content is more than 1024 times its
                size.
        """
        import pyarrow as pa

        stored, end = bytes(data[:-4]), bytes(data[-4:])
        size = shift = 0
        for byte in stored[:5]:
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if size > _most(stored):
            raise DecodeError(f"the Snappy block of {len(stored)} bytes holds {size}")
        try:
            content: bytes = pa.decompress(stored, size, codec="snappy", asbytes=True)
        except (pa.ArrowInvalid, OSError) as error:
            raise DecodeError(f"not a Snappy block: {error}") from None
        if zlib.crc32(content).to_bytes(4, "big") != end:
            raise DecodeError("the checksum of the Snappy block does not match")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns one block followed by its checksum."""
        import pyarrow as pa

        content = bytes(value)
        packed: bytes = pa.compress(content, codec="snappy", asbytes=True)
        return packed + zlib.crc32(content).to_bytes(4, "big")
