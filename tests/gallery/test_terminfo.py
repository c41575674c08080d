"""Descriptions of terminals that ncurses' tic compiled, and what curses reads in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lakecodec import EncodeError

from ..paths import TESTS
from .gallery import Gallery

TERMINFO = Gallery("terminfo", magic=False, oracle=False)
FILES = {path.stem: path.read_bytes() for path in sorted((TESTS / "data" / "gallery").glob("*.terminfo"))}
#: Offsets of strings in term.h: bell, cursor_address, cursor_up.
BELL, CURSOR_ADDRESS, CURSOR_UP = 1, 10, 19


def as_curses_reads(data: bytes, folder: Path) -> list[bytes]:
    """The names of a terminal and three of its strings, as curses reads them."""
    name = data[12 : data.index(b"\0", 12)].split(b"|")[0].decode()
    (folder / name[0]).mkdir(parents=True, exist_ok=True)
    (folder / name[0] / name).write_bytes(data)
    code = (
        "import curses, sys; curses.setupterm(sys.argv[1], 1);"
        " print([curses.tigetstr(each) for each in ('bel', 'cup', 'cuu1')], curses.tigetnum('cols'))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, name], env={"TERMINFO": str(folder)}, capture_output=True, check=True
    )
    return ran.stdout.split(b"] ")


@pytest.mark.parametrize("name", FILES)
def test_descriptions(name: str, tmp_path: Path) -> None:
    found = TERMINFO.round_trip(FILES[name])
    texts = [found.texts[at] if at < len(found.texts) else b"" for at in (BELL, CURSOR_ADDRESS, CURSOR_UP)]
    strings, columns = as_curses_reads(FILES[name], tmp_path)
    assert strings.decode() + "]" == repr([text or None for text in texts])
    assert int(columns) == found.numbers[0].value
    assert TERMINFO.damage(FILES[name], rounds=40) > 5


def test_an_edit_is_read_by_curses(tmp_path: Path) -> None:
    found = TERMINFO.module.File.from_bytes(FILES["xterm-256color"])
    found.numbers[0].n32 = 132
    found.table = found.table.replace(found.texts[BELL] + b"\0", b"\6\0", 1)
    assert found.texts[BELL] == b"\6"
    written = TERMINFO.write(found)
    assert as_curses_reads(written, tmp_path)[0].startswith(b"[b'\\x06'")
    assert as_curses_reads(written, tmp_path)[1].strip() == b"132"
    found.table = found.table[:10]
    with pytest.raises(EncodeError, match=r"offsets.*: a string begins behind the table|the last string has no end"):
        found.to_bytes()


def test_what_a_program_defined() -> None:
    extended = TERMINFO.module.File.from_bytes(FILES["own"]).extended
    assert (extended.flags, extended.numbers[0].value, extended.texts) == ([1], 7, [b"\x1b[1;2Z"])
    assert extended.table == b"\x1b[1;2Z\0Xx\0Yy\0wide\0Zz\0"
