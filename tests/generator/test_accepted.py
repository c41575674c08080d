"""Declarations that once were accepted and then failed, or wrote wrong bytes: refused with a remedy, or working."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, IdlError, compile_idl

#: (name, declaration, the text under the caret, a part of the message that says what to do)
REFUSED = [
    (
        "pad_before_others",
        "record R { u8 n; bytes pad[n % 2] if not at_end; u8 b; }",
        "not at_end",
        "let another field tell",
    ),
    (
        "pad_derived",
        "record R { u8 n; bytes pad[n % 2] = 0 if not at_end; u8 b[..]; }",
        "at_end",
        "only where bytes are read",
    ),
    (
        "parameter_of_elements",
        "record R { u8 cookie = sum(items.wide) > 0 ? 1 : 2; u8 n = count(items); Item(cookie == 1) items[n]; }\n"
        "record Item(bool wide) { u8 v; }",
        "items.wide",
        "'wide' is a parameter of 'Item': pass the value that the elements get",
    ),
    ("single_sign", "record R { u8 flags; u16 x if flags = 1; }", "1", "a comparison is written with ==: `if x == 1`"),
    ("takes_all", "record R { bytes body[..]; u32 crc; }", "body", "give it a length or a `size`"),
    (
        "constant_too_short",
        'record R { bytes magic[4] = "PNG"; }',
        '"PNG"',
        "'magic' has 4 bytes, its constant 3 bytes",
    ),
    ("constant_as_text", r'record R { bytes magic[4] = "\x89PNG"; }', r'"\x89PNG"', 'bytes have a b in front: b"..."'),
    ("count_and_more", "record R { u8 n = count(xs) + 1; u16 xs[n]; }", "count(xs) + 1", "'xs' can never be written"),
    ("endless_record", "record R { R next; }", "R", "use an `if` or a list"),
    ("endless_function", "fn f(i32 n) -> i32 = f(n + 1);\nrecord R { u8 n = f(1); }", "f", "condition"),
    ("uint32", "record R { uint32 n; }", "uint32", "did you mean 'u32'?"),
    ("string", "record R { string s; }", "string", "a text is `utf8`, with a length or an end"),
    ("u32_be", "record R { u32_be n; }", "u32_be", "record R : big { ... }"),
    ("dimension_in_front", "record R { u8[4] x; }", "[", "u8 x[4]"),
    ("list", "record R { list<u8> y; }", "list", "u8 x[n]"),
    ("no_semicolon", "record R {\n  u8 a\n  u8 b;\n}", "a", "expected ';'"),
]


@pytest.mark.parametrize(("idl", "marked", "remedy"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused_at_its_place_with_a_remedy(idl: str, marked: str, remedy: str) -> None:
    with pytest.raises(IdlError) as caught:
        compile_idl(idl)
    found = caught.value.diagnostics[0]
    assert remedy in found.message
    start = found.location.column - 1
    assert found.source_line[start : start + found.location.length] == marked
    assert found.source_line == idl.splitlines()[found.location.line - 1]


class Bytes:
    """A source, as `open` takes it."""

    def __init__(self, data: bytes) -> None:
        self.data, self.size = data, len(data)

    def read(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]


def grown_before_untouched(m: Any) -> None:
    data = b"AAABBBBBB" + bytes([0, 0, 0, 0, 3, 0, 0, 0])
    expected = b"AAAAAABBBBBB" + bytes([0, 0, 0, 0, 6, 0, 0, 0])
    for touch_all in (False, True):
        file = m.File.open(Bytes(data))
        file.a.v = b"AAAAAA"
        if touch_all:
            assert file.b.v == b"BBBBBB"
        assert file.to_bytes() == expected
        assert file.to_bytes(start=4)[:12] == expected[:12]
        assert (file.footer.a_at, file.footer.b_at) == (0, 3)


def open_in_one_branch(m: Any) -> None:
    with pytest.raises(
        EncodeError, match=r"items\[0\]: its encoded size 3 is not its declared size 1 \(sizes\[0\] is 1: change it"
    ):
        m.R(sizes=[1, 0], items=[m.Blob(v=b"abc"), m.Blob(v=b"z")]).to_bytes()
    assert m.R(sizes=[3, 0], items=[m.Blob(v=b"abc"), m.Blob(v=b"z")]).to_bytes() == b"\2\3\0abcz"


def blobs_by_a_table(m: Any) -> None:
    data = b"\1\3\2ab"
    assert m.R.from_bytes(data).blobs[0].v == b"ab"
    assert m.R(starts=[None], lengths=[2], blobs=[m.Blob(v=b"ab")]).to_bytes() == data


def placed_in_placed(m: Any) -> None:
    data = b"\2\xff\1\5"
    assert m.Root.from_bytes(data).inner.x == 5
    assert m.Root.from_bytes(data).to_bytes() == data


def parameter_as_given(m: Any) -> None:
    made = m.R(items=[m.Item(v=1), m.Item(v=2)]).to_bytes()
    assert made == b"\1\2\1\2"
    assert m.R.from_bytes(made).to_bytes() == made


def deep_calls(m: Any) -> None:
    assert m.R.from_bytes(b"\3\0" + bytes(3)).xs == [0, 0, 0]
    with pytest.raises(DecodeError, match=r"xs: .* calls of functions are nested too deep"):
        m.R.from_bytes(b"\xd0\7" + bytes(2000))
    with pytest.raises(EncodeError, match=r"xs: .* calls of functions are nested too deep"):
        m.R(xs=[0] * 2000).to_bytes()


def trees(m: Any) -> None:
    data = b"\2\1\0\0"
    assert len(m.Tree.from_bytes(data).kids[0].kids) == 1
    assert m.Tree.from_bytes(data).to_bytes() == data


def functions_of_trees(m: Any) -> None:
    assert m.R.from_bytes(b"\2\1\0\0\4\2").size == 4
    with pytest.raises(DecodeError, match=r"size must be size_of\(root\)"):
        m.R.from_bytes(b"\2\1\0\0\5\2")


def deep_places(m: Any) -> None:
    assert m.R.from_bytes(b"\2\0\7").x == 7
    with pytest.raises(DecodeError, match="x: its place cannot be computed: calls of functions are nested too deep"):
        m.R.from_bytes(b"\xff\xff\7").to_dict()


def condition_on_placed(m: Any) -> None:
    assert m.R.from_bytes(b"\3\1\xff\7").v.a == 7
    assert m.R.from_bytes(b"\3\0").v is None


def earlier_elements(m: Any) -> None:
    assert m.R.from_bytes(b"\2\1\2").xs == [1, 2]
    with pytest.raises(DecodeError, match=r"xs\[1\]"):
        m.R.from_bytes(b"\2\2\1")


BLOB = "\nrecord Blob { bytes v[..]; }"
WORKS: list[tuple[Callable[[Any], None], str]] = [
    (
        grown_before_untouched,
        "record Footer : little, size(8) { u32 a_at; u32 b_at; }\nrecord File {\n"
        "  Blob a at footer.a_at size footer.b_at - footer.a_at;\n"
        "  Blob b at footer.b_at size end - 8 - footer.b_at;\n  Footer footer at end - 8;\n}" + BLOB,
    ),
    (
        open_in_one_branch,
        "record R { u8 n = count(items); u8 sizes[n]; Blob items[i < n] size i + 1 < n ? sizes[i] : rest; }" + BLOB,
    ),
    (
        blobs_by_a_table,
        "record R { u8 n = count(blobs); u8 starts[n]; u8 lengths[n];\n"
        "  Blob blobs[i < n] at starts[i] size lengths[i]; }" + BLOB,
    ),
    (
        placed_in_placed,
        "record Root : gaps { u8 start; Inner inner at start; }\nrecord Inner { u8 where_; u8 x at where_; }",
    ),
    (
        parameter_as_given,
        "record R { u8 cookie = n > 1 ? 1 : 2; u8 n = count(items); Item(cookie == 1) items[n]; }\n"
        "record Item(bool wide) { u8 v; }",
    ),
    (trees, "record Tree { u8 n = count(kids); Tree kids[n]; Tree none[0]; }"),
    (
        functions_of_trees,
        "record Node { u8 n; Node kids[n]; }\n"
        "fn size_of(Node node) -> i64 = 1 + sum(kid in node.kids : size_of(kid));\n"
        "fn left(Node node) -> i64 = count(node.kids) == 0 ? 0 : 1 + left(node.kids[0]);\n"
        "record R { Node root; u8 size = size_of(root); u8 left = left(root); }",
    ),
    (
        deep_calls,
        "record R { u16 n = count(xs); u8 xs[n] where f(xs, 0) == 0; }\n"
        "fn f(list<i32> xs, i32 i) -> i32 = i == count(xs) ? 0 : f(xs, i + 1);",
    ),
    (
        deep_places,
        "record R : gaps { u16 n; u8 x at f(n, 0); }\nfn f(i32 n, i32 i) -> i32 = i == n ? i : f(n, i + 1);",
    ),
    (condition_on_placed, "record R : gaps { u8 start; u8 flag; V v at start if flag == 1; }\nrecord V { u8 a; }"),
    (earlier_elements, "record R { u8 n = count(xs); u8 xs[i < n] where i == 0 or xs[i] > xs[i - 1]; }"),
]


@pytest.mark.parametrize(("check", "idl"), WORKS, ids=[row[0].__name__ for row in WORKS])
def test_works(check: Callable[[Any], None], idl: str) -> None:
    check(compile_idl(idl))


def test_a_file_whose_name_begins_with_a_digit(tmp_path: Path) -> None:
    path = tmp_path / "2nd.idl"
    path.write_text("record R { u8 n; }")
    module: Any = compile_idl(path)
    assert module.__name__.endswith("idl_2nd")
    assert module.R.from_bytes(b"\1").n == 1


@pytest.mark.parametrize("value", [None, "text", 1.5])
def test_wrong_values_of_encodings_are_named(value: object) -> None:
    module: Any = compile_idl("record R { u8 n; }")
    with pytest.raises(EncodeError, match="n: "):
        module.R(n=value).to_bytes()
