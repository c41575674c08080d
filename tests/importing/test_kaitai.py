"""What an import of .ksy files says: texts, values of what was imported, notes with their lines, and Kaitai's own specs."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lakecodec import DecodeError, IdlError, import_idl
from lakecodec.cli.app import run as lakecodec
from lakecodec.generator.in_memory import compile_bundle
from lakecodec.generator.words import THRIFT_KEYWORDS
from lakecodec.importing import import_files
from lakecodec.importing.ksy_expressions import ExpressionError, parse_expression
from lakecodec.language.formatter import format_idl

from . import kaitai_specs
from .kaitai_peers import Comparison

KSY = """\
meta:
  id: album
  endian: be
  encoding: UTF-8
doc: Pictures.
seq:
  - id: magic
    contents: ALB
  - id: header
    type: header
  - id: pictures
    type: picture
    repeat: expr
    repeat-expr: header.num_pictures
types:
  header:
    seq:
      - id: num_pictures
        type: u2
      - id: len_name
        type: u2le
        doc: Bytes of each name.
  picture:
    seq:
      - id: kind
        type: u1
        enum: kind
        valid:
          in-enum: true
      - id: flag
        type: b1
      - id: level
        type: b7
      - id: name
        type: str
        size: _root.header.len_name
        terminator: 0x20
        pad-right: 0x20
      - id: len_body
        type: u4
      - id: body
        size: len_body
        type:
          switch-on: kind
          cases:
            'kind::dots': dots
            'kind::text': strz
    instances:
      is_large:
        value: len_body > 3 and flag
  dots:
    seq:
      - id: dot
        type: dot
        repeat: eos
  dot:
    seq:
      - id: x
        type: s1
      - id: y
        type: s1
enums:
  kind:
    1: dots
    2:
      id: text
      doc: Words.
    3: other
"""

IDL = r"""// Imported from <text>.

codec filled(i64 room, binary terminator, bool keep, i64 fill) -> bytes = extern "runtime.codecs:Filled";

/** Pictures. */
record Album : big {
  bytes  magic[3] = b"ALB";
  Header header   with num_pictures = count(pictures);
  Picture(header.len_name) pictures[header.num_pictures];
  bytes  unread[..];
}

enum Kind {
  dots = 1;
  /** Words. */
  text = 2;
  other = 3;
}

record Header : big {
  u16   num_pictures;
  /** Bytes of each name. */
  u16le len_name;
}

record Picture(i64 header_len_name) : big {
  u8   kind     via enum(Kind)  where kind == Kind.dots or kind == Kind.text or kind == Kind.other;
  u8 flag_bits {
    flag: 1;
    level: 7;
  }
  utf8 name     size header_len_name via filled(header_len_name, b" ", false, 32);
  u32  len_body = size(body);
  PictureBody(kind) body size len_body;
  let is_large = (len_body > 3) and flag;
}

record Dots : big {
  Dot dot[..];
}

record Dot : big {
  i8 x;
  i8 y;
}

variant PictureBody(Kind kind) on kind : big {
  Kind.dots: dots { Dots value; };
  Kind.text: strz { utf8 value[..] via filled(-1, b"\x00", false, -1); };
  else:      raw  { bytes value[..]; };
}
"""

DATA = (
    b"ALB" b"\0\3" b"\4\0"
    b"\1" b"\x81" b"ab  " b"\0\0\0\4" b"\1\2\3\xff"
    b"\2" b"\x02" b"cde " b"\0\0\0\3" b"hi\0"
    b"\3" b"\x03" b"    " b"\0\0\0\1" b"\7"
)  # fmt: skip


def test_text_and_values() -> None:
    made = import_idl(KSY, kind="ksy")
    assert made.notes == ()
    assert made.root == "Album"
    assert made.idl == format_idl(made.idl)
    album = made.module().Album.from_bytes(DATA)
    first, second, third = album.pictures
    assert [each.name for each in album.pictures] == ["ab", "cde", ""]
    assert (first.kind.name, first.flag, first.level, first.is_large) == ("dots", 1, 1, True)
    assert [(dot.x, dot.y) for dot in first.body.value.dot] == [(1, 2), (3, -1)]
    assert (second.body.value, third.body.value) == ("hi", b"\7")
    assert album.to_bytes() == DATA
    with pytest.raises(DecodeError, match="kind"):
        made.module().Album.from_bytes(DATA.replace(b"\1\x81", b"\4\x81"))


def test_sizes_follow_what_is_written() -> None:
    module = import_idl(KSY, kind="ksy").module()
    album = module.Album.from_bytes(DATA)
    picture = module.Picture(
        kind=module.Kind.text, flag=0, level=3, name="x", body=module.PictureBody.strz(value="longer")
    )
    album.pictures[1] = picture
    again = module.Album.from_bytes(album.to_bytes())
    assert (again.pictures[1].len_body, again.pictures[1].body.value) == (7, "longer")


def test_text() -> None:
    assert import_idl(KSY, kind="ksy").idl == IDL


def test_notes_name_lines() -> None:
    text = """\
