"""Sound files of the standard library's wave module, which also judges the changed ones."""

from __future__ import annotations

import io
import wave

import pytest

from lakecodec import DecodeError

from .gallery import Gallery

WAVE = Gallery("wave")


def sound(channels: int = 2, width: int = 2, frames: int = 50) -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(44100)
        file.writeframes(bytes(range(256))[: channels * width * frames])
    return stream.getvalue()


@pytest.mark.parametrize(("channels", "width"), [(1, 1), (2, 2), (1, 3), (5, 1)])
def test_files_of_wave(channels: int, width: int) -> None:
    data = sound(channels, width, 12)
    layout, samples = (chunk.content for chunk in WAVE.round_trip(data).body.chunks)
    with wave.open(io.BytesIO(data)) as file:
        assert (layout.channels, layout.sample_rate) == (file.getnchannels(), file.getframerate())
        assert layout.bits_per_sample == 8 * file.getsampwidth()
        assert samples.samples == file.readframes(100)


def test_changed_sound() -> None:
    content, found = WAVE.module.Content, WAVE.round_trip(sound())
    found.body.chunks[0].content.sample_rate = 8000
    found.body.chunks[1].content.samples = b"\1\2\3\4"
    title = WAVE.module.Chunk(content=content.OTHER(content=b"A tone\0", tag=b"INAM"))
    found.body.chunks.append(WAVE.module.Chunk(content=content.LIST(list_type=b"INFO", chunks=[title])))
    data = WAVE.write(found)
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getframerate(), file.readframes(5)) == (8000, b"\1\2\3\4")
    assert b"INAM\x07\0\0\0A tone\0\0" in data


def test_damage() -> None:
    assert WAVE.damage(sound()) > 50


def test_a_format_chunk_is_needed() -> None:
    with pytest.raises(DecodeError, match="no format chunk"):
        WAVE.module.File.from_bytes(sound().replace(b"fmt ", b"fmt_"))
