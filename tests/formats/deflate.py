"""Raw deflate streams, which avro.idl and zip.idl name as external."""

from __future__ import annotations

import zlib

from lakecodec.runtime.errors import DecodeError


class Deflate:
    """A raw deflate stream (RFC 1951).

    Args:
        whole: whether nothing may follow the stream; fastavro leaves a part of zlib's checksum there.
    """

    def __init__(self, whole: bool) -> None:
        self._whole = whole

    def decode(self, data: bytes | memoryview) -> bytes:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            found = inflater.decompress(data)
        except zlib.error as error:
            raise DecodeError(str(error)) from None
        if not inflater.eof or (self._whole and inflater.unused_data):
            raise DecodeError("not one whole deflate stream")
        return found

    def encode(self, value: bytes) -> bytes:
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return deflater.compress(value) + deflater.flush()
