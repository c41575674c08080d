"""What records say of the span around them and of places in it, in both directions, on both backends."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl, extern_codec
from lakecodec.cli.app import run
from lakecodec.runtime.errors import DecodeError, EncodeError

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

s: Any = compile_idl(
    f"""
    codec plain -> bytes = extern "{__name__}:Plain";

    record Whole {{ u8 whole where whole == end; u8 others[..]; }}
    record Spanned {{ u8 before; u8 n; Whole inside size n; u8 after; }}
    record Spans {{ u8 before; u8 n; Whole each[i < n] size i + 1; }}
    record Decoded {{ u8 before; Whole inside size rest via plain; }}
    record Head {{ u8 n; u8 m; }}
    record Placed {{ Head head at 0; Whole inside at head.n size head.m; }}

    record Run {{ u8 first where first == rest; u16 left = rest; bool8 last; u8 body[..]; }}
    record Ends {{ u8 first where not at_end; u8 second where at_end; }}
    record Waits {{ u8 n where n + count(body) <= rest; u8 m; u8 body[m]; bytes tail[..]; }}
    record Fills {{ u8 n; u16 numbers[rest / 2]; }}
    record Bits {{ u8 n; bits<4> numbers[rest * 2]; }}

    record Own {{ u8 x; u8 place where place == offset(place); }}
    record Later {{
      u8 n where n == size(text) and n < offset(mark);
      utf8 text[n];
      u8 numbers[i < n] if i > 0 where size(numbers[i]) < 2;
      u16 mark where mark == size(mark) * 100 + offset(mark);
    }}
    record Raw {{ u8 n where n == raw_size(data); bytes data size rest via plain; }}
    record Holder {{ u8 before; u8 n; Own sized size n; }}
    record Coded {{ u8 before[3]; Own own size rest via plain; }}
    record Paired where low <= high else "not in order" {{ u8 low; u8 high; }}
    record Totalled where size(text) == 3 and offset(mark) == 4 {{ u8 n = count(text); utf8 text[n]; u8 mark; }}
    """,
    name="spans",
    allow_extern=[__name__],
)


@extern_codec
class Plain:
    """A codec that changes nothing."""

    def decode(self, data: bytes) -> bytes:
        return data

    encode = decode


def refused(name: str, data: bytes, path: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        getattr(s, name).from_bytes(data)
    assert (caught.value.path, caught.value.offset) == (path, offset)


def unwritten(value: Any, path: str, rule: str) -> None:
    with pytest.raises(EncodeError) as caught:
        value.to_bytes()
    assert (caught.value.path, caught.value.rule) == (path, rule)


def same(name: str, data: bytes) -> Any:
    """What is read from bytes, and written as the same again."""
    found = getattr(s, name).from_bytes(data)
    assert found.to_bytes() == data
    return found


def test_end_is_the_size_of_the_span() -> None:
    assert same("Whole", b"\3ab").whole == 3
    assert same("Spanned", b"\0\3\3ab\xff").inside.whole == 3
    assert [each.whole for each in same("Spans", b"\0\3\1\2a\3ab").each] == [1, 2, 3]
    assert same("Decoded", b"\0\3ab").inside.whole == 3
    assert same("Placed", b"\2\3\3ab").inside.whole == 3
    refused("Spanned", b"\0\3\5ab\xff", "inside.whole", 2)
    refused("Spans", b"\0\2\1\4a", "each[1].whole", 3)
    refused("Placed", b"\2\3\5ab", "inside.whole", 2)


def test_rest_counts_from_the_field() -> None:
    found = same("Run", b"\5\3\0\1ab")
    assert (found.first, found.left, found.body) == (5, 3, [97, 98])
    assert s.Run(first=4, last=False, body=[9]).to_bytes() == b"\4\2\0\0\x09"
    refused("Run", b"\4\3\0\1ab", "first", 0)
    refused("Run", b"\5\2\0\1ab", "left", 1)
    unwritten(s.Run(first=3, last=False, body=[9]), "first", "first == rest does not hold: 3 is not 4")


def test_at_end_looks_behind_the_field() -> None:
    assert same("Ends", b"\1\2").second == 2
    with pytest.raises(DecodeError) as caught:
        s.Ends.read(b"\1\2\3")
    assert (caught.value.path, caught.value.offset) == ("second", 1)


def test_rest_of_rules_that_wait() -> None:
    """The rule of `n` needs `body`, but counts what follows `n`."""
    assert same("Waits", b"\4\2ab....").n == 4
    refused("Waits", b"\6\2ab....", "n", 0)
    unwritten(
        s.Waits(n=6, m=2, body=[1, 2], tail=b"...."),
        "n",
        "n + count(body) <= rest does not hold (body is [1, 2]: change it or n)",
    )


def test_what_the_span_leaves_as_a_number_of_elements() -> None:
    assert same("Fills", b"\0\1\0\2\0").numbers == [1, 2]
    assert list(same("Bits", b"\0\x21\x43").numbers) == [1, 2, 3, 4]


def test_measures_that_are_not_derived() -> None:
    assert same("Own", b"\0\1").place == 1
    unwritten(s.Own(x=0, place=2), "place", "place == offset(place) does not hold: 2 is not 1")
    refused("Own", b"\0\2", "place", 1)
    later = {"n": 2, "text": "é", "numbers": [None, 7], "mark": 204}
    assert same("Later", s.Later(**later).to_bytes()).numbers == [None, 7]
    unwritten(
        s.Later(**later | {"mark": 205}),
        "mark",
        "mark == size(mark) * 100 + offset(mark) does not hold: 205 is not 204",
    )
    assert same("Raw", b"\2ab").data == b"ab"
    unwritten(
        s.Raw(n=3, data=b"ab"), "n", "n == raw_size(data) does not hold: 3 is not 2 (data is b'ab': change it or n)"
    )


def test_offsets_count_from_the_source() -> None:
    """Within a span they are those of the whole, behind a codec those of the decoded bytes."""
    assert same("Holder", b"\0\2\0\3").sized.place == 3
    unwritten(
        s.Holder(before=0, n=2, sized=s.Own(x=0, place=1)),
        "sized.place",
        "place == offset(place) does not hold: 1 is not 3",
    )
    assert same("Coded", b"...\0\1").own.place == 1


TOTALLED = "size(text) == 3 and offset(mark) == 4 does not hold (text is 'ab', mark is 0: change one of them)"


def test_checks_of_the_whole_hold_in_both_directions() -> None:
    assert same("Paired", b"\1\2").high == 2
    unwritten(s.Paired(low=3, high=2), "", "not in order (low is 3, high is 2: change one of them)")
    assert same("Totalled", b"\3abc\0").text == "abc"
    unwritten(s.Totalled(text="ab", mark=0), "", TOTALLED)


def test_check_tells_what_generate_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.idl"
    path.write_text("record R { u8 x = end; }")
    assert run(["check", str(path)]) == 1
    assert "odd.idl:1:19: 'end' is known only where bytes are read" in capsys.readouterr().err


ENDS = "record C { u8 n; bytes pad[n % 2] if not at_end; } "


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("record R { u8 k = count(c); C c[k]; u8 z; }", lambda m: m.R(c=[m.C(n=1, pad=None)], z=5)),
        ("record R { C c[..]; }", lambda m: m.R(c=[m.C(n=1, pad=None), m.C(n=1, pad=None)])),
        ("record D { u8 a; C c; } record R { D d; u8 z; }", lambda m: m.R(d=m.D(a=1, c=m.C(n=1, pad=None)), z=5)),
        ("record D { C c; u8 z; } record R { D d size 2; }", lambda m: m.R(d=m.D(c=m.C(n=1, pad=None), z=5))),
    ],
)
def test_what_a_reader_would_refuse_is_not_written(text: str, make: Callable[[Any], Any]) -> None:
    """A field that is there unless its span ends cannot be left out where bytes follow."""
    module = compile_idl(ENDS + text)
    with pytest.raises(EncodeError, match="the bytes cannot be read back"):
        make(module).to_bytes()


def test_what_follows_a_field_at_the_end_is_written_where_it_can_be_read() -> None:
    module = compile_idl(ENDS + "record R { u8 k = count(c); C c[k]; u8 z; }")
    assert module.R(c=[module.C(n=1, pad=b"x")], z=5).to_bytes() == b"\1\1x\5"
    # An empty `pad` would be read as None.
    assert (module.C._reads_back, module.R._reads_back) == (True, True)
    with pytest.raises(EncodeError, match="the bytes cannot be read back"):
        module.C(n=2, pad=b"").to_bytes()
    module = compile_idl("record C { u8 n; u8 pad if not at_end; } record R { u8 k = count(c); C c[k]; u8 z; }")
    assert (module.C._reads_back, module.R._reads_back) == (False, True)


def test_a_declared_size_of_a_text_behind_a_codec() -> None:
    codec = 'codec text(utf8 encoding) -> bytes = extern "runtime.codecs:Text";'
    module: Any = compile_idl(f'{codec} record R : size(9) {{ u8 a; utf8 name[..] size 8 via text("utf-16-le"); }}')
    data = b"\1a\0b\0c\0d\0"
    assert module.R.from_bytes(data) == module.R(a=1, name="abcd")
    assert module.R(a=1, name="abcd").to_bytes() == data
    with pytest.raises(EncodeError, match="its encoded size 4 is not its declared size 8"):
        module.R(a=1, name="ab").to_bytes()


def test_records_around_a_record_whose_field_has_a_constant_size() -> None:
    module: Any = compile_idl(
        "record Name : size(5) { bytes name[..] size 4; u8 k; } record Names : size(15) { Name names[2]; Name last; }"
        "record File { Name head with k = adler32(all_but(head.k)) & 0xFF; Names names at 5; }"
    )
    data = b"abcd\x23" + b"efgh\1ijkl\2mnop\3"
    made = module.File(
        head=module.Name(name=b"abcd"),
        names=module.Names(
            names=[module.Name(name=b"efgh", k=1), module.Name(name=b"ijkl", k=2)], last=module.Name(name=b"mnop", k=3)
        ),
    )
    assert made.to_bytes()[5:] == data[5:]
    assert made.to_bytes()[4] == zlib.adler32(made.to_bytes()[:4] + data[5:]) & 0xFF
    assert module.File.from_bytes(made.to_bytes()) == made
    made.names.last.name = b"mno"
    with pytest.raises(EncodeError, match="its encoded size 3 is not its declared size 4"):
        made.to_bytes()