meta: {id: noted, endian: le}
seq:
  - id: first
    type: u1
    enum: big
    valid:
      expr: _io.pos > 0
  - {id: odd, type: b3, repeat: until, repeat-until: _ == 0}
  - {id: last, type: u1}
instances:
  strange: {value: 'first.as<str>.strange(1)'}
enums:
  big: {0x1_0000_0000_0000_0000: over, 1: fine}
"""
    made = import_idl(text, kind="ksy")
    assert [(each.line, each.kind) for each in made.notes if each.kind != "valid"] == [
        (8, "field"),
        (11, "instance"),
        (13, "enum"),
    ]
    assert "// odd and what follows it stay bytes" in made.idl
    found = made.module().Noted.from_bytes(b"\1ab\0c")
    assert (int(found.first), found.unread) == (1, b"ab\0c")


def test_elements_at_a_place_follow_each_other() -> None:
    text = """\
meta: {id: placed, endian: le}
seq: [{id: at, type: u1}]
instances:
  parts: {pos: at, size: 2, type: part, repeat: expr, repeat-expr: 2}
  later: {value: 'parts[1].a', if: at < 9}
types:
  part:
    seq: [{id: a, type: u1}, {id: b, type: u1}]
    instances: {later: {value: _root.parts.size}}
"""
    made = import_idl(text, kind="ksy")
    found = made.module().Placed.from_bytes(b"\2_\1\2\3\4")
    assert [(each.value.a, each.value.b) for each in found.parts] == [(1, 2), (3, 4)]
    assert found.later == 3
    assert [each.message for each in made.notes] == ["later is left out: '_root.parts' is not known where it is needed"]


def test_keys_that_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "keys.ksy").write_text("""\
meta: {id: keys, endian: be, -webide-x: 1, endain: le}
seq:
  - {id: a, type: u1, iff: 1 > 2}
  - {id: b, type: u4, size: 2, terminator: 0}
  - {id: c, type: t, size: 1, repat: eos}
  - {id: d, size: 1, repeat: eos, repeat-expr: 2}
instances: {e: {value: a, size: 2}}
types: {t: {sep: []}}
enums: {f: {0: {id: g, dok: h}}}
""")
    (made,) = import_files([tmp_path / "keys.ksy"])
    keys = ["endain", "iff", "size", "terminator", "repat", "repeat-expr", "size", "sep", "dok"]
    assert [each.message.split("'")[1] for each in made.notes] == keys
    assert [each.line for each in made.notes] == [1, 3, 4, 4, 5, 6, 7, 8, 9]
    assert {each.kind for each in made.notes} == {"key"}
    assert str(made.notes[1]).endswith(
        "keys.ksy:3: a field of the type u1 has no key 'iff', which is ignored; did you mean 'if'? (key)"
    )
    found = made.module().Keys.from_bytes(b"\1\0\0\0\2xyz")
    assert (found.a, found.b, [each.value for each in found.d], found.e) == (1, 2, [b"y", b"z"], 1)
    assert lakecodec(["import", str(tmp_path / "keys.ksy"), "-o", str(tmp_path)]) == 1


def test_a_byte_order_that_a_placed_field_tells() -> None:
    text = """\
