"""Translations that msgfmt compiles, and those that the standard library's gettext reads after a change."""

from __future__ import annotations

import gettext
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from .gallery import Gallery

pytestmark = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="msgfmt of gettext is needed")

MO = Gallery("mo")
SOURCE = r"""
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "hello"
msgstr "hällo"

msgid "one file"
msgid_plural "%d files"
msgstr[0] "eine Datei"
msgstr[1] "%d Dateien"
"""


def compiled(folder: Path, *options: str, order: str = "little") -> bytes:
    (folder / "a.po").write_text(SOURCE, encoding="utf-8")
    subprocess.run(["msgfmt", *options, f"--endianness={order}", "a.po", "-o", "a.mo"], cwd=folder, check=True)
    return (folder / "a.mo").read_bytes()


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("options", [(), ("--no-hash",)])
def test_translations(tmp_path: Path, options: tuple[str, ...], order: str) -> None:
    data = compiled(tmp_path, *options, order=order)
    found = MO.round_trip(data).tables
    assert (found.hash is None) == bool(options)
    ours = {a.text: b.text for a, b in zip(found.originals, found.translations, strict=True)}
    assert ours["hello"] == gettext.GNUTranslations(io.BytesIO(data)).gettext("hello")
    assert ours["one file\0%d files"] == "eine Datei\0%d Dateien"


def test_longer_translation_moves_to_the_end(tmp_path: Path) -> None:
    found = MO.round_trip(compiled(tmp_path))
    tables = found.tables
    number = [each.text for each in tables.originals].index("hello")
    tables.translations[number].text = "guten Tag"
    place = tables.translation_places[number]
    place.length, place.start = 9, None
    judge = gettext.GNUTranslations(io.BytesIO(found.to_bytes()))
    assert judge.gettext("hello") == "guten Tag"
    assert judge.ngettext("one file", "%d files", 2) == "%d Dateien"


def test_new_file() -> None:
    m = MO.module
    texts = {"": "Content-Type: text/plain; charset=UTF-8\n", "a": "ä", "bb": "b"}
    tables = m.Tables(
        minor_revision=0, major_revision=0, originals_at=28, translations_at=52, hash_size=0, hash_at=0,
        original_places=[m.Place(length=len(each)) for each in texts],
        translation_places=[m.Place(length=len(each.encode())) for each in texts.values()],
        originals=[m.Text(text=each) for each in texts],
        translations=[m.Text(text=each) for each in texts.values()],
    )  # fmt: skip
    data = m.File(magic=b"\xde\x12\x04\x95", tables=tables).to_bytes()
    assert gettext.GNUTranslations(io.BytesIO(data)).gettext("a") == "ä"
    assert MO.round_trip(data).tables.originals[2].text == "bb"


def test_damage(tmp_path: Path) -> None:
    assert MO.damage(compiled(tmp_path)) > 50
