"""Codecs of bytes that IDL files name behind `via`, beside those of `compress`: compressions and simple transformations."""

from __future__ import annotations

import base64
import binascii
import bz2
import codecs
import lzma
import zlib
from collections.abc import Sequence
from typing import Any

from .errors import CodecError, DecodeError, EncodeError
from .externs import extern_codec
from .short import short

#: The largest decoded size in bytes of a stream that does not declare its decoded size.
MAX_INFLATED = 1 << 30


class _Stream:
    """A codec of one whole compressed stream.

    Args:
        inflated: size of the content in bytes; None if unknown, which allows up to `MAX_INFLATED`.
        level: compression level; None for the library's default.
    """

    inverts = True

    def __init__(self, inflated: int | None = None, level: int | None = None) -> None:
        self._inflated, self._level = inflated, level

    def decode(self, data: Any) -> bytes:
        """Returns the content.

        Raises:
            DecodeError: ``data`` is not exactly one whole stream of the declared size.
        """
        name = type(self).__name__
        most = MAX_INFLATED if self._inflated is None else self._inflated
        try:
            content, is_whole = self._inflate(bytes(data), most + 1)
        except (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError) as error:
            raise DecodeError(f"not a stream of {name}: {error}") from None
        if len(content) > most or (self._inflated is not None and len(content) != most):
            raise DecodeError(f"the stream of {name} does not hold {most} bytes")
        if not is_whole:
            raise DecodeError(f"not one whole stream of {name}")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns one stream.

        Raises:
            EncodeError: ``value`` does not have the declared size, or there is no such level.
        """
        if self._inflated is not None and len(value) != self._inflated:
            raise EncodeError(f"the block has {len(value)} bytes, not the {self._inflated} that are declared")
        try:
            return self._deflate(bytes(value))
        except (zlib.error, lzma.LZMAError, ValueError) as error:
            raise EncodeError(f"{type(self).__name__} of level {self._level}: {error}") from None

    def _inflate(self, data: bytes, most: int) -> tuple[bytes, bool]:
        raise NotImplementedError

    def _deflate(self, value: bytes) -> bytes:
        raise NotImplementedError


class _Zlib(_Stream):
    """A codec of the streams that zlib reads and writes, by its window bits."""

    bits = 0

    def _inflate(self, data: bytes, most: int) -> tuple[bytes, bool]:
        inflater = zlib.decompressobj(self.bits)
        content = inflater.decompress(data, most)
        return content, inflater.eof and not inflater.unused_data

    def _deflate(self, value: bytes) -> bytes:
        deflater = zlib.compressobj(-1 if self._level is None else self._level, wbits=self.bits)
        return deflater.compress(value) + deflater.flush()


@extern_codec
class Zlib(_Zlib):
    """Codec of a zlib stream (RFC 1950)."""

    bits = zlib.MAX_WBITS


@extern_codec
class RawDeflate(_Zlib):
    """Codec of a raw deflate stream (RFC 1951) that takes up all bytes."""

    bits = -zlib.MAX_WBITS


@extern_codec
class Gzip(_Zlib):
    """Codec of a gzip member (RFC 1952); it is written without a name and with no time."""

    bits = zlib.MAX_WBITS + 16


@extern_codec
class Bzip2(_Stream):
    """Codec of a bzip2 stream."""

    def _inflate(self, data: bytes, most: int) -> tuple[bytes, bool]:
        inflater = bz2.BZ2Decompressor()
        content = inflater.decompress(data, most)
        return content, inflater.eof and not inflater.unused_data

    def _deflate(self, value: bytes) -> bytes:
        return bz2.compress(value, 9 if self._level is None else self._level)


@extern_codec
class Xz(_Stream):
    """Codec of an xz stream; the older .lzma form is read as well."""

    def _inflate(self, data: bytes, most: int) -> tuple[bytes, bool]:
        inflater = lzma.LZMADecompressor(memlimit=1 << 30)
        content = inflater.decompress(data, most)
        return content, inflater.eof and not inflater.unused_data

    def _deflate(self, value: bytes) -> bytes:
        return lzma.compress(value, preset=self._level)


class _Arrow:
    """A codec of a block, by Arrow's libraries.

    Args:
        inflated: size of the content in bytes; None if unknown, which allows up to 1024 times the block's size, or 1
            MiB.
    """

    inverts = True
    name = ""

    def __init__(self, inflated: int | None = None) -> None:
        self._inflated = inflated

    def decode(self, data: Any) -> bytes:
        """Returns the content; raises DecodeError for what is not a block of the declared size."""
        size = self._inflated
        if size is not None and not 0 <= size <= MAX_INFLATED:
            raise DecodeError(f"a block of {self.name} holds {MAX_INFLATED} bytes at most, not {size}")
        most = min(MAX_INFLATED, max(1 << 20, len(data) << 10)) if size is None else size
        of = "" if size is None else f" of {size} bytes"
        try:
            found = self._inflate(bytes(data), most)
        except (IndexError, OSError, ValueError) as error:
            raise DecodeError(f"not a block of {self.name}{of}: {error}") from None
        if len(found) > most or (size is not None and len(found) != size):
            raise DecodeError(f"the block of {self.name} does not hold {most} bytes")
        return found

    def _inflate(self, data: bytes, most: int) -> bytes:
        """Returns the content; of a content that is too long only its beginning."""
        stream = _arrow().CompressedInputStream(_arrow().BufferReader(data), self.name)
        found: bytes = stream.read(most + 1)
        return found

    def encode(self, value: Any) -> bytes:
        """Returns the block; raises EncodeError for a value of another size."""
        if self._inflated is not None and len(value) != self._inflated:
            raise EncodeError(f"the block has {len(value)} bytes, not the {self._inflated} that are declared")
        found: bytes = _arrow().compress(bytes(value), codec=self.name, asbytes=True)
        return found


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise CodecError("this codec needs the package pyarrow: pip install pyarrow") from None
    return pyarrow


def _block(data: bytes, size: int, most: int, codec: Any) -> bytes:
    """Returns the content of a block after checking its size, which Arrow does not do."""
    if size > most or (codec._inflated is not None and size != most):
        raise ValueError(f"it holds {size}")
    found: bytes = _arrow().decompress(data, size, codec=codec.name, asbytes=True)
    return found


def _snappy_size(data: bytes) -> int:
    """Returns the size of a block's content, which precedes it."""
    size = at = 0
    while data[at] > 127:
        size, at = size | (data[at] & 127) << 7 * at, at + 1
    return size | data[at] << 7 * at