meta: {id: placed, endian: {switch-on: mark, cases: {1: le, 2: be}}}
seq: [{id: y, type: u2}]
instances: {mark: {pos: 3, type: u1}}
"""
    made = import_idl(text, kind="ksy")
    assert [(each.line, each.kind) for each in made.notes] == [(2, "field")]
    assert "its byte order is not known: 'mark' is read at a place inside of the type" in made.notes[0].message
    assert made.module().Placed.from_bytes(b"ab\0\1").mark == 1


def test_a_codec_that_needs_a_placed_field() -> None:
    text = """\
meta: {id: placed, endian: be}
seq: [{id: y, size: 3, process: xor(k)}]
instances: {k: {pos: 3, type: u1}}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    found = made.module().Placed
    for _ in range(20):  # the first values are read in another way
        value = found.from_bytes(b"abc\1")
        assert (value.y, value.k) == (b"`cb", 1)


def test_elements_that_cannot_be_read_leave_out_what_names_them() -> None:
    text = """\
meta: {id: nibbles}
seq:
  - {id: rows, size: 1, type: row, repeat: eos}
instances:
  first: {value: 'rows[0].n'}
types:
  row: {seq: [{id: n, type: b4, repeat: until, repeat-until: _ == 2}]}
"""
    made = import_idl(text, kind="ksy")
    assert [(each.line, each.kind) for each in made.notes] == [(5, "instance"), (7, "field")]
    assert [each.value.unread for each in made.module().Nibbles.from_bytes(b"ab").rows] == [b"a", b"b"]


def test_types_say_why_they_cannot_be_written() -> None:
    text = """\
meta: {id: outer}
seq:
  - {id: secret, size: 3, process: my_cipher(7)}
  - {id: odd, type: elsewhere}
  - {id: plain, type: plain}
types: {plain: {seq: [{id: n, type: u1}]}}
"""
    made = import_idl(text, kind="ksy")
    assert made.writable["Plain"] is None
    assert made.writable["Outer"] == (
        "secret is decoded by Python's class MyCipher of the module my_cipher, which has to be written; "
        "odd is read by Python's class Elsewhere of the module elsewhere: there is no type elsewhere"
    )


def test_lists_are_values() -> None:
    text = """\
meta: {id: lists, endian: le, encoding: ASCII}
seq:
  - {id: a, type: u1}
  - {id: b, type: u1}
  - {id: taken, type: takes(numbers)}
instances:
  numbers: {value: '[a, 500].as<u2[]>'}
  small: {value: '[1, 2].as<u1[]>'}
  words: {value: '["un", "deux"]'}
  mixed: {value: '[1, 2.5]'}
  both: {value: '[a, b].as<bytes>'}
  most: {value: both.max + numbers.min}
types:
  takes:
    params: [{id: list, type: 'u2[]'}]
    seq: [{id: n, size: list.size}]
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    found = made.module().Lists.from_bytes(b"\3\4xy")
    assert (found.numbers, found.small, found.words, found.mixed) == ([3, 500], [1, 2], ["un", "deux"], [1, 2.5])
    assert (found.both, found.most, found.taken.list_, found.taken.n) == (b"\3\4", 7, [3, 500], b"xy")
    assert found.to_bytes() == b"\3\4xy"


def test_bits_that_are_repeated() -> None:
    text = """\
meta: {id: bits, bit-endian: %s}
seq:
  - {id: n, type: u1}
  - {id: three, type: b3, repeat: expr, repeat-expr: n}
  - {id: mark, type: u1}
  - {id: nibbles, type: b4, enum: e, repeat: eos}
enums: {e: {1: one}}
"""
    data = b"\5" + bytes([0b00101001, 0b11001111]) + b"_\x12"
    big = import_idl(text % "be", kind="ksy").module().Bits.from_bytes(data)
    assert (big.three, [getattr(each, "name", each) for each in big.nibbles]) == ([1, 2, 3, 4, 7], ["one", 2])
    little = import_idl(text % "le", kind="ksy").module().Bits.from_bytes(data)
    assert (little.three, list(map(int, little.nibbles))) == ([1, 5, 4, 7, 4], [2, 1])
    assert (big.to_bytes(), little.to_bytes()) == (data, data)


def test_enums_of_64_bits() -> None:
    text = """\
meta: {id: wide, endian: be}
seq: [{id: a, type: u8, enum: e}, {id: b, type: s8, enum: e}]
enums: {e: {0xffffffffffffffff: most, -9223372036854775808: least}}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    found = made.module().Wide.from_bytes(b"\xff" * 8 + b"\x80" + b"\0" * 7)
    assert (found.a.name, found.b.name) == ("most", "least")


