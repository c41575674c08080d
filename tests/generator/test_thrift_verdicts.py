"""Small Thrift files, with what Apache's compiler says of each: lakecodec says the same, but for what docs/idl.md lists.

The verdicts are those of Apache Thrift 0.17 and 0.25 (`thrift -r --gen py`); where a compiler is installed, they are asked again.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.generator.compile import load_compilable

ACCEPTED = [
    "",
    "// a comment alone",
    "enum E { A = 1, B = 1 }",
    "enum E { A = -1, B, C = 0x10; D }",
    "enum E { A, table, B } enum F { case, codec encoding; fn, record B, variant }",
    "const i32 fn = 1 const list<i32> L = [1, fn, 2]",
    "struct table { 1: i32 record } struct record { 1: table fn; 2: list<table> at } const i32 size = 5",
    "struct X { 1: i32 a = 5 record b; 2: record size } struct record {}",
    "typedef i32 size struct S { 1: i32 a = 5 size b = 3 size c }",
    "struct S { -5: i32 a; 0: i32 b }",
    "struct S { 1: i32 a; -1: i32 b; i32 c }",
    "struct S { 32768: i32 a; 70000: i32 b }",
    "struct S { 1: required S s }",
    "const i32 X = 0xFFFFFFFF const byte Y = 200 const i16 Z = 65535 const i64 W = 0x7FFFFFFFFFFFFFFF",
    "const bool X = 5 const bool Y = -5 const bool Z = true const i32 W = true",
    "struct A { 1: i32 x } const i32 A = 1",
    "const i32 A = 1 service A {}",
    "enum E { A } enum F { A } const E X = F.A const E Y = Foo.A const E Z = foo.Foo.A",
    "enum E { A = 1 } const E X = 1 const i32 Y = E.A",
    "union U { 1: i32 a; 2: string b } const U X = {'a': 3} struct S { 1: U u = {'b': 'x'} }",
    "union U { 1: i32 a = 1; 2: string b }",
    "union U { 1: required i32 a }",
    "struct S { 1: T t } struct T {}",
    "typedef T U struct T {} struct S { 1: U u }",
    "struct T { 1: i32 a; 2: list<T> b } const T X = {'a': 1, 'b': [{'a': 2}]} struct S { 1: T t = {'a': 1} }",
    "exception X {} typedef X Y service A { void f() throws (1: Y x) } service B extends A { i32 g(1: i32 a) }",
    "service A { oneway i32 f() }",
    "const map<i32, i32> X = {1: 1, 1: 2} const map<i32, i32> Y = [] const list<i32> Z = {}",
    "const double A = 5 const double B = 1e5 const double C = .5 const i32 D = +5 const i32 E = -0x10",
    "struct S { 1: i32 a (b = 'c', d) } (x = 'y') typedef i32 (a = 'b') T enum E { A (x = 'y') }",
    "namespace * foo namespace c_glib bar namespace js foo.bar (a = 'b')",
    "struct S xsd_all { 1: i32 a xsd_optional xsd_nillable }",
    "struct S { 1: optional S & s } # end",
    "struct T { 1: i32 a } struct S { 1: map<T, i32> m = {{'a': 1}: 2}; 2: set<list<i32>> s = [[1], [2]] }",
    "const list<string> L = ['string number 0 with words', 'string number 1 with words', 'string number 2, with words']",
    "struct _rt { 1: i32 a = 5 } struct _spec { 1: _rt b } struct _enum {} enum e { A } struct X { 1: e e = e.A }",
    '/** a """ doc \\ "*/ struct S { /** " */ 1: i32 a /** x" */ } /** "" */ enum E { /** q""" */ A }',
]
REFUSED = [
    "enum E { A = 1, A = 2 }",
    "enum E { A = 4294967295 }",
    "enum E { A = 2147483647, B }",
    "const i64 X = 0xFFFFFFFFFFFFFFFF",
    "const i64 X = 9223372036854775808",
    "struct A { 1: i32 x } enum A { X }",
    "struct A { 1: i32 x } service A {}",
    "const i32 A = 1 const i32 A = 2",
    "typedef i32 A struct A {}",
    "enum E { A } struct S { 1: E e = A }",
    "enum E { A } const list<E> X = [A]",
    "enum E { A = 1 } const E X = 2",
    "enum E { A = 1 } const i32 X = A",
    "const i32 X = 1.5",
    "const i32 X = 'a'",
    "const string X = 1",
    "struct S { 1: i32 a } const S X = []",
    "struct T { 1: i32 a } struct S { 1: T t = {'b': 1} }",
    "service A { void f(); void f() }",
    "service A extends B {}",
    "service A { void f() } service B extends A { void f() }",
    "struct X {} service A { void f() throws (1: X x) }",
    "service A { Foo f(1: Bar b) }",
    "service A { void f(1: i32 a, 1: i32 b) }",
    "exception X {} service A { oneway void f() throws (1: X x) }",
    "struct S { 1: Foo f }",
    "struct S { 1: list<Foo> f }",
    "struct list {}",
    "struct S { 1: i32 true }",
    "enum E { true }",
    "struct a.b {}",
    "struct S { i32 a, i32 a }",
    "struct S { 1: i32 a, 1: i32 b }",
    "struct S { 1: void a }",
    "struct S { 1: i32 a,; }",
    "enum E { A,, B }",
    "const string X = 'a\nb'",
    "namespace py",
]
#: What Apache accepts and lakecodec refuses; docs/idl.md lists the reasons.
STRICTER = [
    "struct S { 1: i32 a; 65537: i32 b }",
    "const byte X = 300",
    "const list<i32> X = 1",
    "const map<i32, i32> X = 1",
    "union U { 1: i32 a; 2: string b } const U X = {'a': 1, 'b': 'x'}",
    "union U { 1: i32 a; 2: string b } const U X = {}",
    "typedef Foo F",
    "typedef A B typedef B A",
]
#: What Apache refuses and lakecodec accepts.
LAXER = [
    "const i32 A = B const i32 B = 1",
    "struct S { 1: E e = E.A } enum E { A }",
    "enum E { A } const E X = E.A const E Y = X",
    "service A extends B {} service B {}",
    "const string X = 'a\\x41\\0'",
    "senum S { 'a', 'b' } struct T { 1: slist a }",
    "struct S { 1: i32 from; 2: i32 class }",
]


