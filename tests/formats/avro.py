"""What avro.idl names as external."""

from __future__ import annotations

import zlib
from typing import Any

from lakecodec.runtime.errors import DecodeError


def compression(metadata: Any) -> str:
    """The codec of a container file; those of generated objects and of the oracle are looked up alike."""
    for part in metadata:
        for entry in _get(part, "entries"):
            if _get(entry, "key") == "avro.codec":
                return str(_get(entry, "value_of_key"), "utf-8")
    return "null"


class Deflate:
    """A raw deflate stream (RFC 1951)."""

    def decode(self, data: bytes | memoryview) -> bytes:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            found = inflater.decompress(data)
        except zlib.error as error:
            raise DecodeError(str(error)) from None
        if not inflater.eof or inflater.unused_data:
            raise DecodeError("not one whole deflate stream")
        return found

    def encode(self, value: bytes) -> bytes:
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return deflater.compress(value) + deflater.flush()


def _get(holder: Any, name: str) -> Any:
    return getattr(holder, name) if hasattr(holder, name) else holder[name]