def test_lists_ask_for_the_elements_before() -> None:
    text = """\
meta: {id: before}
seq:
  - {id: sizes, type: u1, repeat: expr, repeat-expr: 2}
  - {id: blocks, type: block(_index), repeat: eos}
types:
  block:
    params: [{id: index, type: u1}]
    seq:
      - {id: data, size: '_root.sizes[index]'}
      - {id: ordinal, size: _parent.blocks.size}
    instances: {of_all: {value: _parent.blocks.size}}
"""
    made = import_idl(text, kind="ksy")
    # Read later, it is the whole list; a parameter cannot be both.
    assert made.notes
    text = text.replace("    instances: {of_all: {value: _parent.blocks.size}}\n", "")
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    data = b"\1\2" + b"a" + b"bcd"
    found = made.module().Before.from_bytes(data)
    assert [(each.data, each.ordinal) for each in found.blocks] == [(b"a", b""), (b"bc", b"d")]
    assert found.to_bytes() == data


@pytest.mark.parametrize(
    "word", [*sorted(THRIFT_KEYWORDS - {"true", "false"}), "end", "if", "let", "record", "until", "where"]
)
def test_words_of_the_idl_are_names(word: str) -> None:
    """Fields have these names behind all kinds of types, in sizes, conditions and values."""
    text = f"""\
meta: {{id: words, endian: le}}
seq:
  - {{id: {word}, type: u1}}
  - {{id: sized, size: '{word}'}}
  - {{id: conditional, type: part, if: '{word} != 0'}}
  - {{id: chosen, type: {{switch-on: '{word}', cases: {{1: part, 2: list_of}}}}}}
instances: {{total: {{value: '{word} + conditional.{word}[0]'}}}}
types:
  part: {{seq: [{{id: {word}, type: u1, repeat: expr, repeat-expr: 2}}]}}
  list_of: {{seq: [{{id: {word}, type: part, repeat: expr, repeat-expr: 1}}]}}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    found = made.module().Words.from_bytes(b"\1a\2\3\4\5")
    assert (found.total, kaitai_specs.member(found.chosen, word)) == (3, [4, 5])


@pytest.mark.parametrize("name", ["max", "min", "first", "last"])
def test_empty_lists_have_no_largest_element(name: str) -> None:
    text = f"""\
meta: {{id: lists}}
seq:
  - {{id: n, type: u1}}
  - {{id: xs, type: u1, repeat: expr, repeat-expr: n}}
  - {{id: bs, size: n}}
instances:
  of_list: {{value: 2 * xs.{name}}}
  of_bytes: {{value: 2 * bs.{name}}}
"""
    module = import_idl(text, kind="ksy").module()
    found = module.Lists.from_bytes(b"\3\1\5\2\4\2\3")
    expected = {"max": (10, 8), "min": (2, 4), "first": (2, 8), "last": (4, 6)}[name]
    assert (found.of_list, found.of_bytes) == expected
    empty = module.Lists.from_bytes(b"\0")
    for field in ("of_list", "of_bytes"):
        with pytest.raises(DecodeError, match=field):
            getattr(empty, field)


def test_placed_types_may_go_on_to_the_end() -> None:
    text = """\
meta: {id: rests, endian: le}
seq: [{id: n, type: u1}, {id: more, type: u1}]
instances:
  placed: {pos: n, size-eos: true, type: inner}
  other: {pos: n + more, size-eos: true, type: inner}
  moved: {pos: '_io.pos + 1', type: u1}
types:
  inner: {seq: [{id: x, type: u1}, {id: all, size-eos: true}]}
"""
    made = import_idl(text, kind="ksy")
    assert [(each.line, each.message) for each in made.notes] == [
        (6, "moved is left out: how many bytes are left is known only where bytes are read")
    ]
    data = b"\2\1abcd"
    found = made.module().Rests.from_bytes(data)
    assert [(each.x, each.all) for each in (found.placed, found.other)] == [(97, b"bcd"), (98, b"cd")]
    assert found.to_bytes() == data


def test_fields_that_need_a_place_get_one() -> None:
    text = """\
