"""Images that Pillow wrote, and reads after a change."""

from __future__ import annotations

import io

import pytest

from ..paths import DATA
from .gallery import Gallery

GIF = Gallery("gif", oracle=False)
FILE = (DATA / "gallery" / "three.gif").read_bytes()


def test_images() -> None:
    found = GIF.round_trip(FILE)
    assert (found.width, found.height, found.version) == (20, 12, b"89a")
    kinds = [block.content.kind for block in found.blocks]
    assert (kinds.count("IMAGE"), kinds[-1]) == (3, "END")
    comments = [
        block.content for block in found.blocks if block.content.kind == "EXTENSION" and block.content.label == 0xFE
    ]
    assert [part.data for part in comments[0].data.parts] == [b"made here", b""]
    assert GIF.damage(FILE, rounds=40) > 10


def test_pillow_reads_what_was_changed() -> None:
    image = pytest.importorskip("PIL.Image")
    found = GIF.module.File.from_bytes(FILE)
    before = image.open(io.BytesIO(FILE)).convert("RGB").getpixel((0, 0))
    index = image.open(io.BytesIO(FILE)).getpixel((0, 0))
    found.colors[index].red = 255 - before[0]
    after = image.open(io.BytesIO(GIF.write(found))).convert("RGB")
    assert after.getpixel((0, 0)) == (255 - before[0], *before[1:])
