"""Breaking changes: each rule, its direction, and a witness that shows it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import lakecodec
from lakecodec import breaking, compile_idl
from lakecodec.cli.app import run
from lakecodec.workbench.breaking import Change, side
from lakecodec.workbench.breaking.comparer import Comparer, FileVersion

from ..paths import SPECS

_S = "struct S { 1: required i32 a  2: optional string b  3: i32 d = 5  4: optional K k  5: optional U u }\n"
_BASE = (
    "enum K { A = 1, B = 2 }\nunion U { 1: i32 x  2: string y }\nconst i32 MOST = 4\n"
    + _S
    + "fn twice(i32 n) -> i32 = n * 2;\n"
    'record R : big { bytes magic[2] = "RR"; u8 n = count(xs) where n <= MOST; u16 xs[n]; u8 y where y < 10; }\n'
    "record Q { u8 n where n < 9; u8 xs[twice(n)]; bytes later[..]; }\n"
    "variant V(u8 t) on t { 1: ONE { u8 a; }; 2: TWO; }\nrecord W { u8 t = tag(v); V(t) v; }\n"
    'table rows from S { i32 a = 1; string b = "x"; }\n'
).replace('table rows from S { i32 a = 1; string b = "x"; }\n', "")


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ("1: required i32 a", "1: required i64 a", {("type-changed", "S.a", "decode"), ("type-changed", "S.a", "encode")}),
        ("1: required i32 a", "1: optional i32 a", {("requiredness-changed", "S.a", "encode")}),
        ("2: optional string b", "2: required string b", {("requiredness-changed", "S.b", "decode")}),
        ("2: optional string b", "2: optional string c", {("field-renamed", "S.b", "source")}),
        ("2: optional string b", "9: optional string b", {("id-changed", "S.b", "meaning")}),
        ("2: optional string b", "", {("field-removed", "S.b", "source")}),
        ("1: required i32 a", "", {("field-removed", "S.a", "encode")}),
        ("3: i32 d = 5", "3: i32 d = 6", {("default-changed", "S.d", "meaning")}),
        ("5: optional U u }", "5: optional U u  6: required i32 z }", {("required-added", "S.z", "decode")}),
        ("B = 2", "B = 3", {("enum-number-changed", "K.B", "meaning")}),
        ("B = 2", "C = 2", {("enum-member-renamed", "K.B", "source")}),
        ("2: string y", "2: i32 y", {("type-changed", "U.y", "meaning")}),
        ("2: string y", "7: string y", {("id-changed", "U.y", "meaning")}),
        ("2: string y", "", {("member-removed", "U.y", "source")}),
        ("n <= MOST", "n < MOST", {("check-changed", "R.n", "decode")}),
        ("MOST = 4", "MOST = 6", {("constant-changed", "MOST", "encode")}),
        ('"RR"', '"RX"', {("derivation-changed", "R.magic", "decode"), ("derivation-changed", "R.magic", "encode")}),
        ("u8 y where y < 10", "u8 y", {("check-removed", "R.y", "encode")}),
        ("record R : big", "record R : little", {("body-changed", "R", "meaning")}),
        ("u8 y where y < 10;", "", {("field-removed", "R.y", "decode"), ("field-removed", "R.y", "encode")}),
        ("n * 2", "n * 3", {("fn-changed", "twice", "decode"), ("fn-changed", "twice", "meaning")}),
        ("2: TWO;", "2: TWO; 3: THREE;", {("body-added", "V", "encode")}),
        ("1: ONE", "4: ONE", {("body-changed", "V", "decode"), ("body-changed", "V", "encode")}),
        (_S, "", {("declaration-removed", "S", "source")}),
    ],
)  # fmt: skip
def test_each_rule_with_its_witness(was: str, now: str, expected: set[tuple[str, str, str]]) -> None:
    new = _BASE.replace(was, now)
    assert new != _BASE
    found = breaking(_BASE, new)
    assert expected <= {(each.rule, each.where, each.breaks) for each in found}
    for each in found:
        if each.breaks != "source":
            assert each.witness is not None
            _check(each, compile_idl(_BASE), compile_idl(new))


def test_defaults_are_no_witness() -> None:
    """Where neither field is there, both versions read the default of each."""
    old = "struct S { 1: required i32 a  3: i32 d = 5  4: optional i32 k }"
    new = old.replace("3:", "6:").replace("4:", "3:").replace("6:", "4:")
    found = [each for each in breaking(old, new) if each.breaks == "meaning"]
    assert {each.where for each in found} == {"S.d", "S.k"}
    for each in found:
        values = [compile_idl(text).S.from_bytes(each.witness) for text in (old, new)]
        assert (values[0].d, values[0].k) != (values[1].d, values[1].k)


def _check(change: Change, old: Any, new: Any) -> None:
    """The witness does what the change says."""
    outcomes = []
    for module in (old, new):
        cls = getattr(module, change.type)
        assert change.witness is not None
        try:
            outcomes.append(repr(cls.from_bytes(change.witness)))
        except lakecodec.DecodeError:
            outcomes.append(None)
    if change.breaks == "meaning":
        assert None not in outcomes
    else:
        assert outcomes[change.breaks == "decode"] is None
        assert outcomes[change.breaks != "decode"] is not None


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("5: optional U u }", "5: optional U u  6: optional i32 z }"),
        ("B = 2", "B = 2, C = 3"),
        ("2: string y", "2: string y  3: i64 z"),
        ("5: optional U u }", "5: optional U u  6: i32 z = 3 }"),
        ("bytes later[..];", "u8 more if not at_end; bytes later[..];"),
        ("struct S {", "/** Documented. */ struct S {"),
    ],
)
def test_what_breaks_nothing(was: str, now: str) -> None:
    assert breaking(_BASE, _BASE.replace(was, now)) == []


def test_each_of_several_differences_is_shown_alone() -> None:
    new = (
        _BASE.replace("MOST = 4", "MOST = 6")
        .replace('"RR"', '"RX"')
        .replace("y < 10", "y < 12")
        .replace("i32 a", "i64 a")
    )
    found = {(each.where, each.breaks) for each in breaking(_BASE, new)}
    assert found == {("MOST", "encode"), ("R.magic", "decode"), ("R.magic", "encode"), ("R.y", "encode")} | {
        ("S.a", "decode"), ("S.a", "encode")
    }  # fmt: skip


def test_files_folders_and_revisions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "idl"
    folder.mkdir()
    (folder / "base.idl").write_text("struct Base { 1: required i32 x }\n")
    (folder / "top.idl").write_text('include "base.idl"\nstruct Top { 1: optional base.Base b }\n')
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", *command], check=True)
    assert run(["breaking", "HEAD", "idl"]) == 0
    assert capsys.readouterr().out == "nothing breaks\n"
    (folder / "base.idl").write_text("struct Base { 1: required string x }\n")
    for old, new in (("HEAD", "idl"), ("HEAD:idl/top.idl", "idl/top.idl"), ("HEAD", "idl/base.idl")):
        assert run(["breaking", old, new, "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert {(each["rule"], each["where"]) for each in found} == {("type-changed", "Base.x")}
        assert all(bytes.fromhex(each["witness"]) for each in found)
    assert run(["breaking", "HEAD", "idl", "--allow", "type-changed Base.*"]) == 0
    (folder / "lakecodec.yaml").write_text("output: .\ntargets: []\nbreaking: [type-*]\n")
    assert run(["breaking", "HEAD", "idl"]) == 0
    assert run(["breaking", "nothing-of-that-name", "idl"]) == 2
    assert "neither a file nor a folder nor a revision" in capsys.readouterr().err
    (folder / "top.idl").unlink()
    assert [each.rule for each in breaking("HEAD:idl", "idl")][-1] == "file-removed"


_A = "struct A { 1: optional i32 x  2: required i64 y = 3 }"
_E = "enum E { A=1 B=2 } struct S { 1: required E e }"
_K = """record R { bytes k[2] = tag(v); V(k) v; }
variant V(bytes k) on k { b"ab": X { u8 v; }; b"cd": Z; else: Y { bytes w[..]; }; }"""
_M = "message M { 1: i32 a  2: list<string> b }"


@pytest.mark.parametrize(
    ("old", "new", "rule", "breaks"),
    [
        (_A, _A.replace("i32", "string"), "type-changed", "meaning"),
        (_A, _A.replace("2: required", "2: optional"), "requiredness-changed", "encode"),
        (_A, _A.replace("1: optional i32 x", ""), "field-removed", "source"),
        (_A, _A.replace("= 3", "= 4"), "default-changed", "source"),
        (_A, _A.replace("}", "3: required i32 z }"), "required-added", "decode"),
        (_E, _E.replace(" B=2", ""), "enum-member-removed", "meaning"),
        (_E, _E.replace("B=2", "B=3"), "enum-number-changed", "meaning"),
        (_E, _E.replace("B=2", "C=2"), "enum-member-renamed", "source"),
        ("union U { 1: i32 a 2: string b }", "union U { 1: i32 a }", "member-removed", "source"),
        (_M, _M.replace("i32", "string"), "type-changed", "meaning"),
        (_M, _M.replace("list<string> b", "string b"), "type-changed", "meaning"),
        (_M, "message M { 1: i32 a }", "field-removed", "source"),
        (_M, _M.replace("i32 a", "i32 c"), "field-renamed", "source"),
        ("service S { i32 f(1: i32 a) }", "service S { i64 f(1: i32 a) }", "service-changed", "meaning"),
        ("service S { i32 f() i32 g() }", "service S { i32 f() }", "service-changed", "meaning"),
        ("service S { void f() }", "service S { oneway void f() }", "service-changed", "meaning"),
        ("service B {}\nservice S extends B {}", "service B {}\nservice S {}", "service-changed", "meaning"),
        ("service S { i32 f() }\nstruct A {}", "struct A {}", "declaration-removed", "source"),
        ("record R { u8 n = count(xs); u8 xs[n]; }", "record R { u8 n; u8 xs[n]; }", "derivation-removed", "source"),
        (_K, _K.replace('b"ab"', 'b"xb"'), "body-changed", "meaning"),
        (_K, _K.replace('b"cd": Z;', ""), "alternative-removed", "source"),
    ],
)  # fmt: skip
def test_rules_that_others_have(old: str, new: str, rule: str, breaks: str) -> None:
    assert (rule, breaks) in {(each.rule, each.breaks) for each in lakecodec.breaking(old, new)}


_V = "service S { i32 f(1: i32 a) }\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_V + "struct A { 1: i32 x }", "/** New. */ " + _V + "struct A { 1: i32 x 2: i32 y }"),
        ("service S { i32 f() }", "service B {}\nservice S extends B { i32 f() i32 g() }"),
        (_K, _K.replace('b"cd": Z;', 'b"cd": Z; b"ef": NEW { bytes n[..]; };')),
        ("namespace py a\nstruct A { 1: i32 x 3: i32 z }", "namespace py b\nstruct A { 1: i32 x 2: i32 y 3: i32 z }"),
    ],
)  # fmt: skip
def test_what_breaks_no_service_and_no_struct(old: str, new: str) -> None:
    assert lakecodec.breaking(old, new) == []


def test_what_stands_at_places_is_read_when_it_is_compared() -> None:
    """Records with places inside are read on access, and may turn out to be broken as late as that."""
    old = (SPECS / "gallery" / "mo.idl").read_text()
    found = breaking(old, re.sub(r"u16 +minor_revision;", "", old))
    assert {(each.rule, each.breaks) for each in found} >= {("field-removed", "decode"), ("field-removed", "encode")}
    assert all(each.witness is not None for each in found if each.breaks != "source")


def test_other_arrow_types_are_a_change_without_bytes() -> None:
    old = (
        'variant V(u8 t) on t { 1: ONE { u8 p; } arrow timestamp("ns") write p = 9; 2: TWO; }\n'
        "record W { u8 t = tag(v); V(t) v; }\n"
    )
    (found,) = breaking(old, old.replace("p = 9", "p = 6"))
    assert (found.rule, found.where, found.breaks, found.witness) == ("arrow-changed", "V.ONE", "meaning", None)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("record E : little { u16 a; u32 b; }", "record E : little { u32 b; u16 a; }", "E.b"),
        ("record E { u8 a; u8 b; u8 c; }", "record E { u8 c; u8 a; u8 b; }", "E.c"),
        ("record E { u8 a; u8 b; u8 c; u8 d; }", "record E { u8 a; u8 c; u8 b; u8 d; }", "E.c"),
        ("record E { bytes a[2]; utf8 b[2]; }", "record E { utf8 b[2]; bytes a[2]; }", "E.b"),
    ],
)
def test_fields_of_records_that_change_places(old: str, new: str, where: str) -> None:
    found = breaking(old, new)
    assert {(each.rule, each.where) for each in found} == {("field-moved", where)}
    for each in found:
        assert each.witness
        _check(each, compile_idl(old), compile_idl(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("message M { 1: i32 a }", "message M { 1: string a }"),
        ("message M { 1: double a 2: i32 b }", "message M { 1: string a 2: i32 b }"),
    ],
)
def test_a_message_without_a_field_proves_nothing_of_its_type(old: str, new: str) -> None:
    found = breaking(old, new)
    assert {(each.rule, each.where) for each in found} == {("type-changed", "M.a")}
    assert all(each.witness for each in found)


def test_a_message_whose_default_stays_has_no_finding() -> None:
    old = "enum K { A = 0, B = 1 }\nmessage M { 1: optional K k = K.B 2: i32 a }"
    assert breaking(old, old.replace("2: i32 a", "2: i32 a 3: i32 z")) == []


def test_changes_of_a_oneof_are_shown_by_its_message() -> None:
    old = "oneof C { 1: i32 a; 2: string b }\nmessage M { C c 5: i32 d }"
    found = breaking(old, old.replace("1: i32 a", "1: string a"))
    assert {(each.rule, each.where, each.type) for each in found} == {("type-changed", "C.a", "M")}


def test_other_parameters_are_a_change_of_code() -> None:
    found = breaking("record R(u8 n) { u8 a[n]; }", "record R(u8 n, u8 k) { u8 a[n]; }")
    assert [(each.rule, each.breaks) for each in found] == [("parameters-changed", "source")]


@pytest.mark.parametrize(
    ("old", "was", "now"),
    [
        ("record R { u8 a; u8 b if small(a) > 2; }", "2", "3"),
        ("record R { u8 u[until sum(u) > 300]; }", "300", "301"),
        ("fn f(i64 n) -> i64 = n > 200 ? 1 : 2; record R { u16 x; bytes p[f(x)]; }", "200", "201"),
        ('struct S { 1: required string a } record R { S s via compact; u8 q if s.a == "abc"; }', "abc", "abd"),
        ("record R { u8 n; bytes v[n] via front; }", 'b""', 'b"X"'),
    ],
)
def test_what_few_samples_show(old: str, was: str, now: str) -> None:
    idl = f"""
        fn small(u8 n) -> u8 = extern "{__package__}.rare:small";
        codec front -> bytes with bytes prev = b"" {{
          u8 shared = common_prefix(prev, value) where shared <= count(prev);
          u8 added = count(value) - shared;
          bytes suffix[added] = value[shared:];
        }} value = prev[:shared] + suffix;
        {old}
    """
    found = breaking(idl, now.join(idl.rsplit(was, 1)), allow_extern=[f"{__package__}.rare"])
    assert found
    assert all(each.witness is not None for each in found)


def test_fields_of_messages_that_exchange_their_numbers() -> None:
    found = breaking(
        "message M { 1: optional i32 a 2: list<i32> b 3: i32 c }",
        "message M { 2: optional i32 a 1: list<i32> b 3: i32 c }",
    )
    assert {each.where for each in found} == {"M.a", "M.b"}
    assert all(each.witness for each in found)


def test_types_that_double_are_compared_where_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    known = Comparer._whole
    monkeypatch.setattr(
        Comparer, "_whole", lambda self, key, *count: compared.append(key[1]) or known(self, key, *count)
    )
    levels = "".join(f"record R{level} {{ R{level - 1} a; R{level - 1} b; }} " for level in range(1, 22))
    found = breaking("record R0 { u8 x; } " + levels, "record R0 { u16 x; } " + levels)
    assert {each.where for each in found} == {"R0.x"}
    assert set(compared) == {"R0"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Only empty bytes are refused.
        ("record R { bytes x[..]; }", "record R { bytes x[..] where count(x) > 0; }"),
        # The bytes of all values are empty, or nothing can be written at all.
        ("record R { u8 x[0]; }", "record R { u16 x[0]; }"),
        ("record R { u8 x where x > 3 where x < 3; }", "record R { u8 x where x > 3 where x < 2; }"),
    ],
)
def test_empty_bytes_prove_nothing(old: str, new: str) -> None:
    found = breaking(old, new)
    assert [(each.where, each.breaks, each.witness) for each in found] == [("R.x", "unshown", None)]
    assert all("not shown" in each.message and each.category == "wire" for each in found)


def test_what_holds_an_empty_record_shows_what_the_record_does_not() -> None:
    old = "record E {} record Held { u8 n; E e; u8 m; }"
    found = breaking(old, old.replace("E {}", "E { u8 x; }"))
    assert {(each.where, each.breaks) for each in found} == {("E.x", "decode"), ("E.x", "encode")}
    for each in found:
        assert each.witness
        _check(each, compile_idl(old), compile_idl(old.replace("E {}", "E { u8 x; }")))


def test_maps_with_structs_for_keys_are_compared_by_value() -> None:
    old = "struct P { 1: required i32 x } struct S { 1: optional map<P, string> m  2: optional i32 a }"
    found = breaking(old, old.replace("2: optional i32 a", ""))
    assert [(each.where, each.breaks) for each in found] == [("S.a", "source")]


def test_a_named_text_that_fills_bytes_or_a_text_is_the_same() -> None:
    old = 'const string MAGIC = "ARC1"\nrecord A { bytes magic[4] = MAGIC else "no archive"; u8 x; }'
    assert breaking(old, old.replace("bytes magic", "utf8 magic")) == []


def test_work_ends_where_most_values_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all attempts at such a value fail late: they must not go on until there are hundreds of values."""
    monkeypatch.setattr(side, "MOST_WORK", 20_000)
    path = tmp_path / "rare.idl"
    path.write_text(
        "record File { u8 n = count(parts); u16 most = count(text) where most < 40; Part(most) parts[n]; bytes text[most]; }"
        "\nrecord Part(i64 most) { u32 a; u8 at where at < most; u8 b where b == at; u8 c where c > b; }\n"
    )
    found = FileVersion(path).sides["idl"]
    made = found.samples("File", side.MORE_SAMPLES)
    sampler = found._samplers["File"]
    assert sampler is not None
    before = sampler.work
    assert 0 < len(made) < side.MORE_SAMPLES
    assert side.MOST_WORK <= before < 2 * side.MOST_WORK
    assert len(found.samples("File", side.MORE_SAMPLES)) == len(made)
    assert sampler.work == before


