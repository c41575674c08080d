"""Files read by imported formats of Kaitai's gallery: the values that Kaitai's Python runtime found, and the same bytes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from lakecodec import CodecError, import_idl

from . import kaitai_specs
from .kaitai_golden import ARCHIVE, loaded
from .kaitai_peers import Comparison

with zipfile.ZipFile(ARCHIVE) as _archive:
    _FILES = sorted(Path(name).name for name in _archive.namelist() if name.startswith("files/"))
#: Formats some of whose values the import leaves out, each with a note.
_PARTS = frozenset(("elf", "icc_4", "java_class", "riff", "utf8_string", "zip"))
#: Texts that are none in their encoding: of ASCII, and of UTF-16 in a name that is ASCII.
_NOT_WRITTEN = frozenset(("a.tga", "a.ttf"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gallery")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(made)
    return made


@pytest.mark.parametrize("file", _FILES)
def test_values_and_bytes(file: str, folder: Path) -> None:
    name, data = file.partition(".")[2], (folder / "files" / file).read_bytes()
    made = import_idl(next((folder / "formats").rglob(f"{name}.ksy")))
    ours = kaitai_specs.read(getattr(made.module(), str(made.root)), data)
    found = Comparison()
    found.compare(ours, loaded(json.loads((folder / "values" / f"{file}.json").read_text())))
    assert found.wrong == []
    assert bool(found.missing) == (name in _PARTS), found.missing
    assert found.same or name in _PARTS
    if file in _NOT_WRITTEN:
        with pytest.raises(CodecError):
            ours.to_bytes()
    else:
        assert ours.to_bytes() == data


def test_there_are_enough() -> None:
    formats = {each.partition(".")[2] for each in _FILES}
    assert len(formats) >= 40
    assert len(formats - _PARTS) >= 40
