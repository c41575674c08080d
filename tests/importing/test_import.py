"""What an import says: texts, notes with their lines, errors with theirs, and where imported files are found."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lakecodec import IdlError, cli, compile_idl, import_idl
from lakecodec.generator.resolve.scope import BASE_TYPES, MESSAGE_TYPES
from lakecodec.importing import import_files
from lakecodec.language.formatter import format_idl
from tests.bounds import cpu_seconds

from ..paths import ROOT

PROTO = """\
// Of a test.
syntax = "proto2";
package a.b;

// What M is.
message M { // More of it.
  optional int32 x = 1 [default = -5, deprecated = true]; // Behind.
  /* Of two
   * lines. */
  repeated float floats = 2;
  required string list = 4 [default = "a\\"\\n\\xc3\\xa9"];
  optional bytes b = 5 [default = "\\xff\\0a"];
  optional E e = 6 [default = B];
  optional double d = 7 [default = -inf];
  reserved 8, 9 to 11;
  reserved "old";
  extensions 100 to max;
  oneof choice { string s = 13; N n = 14; group H = 16 {} }
  optional group G = 15 { optional int32 q = 1; }
  message N { optional M m = 1; optional Missing lost = 2; }
  enum list { Z = 0; }
}
enum E { option allow_alias = true; A = 0; B = 2; C = 2; optional = 7; }
extend M { optional int32 ext = 100; }
service S { rpc F(M) returns (stream M) { option (x) = { a: 1 b { c: [1, 2] } get: "/v1" }; } }
message string { extensions 4; option message_set_wire_format = true; }
"""

IDL = r"""// Of a test.

// Imported from <text>, proto2.

namespace * a.b

/**
 * What M is.
 *
 * More of it.
 */
message M {
  /** Behind. */
  1: optional int32 x = -5;
  /**
   * Of two
   * lines.
   */
  2: list<float> floats (packed = "false");
  4: required string list = "a\"\né";
  5: optional bytes b = b"\xff\x00a";
  6: optional E e = E.B;
  7: optional double d;
  // reserved 8, 9 to 11
  // reserved old
  // extensions 100 to max
  M_choice choice;
  15: optional M_G g (group = "true");
  // The extension a.b.ext.
  100: optional int32 ext;
}

message M_H {
}

oneof M_choice {
  13: string s;
  14: M_N n;
  16: M_H h (group = "true");
}

message M_G {
  1: optional int32 q;
}

message M_N {
  1: optional M m;
  // lost, field 2, stays in unknown_fields: its type Missing is not found
}

enum M_list {
  Z = 0;
}

enum E {
  A = 0;
  B = 2;
  C = 2;
  optional_ = 7;
}

// the service S is left out: the IDL has no services of messages
message string_ {
  1: list<string__Item> items (group = "true");
  // extensions 4
}

/** An item of a message set: the number of an extension, and the bytes of its message. */
message string__Item {
  2: optional uint32 type_id;
  3: optional bytes message;
}
"""


def test_defaults_of_texts_are_utf8() -> None:
    text = 'syntax = "proto2"; message A { optional %s a = 1 [default = "d\\xe9"]; }'
    made = import_idl(text % "string", kind="proto")
    assert [each.message for each in made.notes] == ["the default b'd\\xe9' of a is left out: it is not UTF-8"]
    assert 'b"d\\xe9"' in import_idl(text % "bytes", kind="proto").idl
    assert '= "dé"' in import_idl(text.replace("\\xe9", "\\303\\251") % "string", kind="proto").idl


def test_text_and_notes() -> None:
    made = import_idl(PROTO, kind="proto")
    assert made.idl == IDL
    assert format_idl(made.idl) == made.idl
    assert [(each.line, each.kind) for each in made.notes] == [
        (14, "default"), (20, "import"), (23, "renamed"), (25, "service"), (26, "renamed"),
    ]  # fmt: skip
    assert made.writable == {
        "M": None,
        "M_G": None,
        "M_H": None,
        "M_N": "the type of lost is not found",
        "string_": None,
        "string__Item": None,
    }
    assert made.root == "M"
    module = made.module()
    value = module.M(list="", choice=module.M_choice.s("k"), e=module.E.B)
    assert module.M.from_bytes(value.to_bytes()) == value


def test_what_is_left_out_stays_in_the_bytes() -> None:
    module = import_idl(PROTO, kind="proto").module()
    data = b"\x22\x00" + b"\xa0\x06\x07"  # list = "", ext = 7
    assert module.M.from_bytes(data).to_bytes() == data


def test_the_root_is_the_message_that_no_other_one_holds() -> None:
    text = 'syntax = "proto3"; message Part { Part more = 1; } message Whole { repeated Part parts = 1; Whole w = 2; }'
    assert import_idl(text, kind="proto").root == "Whole"
    assert import_idl('syntax = "proto3"; enum E { A = 0; }', kind="proto").root is None


def test_every_word_of_the_idl_can_be_a_name() -> None:
    grammar = (ROOT / "lakecodec/generator/grammar.lark").read_text()
    words = {
        *re.findall(r"^_?[A-Z_]+\.2: /([a-z_]+)\(", grammar, re.MULTILINE),
        *BASE_TYPES,
        *MESSAGE_TYPES,
        "true",
        "false",
    }
    assert {"message", "where", "struct", "optional", "bytes"} <= words
    lines = ['syntax = "proto2"; package p;']
    for number, word in enumerate(sorted(words), 1):
        lines.append(f"message {word} {{ optional int32 {word} = 1; oneof o {{ int32 x = 2; string {word}_ = 3; }} }}")
        lines.append(f"message H{number} {{ optional .p.{word} {word} = 1; enum N {{ V{number} = 0; {word} = 1; }} }}")
    made = import_idl("\n".join(lines), kind="proto")
    module = made.module()
    for number, word in enumerate(sorted(words), 1):
        holder = getattr(module, f"H{number}").from_bytes(b"\x0a\x02\x08\x07")
        (value,) = [getattr(holder, field.attr) for field in holder.__spec__.fields]
        assert value.to_bytes() == b"\x08\x07", word
    assert {each.kind for each in made.notes} == {"renamed"}


def test_names_go_on_in_the_next_line() -> None:
    text = """\
syntax = "proto3";
package a.b;
message M {
  optional .a.b
      .Inner first = 1;
  repeated a.
      b.Inner second = 2;
  .a.b.Inner third = 3;
}
message Inner { int32 n = 1; }
"""
    made = import_idl(text, kind="proto")
    assert made.notes == ()
    module = made.module()
    found = module.M.from_bytes(b"\x0a\2\x08\1\x12\2\x08\2\x1a\2\x08\3")
    assert (found.first.n, [each.n for each in found.second], found.third.n) == (1, [2], 3)


def test_features_of_editions() -> None:
    made = import_idl(
        """edition = "2023"; option features.field_presence = IMPLICIT;
        message A { int32 x = 1; B b = 2 [features.message_encoding = DELIMITED]; repeated int32 n = 3; }
        message B {
          option features = { repeated_field_encoding: EXPANDED };
          int32 y = 1 [features.field_presence = LEGACY_REQUIRED]; repeated int32 n = 2;
          int32 z = 3 [features.field_presence = EXPLICIT];
        }""",
        kind="proto",
    )
    lines = [line.strip() for line in made.idl.splitlines()]
    for line in ("1: int32 x;", "3: list<int32> n;", "1: required int32 y;", "3: optional int32 z;"):
        assert line in lines
    assert '2: list<int32> n (packed = "false");' in lines
    assert '2: B b (group = "true");' in lines
    assert made.notes == ()


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("message A {\n  int32 = 1;\n}", 2, "'=' does not belong here"),
        ("message A {\n", 1, "ends within a statement"),
        ('syntax = "proto4";\n', 1, "'proto4'"),
        ('\nedition = "1999";\n', 2, "'1999'"),
        ("message A {\n  optional int32 a.b = 1;\n}", 2, "cannot have a dot"),
        ("message A { optional int32 a = 09; }\n", 1, "09 is not a number"),
        (f"message A {{ optional int32 a = {'9' * 5000}; }}\n", 1, "is not a number"),
        ('message A { optional string a = 1 [default = "\\uD800"]; }\n', 1, "is not a character"),
        ("message A {\n" * 40 + "}" * 40, 8, "deep"),
        ("message A { option (x) = " + "{\n" * 20_000, 20_000, "ends within a statement"),
        ("message A { optional map<string, int32> a = 1; }\n", 1, "has no `optional`"),
    ],
    ids=range(11),
)
def test_errors_have_their_line(text: str, line: int, said: str) -> None:
    with pytest.raises(IdlError, match=said) as error:
        import_idl(text, kind="proto")
    assert error.value.line == line


def test_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.fbs").write_text("table A {}")
    for arguments in ({"kind": "fbs"}, {}):
        with pytest.raises(
            ValueError, match="'fbs' is not a kind of file that can be imported; give one of 'ksy', 'proto'"
        ):
            import_idl(tmp_path / "a.fbs", **arguments)
    with pytest.raises(ValueError, match="kind: a text does not say what it is"):
        import_idl(PROTO)
    with pytest.raises(FileNotFoundError):
        import_idl(tmp_path / "none.proto")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "x/common.proto": 'syntax = "proto3"; package x; message A { int32 a = 1; }',
        "y/common.proto": 'syntax = "proto3"; package y; import public "x/common.proto";\n'
        "message B { x.A a = 1; E e = 2; } enum E { Z = 0; }",
        "y/z/top.proto": 'syntax = "proto3"; package y.z; import "y/common.proto";\n'
        "message T { B b = 1; x.A a = 2; repeated E e = 3; }",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_imports_are_found_above_a_file(folder: Path) -> None:
    made = import_idl(folder / "y/z/top.proto")
    assert list(made.files) == ["x/x_common.idl", "y/common.idl", "top.idl"]
    assert not made.notes
    module = made.module()
    assert module.T.from_bytes(b"\x0a\x04\x0a\x02\x08\x07\x12\x00").b.a.a == 7


def test_a_folder_and_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = import_files([folder])
    assert [each.file for each in made] == ["x/common.idl", "y/y_common.idl", "y/z/top.idl"]
    out = folder / "out"
    assert cli.run(["import", str(folder), "-o", str(out)]) == 0
    capsys.readouterr()
    assert cli.run(["check", *(str(out / each.file) for each in made)]) == 0
    assert compile_idl(out / "y/z/top.idl").T().to_bytes() == b""
    (folder / "y/z/top.proto").write_text("extend Nothing {\n optional int32 x = 1; }")
    capsys.readouterr()
    assert cli.run(["import", str(folder), "-o", str(out), "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert [(each["line"], each["kind"]) for each in printed["notes"]] == [(2, "extension")]
    assert cli.run(["import", str(folder), "-o", str(out)]) == 1
    assert "top.proto:2: x, field 1 of Nothing, is an extension" in capsys.readouterr().err


def test_paths_lead_nowhere_else(folder: Path) -> None:
    for path in ("../x/common.proto", str(folder / "x/common.proto"), "README.md"):
        (folder / "y/odd.proto").write_text(f'import "{path}"; message O {{ optional x.A a = 1; }}')
        made = import_idl(folder / "y/odd.proto")
        assert [each.kind for each in made.notes] == ["import", "import"]
        assert list(made.files) == ["odd.idl"]


def test_files_that_import_each_other(folder: Path) -> None:
    (folder / "x/common.proto").write_text('import "y/common.proto";')
    with pytest.raises(IdlError, match="imports this file, directly or not"):
        import_files([folder])


def test_long_chains_of_imports(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"f{number}.proto").write_text(f'import "f{number + 1}.proto"; message M{number} {{}}')
    with pytest.raises(IdlError, match="more than 100 deep"):
        import_idl(tmp_path / "f0.proto")
    assert len(import_idl(tmp_path / "f250.proto").files) == 50


def test_deep_aggregates_take_linear_time() -> None:
    def seconds(depth: int) -> float:
        text = "option (x) = " + "{\n" * depth + "}" * depth + ";"
        return cpu_seconds(lambda: import_idl(text, kind="proto"))

    seconds(10)
    assert seconds(16_000) < 12 * seconds(4_000)
