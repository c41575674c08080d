"""Functions named as variables of generated modules: none of them hides the other, on both backends."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any

import pytest

from lakecodec import CodecError, compile_idl
from lakecodec.workbench.sampling.sampler import sample_list

from ..oracle.backends import BACKENDS, running

IDL = """
codec zlib -> bytes = extern "runtime.codecs:Zlib";
codec moved(i64 by) -> i64 with i64 before = 0 { i64 step = value - before - by; } value = before + step + by;
codec packed(u8 @) -> bytes = @(@) == 3 ? zlib : identity;
fn @(i64 k) -> i64 = k + 0;
fn twice(i64 @) -> i64 = 2 * @(@);
fn summed(list<i64> numbers) -> i64 = fold(@ in numbers, acc = 0 : acc + @(@));
record Part(i64 k) { u8 a where @(a) <= k + 255; }
variant Either(i64 k) on @(k) % 2 { 0: EVEN { u8 a; u8 b[@(a) % 2]; }; 1: ODD { u16 c where @(c) >= 0; }; }
record Base(bool small) { u8 x[small ? @(2) : 1]; }
record Sequence : big where @(final) >= 0 else "never" {
  u8 n = count(xs);
  u8 m = raw_size(d);
  u16 s = size(d);
  i64 measured = @(size(d)) + @(raw_size(d)) + @(offset(d));
  u32 checksum = @(crc32(encoded(xs, d)));
  u8 xs[n] where @(n) < 250 where summed(xs) >= 0;
  bytes d[..] size s via zlib;
  u8 ys[twice(n)];
  u8 sizes[i < n] = size(parts[i]);
  Part(@(n)) parts[i < n] size sizes[i];
  u8 other_sizes[i < n] = @(size(parts[i]));
  u16 places[i < n] = @(offset(more[i]));
  u8 raws[i < n] = raw_size(texts[i]);
  u16 stored[i < n] = size(texts[i]);
  u16 both[i < n] = @(raw_size(texts[i])) + @(size(texts[i]));
  Part(@(i)) more[i < n];
  bytes texts[i < n][..] size stored[i] via zlib;
  u8 h { low : 3 = @(n % 8); high : 5 where @(high) >= 0; }
  i64 deltas[n] via moved(@(n));
  Either(@(n)) either;
  u8 e = size(coded);
  bytes coded[..] size e via packed(n);
  u16 at = @(offset(final));
  u8 items[until @(items[-1]) == 0];
  bytes pad[@(n) % 4] = 0;
  utf8 t[@(n) % 3];
  u8 opt if @(n) > 1;
  u8 final where @(final) + n >= 0;
  let computed = @(final);
}
record Located : gaps {
  u16 n;
  Part(@(n)) parts[i < @(n) % 4] at 8 + @(i) * 2 if @(i) != 9;
  u16 v at @(4) where @(v) >= 0;
}
"""
UNCLASHING = "unclashing"
TYPES = ("Sequence", "Located", "Base")


def module(name: str) -> Any:
    return compile_idl(IDL.replace("@", name), name="m")


def names() -> list[str]:
    """Returns the names that a module has but for those that the IDL gives: variables, arguments, classes, constants, aliases."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module(UNCLASHING)))):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.alias(asname=str() as name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    defined = {
        *TYPES,
        "Part",
        "Either",
        "zlib",
        "moved",
        "packed",
        "twice",
        "summed",
        "numbers",
        "acc",
        "value",
        UNCLASHING,
    }
    return sorted(name for name in found - defined if not name.startswith("__"))


def outcomes(name: str, inputs: dict[str, list[tuple[bytes, tuple[Any, ...]]]]) -> list[Any]:
    made, found = module(name), list[Any]()
    for type_, backend in ((type_, backend) for type_ in TYPES for backend in BACKENDS):
        with running(backend):
            for data, parameters in inputs[type_]:
                try:
                    value = getattr(made, type_).from_bytes(data, *parameters)
                    found.append((repr(value.to_dict()), value.to_bytes(*parameters)))
                except CodecError as error:
                    found.append((str(error), error.offset))
    return found


@pytest.fixture(scope="module")
def inputs() -> dict[str, list[tuple[bytes, tuple[Any, ...]]]]:
    made = module(UNCLASHING)
    found = {each: sample_list(getattr(made, each), 3, 1) for each in TYPES}
    return {
        name: [(data, each.parameters) for each in some for data in (each.data, each.data[: len(each.data) // 2])]
        for name, some in found.items()
    }


@pytest.mark.parametrize("name", names())
def test_functions_named_as_variables(name: str, inputs: Any) -> None:
    def said(found: list[Any]) -> list[Any]:
        # Rules of errors name the function.
        return [(re.sub(rf"\b{name}\b", UNCLASHING, text), other) for text, other in found]

    assert said(outcomes(name, inputs)) == said(outcomes(UNCLASHING, inputs))