def _lz4_size(data: bytes) -> int:
    """Returns the size of a block's content: the sum of all literals and matches."""
    size = at = 0

    def length(short: int) -> int:
        nonlocal at
        more = 255 if short == 15 else 0
        while more == 255:
            more, at = data[at], at + 1
            short += more
        return short

    while True:
        token, at = data[at], at + 1
        literals = length(token >> 4)
        size, at = size + literals, at + literals
        if at >= len(data):
            if at > len(data):
                raise ValueError("it ends in literals")
            return size
        at += 2
        size += length(token & 15) + 4


@extern_codec
class Snappy(_Arrow):
    """Codec of a snappy block, without frames."""

    name = "snappy"

    def _inflate(self, data: bytes, most: int) -> bytes:
        return _block(data, _snappy_size(data), most, self)


@extern_codec
class Lz4Block(_Arrow):
    """Codec of an LZ4 block, without a frame."""

    name = "lz4_raw"

    def _inflate(self, data: bytes, most: int) -> bytes:
        return _block(data, _lz4_size(data), most, self)


@extern_codec
class Lz4Frame(_Arrow):
    """Codec of an LZ4 frame."""

    name = "lz4"


@extern_codec
class Brotli(_Arrow):
    """Codec of a brotli stream (RFC 7932)."""

    name = "brotli"


