"""Blocks: what is written, what is read back, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pytest
import zstandard

from lakecodec import DecodeError, EncodeError
from lakecodec.runtime.compress import Stored, Zstd

from ..memory import traced

DATA = b"".join(b"%d " % n for n in range(3000))
FRAME = Zstd(len(DATA)).encode(DATA)


def without_size(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=False).compress(data)


@pytest.mark.parametrize("level", [-5, 0, 1, 3, 9])
def test_frames_are_those_of_one_shot_compression(level: int) -> None:
    frame = Zstd(len(DATA), level=level).encode(DATA)
    assert frame == pa.Codec("zstd", compression_level=level).compress(DATA, asbytes=True)
    assert Zstd(len(DATA)).decode(memoryview(frame)) == DATA


@pytest.mark.parametrize("data", [b"", b"x", DATA])
def test_any_size_comes_back(data: bytes) -> None:
    assert Zstd(len(data)).decode(Zstd(len(data)).encode(data)) == data


def test_a_checksum_is_written_and_verified() -> None:
    frame = Zstd(len(DATA), checksum=True).encode(DATA)
    assert len(frame) == len(FRAME) + 4
    assert Zstd(len(DATA)).decode(frame) == DATA
    with pytest.raises(DecodeError, match="checksum"):
        Zstd(len(DATA)).decode(frame[:-1] + bytes([frame[-1] ^ 1]))


def test_a_frame_may_leave_out_its_size() -> None:
    assert Zstd(len(DATA)).decode(without_size(DATA)) == DATA


HUGE_WINDOW = b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x88" + b"\x01\x00\x00"


@pytest.mark.parametrize(
    ("frame", "inflated", "rule"),
    [
        (FRAME, len(DATA) - 1, "the zstd frame holds 13890 bytes, 13889 were declared"),
        (FRAME, len(DATA) + 1, "the zstd frame holds 13890 bytes, 13891 were declared"),
        (FRAME[:-1], len(DATA), "not a whole zstd frame of 13890 bytes"),
        (FRAME + b"\0", len(DATA), "not a whole zstd frame of 13890 bytes"),
        (FRAME + FRAME, len(DATA), "not a whole zstd frame of 13890 bytes"),
        (without_size(DATA), len(DATA) - 1, "not a whole zstd frame of 13889 bytes"),
        (without_size(DATA), len(DATA) + 1, "the zstd frame holds 13890 bytes, 13891 were declared"),
        (without_size(DATA), 0, "not a whole zstd frame of 0 bytes"),
        (b"", 0, "not a whole zstd frame of 0 bytes"),
        (b"not a frame at all", 18, "not a whole zstd frame of 18 bytes"),
        (b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc", 3, "not a whole zstd frame of 3 bytes"),
        (b"\x50\x2a\x4d\x18\x00\x00\x00\x00", 0, "not a whole zstd frame of 0 bytes"),
        (HUGE_WINDOW, 10, "not a whole zstd frame of 10 bytes"),
    ],
)
def test_anything_but_one_whole_frame_of_the_size_is_refused(frame: bytes, inflated: int, rule: str) -> None:
    with pytest.raises(DecodeError) as caught:
        Zstd(inflated).decode(frame)
    assert caught.value.rule.startswith(rule)


def test_a_bomb_takes_no_memory() -> None:
    sized, unsized = Zstd(2**28).encode(bytes(2**28)), without_size(bytes(2**26))

    def read() -> None:
        for frame in (sized, unsized):
            with pytest.raises(DecodeError):
                Zstd(1000).decode(frame)

    assert traced(read).peak < 2**20


def test_threads_have_contexts_of_their_own() -> None:
    def both(level: int) -> bool:
        codec = Zstd(len(DATA), level=level % 4)
        return codec.decode(codec.encode(DATA)) == DATA

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(both, range(400)))


@pytest.mark.parametrize("data", [b"", b"abc", memoryview(b"abc")])
def test_stored_blocks_are_the_bytes_themselves(data: Any) -> None:
    codec = Stored(len(data))
    assert codec.decode(data) is data
    assert codec.encode(data) is data


def test_stored_blocks_have_the_declared_size() -> None:
    with pytest.raises(DecodeError, match=r"^the block holds 3 bytes, 4 were declared$"):
        Stored(4).decode(b"abc")


@pytest.mark.parametrize("codec", [Zstd(4), Stored(4)])
def test_what_is_written_has_the_declared_size(codec: Zstd | Stored) -> None:
    with pytest.raises(EncodeError, match=r"^the block has 3 bytes, not the 4 that are declared$"):
        codec.encode(b"abc")
