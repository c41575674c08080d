"""Floats of two and four bytes: a value that is given is refused where its stored form is read otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize(
    ("text", "given", "fits"),
    [
        ("f32 a; u8 b = a == 0.1 ? 1 : 0;", {"a": 0.1}, {"a": 0.5}),
        ("f32 a where a <= 0.1;", {"a": 0.1}, {"a": 0.0625}),
        ("f32 a; u8 b if a > 0.1;", {"a": 0.1, "b": None}, {"a": 0.5, "b": 1}),
        ("f16be a; u8 b if a == 0.1;", {"a": 0.1, "b": 4}, {"a": 0.5, "b": None}),
        ("f32 a; f64 b = a;", {"a": 0.1}, {"a": 0.5}),
        ("f32 a; let k = a * 2.0; u8 b = k > 0.2 ? 1 : 0;", {"a": 0.1}, {"a": 0.5}),
        ("f32 xs[2]; f64 b = sum(xs);", {"xs": [0.1, 0.2]}, {"xs": [0.5, 0.25]}),
        ("F f; f64 b = f.a;", {"f": 0.1}, {"f": 0.5}),
        ("F fs[1]; f64 b = sum(fs.a);", {"fs": 0.1}, {"fs": 0.5}),
        ("f32 a; f32 b = 0.1;", {"a": 0.5}, None),
    ],
)
def test_values_that_rounding_changes_are_refused(
    text: str, given: dict[str, Any], fits: dict[str, Any] | None
) -> None:
    module = compile_idl(f"record File {{ {text} }} record F {{ f32 a; }}", name="rounded")

    def made(values: dict[str, Any]) -> Any:
        held = {"f": lambda a: module.F(a=a), "fs": lambda a: [module.F(a=a)]}
        return module.File(**{name: held.get(name, lambda same: same)(each) for name, each in values.items()})

    with pytest.raises(EncodeError, match=r"cannot be read back .* or on a float as it is stored"):
        made(given).to_bytes()
    if fits is not None:
        assert module.File.from_bytes(made(fits).to_bytes()) == made(fits)


@pytest.mark.parametrize("text", ["f32 a; f32 b default 0.1;", "f64 a where a <= 0.1;", "V v; u8 n; u8 a if n > 1;"])
def test_floats_that_decide_nothing_are_not_read_back(text: str) -> None:
    variant = "variant V on 1 { 1: A { f32 a; }; 2: B { u8 a where a > 1; }; }"
    assert not compile_idl(f"record File {{ {text} }} {variant}", name="rounded").File._reads_back


def test_the_error_says_what_is_stored() -> None:
    module = compile_idl(
        "record File { u8 n; F fs[n]; } record F { f32 a; u8 b; f16 c; u8 d where a <= 0.1; }", name="f"
    )
    file = module.File(n=2, fs=[module.F(a=0.0625, b=1, c=0.1, d=2), module.F(a=0.1, b=1, c=0.5, d=2)])
    with pytest.raises(EncodeError, match=r"fs\[1\]\.d: .*does not hold, a is stored as 0\.10000000149011612\)"):
        file.to_bytes()