def verdict(text: str, path: Path) -> bool:
    """Whether lakecodec accepts a file; what it accepts is compiled and imported."""
    path.write_text(text)
    try:
        compile_idl(path)
    except IdlError:
        with pytest.raises(IdlError):
            load_compilable(path)
        return False
    load_compilable(path)
    return True


@pytest.mark.parametrize("text", ACCEPTED + LAXER)
def test_accepted(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path / "some.thrift")


@pytest.mark.parametrize("text", REFUSED + STRICTER)
def test_refused(text: str, tmp_path: Path) -> None:
    assert not verdict(text, tmp_path / "some.thrift")


@pytest.mark.skipif(shutil.which("thrift") is None, reason="Apache's compiler is not installed")
@pytest.mark.parametrize("text", ACCEPTED + REFUSED + STRICTER + LAXER)
def test_apache_says_so(text: str, tmp_path: Path) -> None:
    path = tmp_path / "some.thrift"
    path.write_text(text)
    done = subprocess.run(["thrift", "-r", "--gen", "py", "-o", str(tmp_path), str(path)], capture_output=True)
    assert (done.returncode == 0) == (text in ACCEPTED + STRICTER), done.stderr


def test_what_the_accepted_mean(tmp_path: Path) -> None:
    """Numbers and ids as Apache's generated code has them: two's complement, ids counted down from -1, 16 bits."""
    path = tmp_path / "some.thrift"
    path.write_text(
        "struct S { -5: i32 a; 0: i32 b; 40000: i32 c; i32 d } enum E { A = 1, B = 1 }\n"
        "const i32 X = 0xFFFFFFFF const byte Y = 200 const list<i16> Z = [65535] const bool T = 5 const bool F = -5"
    )
    module = compile_idl(path)
    assert {field.name: field.id for field in module.S.__spec__.fields} == {"a": -1, "b": -2, "c": -25536, "d": -3}
    assert module.S.from_bytes(module.S(a=1, b=2, c=3, d=4).to_bytes()) == module.S(a=1, b=2, c=3, d=4)
    assert (module.X, module.Y, module.Z, module.T, module.F) == (-1, -56, [-1], True, False)
    assert module.E.A is module.E.B
