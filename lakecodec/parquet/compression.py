"""Compression of Parquet pages (Compression.md), as IDL files name it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ..runtime.errors import DecodeError, EncodeError
from ..runtime.externs import extern_codec

#: Arrow's codec names by CompressionCodec of parquet.thrift. LZO and LZ4 in Hadoop's frames are unsupported.
_NAMES = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}


def is_known(how: int) -> bool:
    """Returns whether blocks of a CompressionCodec can be read here."""
    return int(how) == 0 or int(how) in _NAMES


@extern_codec
class Block:
    """Codec of the compressed part of a page.

    Args:
        how: number of the CompressionCodec.
        inflated: bytes of the content; decoding never allocates more.
    """

    inverts = True

    def __init__(self, how: int, inflated: int) -> None:
        self._name = _NAMES.get(int(how))
        self._inflated = inflated
        self._how = how

    def decode(self, data: Any) -> bytes:
        """Returns the content.

        Raises:
            DecodeError: the codec is not known, or the block does not hold the bytes that were declared.
        """
        if self._name is None:
            raise DecodeError(f"blocks of the codec {self._how} cannot be decoded here")
        if not len(data) and not self._inflated:
            return b""
        try:
            found: bytes = pa.decompress(bytes(data), self._inflated, codec=self._name, asbytes=True)
        except (OSError, ValueError) as error:
            raise DecodeError(f"not a {self._name} block of {self._inflated} bytes: {error}") from None
        return found

    def encode(self, value: Any) -> bytes:
        """Returns a block that holds a value.

        Raises:
            EncodeError: the codec is unknown, or the value does not have the declared size.
        """
        if self._name is None or len(value) != self._inflated:
            raise EncodeError(f"{len(value)} bytes are not a block of {self._inflated} in the codec {self._how}")
        found: bytes = pa.compress(bytes(value), codec=self._name, asbytes=True)
        return found