meta: {id: placed, endian: le}
seq:
  - {id: kind, type: u1}
  - {id: numbers, type: u1, repeat: expr, repeat-expr: header.count}
instances: {header: {pos: 8, type: header}}
types: {header: {seq: [{id: count, type: u2}]}}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    data = b"\7\1\2\3____\3\0"
    found = made.module().Placed.from_bytes(data)
    assert (found.kind, found.numbers, found.header.count) == (7, [1, 2, 3], 3)
    assert found.to_bytes() == data


def test_the_last_element_of_a_list_may_be_empty() -> None:
    text = """\
meta: {id: empty}
seq:
  - {id: parts, terminator: 0x55, consume: false, repeat: until, repeat-until: _.size == %d}
"""
    made = import_idl(text % 0, kind="ksy").module()
    found = made.Empty.from_bytes(b"\x55")
    assert ([each.value for each in found.parts], found.to_bytes()) == ([b""], b"\x55")
    with pytest.raises(DecodeError, match="takes no bytes"):
        import_idl(text % 1, kind="ksy").module().Empty.from_bytes(b"\x55")


def test_parameters_of_any_type_have_that_of_their_arguments() -> None:
    text = """\
meta: {id: anything}
seq:
  - {id: head, type: head}
  - {id: body, type: body(head)}
types:
  head: {seq: [{id: n, type: u1}]}
  body: {params: [{id: of, type: struct}], seq: [{id: data, size: of.as<head>.n}]}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    assert made.module().Anything.from_bytes(b"\2ab").body.data == b"ab"
    twice = text.replace("types:", "  - {id: other, type: body(body)}\ntypes:")
    assert [each.kind for each in import_idl(twice, kind="ksy").notes] == ["field", "field"]


def test_errors_have_lines() -> None:
    with pytest.raises(IdlError) as caught:
        import_idl("meta: {id: x}\nseq:\n  - id: a\n    size: 1 +\n", kind="ksy")
    assert (caught.value.line, "ends too soon" in caught.value.message) == (4, True)
    with pytest.raises(IdlError, match="not YAML"):
        import_idl("meta: {id: x\nseq: [", kind="ksy")
    with pytest.raises(IdlError, match="at most"):
        import_idl("meta: {id: x}\na: &a [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
            f"b{n}: &b{n} [{', '.join([f'*b{n - 1}' if n else '*a'] * 10)}]\n" for n in range(8)
        ), kind="ksy")  # fmt: skip


def test_files_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.ksy").write_text(
        "meta: {id: a, endian: le, imports: [sub/b]}\n"
        "seq:\n  - {id: n, type: u1, enum: 'b::e'}\n  - {id: x, type: b}\n  - {id: y, type: 'b::inner', size: 3}\n"
    )
    (tmp_path / "sub/b.ksy").write_text(
        "meta: {id: b, imports: [/a]}\nseq: [{id: v, type: u1}]\nenums: {e: {1: one}}\n"
        "types: {inner: {seq: [{id: w, type: u1}]}}\n"
    )
    made = import_files([tmp_path])
    # Files that import each other are one IDL.
    assert [(each.file, each.root) for each in made] == [("a.idl", "A"), ("a.idl", "B")]
    assert made[0].notes == ()
    module = made[0].module()
    found = module.A.from_bytes(b"\1\2\3\4\5")
    assert (found.n.name, found.x.v, found.y.w, found.y.unread) == ("one", 2, 3, b"\4\5")
    assert module.B.from_bytes(b"\7").v == 7


def test_recursion_through_files(tmp_path: Path) -> None:
    (tmp_path / "tree.ksy").write_text(
        "meta: {id: tree, imports: [leaf]}\nseq: [{id: n, type: u1}, {id: leaf, type: leaf(n)}]\n"
    )
    (tmp_path / "leaf.ksy").write_text(
        "meta: {id: leaf, imports: [tree]}\nparams: [{id: kind, type: u1}]\n"
        "seq: [{id: body, type: {switch-on: kind, cases: {1: tree, 2: u1}}}]\n"
    )
    for name in ("tree", "leaf"):
        made = import_idl(tmp_path / f"{name}.ksy")
        assert (made.notes, list(made.files)) == ((), [f"{name}.idl"])
        found = made.module().Tree.from_bytes(b"\1\2\5")
        assert found.leaf.body.value.leaf.body.value == 5
        assert found.to_bytes() == b"\1\2\5"


def test_computed_values_ask_for_the_stream() -> None:
    text = """\
