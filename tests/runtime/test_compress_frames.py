"""Many zstd frames at once: inflated where each would be alone, and left alone where any is odd."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import zstandard

from lakecodec.runtime import compress
from lakecodec.runtime.compress import Zstd

CONTENTS = [b"", b"a", b"ab" * 500, random.Random(1).randbytes(70_000), bytes(300_000)]
GOOD = [Zstd(len(content)).encode(content) for content in CONTENTS]
native_only = pytest.mark.skipif(compress._segments is None, reason="the pure backend asks for each frame")


def inflate_frames(frames: Sequence[Any], contents: Sequence[int]) -> Sequence[Any] | None:
    """The frames inflated together, with other bytes around each."""
    sizes = np.array(list(map(len, frames)), np.int64)
    starts = np.cumsum(sizes + 3) - sizes
    data = b"".join(b"???" + bytes(frame) for frame in frames)
    return compress.inflate_frames(data, starts, sizes, np.array(contents, np.int64))


@native_only
def test_frames_hold_what_they_hold_alone() -> None:
    sizes = list(map(len, CONTENTS))
    found = inflate_frames([memoryview(frame) for frame in GOOD], sizes)
    assert found is not None
    assert list(map(bytes, found)) == CONTENTS
    with_checksums = [Zstd(size, checksum=True).encode(content) for size, content in zip(sizes, CONTENTS, strict=True)]
    assert list(map(bytes, inflate_frames(with_checksums, sizes) or ())) == CONTENTS


@native_only
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 20_000, 300_000])
def test_frames_in_turn(count: int, size: int) -> None:
    contents = [random.Random(seed).randbytes(2) * (size + seed) for seed in range(6)]
    frames = [Zstd(len(content)).encode(content) for content in contents]
    frames[-1] = b"?" + frames[-1][1:]
    sizes = np.array(list(map(len, frames)), np.int64)
    numbers = np.cumsum(sizes) - sizes, sizes, np.array(list(map(len, contents)), np.int64)
    assert compress.are_large(numbers[2]) == (size > 1)
    if size > 1:
        found = list(compress.one_by_one(frames, numbers[2], count))
    else:
        found = list(compress.by_the_dozen(b"".join(frames), *numbers, count))
    assert len(found) == 6 // count
    assert found[-1] is None
    for at, blocks in enumerate(found):
        # Neighbours may have been inflated with the broken one.
        assert blocks is None or list(map(bytes, blocks)) == contents[at * count : at * count + count]
    if size > 1:
        assert None not in found[:-1]


@native_only
@pytest.mark.parametrize("content", [b"x" * 1000, random.Random(2).randbytes(255), bytes(256), bytes(65_792)])
def test_all_forms_of_headers(content: bytes) -> None:
    for level in (1, 3, 19):
        for single in (True, False):
            parameters = zstandard.ZstdCompressionParameters.from_level(level, window_log=17 if single else 20)
            frame = zstandard.ZstdCompressor(compression_params=parameters).compress(content)
            assert list(map(bytes, inflate_frames([frame], [len(content)]) or ())) == [content]


def _streamed(content: bytes) -> bytes:
    writer = zstandard.ZstdCompressor().compressobj()
    return writer.compress(content) + writer.flush()


CONTENT = b"content " * 50
FRAME = Zstd(len(CONTENT)).encode(CONTENT)


@pytest.mark.parametrize(
    ("frame", "size"),
    [
        (FRAME + b"\0", len(CONTENT)),
        (FRAME + FRAME, 2 * len(CONTENT)),
        (FRAME[:-1], len(CONTENT)),
        (FRAME[:4], len(CONTENT)),
        (b"", 0),
        (FRAME, len(CONTENT) + 1),
        (FRAME, len(CONTENT) - 1),
        (struct.pack("<II", 0x184D2A50, 3) + b"abc", 0),
        (struct.pack("<II", 0x184D2A50, 0) + FRAME, len(CONTENT)),
        (FRAME[:-5] + bytes(5), len(CONTENT)),
        (_streamed(CONTENT), len(CONTENT)),
    ],
    ids=[
        "a byte more", "two frames", "a byte less", "magic alone", "nothing", "longer", "shorter", "skippable",
        "skippable first", "zeroed end", "no size",
    ],
)  # fmt: skip
def test_an_odd_frame_is_left_to_be_decoded_alone(frame: bytes, size: int) -> None:
    assert inflate_frames([GOOD[2], frame, GOOD[1]], [1000, size, 1]) is None


@native_only
def test_nothing_is_inflated_that_is_refused_alone() -> None:
    rng = random.Random(7)
    accepted = 0
    for _ in range(3000):
        bad = bytearray(FRAME)
        for _ in range(rng.randrange(1, 3)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        found = inflate_frames([bytes(bad)], [len(CONTENT)])
        if found is not None:
            accepted += 1
            assert bytes(found[0]) == Zstd(len(CONTENT)).decode(bytes(bad))
    assert accepted


@native_only
def test_frames_outside_their_buffer_are_refused() -> None:
    def inflate(start: int, size: int) -> Sequence[Any] | None:
        numbers = (np.array([number], np.int64) for number in (start, size, len(CONTENT)))
        return compress.inflate_frames(FRAME, *numbers)

    assert inflate(0, len(FRAME)) is not None
    for start, size in [(1, len(FRAME)), (-1, len(FRAME)), (0, len(FRAME) + 1), (0, -1), (2**62, 2**62), (0, 0)]:
        assert inflate(start, size) is None
