"""Samples: valid, deterministic, and reaching what a declaration says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lakecodec
from lakecodec.cli.app import run
from lakecodec.generated import deletion_vector, mosaic, parquet, parquet_file
from lakecodec.workbench.sampling import damaged
from lakecodec.workbench.sampling.choices import SeededChoices
from lakecodec.workbench.sampling.sampler import Sampler, sample_list
from tests.bounds import within

from ..compiled import gallery

_MODULES = [parquet, parquet_file, mosaic, deletion_vector]
#: A Parquet file's footer stands behind what it declares later, so that the declaration cannot write one.
_READ_ONLY = (parquet_file.File,)
_CLASSES = [
    spec.cls
    for module in _MODULES
    for spec in module.__spec__.values()
    if spec.kind != "enum" and spec.cls not in _READ_ONLY
]

_EVERYTHING = lakecodec.compile_idl(
    """
    enum Colour { RED = 1, BLUE = 7 }
    union Either { 1: i32 number  2: string word  3: list<Either> more }
    struct Everything {
      1: required bool flag          2: optional byte small       3: optional i16 short
      4: required i32 middle         5: required i64 large        6: optional double real
      7: optional string text        8: optional binary bytes_    9: optional uuid id
      10: optional list<Colour> colours   11: optional set<i32> numbers  12: optional map<string, i64> named
      13: optional Either either    14: i32 usual = 5            15: optional Everything again
    }
    variant Shape(u8 kind) on kind {
      1: CIRCLE { u16 radius where radius > 0; };
      2, 3: BOX { i8 width; f32 height; };
      else: OTHER { bytes raw[..]; };
    }
    record Counts : big {
      bytes     magic[2] = "CN";
      u8        version where 2 <= version <= 4;
      u16       n       = count(names);
      Name      names[n] where unique(names.text) where ascending(names.text);
      u32       body_size;
      Everything body size body_size if version >= 3 via compact;
      u8        order[n] where is_permutation(order);
      u8        low;
      u8        high where high > low;
      utf8      word until "\\0";
      u8        ends[until last(ends) == 255];
      i32       late if not at_end;
    }
    record Holder { Counts counts; u8 kind = tag(shape); Shape(kind) shape; }
    record Name { uvarint32 size_of_text = count(text); utf8 text[size_of_text] where count(text) > 0; }
    """,
    name="everything",
)


@pytest.mark.parametrize("cls", _CLASSES, ids=lambda cls: f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}")
def test_samples_of_all_types_are_read_and_written(cls: Any) -> None:
    for sample in sample_list(cls, 4, 3):
        if not hasattr(cls, "open"):
            again = sample.value.to_bytes(*sample.parameters)
            assert type(sample.value).from_bytes(again, *sample.parameters) == sample.value


def test_samples_of_parts_of_files_say_where_they_start() -> None:
    found = sample_list(mosaic.StoredBucket, 8, 1)
    assert any(sample.start for sample in found)
    for sample in found:
        value = mosaic.StoredBucket.from_bytes(sample.data, *sample.parameters)
        assert bytes(sample.start) + value.to_bytes(start=sample.start) == sample.data


@pytest.mark.parametrize(("file", "name"), [
    ("mo", "File"), ("elf", "File"), ("zip", "File"), ("arrow_ipc", "Schema"), ("arrow_ipc", "Field"),
    ("truetype", "File"), ("orc", "File"), ("tzif", "File"), ("tar", "File"),
])  # fmt: skip
def test_records_that_point_to_others_have_samples(file: str, name: str) -> None:
    """Forwards and back: each sample was read from what was written."""
    cls = getattr(gallery(file), name)
    assert len({each.data for each in sample_list(cls, 3, 1)}) > 1


def test_one_seed_gives_the_same_samples_everywhere() -> None:
    script = (
        "from lakecodec.generated import mosaic\n"
        "from lakecodec.workbench.sampling.sampler import sample_list\n"
        "print([s.data.hex() for s in sample_list(mosaic.Schema, 20, 5)])"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1
    assert sample_list(mosaic.Schema, 9, 1) != sample_list(mosaic.Schema, 9, 2)


def test_a_oneof_reaches_all_members() -> None:
    module = lakecodec.compile_idl("oneof C { 1: i32 a; 2: string b; 3: D d } message D { 1: i32 x } message M { C c }")
    found = lakecodec.samples(module.C, 30)
    assert {each.kind for each in found} == {"a", "b", "d"}
    assert all(module.M.from_bytes(module.M(c=each).to_bytes()).c == each for each in found)


def test_structs_reach_members_options_and_bounds() -> None:
    found = lakecodec.samples(_EVERYTHING.Everything, 120)
    for name, low, high in (("small", -128, 127), ("middle", -(2**31), 2**31 - 1), ("large", -(2**63), 2**63 - 1)):
        assert {low, high} <= {getattr(each, name) for each in found}
    for name in ("short", "real", "text", "id", "colours", "named", "either", "again"):
        assert {getattr(each, name) is None for each in found} == {True, False}
    assert {each.either.kind for each in found if each.either} == {"number", "word", "more"}
    assert {colour for each in found for colour in each.colours or ()} == set(_EVERYTHING.Colour)
    assert {each.flag for each in found} == {True, False}


def test_records_keep_their_rules_and_reach_both_sides() -> None:
    found = lakecodec.samples(_EVERYTHING.Counts, 150)
    assert {each.version for each in found} == {2, 3, 4}
    assert {each.body is None for each in found} == {True, False}
    assert {each.late is None for each in found} == {True, False}
    assert {len(each.names) for each in found} >= {0, 1, 2}
    assert all(each.high > each.low for each in found)
    assert any(each.high == each.low + 1 for each in found)
    assert all(each.body_size == len(each.body.to_bytes()) for each in found if each.body)
    holders = lakecodec.samples(_EVERYTHING.Holder, 60)
    assert {each.shape.kind for each in holders} == {"CIRCLE", "BOX", "OTHER"}
    assert {each.kind for each in holders} >= {1, 2, 3}


def test_bit_fields_and_numbers_of_all_widths() -> None:
    module = lakecodec.compile_idl("""
        record Frame { u24 head { last : 1; kind : 2; stored : 21 = size(body); } Body body size stored; Numbers n; }
        record Numbers { vlq32 v; ivlq9 w; u40 x; }
        record Body { bytes data[..]; }
    """)
    found = lakecodec.samples(module.Frame, 40)
    assert {each.kind for each in found} == {0, 1, 2, 3}
    assert {each.stored for each in found} == {len(each.body.data) for each in found}
    assert {0, 2**40 - 1} <= {each.n.x for each in found}
    assert min(each.n.w for each in found) < 0


def test_other_alternatives_of_texts_and_bytes_are_sampled() -> None:
    module = lakecodec.compile_idl("""
        record Named { bytes k[2] = tag(v); V(k) v; }
        variant V(bytes k) on k { b"ab": X { u8 v; }; b"ac": Z { u16 v; }; else: Y { bytes w[..]; }; }
        record Worded { u8 n = size(k); utf8 k[n] = tag(v); W(k) v; }
        variant W(utf8 k) on k { "ab": X { u8 v; }; "é": Z { u16 v; }; else: Y { bytes w[..]; }; }
    """)
    for cls in (module.Named, module.Worded):
        assert {each.v.kind for each in lakecodec.samples(cls, 60)} == {"X", "Y", "Z"}


def test_alternatives_have_samples_of_their_own() -> None:
    for kind in ("CIRCLE", "BOX", "OTHER"):
        cls = getattr(_EVERYTHING.Shape, kind)
        assert {each.kind for each in lakecodec.samples(cls, 5)} == {kind}


def test_bounds_that_rules_name_are_found() -> None:
    assert {each.precision for each in lakecodec.samples(mosaic.TypeParams.DECIMAL, 60)} >= {1, 38}
    bitmaps = lakecodec.samples(deletion_vector.Bitmap, 80)
    assert {each.cookie % 65536 for each in bitmaps} == {12346, 12347}
    assert {container.kind for each in bitmaps for container in each.containers} == {"ARRAY", "BITMAP", "RUNS"}


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_strategies_draw_the_same_kind_of_values(data: Any) -> None:
    value = data.draw(lakecodec.strategies(_EVERYTHING.Everything))
    assert _EVERYTHING.Everything.from_bytes(value.to_bytes()) == value
    decimal = data.draw(lakecodec.strategies(mosaic.TypeParams.DECIMAL))
    assert decimal.kind == "DECIMAL"
    assert 1 <= decimal.precision <= 38


_DAMAGED = [
    _EVERYTHING.Counts, _EVERYTHING.Everything, mosaic.Schema, mosaic.Page, deletion_vector.Bitmap,
    parquet.ColumnMetaData, parquet_file.Tail,
]  # fmt: skip


@pytest.mark.parametrize("cls", _DAMAGED, ids=lambda cls: cls.__name__)
def test_damaged_samples_are_refused_or_other_values(cls: Any) -> None:
    refused = 0
    for bad in damaged(cls, 60, 1):
        try:
            cls.from_bytes(bad.data, *bad.parameters)
        except lakecodec.DecodeError:
            refused += 1
    assert refused > 15


def test_damage_is_of_all_structural_kinds() -> None:
    found = damaged(_EVERYTHING.Counts, 120)
    kinds = {each.kind for each in found}
    assert kinds == {
        "count", "length", "magic", "value", "order", "missing", "repeated", "truncation", "left over",
        "rule",
    }  # fmt: skip
    assert "tag" in {each.kind for each in damaged(_EVERYTHING.Holder, 120)}
    assert {each.path for each in found if each.kind == "magic"} == {"magic"}
    assert {each.path for each in found if each.kind == "count"} >= {"n"}
    assert damaged(_EVERYTHING.Counts, 30, 4) == damaged(_EVERYTHING.Counts, 30, 4)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: lakecodec.samples(int), TypeError, "type: a generated class"),
        (lambda: lakecodec.samples(mosaic.Schema, -1), ValueError, "n: -1"),
        (lambda: damaged(mosaic.Compression), TypeError, "enum"),
        (lambda: lakecodec.samples(_never()), ValueError, "no valid Never was found"),
        (lambda: lakecodec.strategies(None), TypeError, "type: a generated class"),
    ],
)
def test_wrong_arguments_and_declarations_without_values(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def _never() -> Any:
    return lakecodec.compile_idl("record Never { u8 x where x > 3 where x < 2; }").Never


def test_the_command_prints_lines_or_writes_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    idl = tmp_path / "small.idl"
    idl.write_text("record Small(u8 n) { u8 magic = 7; u8 xs[n]; }")
    assert run(["sample", str(idl), "--type", "Small", "-n", "4"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [len(bytes.fromhex(each["bytes"])) for each in lines] == [1 + each["parameters"][0] for each in lines]
    assert len(lines) == 4
    assert run(["sample", str(idl), "--type", "Small", "-n", "9", "--mutate"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "small.Small: magic: magic must be 7 (at byte 0)" in {each["error"] for each in lines}
    assert run(["sample", str(idl), "--type", "Small", "-n", "2", "-o", str(tmp_path / "out")]) == 0
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["Small-0000.bin", "Small-0001.bin"]
    assert run(["sample", str(idl), "--type", "Smal"]) == 2
    assert "did you mean 'Small'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "level", "rule"),
    [
        ("record A0 { u8 x; }", "record A{i} {{ A{k} a; A{k} b; }}", "more than 4000 records"),
        (
            "struct A0 { 1: i32 x }",
            "struct A{i} {{ 1: required A{k} a; 2: required A{k} b }}",
            "more than 4000 structs",
        ),
        ("struct A0 { 1: i32 x }", "struct A{i} {{ 1: optional A{k} a; 2: optional A{k} b }}", None),
        ("record A0 { u8 x; }", "record A{i} {{ u8 f; A{k} a if f & 1; A{k} b if f & 2; }}", None),
    ],
)
def test_types_of_many_levels_have_samples_or_an_error_soon(first: str, level: str, rule: str | None) -> None:
    text = "\n".join([first, *(level.format(i=i, k=i - 1) for i in range(1, 31))])
    cls: Any = lakecodec.compile_idl(f"{text}\n").A30
    with within(20):
        if rule is None:
            assert len(lakecodec.samples(cls, n=3)) == 3
        else:
            with pytest.raises(ValueError, match=rule):
                lakecodec.samples(cls, n=3)


def test_flags_of_elements_that_come_later() -> None:
    module = lakecodec.compile_idl("record R { u8 n; bool8 has[i < n] = present(x[i]); u16 x[i < n] if has[i]; }")
    found = {each for sample in sample_list(module.R, 20, 1) for each in sample.value.has}
    assert found == {False, True}
    assert all(type(each) is bool for sample in sample_list(module.R, 20, 1) for each in sample.value.has)


@pytest.mark.parametrize(
    "text",
    [
        "record R { A a[i < n] at p[i]; u16 p[n] at end - 2 - 2 * n; u8 n at end-2; u8 z at end-1; } record A { u8 x; u8 y; }",
        """codec zlib -> bytes = extern "runtime.codecs:Zlib"; codec chosen(u8 kind) -> bytes = kind == 1 ? zlib : identity;
        record R { u8 kind where kind <= 1; u8 n = size(d); bytes d size n via chosen(kind); }""",
        "record R(i64 place) : gaps { A a at place; } record A { u8 kind where kind > 0; }",
    ],
    ids=["counts behind lists", "codecs that choose", "places from outside"],
)
def test_what_is_chosen_fits(text: str) -> None:
    sampler = Sampler(lakecodec.compile_idl(text).R, SeededChoices(1))
    assert len([sampler.attempt() for _ in range(50)]) == 50


def test_functions_that_never_end_for_random_values() -> None:
    """Parents by their index, which form circles if they are chosen at random."""
    module = lakecodec.compile_idl(
        "record File { u8 n; u8 p[n]; u8 d = n > 0 ? deep(p, 0) : 0; }"
        "fn deep(list<i64> p, i64 i) -> i64 = p[i] == 255 ? 0 : 1 + deep(p, p[i]);"
    )
    found = sample_list(module.File, 5, 1)
    assert all(module.File.from_bytes(each).to_bytes() == each for _, each, _ in found)
