"""Records with gaps that become shorter: none of their former bytes may be read as something else."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl

from ...oracle.backends import BACKENDS, running


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
@pytest.mark.parametrize("text", [b"", b"Q", b"AB", b"abcd"])
def test_an_entry_before_other_fields(word: str, text: bytes) -> None:
    module = compile_idl(
        f"""record F : {word} {{ Entry e; u8 after; }}
        record Entry : {word} {{ u8 p; u8 n = count(name); bytes name[n]; u16 data at p from source; }}"""
    )
    found = module.F.from_bytes(b"\7\2abz\0\0xy")
    found.e.name = text
    written = found.to_bytes()
    assert written[: len(text) + 3] == bytes([7, len(text)]) + text + b"z"
    assert module.F.from_bytes(written) == found


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_entries_of_a_list(word: str) -> None:
    module = compile_idl(
        f"""record F : {word} {{ u8 k = count(entries); Entry entries[k]; }}
        record Entry : {word} {{ u8 p; u8 n = count(name); bytes name[n]; u8 data at p from source; }}"""
    )
    found = module.F.from_bytes(b"\2\x0a\2ab\x0b\3cdexy")
    found.entries[0].name = b""
    assert found.to_bytes()[:8] == b"\2\x0a\0\x0b\3cde"
    assert module.F.from_bytes(found.to_bytes()) == found
    del found.entries[0]
    assert module.F.from_bytes(found.to_bytes()) == found