def test_bytes_that_the_whole_version_refuses_show_no_other_meaning() -> None:
    """With one of two differences alone, a bit of a byte would be read as another one; with both, what follows is too short."""
    old = "record M : little { u8 head { size: 2; reserved: 1; sorted: 1; version: 4 = 1; } bytes x[size + 1]; }"
    found = breaking(old, old.replace("size: 2; reserved: 1;", "reserved: 1; size: 2;"))
    assert [(each.where, each.breaks) for each in found] == [("M.reserved", "decode"), ("M.reserved", "encode")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("struct S { 1: optional i32 a }", "struct S {}", "the field with the id 1 (optional) was removed"),
        ("const i32 MOST = 4\nstruct S {}", "struct S {}", "the const MOST was removed"),
        ("struct S { 1: optional list<i32> a }", "struct S { 1: optional i32 a }", "the type changed from list<i32> to i32"),
        ("record R { u8 a; u8 b; }", "record R { u8 b; u8 a; }", "the field moved from the place after a to the first place"),
        ("record R { u8 a; }", "record R { u8 a where a < 9; }", "the check was added: `where (< a 9)`"),
        (
            "fn f(u8 n) -> u8 = n * 2; record R { u8 n; u8 xs[f(n)]; }",
            "fn f(u8 n) -> u8 = n * 3; record R { u8 n; u8 xs[f(n)]; }",
            "the declaration of fn f changed from `Literal_ value 2` to `Literal_ value 3`",
        ),
    ],
)  # fmt: skip
def test_messages_name_the_change(old: str, new: str, message: str) -> None:
    assert message in {each.message.partition(";")[0] for each in breaking(old, new)}


