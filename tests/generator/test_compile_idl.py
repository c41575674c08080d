"""compile_idl: modules made at run time, from text and from files, with includes, for both backends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import thriftpy2
from thriftpy2.protocol.compact import TCompactProtocol
from thriftpy2.transport import TMemoryBuffer

import lakecodec
from lakecodec import IdlError, compile_idl
from lakecodec.generated import parquet

from ..parquet.files import ARROW_FILES, FASTPARQUET_FILES, footer_of
from ..runtime.compact.backends import BACKENDS, load, running
from ..runtime.compact.fixtures import each_backend  # noqa: F401

POINT = "struct Point { 1: required i32 x; }"

both = pytest.mark.usefixtures("each_backend")


@both
def test_text() -> None:
    module = compile_idl(POINT, name="shapes")
    assert module.__name__.endswith(".shapes")
    assert module.Point(x=1).to_bytes() == b"\x15\x02\0"
    assert module.Point.from_bytes(b"\x15\x02\0").x == 1
    assert set(module.__spec__) == {"Point"}
    with pytest.raises(lakecodec.DecodeError) as caught:
        module.Point.from_bytes(b"\0")
    assert caught.value.format == "shapes.Point"


@both
def test_modules_do_not_share() -> None:
    first, second = compile_idl(POINT), compile_idl("struct Point { 1: required string x; }")
    assert first.Point is not second.Point
    assert first.Point(x=1) != second.Point(x=1)
    assert second.Point.from_bytes(second.Point(x="a").to_bytes()).x == "a"
    assert sys.modules[first.__name__].Point is first.Point


@both
def test_files_and_includes(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "base.idl").write_text(
        "enum Color { RED = 1 } union U { 1: Empty E } struct Empty {} " + POINT
    )
    (tmp_path / "top.idl").write_text(
        'include "base.idl"\n'
        "struct Line { 1: required base.Point start; 2: list<base.Point> more; "
        "3: base.Color color = base.Color.RED; 4: base.U u; }"
    )
    module = compile_idl(tmp_path / "top.idl", include_paths=[tmp_path / "parts"])
    base = sys.modules[module.__name__.replace(".top", ".base")]
    line = module.Line(start=base.Point(x=1), more=[base.Point(x=2)], u=base.U.E())
    found = module.Line.from_bytes(line.to_bytes())
    assert found == line
    assert found.color is base.Color.RED
    assert (
        module.Line.from_bytes(base_only := module.Line(start=base.Point(x=1), color=None).to_bytes()).color
        is base.Color.RED
    )
    assert len(base_only) == 5
    assert found.u is base.U.E()
    with pytest.raises(lakecodec.DecodeError) as caught:
        module.Line.from_bytes(bytes.fromhex("1c1502 00 192c 1502 00 00"))
    assert caught.value.path == "more[1].x"
    with pytest.raises(IdlError):
        compile_idl(tmp_path / "top.idl")


def test_errors() -> None:
    with pytest.raises(IdlError) as caught:
        compile_idl("struct A { 1: Unknown x; 1: i32 y; }", name="bad")
    assert (caught.value.line, caught.value.column) == (1, 15)
    assert "Unknown" in str(caught.value)
    assert "^" in str(caught.value)
    with pytest.raises(FileNotFoundError):
        compile_idl("no/such/file.idl")


def test_a_failed_compilation_leaves_no_module() -> None:
    before = {name for name in sys.modules if name.startswith("lakecodec.compiled")}
    with pytest.raises(IdlError):
        compile_idl("struct A { 1: B b; }")
    assert {name for name in sys.modules if name.startswith("lakecodec.compiled")} <= before | {"lakecodec.compiled"}


@both
def test_constants() -> None:
    module = compile_idl(
        """
        typedef i64 Big
        enum Color { RED = 1; }
        const i32 ONE = 0x10
        const Big HUGE = 9223372036854775807
        const string TEXT = 'it is'
        const list<string> NAMES = ["a", "b"]
        const map<string, i32> COUNTS = {"a": 1}
        const set<i32> SET = [3, 1]
        const Color FAVOURITE = Color.RED
        const double HALF = 0.5
        const bool YES = true
        """
    )
    assert (module.ONE, module.HUGE, module.TEXT, module.NAMES) == (16, 2**63 - 1, "it is", ["a", "b"])
    assert ({"a": 1}, {3, 1}, 0.5, True) == (module.COUNTS, module.SET, module.HALF, module.YES)
    assert module.FAVOURITE is module.Color.RED


# ---- the parquet.thrift that fastparquet ships, as thriftpy2 and as this compiler understand it ----


def official() -> Path:
    import fastparquet

    return Path(fastparquet.__file__).with_name("parquet.thrift")


OFFICIAL = official()
OURS = load(OFFICIAL)
THEIRS: Any = thriftpy2.load(str(OFFICIAL), module_name="official_thrift")


def test_types_and_fields_are_those_that_thriftpy2_finds() -> None:
    specs: Any = OURS.__spec__
    structs = {cls.__name__: cls for cls in [*THEIRS.__thrift_meta__["structs"], *THEIRS.__thrift_meta__["unions"]]}
    assert set(structs) == {name for name, spec in specs.items() if spec.kind != "enum"}
    for name, cls in structs.items():
        expected = {id_: (entry[1], entry[-1]) for id_, entry in cls.thrift_spec.items()}
        required = {field.id: (field.name, field.requiredness == "required") for field in specs[name].fields}
        assert required == expected, name
    for cls in THEIRS.__thrift_meta__["enums"]:
        assert {m.name: int(m) for m in specs[cls.__name__].cls} == cls._NAMES_TO_VALUES


@pytest.mark.parametrize("name", ["nested", "many row groups", "fastparquet"])
def test_footers_as_thriftpy2_reads_and_writes_them(name: str) -> None:
    """Files without logical types newer than that IDL: thriftpy2 writes those as unions without a member."""
    footer = footer_of((ARROW_FILES | FASTPARQUET_FILES)[name]())
    transport = TMemoryBuffer(footer)
    theirs = THEIRS.FileMetaData()
    theirs.read(TCompactProtocol(transport))
    for backend in BACKENDS:
        with running(backend):
            ours = OURS.FileMetaData.from_bytes(footer)
            assert_same(ours, theirs)
            written = TMemoryBuffer()
            theirs.write(TCompactProtocol(written))
            assert_same(OURS.FileMetaData.from_bytes(written.getvalue()), theirs)


def assert_same(ours: Any, theirs: Any) -> None:
    """A value of ours and one of thriftpy2's, field by field."""
    if isinstance(ours, list):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_same(mine, other)
    elif hasattr(theirs, "thrift_spec"):
        spec = type(ours).__spec__
        for field in spec.fields:
            if spec.kind == "union":
                mine = ours.value if ours.id == field.id else None
            else:
                mine = getattr(ours, field.attr)
            other = getattr(theirs, field.name)
            assert (mine is None) == (other is None) or other == field.default, field.name
            if mine is not None:
                assert_same(mine, other)
    else:
        # thriftpy2 gives text where bytes happen to be UTF-8.
        assert (ours.decode() if isinstance(ours, bytes) and isinstance(theirs, str) else ours) == theirs


