"""Compressed blocks: the codecs that formats name behind ``via``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import zstandard

from .errors import DecodeError, EncodeError
from .native import load

#: The largest window of a frame that does not say how much it holds; RFC 8878 asks decoders for as much.
_MAX_WINDOW = 2**23
_UNKNOWN_SIZE = -1


class _PerThread(threading.local):
    """Contexts are costly to make and not safe to share."""

    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
        self.compressors: dict[tuple[int, bool], zstandard.ZstdCompressor] = {}


_contexts = _PerThread()
_segments: Callable[[Any, Any, Any, Any, int], bytes | None] | None = None
_native = load("runtime.native.compress_frames")
if _native is not None and hasattr(zstandard.ZstdDecompressor, "multi_decompress_to_buffer"):
    _segments = _native.segments


class Zstd:
    """One zstd frame (RFC 8878) that holds a number of bytes known beforehand.

    Args:
        inflated: bytes that the frame holds; decoding allocates no more, whatever the frame says.
        level: of compression, as zstd's own; those beyond its range count as the nearest.
        checksum: whether frames are written with a checksum of their content. Where there is one, it is verified.
    """

    def __init__(self, inflated: int, *, level: int = 1, checksum: bool = False) -> None:
        self._inflated = inflated
        self._level = level
        self._checksum = checksum

    def decode(self, data: Any) -> bytes:
        """The bytes of the frame; DecodeError for anything but one whole frame of the size."""
        try:
            # To zstd, frames that are to be skipped hold nothing.
            if bytes(data[:4]) != zstandard.FRAME_HEADER:
                raise zstandard.ZstdError("its magic number is another")
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
        """One frame with the content's size in its header, as zstd's one-shot compression makes it."""
        _check_size(value, self._inflated)
        compressors = _contexts.compressors
        key = (self._level, self._checksum)
        compressor = compressors.get(key)
        if compressor is None:
            compressor = zstandard.ZstdCompressor(level=self._level, write_checksum=self._checksum)
            compressors[key] = compressor
        return compressor.compress(value)


def inflate_frames(data: Any, starts: Any, sizes: Any, contents: Any) -> Sequence[Any] | None:
    """What `Zstd` decodes of many frames, the interpreter being free meanwhile; None where it must be asked itself.

    Args:
        data: a buffer that has the frames.
        starts, sizes: where each is: buffers of 64-bit numbers.
        contents: bytes that each holds, likewise.
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


class Stored:
    """The bytes themselves, ``inflated`` of them."""

    def __init__(self, inflated: int) -> None:
        self._inflated = inflated

    def decode(self, data: Any) -> Any:
        """``data`` itself, nothing is copied."""
        if len(data) != self._inflated:
            raise DecodeError(f"the block holds {len(data)} bytes, {self._inflated} were declared")
        return data

    def encode(self, value: Any) -> Any:
        _check_size(value, self._inflated)
        return value


def _check_size(value: Any, inflated: int) -> None:
    if len(value) != inflated:
        raise EncodeError(f"the block has {len(value)} bytes, not the {inflated} that are declared")
