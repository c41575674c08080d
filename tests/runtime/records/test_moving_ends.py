"""Fields that count from the end of a record with gaps, or from new ones, and what is put there."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...edits import Source

pytestmark = pytest.mark.usefixtures("each_backend")

WORDS = ["gaps", "overlaps"]
FOOTER = """
record File : WORD { u8 p[3]; X xs[i < 3] at p[i] if p[i] != 0; Footer footer with count = p[2] == 0 ? 2 : 3 at end - 2; }
record X { u8 n = count(v); bytes v[n]; }
record Footer : size(2) { u8 count; u8 mark = 9; }
"""
DATA = bytes.fromhex("030500 0161 026263 0209")


def read_as(cls: Any, data: bytes, is_opened: bool) -> Any:
    return cls.open(Source(data)) if is_opened else cls.from_bytes(data)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("is_opened", [False, True])
@pytest.mark.parametrize("value", [b"123", b"longer"])
def test_a_footer_moves_behind_what_grows(word: str, is_opened: bool, value: bytes) -> None:
    m: Any = compile_idl(FOOTER.replace("WORD", word))
    file = read_as(m.File, DATA, is_opened)
    file.xs[1].v = value
    assert file.to_bytes() == DATA[:5] + bytes([len(value)]) + value + b"\2\t"
    assert m.File.from_bytes(file.to_bytes()) == file


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("is_opened", [False, True])
@pytest.mark.parametrize("place", [None, 8, 9, 10, 12, 20])
def test_a_footer_moves_behind_new_elements(word: str, is_opened: bool, place: int | None) -> None:
    m: Any = compile_idl(FOOTER.replace("WORD", word))
    file = read_as(m.File, DATA, is_opened)
    file.p[2], file.xs[2] = place, m.X(v=b"zz")
    data = file.to_bytes()
    assert data[data[2] :] == b"\2zz\3\t"
    assert data[2] == place or (place is None and data[2] == (8 if word == "gaps" else 10))
    assert data[3:8] == DATA[3:8]
    assert m.File.from_bytes(data).xs == file.xs
    assert file.to_bytes() == data


@pytest.mark.parametrize("word", WORDS)
def test_an_index_and_a_footer_move_together(word: str) -> None:
    m: Any = compile_idl(
        f"""record File : {word} {{
            u8 p; bytes body[..] at p size footer.body; bytes index[..] at end - 3 - footer.index size footer.index;
            Footer footer with body = size(body), index = size(index) at end - 3; }}
        record Footer : size(3) {{ u8 body; u8 index; u8 mark = 9; }}"""
    )
    data = bytes.fromhex("02ff 6162 eeee 616263 020309")
    file = m.File.from_bytes(data)
    assert file.to_bytes() == data
    file.index = b"abcd"
    assert m.File.from_bytes(file.to_bytes()) == file
    file = m.File.from_bytes(data)
    file.body = b"12345678"
    assert file.to_bytes() == bytes.fromhex("02ff") + b"12345678abc\x08\3\t"
    file.p = None
    assert m.File.from_bytes(file.to_bytes()) == file
    file.p = 1
    with pytest.raises(EncodeError):
        m.File(p=0, body=b"ab", index=b"", footer=m.Footer()).to_bytes()


def test_fields_that_share_bytes_with_the_end_do_not_move_it() -> None:
    m: Any = compile_idl(
        "record File : overlaps { u8 n; bytes all[n] at 0; bytes footer[2] at end - 2; u8 last at 3; }"
    )
    data = bytes.fromhex("04010203")
    file = m.File.from_bytes(data)
    assert file.to_bytes() == data
    file.footer, file.last, file.all = b"\5\6", 6, b"\4\1\5\6"
    assert file.to_bytes() == b"\4\1\5\6"


TAGS = """
record File : WORD { u8 n = count(tags); Tag tags[i < n] with n = size(es[i]); bytes es[i < n][tags[i].n] at tags[i].p; REST }
record Tag { u8 p; u8 n; }
fn finish(list<Tag> tags) -> i64 = max(t in tags : t.p + t.n);
"""


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("rest", ["bytes tail[..] at finish(tags);", "bytes tail[1] at finish(tags);"])
def test_fields_behind_all_elements_follow_new_ones(word: str, rest: str) -> None:
    m: Any = compile_idl(TAGS.replace("WORD", word).replace("REST", rest))
    new = m.File(tags=[m.Tag(p=None), m.Tag(p=None)], es=[b"abc", b"de"], tail=b"t").to_bytes()
    assert new[5:] == b"abcdet"
    file = m.File.from_bytes(new)
    assert file.to_bytes() == new
    file.tags[1].p, file.es[1] = None, b"longer"
    data = file.to_bytes()
    assert data[-7:] == b"longert" == data[data[3] :]
    assert m.File.from_bytes(data).es == [b"abc", b"longer"]


@pytest.mark.parametrize("is_opened", [False, True])
def test_a_footer_that_was_read_from_bytes_of_others_stays(is_opened: bool) -> None:
    data = bytes.fromhex("030500 0161 020209")
    m: Any = compile_idl(FOOTER.replace("WORD", "gaps"))
    file = read_as(m.File, data, is_opened)
    assert file.xs[1].v == b"\2\t"
    with pytest.raises(EncodeError, match="begin before the end of"):
        file.to_bytes()
    assert read_as(compile_idl(FOOTER.replace("WORD", "overlaps")).File, data, is_opened).to_bytes() == data
    sequential: Any = compile_idl("record File : gaps { u8 n = count(x); u8 x[n]; u8 t[2] at end - 2; }").File
    with pytest.raises(EncodeError, match="begin before the end of"):
        read_as(sequential, b"\2\5\6", is_opened).to_bytes()
