"""Modules compiled at run time: one for each text, which goes with its last reference."""

from __future__ import annotations

import gc
import inspect
import linecache
import pickle
import sys
import tracemalloc
import typing
import weakref
from typing import Any

import pytest

from lakecodec import compile_idl, explore, samples
from lakecodec.workbench import dump
from lakecodec.workbench.diffs import diff

KINDS = {
    "struct": ("struct Top { 1: required i32 a; 2: optional list<Top> more; }", b"\x15\x02\x00"),
    "union": ("struct A { 1: i32 x; } union Top { 1: A a; 2: string s; }", b"\x1c\x15\x02\x00\x00"),
    "record": ("record Part { u8 x; } record Top { u8 n = count(parts); Part parts[n]; }", b"\x02\x05\x06"),
    "located": ("record Top { u8 p; u8 v at p; }", b"\x01\x05"),
    "message": ("message Top { 1: i32 a; 2: list<Top> more; }", b"\x08\x05"),
}


def compiled_names() -> set[str]:
    gc.collect()
    return {name for name in sys.modules if name.startswith("lakecodec.compiled.")}


@pytest.mark.parametrize("text", [text for text, _ in KINDS.values()], ids=KINDS)
def test_the_same_text_is_the_same_module(text: str) -> None:
    module = compile_idl(text)
    known = compiled_names()
    assert all(compile_idl(text) is module for _ in range(3))
    assert compile_idl(text, name="other") is not module
    # Modules of earlier tests may go in the meantime.
    assert compiled_names() <= known


def test_the_same_file_is_the_same_module(tmp_path: Any) -> None:
    (tmp_path / "base.idl").write_text("struct P { 1: i32 x; }")
    (tmp_path / "top.idl").write_text('include "base.idl"\nstruct Q { 1: base.P p; }')
    module = compile_idl(tmp_path / "top.idl")
    assert compile_idl(tmp_path / "top.idl") is module
    (tmp_path / "base.idl").write_text("struct P { 1: i64 x; }")
    assert compile_idl(tmp_path / "top.idl") is not module


@pytest.mark.parametrize("kind", KINDS)
def test_a_module_goes_with_its_last_reference(kind: str) -> None:
    text, data = KINDS[kind]
    before = compiled_names()
    module: Any = compile_idl(f"// of this test\n{text}")
    gone, file = weakref.ref(module), module.__file__
    cls = module.Top
    value = cls.from_bytes(data)
    assert value.to_bytes() == data
    value.to_dict()
    pickle.loads(pickle.dumps(value))
    assert explore(data, cls).root.children
    dump(data, cls)
    diff(data, data, cls)
    samples(cls, 3)
    inspect.getdoc(cls)
    del module, cls
    gc.collect()
    assert gone() is not None  # a value is left
    assert type(value).from_bytes(data) == value
    assert sys.modules[type(value).__module__].Top is type(value)
    del value
    assert compiled_names() <= before
    assert gone() is None
    assert file not in linecache.cache


def test_names_are_found_for_as_long_as_a_class_lives() -> None:
    cls: Any = compile_idl("enum Color { RED = 1 } struct S { 1: optional Color c; 2: optional list<S> more; }").S
    gc.collect()
    hints = typing.get_type_hints(cls)
    assert hints["more"] == list[cls] | None
    color = typing.get_args(hints["c"])[0]
    del cls, hints
    gc.collect()
    assert pickle.loads(pickle.dumps(color.RED)) is color.RED
    assert inspect.getmodule(color).Color is color


def test_many_texts_do_not_add_up() -> None:
    def compile_many(first: int, count: int) -> None:
        for number in range(first, first + count):
            module: Any = compile_idl(
                f"struct S{number} {{ 1: required i32 a; }} record R {{ u8 n = {number % 200}; }}"
            )
            assert getattr(module, f"S{number}")(a=1).to_bytes() == b"\x15\x02\x00"
            assert module.R().to_bytes() == bytes((number % 200,))

    compile_many(0, 20)
    known = compiled_names()
    tracemalloc.start()
    try:
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        compile_many(20, 200)
        assert compiled_names() <= known
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 2_000_000  # 200 modules of 0.1 MB and more