def test_the_official_file_and_ours_agree_on_bytes() -> None:
    """An older official IDL reads what the current one wrote, and keeps what it knows."""
    footer = footer_of(ARROW_FILES["defaults"]())
    assert OURS.FileMetaData.from_bytes(footer).num_rows == parquet.FileMetaData.from_bytes(footer).num_rows


LONG = ["string number 0 with words", 'a "quoted" text', "it's", "both ' and \"", "x" * 150, "{[(", "\\", "\n"]


def test_constants_of_any_length() -> None:
    texts = ", ".join('"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"' for text in LONG)
    numbers = ", ".join(f"{n}: [{n}, {n}]" for n in range(60))
    module: Any = compile_idl(
        f"struct S {{ 1: list<string> texts = [{texts}]; 2: string t = {texts.split(', ')[4]}; 3: S s }}\n"
        f'const list<string> L = [{texts}] const set<string> T = [{texts}] const S C = {{"texts": [{texts}]}}\n'
        f"const map<i32, list<i32>> M = {{{numbers}}} const map<list<i32>, i32> K = {{[{texts.count('a')}]: 1}}\n"
        f"const list<S> O = [{{'texts': [{texts}]}}, {{'texts': [{texts}]}}]"
    )
    assert (module.L, module.T, module.C.texts) == (LONG, frozenset(LONG), LONG)
    assert module.S.from_bytes(module.S().to_bytes()).texts == LONG
    assert {n: [n, n] for n in range(60)} == module.M
    assert [each.texts for each in module.O] == [LONG, LONG]


def test_constants_of_unions() -> None:
    module: Any = compile_idl(
        "union U { 1: i32 a; 2: string kind; 3: Nothing none } struct Nothing {}\n"
        'const U A = {"a": 3} const list<U> L = [{"kind": "x"}, {"none": {}}] struct S { 1: U u = {"a": 4} }'
    )
    assert module.U.a(3) == module.A
    assert [module.U.kind_("x"), module.U.none()] == module.L
    assert module.L[1] is module.U.none()