def test_what_few_samples_do_not_show_is_unshown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampler gives up after some samples: that these break nothing does not prove that nothing breaks."""
    made = side._sample

    def given_up(sampler: Any, found: list[Any], count: int) -> None:
        made(sampler, found, min(count, 1))
        raise ValueError("no valid R was found in 200 attempts")

    monkeypatch.setattr(side, "_sample", given_up)
    old, new = (f"record R {{ u8 a where a <= {most}; u8 b if a > 200; }}" for most in (199, 210))
    (found,) = breaking(old, new)
    assert (found.breaks, found.where) == ("unshown", "R.a")
    assert "few samples of R could be made" in found.message


_FILLED = 'codec f(i64 room, binary ending, bool keep, i64 fill) -> bytes = extern "runtime.codecs:Filled"; '


@pytest.mark.parametrize(
    ("text", "was", "now", "where"),
    [
        ("record R : gaps { u8 a; C c at a align 4; } record C { u8 x; }", "align 4", "align 8", "R.c"),
        (_FILLED + 'record R { utf8 s[..] size 4 via f(4, b"\\0", false, 0); }', 'b"\\0"', 'b""', "R.s"),
        ("record R { u8 n = count(x); u8 x[n]; }", "x[n]", "x[n] where count(x) < 200", "R.x"),
        ("record R { u16 length; u8 x[min(12, length / 1024)]; }", "12", "11", "R.x"),
        ("record R { u8 x where x < 9; }", "< 9", "<= 8", "R.x"),
    ],
)
def test_what_no_sample_shows_is_unshown(text: str, was: str, now: str, where: str) -> None:
    """Longer lists, larger offsets: bytes that samples do not have break all the same, or nothing does."""
    assert text != text.replace(was, now)
    assert [(each.where, each.breaks) for each in breaking(text, text.replace(was, now))] == [(where, "unshown")]


def test_the_order_of_alternatives_with_tags_breaks_nothing() -> None:
    old = "variant V(u8 t) on t { 1: ONE { u8 a; }; 2: TWO { u8 b; }; } record W { u8 t = tag(v); V(t) v; }"
    assert (
        breaking(old, old.replace("1: ONE { u8 a; }; 2: TWO { u8 b; };", "2: TWO { u8 b; }; 1: ONE { u8 a; };")) == []
    )


def test_other_messages_break_nothing() -> None:
    old = 'codec c -> i64 { u8 n = value where n > 3 else "small"; } value = n; record R { i64 x via c; }'
    assert breaking(old, old.replace(' else "small"', "")) == []


def test_messages_name_the_place_and_both_values() -> None:
    (found,) = breaking("struct S { 1: i32 d = 5 }", "struct S { 1: i32 d = 6 }")
    assert found.message == ("the default changed from 5 to 6; at d, the old reader reads 5 and the new reader reads 6")
