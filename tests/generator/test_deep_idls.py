"""IDLs of many levels, each of which names the one before several times, compile as quickly as they are long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lakecodec import DecodeError, IdlError, compile_idl
from tests.bounds import within

from ..oracle.backends import BACKENDS, running

LEVELS = 40
Level = Callable[[int], str]


def _last(number: int) -> str:
    return f"A{number - 1}"


BODIES: dict[str, tuple[str, Level]] = {
    "records": ("record A0 { u8 x; }", lambda i: f"record A{i} {{ {_last(i)} a; {_last(i)} b; }}"),
    "no bytes": ("record A0 {}", lambda i: f"record A{i} {{ {_last(i)} a; {_last(i)} b; }}"),
    "sizes": ("record A0 { u8 x; }", lambda i: f"record A{i} {{ u8 n = size(a); {_last(i)} a size n; {_last(i)} b; }}"),
    "constant lists": ("record A0 { u8 x; }", lambda i: f"record A{i} {{ {_last(i)} a[2]; {_last(i)} b[3]; }}"),
    "open lists": (
        "record A0 { u8 n = count(x); u8 x[n]; }",
        lambda i: f"record A{i} {{ {_last(i)} a; {_last(i)} b; }}",
    ),
    "parameters": (
        "record A0(i32 k) { u8 x if k == 1; }",
        lambda i: f"record A{i}(i32 k) {{ {_last(i)}(k) a; {_last(i)}(k + 1) b; }}",
    ),
    "variants": (
        "variant A0(u8 t) on t { 0: P { u8 x; }; 1: Q { u16 x; }; }",
        lambda i: (
            f"variant A{i}(u8 t) on t {{ 0: P {{ {_last(i)}(t) a; }}; 1: Q {{ {_last(i)}(t) a; {_last(i)}(t) b; }}; }}"
        ),
    ),
    "circles": (
        f"variant W(u8 t) on t {{ 0: N; 1: M {{ A{LEVELS} back; }}; }} record A0 {{ u8 t = tag(w); W(t) w; }}",
        lambda i: f"record A{i} {{ {_last(i)} a; {_last(i)} b; }}",
    ),
    "codecs": (
        "codec A0 -> bytes { u8 n = count(value); bytes d[n] = value; } value = d;",
        lambda i: (
            f"codec A{i} -> bytes {{ bytes d = value via {_last(i)}; bytes e = value via {_last(i)}; }} value = d;"
        ),
    ),
    "functions": (
        "fn A0(i32 x) -> i32 = x + 1;",
        lambda i: f"fn A{i}(i32 x) -> i32 = x > {i} ? {_last(i)}(x) : {_last(i)}(x + 1);",
    ),
    "structs": (
        "struct A0 { 1: i32 x }",
        lambda i: f"struct A{i} {{ 1: required {_last(i)} a; 2: list<{_last(i)}> b; 3: map<i32, {_last(i)}> c }}",
    ),
    "messages": ("message A0 { 1: int32 x; }", lambda i: f"message A{i} {{ 1: {_last(i)} a; 2: list<{_last(i)}> b; }}"),
}


def text_of(first: str, level: Level, levels: int = LEVELS) -> str:
    return "\n".join([first, *map(level, range(1, levels + 1))]) + "\n"


def compiled(text: str | Path) -> Any:
    with within(20):
        return compile_idl(text)


@pytest.mark.parametrize("shape", BODIES)
def test_what_stands_twice_is_looked_at_once(shape: str) -> None:
    text = text_of(*BODIES[shape])
    compiled(text)
    compiled("\n".join(reversed(text.splitlines())) + "\n")


@pytest.mark.parametrize("levels", [5, 300])
def test_lists_in_lists(levels: int) -> None:
    text = text_of("record A0 { u8 x; }", lambda i: f"record A{i} {{ {_last(i)} a[..]; }}", levels)
    compiled("\n".join(reversed(text.splitlines())) + "\n")


def test_sizes_are_those_of_all_levels() -> None:
    module = compiled(text_of(*BODIES["records"], 10) + "record F { u32 at = offset(x); A10 y; u8 x; }")
    data = (1028).to_bytes(4, "little") + bytes(1025)
    for backend in BACKENDS:
        with running(backend):
            assert module.F.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("levels", [6, 12, LEVELS])
def test_tables_call_what_is_too_long_for_them(levels: int) -> None:
    """Functions that call others in either branch: native readers have their bodies up to a bound, then their names."""
    text = text_of(*BODIES["functions"], levels) + f"record R {{ u8 x; u8 y = A{levels}(x); u8 z[A{levels}(x)]; }}"
    module = compiled(text)
    found = set()
    for backend in BACKENDS:
        with running(backend):
            made = module.R(x=7, z=bytes(9))
            try:
                found.add(module.R.from_bytes(made.to_bytes()).y)
            except Exception as error:
                found.add(f"{type(error).__name__}: {error}")
    assert len(found) == 1, found


def test_functions_that_all_call_each_other() -> None:
    names = range(14)
    bodies = (" : ".join([*(f"x == {j} ? f{j}(x - 1)" for j in names), "0"]) for _ in names)
    text = "\n".join(f"fn f{i}(i32 x) -> i32 = {body};" for i, body in enumerate(bodies))
    module = compiled(f"{text}\nrecord R {{ u8 x; u8 y where y == f3(x) else 'no'; }}".replace("'", '"'))
    for backend in BACKENDS:
        with running(backend):
            assert module.R.from_bytes(b"\x05\x00").y == 0
            with pytest.raises(DecodeError, match="no"):
                module.R.from_bytes(b"\x05\x01")


@pytest.mark.parametrize("around", ["y[{}] == 1", "g({}) == 1", "count(v{n} in y where {}) == 1"])
def test_comparisons_in_comparisons(around: str) -> None:
    expression = "x == 1"
    for number in range(10):
        expression = around.format(expression, n=number)
    compiled(f"fn g(i32 a) -> i32 = a;\nrecord R {{ u8 x; u8 y[3]; u8 z if {expression}; }}")


def test_files_that_include_two_others(tmp_path: Path) -> None:
    for number in range(LEVELS):
        includes = "".join(f'include "f{each}.idl"\n' for each in range(max(0, number - 2), number))
        (tmp_path / f"f{number}.idl").write_text(f"{includes}struct S {{ 1: i32 x }}\n")
    compiled(tmp_path / f"f{LEVELS - 1}.idl")


@pytest.mark.parametrize(
    ("first", "level", "rule"),
    [
        ("struct A0 { 1: i32 x }", "struct A{i} {{ 1: A{k} a = {{}}; 2: A{k} b = {{}} }}", "more than 65536 values"),
        ("struct A0 { 1: i32 x }", "struct A{i} {{ 1: list<A{k}> a = [{{}}, {{}}] }}", "more than 65536 values"),
        ("const list<i32> A0 = [1]", "const {o}i32{c} A{i} = [A{k}, A{k}]", "repeat more than 65536 values"),
        ("const list<i32> A0 = [1..99999]", "const list<list<i32>> A{i} = [A0]", "repeat more than 65536 values"),
    ],
)
def test_values_that_double_are_errors(first: str, level: str, rule: str) -> None:
    def at(i: int) -> str:
        return level.format(i=i, k=i - 1, o="list<" * (i + 1), c=">" * (i + 1))

    with pytest.raises(IdlError, match=rule) as caught:
        compiled(text_of(first, at))
    assert len(caught.value.diagnostics) == 1
    compiled(text_of(first, at, 3))


def test_defaults_that_contain_themselves() -> None:
    with pytest.raises(IdlError, match="the default of 'a' contains itself"):
        compiled("struct A { 1: B a = {} }\nstruct B { 1: list<A> b = [{}] }")
    module = compiled("struct A { 1: B a = {} }\nstruct B { 1: optional A b = {}; 2: i32 n = 3 }")
    assert module.A().a.n == 3
