"""`verify` finds errors in the very files that the reader refuses; the formats with checks of their own find more."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from lakecodec import DecodeError, compile_idl
from lakecodec.workbench import Tree, verify

from ..gallery.real_files import file_of, names
from ..paths import SPECS
from ..runtime.records.test_uncomputable import DATA, LOST, sound


def is_refused(cls: Any, data: bytes) -> bool:
    try:
        cls.from_bytes(data)
    except DecodeError:
        return True
    return False


def has_errors(cls: Any, data: bytes) -> bool:
    return any(each.is_error for each in verify(data, cls))


def damaged(data: bytes, random: Random) -> bytes:
    """The bytes with some of the first, or of all, changed, left out or added."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 3))):
        at = random.randrange(min(len(found), random.choice((100, len(found)))))
        more = random.randbytes(random.randrange(3))
        found[at : at + random.choice((0, 1, len(more)))] = more
    return bytes(found)


@pytest.mark.parametrize("name", list(names()))
def test_damaged_files(name: str) -> None:
    cls, data, random = compile_idl(SPECS / "gallery" / f"{name}.idl").File, file_of(name), Random(name)
    assert not has_errors(cls, data)
    for _ in range(20):
        changed = damaged(data, random)
        assert has_errors(cls, changed) == is_refused(cls, changed), changed


@pytest.mark.parametrize("expression", LOST)
def test_expressions_without_a_value(expression: str) -> None:
    for m in sound(expression):
        for data in DATA:
            assert has_errors(m.R, data) == is_refused(m.R, data)


@pytest.mark.parametrize("fields", ["u8 a; u8 b where b < 9;", "u8 a; A b; A c at 0;"])
def test_the_reader_decides(fields: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tree, "errors", lambda self: [])
    m = compile_idl(f"record R {{ B b; }} record B {{ {fields} }} record A {{ u8 x where x < 9; }}")
    (found,) = verify(b"\1\17", m.R)
    assert (found.path, found.offset) == ("b.b" if "A" not in fields else "b.b.x", 1)