@extern_codec
class Lzf:
    """Codec of an LZF block, as in LibLZF and Redis. It writes literals only.

    Args:
        inflated: size of the content in bytes.
    """

    inverts = True

    def __init__(self, inflated: int) -> None:
        self._inflated = inflated

    def decode(self, data: Any) -> bytes:
        """Returns the content; raises DecodeError for what is not a block of the declared size."""
        data, found, at = bytes(data), bytearray(), 0
        try:
            while at < len(data) and len(found) <= self._inflated:
                control, at = data[at], at + 1
                if control < 32:
                    if at + control + 1 > len(data):
                        raise IndexError
                    found += data[at : at + control + 1]
                    at += control + 1
                    continue
                length = control >> 5
                if length == 7:
                    length, at = length + data[at], at + 1
                back, at = (control & 31) << 8 | data[at], at + 1
                start = len(found) - back - 1
                if start < 0:
                    raise DecodeError("not an LZF block: it refers to bytes before its first one")
                for place in range(start, start + length + 2):
                    found.append(found[place])
        except IndexError:
            raise DecodeError("not a whole LZF block") from None
        if len(found) != self._inflated:
            raise DecodeError(f"the LZF block does not hold {self._inflated} bytes")
        return bytes(found)

    def encode(self, value: Any) -> bytes:
        """Returns the block; raises EncodeError for a value of another size."""
        value = bytes(value)
        if len(value) != self._inflated:
            raise EncodeError(f"the block has {len(value)} bytes, not the {self._inflated} that are declared")
        parts = (value[at : at + 32] for at in range(0, len(value), 32))
        return b"".join(bytes([len(part) - 1]) + part for part in parts)


