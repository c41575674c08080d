"""Codecs of compressed blocks, which IDL files name behind ``via``."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import zstandard

from .errors import DecodeError, EncodeError
from .externs import extern_codec
from .native import load

#: The largest window of a frame without a content size, as RFC 8878 recommends for decoders.
_MAX_WINDOW = 2**23
_UNKNOWN_SIZE = -1
#: Mean content size in bytes from which each frame is inflated into memory of its own, which the next frame reuses.
_LARGE = 32 * 1024
#: Bytes of content that are inflated together before any of it is used.
_TOGETHER = 256 * 1024


class _PerThread(threading.local):
    """Zstd contexts of one thread; they are costly to make and must not be shared."""

    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
        self.compressors: dict[tuple[int, bool], zstandard.ZstdCompressor] = {}


_contexts = _PerThread()
_segments: Callable[[Any, Any, Any, Any, int], bytes | None] | None = None
_native = load("runtime.native.compress_frames")
if _native is not None and hasattr(zstandard.ZstdDecompressor, "multi_decompress_to_buffer"):
    _segments = _native.segments


@extern_codec
class Zstd:
    """Codec of one zstd frame (RFC 8878) whose content size is known beforehand.

    Args:
        inflated: size of the content in bytes; decoding never allocates more.
        level: zstd compression level; levels out of range are clamped.
        checksum: writes a content checksum. Checksums that are present are always verified.
    """

    inverts = True

    def __init__(self, inflated: int, *, level: int = 1, checksum: bool = False) -> None:
        self._inflated = inflated
        self._level = level
        self._checksum = checksum

    def decode(self, data: Any) -> bytes:
        """Returns the content of a frame.

        Raises:
            DecodeError: ``data`` is not exactly one whole frame of the declared size.
        """
        try:
            # Zstd treats skippable frames as empty.
            if bytes(data[:4]) != zstandard.FRAME_HEADER:
                raise zstandard.ZstdError("its magic number is wrong")
            size = zstandard.frame_content_size(data)
            if size not in (_UNKNOWN_SIZE, self._inflated):
                raise DecodeError(f"the zstd frame holds {size} bytes, {self._inflated} were declared")
            content = _contexts.decompressor.decompress(
                data, max_output_size=self._inflated, read_across_frames=False, allow_extra_data=False
            )
        except zstandard.ZstdError as error:
            raise DecodeError(f"not a whole zstd frame of {self._inflated} bytes: {error}") from None
        if len(content) != self._inflated:
            raise DecodeError(f"the zstd frame holds {len(content)} bytes, {self._inflated} were declared")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns one frame with its content size in the header, as zstd's one-shot compression writes it.

        Raises:
            EncodeError: ``value`` does not have the declared size.
        """
        _check_size(value, self._inflated)
        return zstd_compressor(self._level, self._checksum).compress(value)


def zstd_compressor(level: int, checksum: bool) -> zstandard.ZstdCompressor:
    """Returns the calling thread's compressor of a level, clamped to zstd's range, with or without content checksums."""
    compressors = _contexts.compressors
    compressor = compressors.get((level, checksum))
    if compressor is None:
        compressor = zstandard.ZstdCompressor(level=level, write_checksum=checksum)
        compressors[level, checksum] = compressor
    return compressor


def inflate_frames(data: Any, starts: Any, sizes: Any, contents: Any) -> Sequence[Any] | None:
    """Returns the contents of many zstd frames, decoded without the GIL; None if each must be decoded by `Zstd`.

    Args:
        data: buffer that holds the frames.
        starts, sizes: 64-bit offsets and sizes of the frames in bytes.
        contents: 64-bit content sizes in bytes.
    """
    segments = None if _segments is None else _segments(data, starts, sizes, contents, _MAX_WINDOW)
    if segments is None:
        return None
    try:
        inflated: Any = _contexts.decompressor.multi_decompress_to_buffer(
            zstandard.BufferWithSegments(data, segments), decompressed_sizes=contents, threads=1
        )
    except (ValueError, zstandard.ZstdError):
        return None
    found: Sequence[Any] = inflated
    return found


