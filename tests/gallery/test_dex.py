"""A program that smali assembled."""

from __future__ import annotations

import hashlib
import struct
import zlib

import pytest

from lakecodec import DecodeError

from ..paths import TESTS
from .gallery import Gallery

DEX = Gallery("dex", oracle=False)
DATA = (TESTS / "data" / "gallery" / "hello.dex").read_bytes()


def test_programs() -> None:
    found = DEX.round_trip(DATA)
    strings = [each.text.decode() for each in found.strings]
    assert "Hello é€" in strings
    types = [strings[each] for each in found.types]
    (own,) = found.classes
    assert (types[own.type], types[own.super], strings[own.source_file]) == (
        "LHello;",
        "Ljava/lang/Object;",
        "Hello.java",
    )
    assert [types[each] for each in own.interfaces.types] == ["Ljava/lang/Runnable;"]
    run = own.data.virtual_methods[0]
    assert strings[found.methods[run.index].name] == "run"
    assert types[run.code.handlers.lists[0].catches[0].type] == "Ljava/lang/Exception;"
    # return-void, move-exception, return-void.
    assert [run.code.units[-2] & 255, run.code.units[-1]] == [0x0D, 0x0E]


def test_an_edit_changes_the_sums() -> None:
    found = DEX.module.File.from_bytes(DATA)
    found.strings[1].text = b"LIGHTS"
    found.classes[0].data.virtual_methods[0].code.num_registers = 9
    data = DEX.write(found)
    assert struct.unpack_from("<I", data, 8) == (zlib.adler32(data[12:]),)
    assert data[12:32] == hashlib.sha1(data[32:]).digest()
    assert data[32:].replace(b"LIGHTS", b"ANSWER") == DATA[32:604] + b"\x09" + DATA[605:]


def test_bad_bytes() -> None:
    with pytest.raises(DecodeError, match="the checksum is another"):
        DEX.module.File.from_bytes(DATA.replace(b"ANSWER", b"LIGHTS"))
    assert DEX.damage(DATA, rounds=60) > 50