meta: {id: asked, endian: le}
seq:
  - {id: n, type: u1}
  - {id: more, type: u1, if: has_more}
instances:
  has_more: {value: not _io.eof}
  length: {value: _io.size}
  place: {value: _io.pos}
"""
    made = import_idl(text, kind="ksy")
    assert [each.message for each in made.notes] == ["place is left out: '_io.pos' is known only where bytes are read"]
    cls = made.module().Asked
    for data in (b"\1", b"\1\2", b"\1\2\3"):
        found = cls.from_bytes(data)
        assert (found.has_more, found.length) == (len(data) > 1, len(data))
        assert found.to_bytes() == data


def test_places_in_the_stream_of_a_parent() -> None:
    text = """\
meta: {id: names}
seq: [{id: len, type: u1}, {id: table, type: table, size: len}]
types:
  table: {seq: [{id: n, type: u1}, {id: entries, type: entry, repeat: expr, repeat-expr: n}]}
  entry:
    seq: [{id: at, type: u1}]
    instances:
      own: {pos: at, size: 1}
      theirs: {pos: at, size: 1, io: _parent._io}
"""
    made = import_idl(text, kind="ksy")
    assert made.notes == ()
    data = b"\5\2\3\4ab"
    found = made.module().Names.from_bytes(data)
    assert [(each.own, each.theirs) for each in found.table.entries] == [(b"a", b"a"), (b"b", b"b")]
    assert found.to_bytes() == data


@pytest.mark.parametrize(
    "text", ["", "1 +", "a b", "a[", '"x', "f(", "(" * 3000, "a ? b", "x.as<", "'" * 5, "1" * 30000]
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return kaitai_specs.unpacked(tmp_path_factory.mktemp("kaitai"))


def test_some_specs_of_kaitai(specs: list[Path]) -> None:
    some = specs[::10]
    found = kaitai_specs.outcomes(some)
    assert [each for each in found if each.kind == "wrong"] == []
    assert sum(each.kind == "pass" for each in found) >= 0.9 * len(some), found


def test_specs_of_kaitai(specs: list[Path]) -> None:
    found = kaitai_specs.outcomes(specs)
    counts = Counter(each.kind for each in found)
    assert [each for each in found if each.kind == "wrong"] == []
    assert counts["pass"] >= LEAST_PASSING, [each for each in found if each.kind != "pass"]


def test_values_are_those_of_kaitais_compiler(tmp_path: Path) -> None:
    """What Kaitai's compiler made of the format above, beside what its import reads; the first is checked to see all of it."""
    theirs = _Theirs(_io=None, magic=b"ALB", num=3, ratio=1.5, items=[_Theirs(_io=None, a=1), _Theirs(_io=None, a=2)])
    found = Comparison()
    found.compare(_Theirs(magic=b"ALB", num=3, ratio=1.5, items=[_Theirs(a=1), _Theirs(a=2)]), theirs)
    assert (found.same, found.wrong, found.missing) == (5, [], [])
    found.compare(_Theirs(magic=b"ALC", num=3, items=[_Theirs(a=1)]), theirs)
    assert (found.missing, len(found.wrong)) == ([".ratio"], 2)


class _Theirs:
    def __init__(self, **values: object) -> None:
        vars(self).update(values)


@pytest.mark.skipif("KAITAI_STRUCT_FORMATS" not in os.environ, reason="KAITAI_STRUCT_FORMATS names no checkout")
def test_gallery_of_kaitai() -> None:
    folder = Path(os.environ["KAITAI_STRUCT_FORMATS"])
    outcomes: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.ksy")):
        made = import_idl(path)
        compile_bundle(made.bundle(), allow_extern=None)
        kinds = {each.kind for each in made.notes if each.file == str(path)}
        outcomes["bytes" if kinds & {"field", "import"} else "noted" if kinds else "all"] += 1
    assert outcomes["all"] >= LEAST_SAID, outcomes


#: Of the 186 files of kaitai_struct_formats c6ea87c.
LEAST_SAID = 139
#: Of the 320 specs of kaitai_struct_tests 59afee0.
LEAST_PASSING = 298