def are_large(contents: Any) -> bool:
    """Returns whether frames of these content sizes, 64-bit numbers, are inflated `one_by_one` and not `by_the_dozen`."""
    return _segments is not None and int(contents.sum()) >= _LARGE * max(1, contents.size)


def one_by_one(frames: Iterable[Any], contents: Any, count: int) -> Iterator[Sequence[Any] | None]:
    """Yields the contents of ``count`` zstd frames at a time; None if one is damaged: `Zstd` then raises the error.

    A frame is fetched and inflated when its content is requested. Dropping contents before requesting the next ones
    returns their memory while it is still in the processor's caches.

    Args:
        frames: the bytes of each.
        contents: 64-bit content sizes in bytes.
        count: number of frames whose contents are needed together, at least 1.
    """
    codecs = map(Zstd, contents.tolist())
    pairs = zip(codecs, frames, strict=True)
    for _ in range(0, len(contents), count):
        yield _inflated(list(islice(pairs, count)))


def _inflated(frames: list[tuple[Zstd, Any]]) -> list[bytes] | None:
    """Returns the contents of frames; None where one is broken."""
    try:
        return [codec.decode(frame) for codec, frame in frames]
    except DecodeError:
        return None


def by_the_dozen(data: Any, starts: Any, sizes: Any, contents: Any, count: int) -> Iterator[Sequence[Any] | None]:
    """Yields the contents of ``count`` zstd frames at a time, for frames that are too small to be inflated one by one.

    Args:
        data, starts, sizes, contents: those of `inflate_frames`.
        count: number of frames whose contents are needed together, at least 1.
    """
    mean = int(contents.sum()) // max(1, len(contents))
    most = max(1, _TOGETHER // max(1, mean * count))
    for first in range(0, len(starts), most * count):
        part = slice(first, first + most * count)
        found = inflate_frames(data, starts[part], sizes[part], contents[part])
        blocks = None if found is None else list(found)
        for at in range(0, len(starts[part]), count):
            yield None if blocks is None else blocks[at : at + count]


@extern_codec
class Deflate:
    """Codec of one raw deflate stream (RFC 1951).

    Args:
        inflated: size of the content in bytes; decoding never allocates more. None if unknown.
    """

    inverts = True

    def __init__(self, inflated: int | None = None) -> None:
        self._inflated = inflated

    def decode(self, data: Any) -> bytes:
        """Returns the content.

        Raises:
            DecodeError: ``data`` does not begin with one whole stream of the declared size; what follows the stream is
                ignored.
        """
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            # One byte more than declared is requested, which shows if the content is larger.
            content = inflater.decompress(data, 0 if self._inflated is None else self._inflated + 1)
        except zlib.error as error:
            raise DecodeError(f"not a deflate stream: {error}") from None
        if not inflater.eof or (self._inflated is not None and len(content) != self._inflated):
            wanted = "" if self._inflated is None else f" of {self._inflated} bytes"
            raise DecodeError(f"not one whole deflate stream{wanted}")
        return content

    def encode(self, value: Any) -> bytes:
        """Returns one stream, compressed by zlib at its default level.

        Raises:
            EncodeError: ``value`` does not have the declared size.
        """
        if self._inflated is not None:
            _check_size(value, self._inflated)
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return deflater.compress(value) + deflater.flush()


@extern_codec
class Stored:
    """Codec of uncompressed blocks of ``inflated`` bytes."""

    inverts = True

    def __init__(self, inflated: int) -> None:
        self._inflated = inflated

    def decode(self, data: Any) -> Any:
        """Returns ``data`` itself, without a copy.

        Raises:
            DecodeError: ``data`` does not have the declared size.
        """
        if len(data) != self._inflated:
            raise DecodeError(f"the block holds {len(data)} bytes, {self._inflated} were declared")
        return data

    def encode(self, value: Any) -> Any:
        _check_size(value, self._inflated)
        return value


def _check_size(value: Any, inflated: int) -> None:
    if len(value) != inflated:
        raise EncodeError(f"the block has {len(value)} bytes, not the {inflated} that are declared")
