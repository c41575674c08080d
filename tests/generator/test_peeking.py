"""Bytes that are still to be read decide how a field is read; trailers that decide about what stands before them."""

from __future__ import annotations

from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError, compile_idl

from ..oracle.backends import BACKENDS, running

IDL = """
record Lines { Line lines[until last(lines) is END]; bytes more[..]; }
variant Line on peek(2) {
  b"AB": PAIR { bytes name[2] = "AB"; u8 x; };
  b"CD": END  { bytes name[2] = "CD"; };
  else:  RAW  { u8 y; };
}
record Counted { u8 xs[peek(1)[0]]; bytes mark[2] if peek(2) == b"ok"; u8 others[..]; }
record Sized { Held held size peek(1)[0]; u8 behind; }
record Held { u8 own_size; u8 xs[..]; }
record Inside { u8 n; Part part size n; bytes behind[..]; }
record Part { u8 a; u8 b if peek(1) == b"\\x07"; }
record Rows { u8 n; u8 xs[i < n] if peek(1)[0] != 9; }
record Segment { Body(trailer.version) body at 0 size end - 5; Trailer trailer with num = count(body.xs) at end - 5; }
record Trailer : size(5) { u8 num; u8 version default 1; bytes magic[3] = "END"; }
record Body(u8 version) { u8 first; u16 wide if version > 1; u8 xs[..]; }
record Holder { u8 stored = size(segment); Segment segment size stored; u8 behind; }
"""


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL, name="peeking")


@pytest.mark.parametrize("backend", BACKENDS)
def test_variants(module: Any, backend: str) -> None:
    data = b"AB\1xABy\3CDzz"
    with running(backend):
        found = module.Lines.from_bytes(data)
        assert [each.kind for each in found.lines] == ["PAIR", "RAW", "PAIR", "RAW", "END"]
        assert (found.lines[1].tag, found.more) == (b"xA", b"zz")
        assert found.to_bytes() == data
        with pytest.raises(DecodeError):
            module.Lines.from_bytes(b"AB\1")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "data", "fields"),
    [
        ("Counted", b"\3\1\2okz", {"xs": [3, 1, 2], "mark": b"ok", "others": [122]}),
        ("Counted", b"\1o", {"xs": [1], "mark": None, "others": [111]}),
        ("Counted", b"\1", {"xs": [1], "mark": None, "others": []}),
        ("Sized", b"\3\1\2\7", {"behind": 7}),
        ("Inside", b"\2\1\7\7", {"behind": b"\7"}),
        ("Inside", b"\1\1\7", {"behind": b"\7"}),
        ("Rows", b"\2\1\2", {"xs": [1, 2]}),
    ],
)
def test_fields(module: Any, backend: str, name: str, data: bytes, fields: dict[str, Any]) -> None:
    with running(backend):
        found = getattr(module, name).from_bytes(data)
        assert {each: getattr(found, each) for each in fields} == fields
        assert found.to_bytes() == data


@pytest.mark.parametrize("backend", BACKENDS)
def test_at_the_end_of_a_span_fewer_bytes_are_seen(module: Any, backend: str) -> None:
    with running(backend):
        assert module.Inside.from_bytes(b"\1\1\7").part.b is None
        with pytest.raises(DecodeError, match="xs"):
            module.Counted.from_bytes(b"")
        with pytest.raises(DecodeError, match="held"):
            module.Sized.from_bytes(b"\4\1")


@pytest.mark.parametrize("backend", BACKENDS)
def test_edits_that_the_bytes_behind_contradict(module: Any, backend: str) -> None:
    with running(backend):
        lines = module.Lines.from_bytes(b"xCD")
        lines.lines[0].y = ord("A")
        lines.lines.insert(1, module.Line.RAW(y=ord("B"), tag=b"BC"))
        with pytest.raises(EncodeError, match="cannot be read back") as caught:
            lines.to_bytes()
        assert caught.value.path.startswith("lines")
        counted = module.Counted.from_bytes(b"\1z")
        counted.xs = [2]
        with pytest.raises(EncodeError, match="cannot be read back"):
            counted.to_bytes()
        counted.xs, counted.mark = [1], b"no"
        with pytest.raises(EncodeError, match=r"mark: the bytes cannot be read back"):
            counted.to_bytes()
        counted.mark, counted.others = None, [111, 107]
        with pytest.raises(EncodeError, match=r"mark: the bytes cannot be read back"):
            counted.to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_trailers(module: Any, backend: str) -> None:
    data = b"\1\2\3\7\x08\2\2END"
    with running(backend):
        found = module.Segment.from_bytes(data)
        assert (found.body.wide, found.body.xs, found.trailer.num) == (770, [7, 8], 2)
        assert found.to_bytes() == data
        found.body.xs.append(9)
        assert found.to_bytes() == b"\1\2\3\7\x08\x09\3\2END"
        found.trailer.version = 1
        with pytest.raises(EncodeError, match=r"body.wide"):
            found.to_bytes()
        made = module.Segment(body=module.Body(first=1, xs=[5]), trailer=module.Trailer())
        assert made.to_bytes() == b"\1\5\1\1END"
        held = module.Holder.from_bytes(b"\x0a" + data + b"\5")
        assert held.segment.body.wide == 770
        assert held.to_bytes() == b"\x0a" + data + b"\5"


@pytest.mark.parametrize("name", ["Lines", "Counted", "Sized", "Inside", "Rows", "Segment", "Holder"])
def test_samples_and_trees(module: Any, name: str) -> None:
    cls = getattr(module, name)
    for each in lakecodec.samples(cls, 8):
        assert cls.from_bytes(each.to_bytes()) == each
        assert not lakecodec.explore(each.to_bytes(), cls).errors()


def test_what_peeks_is_not_streamed() -> None:
    module = compile_idl("record R { u8 a if peek(1)[0] > 3; u8 b; }")
    with pytest.raises(ValueError, match=r"R\.a needs `peek`: the bytes after it"):
        module.R.feeder()


def test_breaking(tmp_path: Any) -> None:
    for name, least in (("old", 9), ("new", 20)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.idl").write_text(f"record R {{ u8 a if peek(1)[0] > {least}; bytes b[..]; }}")
    changes = lakecodec.breaking(str(tmp_path / "old"), str(tmp_path / "new"))
    assert {(each.where, each.breaks) for each in changes} == {("R.a", "meaning")}
    assert all(each.witness for each in changes)


MARKS = r"""
record R {
  Part part size ahead(b"|");
  bytes end_[1] = b"|";
  utf8 text[ahead("\0\0") < 0 ? rest : ahead("\0\0")];
  bytes behind[..];
}
record Part { bytes value[..]; }
"""


def test_marks_ahead_end_a_field() -> None:
    module = compile_idl(MARKS)
    for backend in BACKENDS:
        with running(backend):
            found = module.R.from_bytes(b"ab|c\0\0d\0\0e")
            assert (found.part.value, found.text, found.behind) == (b"ab", "c\0\0d", b"\0\0e")
            assert found.to_bytes() == b"ab|c\0\0d\0\0e"
            assert module.R.from_bytes(b"|xyz").text == "xyz"
            with pytest.raises(DecodeError):
                module.R.from_bytes(b"ab")
            with pytest.raises(EncodeError):
                module.R(part=module.Part(value=b"a|b"), text="", behind=b"").to_bytes()