@extern_codec
class Xor:
    """Codec that combines each byte with a key by exclusive or.

    The key is one byte as a number, or bytes that repeat.
    """

    inverts = True

    def __init__(self, key: int | bytes) -> None:
        if isinstance(key, int) and not 0 <= key <= 255:
            raise CodecError(f"a key must be a byte, not {key}")
        self._key = bytes([key]) if isinstance(key, int) else bytes(key)

    def decode(self, data: Any) -> bytes:
        size = len(data)
        if not self._key:
            return bytes(data)
        key = (self._key * (size // len(self._key) + 1))[:size]
        return (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")

    encode = decode


@extern_codec
class RotateLeft:
    """Codec that decodes by rotating each byte to the left by a number of bits."""

    inverts = True

    def __init__(self, bits: int) -> None:
        bits %= 8
        self._left = bytes((byte << bits | byte >> (8 - bits)) & 255 for byte in range(256))
        self._right = bytes((byte >> bits | byte << (8 - bits)) & 255 for byte in range(256))

    def decode(self, data: Any) -> bytes:
        return bytes(data).translate(self._left)

    def encode(self, value: Any) -> bytes:
        return bytes(value).translate(self._right)


@extern_codec
class Base64:
    """Codec of bytes as base64 (RFC 4648), with padding and without line breaks."""

    inverts = True

    def decode(self, data: Any) -> bytes:
        try:
            found = base64.b64decode(bytes(data), validate=True)
        except binascii.Error as error:
            raise DecodeError(f"not base64: {error}") from None
        if base64.b64encode(found) != bytes(data):
            raise DecodeError("not base64 as it is written: bits after the last byte are set")
        return found

    def encode(self, value: Any) -> bytes:
        return base64.b64encode(bytes(value))


@extern_codec
class Hex:
    """Codec of bytes as hexadecimal digits: read in both cases, written in lower case."""

    inverts = True

    def decode(self, data: Any) -> bytes:
        try:
            return binascii.unhexlify(bytes(data))
        except binascii.Error as error:
            raise DecodeError(f"not hexadecimal digits: {error}") from None

    def encode(self, value: Any) -> bytes:
        return binascii.hexlify(bytes(value))


@extern_codec
class Joined:
    """Codec of no bytes: its value is bytes that other fields hold, joined, so that a record can be laid over them.

    Args:
        parts: the bytes to join.
    """

    inverts = True

    def __init__(self, parts: Sequence[bytes]) -> None:
        self._whole = b"".join(map(bytes, parts))

    def decode(self, data: Any) -> bytes:
        """Returns the joined bytes; raises DecodeError for a field that has bytes of its own."""
        if len(data):
            raise DecodeError(f"joined bytes stand in other fields; this field must have size 0, not {len(data)}")
        return self._whole

    def encode(self, value: Any) -> bytes:
        """Returns no bytes; raises EncodeError for a value that differs from the joined bytes."""
        value = bytes(value)
        if value != self._whole:
            at = next((n for n, (a, b) in enumerate(zip(value, self._whole, strict=False)) if a != b), None)
            at = min(len(value), len(self._whole)) if at is None else at
            raise EncodeError(f"its bytes differ at {at} from those of the fields that it is laid over")
        return b""


#: Python encodings that do not map bytes to text, or do more than that.
_NO_ENCODINGS = frozenset({"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf_7"})


def encoding_of(name: str) -> str:
    """Returns Python's name of a text encoding.

    Raises:
        ValueError: there is none of that name.
    """
    try:
        found = codecs.lookup(_ENCODINGS.get(name.upper(), name))
    except (LookupError, ValueError):
        raise ValueError(f"{name!r} is not a known encoding of texts") from None
    if not getattr(found, "_is_text_encoding", True) or found.name.replace("-", "_") in _NO_ENCODINGS:
        raise ValueError(f"{name!r} is not an encoding of texts")
    return found.name


_ENCODINGS = {"IBM437": "cp437", "IBM866": "cp866"}


@extern_codec
class Text:
    """Codec of a text in another encoding than UTF-8.

    Args:
        encoding: its name, such as `utf-16-le`, `latin-1` or `shift_jis`.
    """

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding_of(encoding)

    def decode(self, data: Any) -> bytes:
        """Returns the text, encoded as UTF-8."""
        return self.decode_text(data).encode()

    def decode_text(self, data: Any) -> str:
        """Returns the text.

        Raises:
            DecodeError: the bytes are not valid text in the encoding.
        """
        try:
            return str(bytes(data), self._encoding)
        except UnicodeDecodeError as error:
            raise DecodeError(f"not a text in {self._encoding}: {error.reason} at byte {error.start}") from None

    def encode(self, value: Any) -> bytes:
        """Returns a UTF-8 text converted to the encoding.

        Raises:
            EncodeError: the encoding lacks a character of the text.
        """
        text = value if isinstance(value, str) else str(bytes(value), "utf-8")
        try:
            return text.encode(self._encoding)
        except UnicodeEncodeError as error:
            raise EncodeError(f"{text!r} cannot be written in {self._encoding}: {error.reason}") from None


@extern_codec
class Filled:
    """Codec of bytes in a room of fixed size: they end at a terminator, or fill bytes at the end are removed.

    Args:
        room: size of the room in bytes; -1 for as many as the content needs.
        terminator: bytes that end the content, omitted if the content takes all the room; empty for none.
        keep: whether the terminator is part of the content.
        fill: byte that fills the room behind the content and its terminator; -1 for none, then nothing is removed.
    """

    def __init__(self, room: int, terminator: bytes, keep: bool, fill: int) -> None:
        self._room, self._terminator, self._keep, self._fill = room, bytes(terminator), keep, fill

    def decode(self, data: Any) -> bytes:
        """Returns the content."""
        found = bytes(data)
        if self._fill >= 0 and self._terminator != bytes([self._fill]):
            found = found.rstrip(bytes([self._fill]))
        if self._terminator and (end := _aligned(found, self._terminator)) >= 0:
            found = found[: end + len(self._terminator) * self._keep]
        return found

    def encode(self, value: Any) -> bytes:
        """Returns the content with its terminator and fill bytes.

        Raises:
            EncodeError: the content is larger than the room, or reading would end it earlier.
        """
        content = bytes(value)
        stored = self._stored(content)
        if len(again := self.decode(stored)) < len(content):
            is_fill = not content[len(again) :].strip(bytes([max(self._fill, 0)]))
            why = "fill bytes at the end are removed" if is_fill else f"it ends at {self._terminator!r}"
            raise EncodeError(f"{short(content)} would be read as {short(again)}, since {why}: leave them out")
        return stored

    def _stored(self, content: bytes) -> bytes:
        if self._room < 0:
            return content if self._keep else content + self._terminator
        if len(content) > self._room:
            raise EncodeError(f"{len(content)} bytes do not fit the {self._room} that there are")
        if not self._keep and len(content) < self._room:
            content += self._terminator[: self._room - len(content)]
        return content + bytes([max(self._fill, 0)]) * (self._room - len(content))


def _aligned(data: bytes, terminator: bytes) -> int:
    """Returns the first position of the terminator that is a multiple of its size; -1 if there is none."""
    place = data.find(terminator)
    while place % len(terminator) and place >= 0:
        place = data.find(terminator, place + 1)
    return place
