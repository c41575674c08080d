"""Records with gaps that become shorter: none of their former bytes may be read as something else."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

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


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_entries_behind_codecs(word: str) -> None:
    module = compile_idl(
        f"""codec deflate -> bytes = extern "runtime.compress:Deflate";
        record F {{ u8 s = size(e); Entry e size s via deflate; }}
        record Entry : {word} {{ u8 n = count(name); bytes name[n]; u8 k = count(s); S s[k]; }}
        record S {{ u8 p; u8 data at p from source; }}"""
    )
    found = module.F(e=module.Entry(name=b"abcd", s=[]))
    found = module.F.from_bytes(found.to_bytes())
    found.e.name = b"a"
    assert module.F.from_bytes(found.to_bytes()) == found


OPEN = "record {} : {} {{ u8 k; {}; u8 x at k if k != 0; }}"


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
@pytest.mark.parametrize(
    "field", ["u8 e[..]", "bytes e[..]", "utf8 e[..] size end - 1", "u8 e[end - 1]", "E e", "u8 e[rest]"]
)
@pytest.mark.parametrize("inner", [False, True])
def test_what_takes_all_bytes(word: str, field: str, inner: bool) -> None:
    """Bytes that are kept would be read as elements that were removed."""
    name = "G" if inner else "F"
    around = "record F { u8 n = size(g); G g size n; }" if inner else ""
    module = compile_idl(f"{around} {OPEN.format(name, word, field)} record E {{ u8 v[..]; }}")
    data = b"\4\0abc" if inner else b"\0abc"
    found = module.F.from_bytes(data)
    assert found.to_bytes() == data
    holder = found.g if inner else found
    if field == "E e":
        holder.e.v.pop()
    else:
        holder.e = holder.e[:-1]
    with pytest.raises(EncodeError, match=r"e.*: the bytes cannot be read back"):
        found.to_bytes()


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_what_is_there_by_the_end(word: str) -> None:
    module = compile_idl(f"record F : {word} {{ G g at 0; }} record G {{ u8 k; u8 z if not at_end; }}")
    found = module.F.from_bytes(b"\2\1")
    found.g.z = None
    with pytest.raises(EncodeError, match=r"g\.z: the bytes cannot be read back"):
        found.to_bytes()


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_a_record_of_a_codec(word: str) -> None:
    module = compile_idl(
        f"""codec deflate -> bytes = extern "runtime.compress:Deflate";
        record F {{ u8 s = size(e); E e size s via deflate; }}
        record E : {word} {{ u8 n = count(name); bytes name[n]; u8 k = count(os); O os[k]; }}
        record O {{ u8 p; u8 x at p from source; }}"""
    )
    found = module.F.from_bytes(module.F(e=module.E(name=b"abcd", os=[])).to_bytes())
    found.e.name = b"a"
    written = found.to_bytes()
    assert module.F.from_bytes(written) == found
