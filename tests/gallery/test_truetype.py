"""A font that comes with matplotlib, compared with fontTools, which also reads it changed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from lakecodec.workbench.sampling.sampler import sample_list

from .gallery import Gallery

fonts = pytest.importorskip("fontTools.ttLib")
matplotlib = pytest.importorskip("matplotlib")

FONT = Gallery("truetype")


@pytest.fixture(scope="module")
def data() -> bytes:
    return (Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSansMono-Oblique.ttf").read_bytes()


def table(found: Any, kind: str) -> Any:
    (one,) = (each for each in found.tables if each.kind == kind)
    return one


def test_tables(data: bytes) -> None:
    found = FONT.round_trip(data)
    judge = fonts.TTFont(io.BytesIO(data))
    directory = {e.tag.decode(): (e.checksum, e.start, e.length) for e in found.entries}
    assert directory == {tag: (e.checkSum, e.offset, e.length) for tag, e in judge.reader.tables.items()}
    assert table(found, "HEAD").units_per_em == judge["head"].unitsPerEm
    assert table(found, "MAXIMA").num_glyphs == judge["maxp"].numGlyphs
    names = table(found, "NAMES").names
    for entry, text, theirs in zip(names.names, names.texts, judge["name"].names, strict=True):
        assert (entry.platform, entry.purpose, text) == (theirs.platformID, theirs.nameID, theirs.string)


def test_samples_are_fonts_for_others() -> None:
    for sample in sample_list(FONT.module.File, 20, 3):
        assert len(fonts.TTFont(io.BytesIO(sample.data)).keys()) >= len(sample.value.entries)


def test_changed_font(data: bytes) -> None:
    found = FONT.round_trip(data)
    table(found, "HEAD").units_per_em = 1000
    names = table(found, "NAMES").names
    number = names.texts.index(b"DejaVu Sans Mono")
    names.texts[number] = b"Other Sans Mono!"
    judge = fonts.TTFont(io.BytesIO(FONT.write(found)))
    assert judge["head"].unitsPerEm == 1000
    assert "Other Sans Mono!" in [str(each) for each in judge["name"].names]
    assert len(judge.getGlyphOrder()) == judge["maxp"].numGlyphs


def test_damage(data: bytes) -> None:
    assert FONT.damage(data, rounds=90) > 40
