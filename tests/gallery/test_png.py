"""PNG files of Pillow, read and changed by their declaration."""

from __future__ import annotations

import io
from typing import Any

import pytest

from lakecodec.runtime.errors import EncodeError

from .gallery import Gallery

Image = pytest.importorskip("PIL.Image")

PNG = Gallery("png")


def picture(mode: str) -> Any:
    image = Image.new("RGB", (7, 5))
    image.putdata([(x * 30, y * 40, (x * y) % 256) for y in range(5) for x in range(7)])
    return image.convert(mode)


def saved(mode: str) -> bytes:
    stream = io.BytesIO()
    picture(mode).save(stream, "png")
    return stream.getvalue()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_files_of_pillow(mode: str) -> None:
    data = saved(mode)
    image = PNG.round_trip(data)
    header = image.chunks[0].content
    assert (header.width, header.height) == (7, 5)
    assert header.color == {"1": 0, "L": 0, "LA": 4, "P": 3, "RGB": 2, "RGBA": 6}[mode]
    assert image.chunks[-1].content.kind == "END"
    if mode == "P":
        (palette,) = (chunk.content for chunk in image.chunks if chunk.content.kind == "PALETTE")
        colors = [channel for entry in palette.entries for channel in (entry.red, entry.green, entry.blue)]
        assert colors == picture("P").getpalette()[: len(colors)]


def test_added_text() -> None:
    content, data = PNG.module.Content, saved("RGB")
    image = PNG.round_trip(data)
    text = PNG.module.Chunk(content=content.TEXT(keyword=b"Title", text="Größe".encode("latin-1")))
    other = PNG.module.Chunk(content=content.OTHER(content=b"private", tag=b"prVt"))
    changed = PNG.module.File(chunks=[image.chunks[0], text, other, *image.chunks[1:]]).to_bytes()
    opened = Image.open(io.BytesIO(changed))
    assert opened.text == {"Title": "Größe"}
    assert opened.tobytes() == picture("RGB").tobytes()
    again = PNG.round_trip(changed)
    assert [chunk.name for chunk in again.chunks][:3] == [b"IHDR", b"tEXt", b"prVt"]
    assert again.chunks[1].content == text.content


@pytest.mark.parametrize("keyword", [b"", b"a" * 80, b"a\0b"])
def test_keywords_that_cannot_be(keyword: bytes) -> None:
    image = PNG.round_trip(saved("L"))
    image.chunks[1] = PNG.module.Chunk(content=PNG.module.Content.TEXT(keyword=keyword, text=b""))
    with pytest.raises(EncodeError) as caught:
        image.to_bytes()
    assert caught.value.path == "chunks[1].content.keyword"


def test_every_damaged_byte_is_refused() -> None:
    data = saved("L")
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x21
        assert PNG.refuses("File", bytes(damaged)), place
        assert PNG.refuses("File", data[:place]), place
