"""Values that do not fit the type of their field are told of in plain words, by both backends alike."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.generator.builtin_names import FIXED_WIDTHS

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    """
    record Numbers {
      u8 a; i16 b; f32 c; u24 d; uvarint32 e; svarint32 f; vlq32 g; ivlq9 h; bytes i[2]; utf8 j[2]; u16 k[2]; bytes l until "\\0";
    }
    """,
    name="unfit",
)
GOOD = {"a": 1, "b": 1, "c": 1.0, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": b"ab", "j": "ab", "k": [1, 2], "l": b"x"}


@pytest.mark.parametrize("name", GOOD)
def test_none_is_told_of_by_the_type_that_is_needed(name: str) -> None:
    with pytest.raises(EncodeError, match=rf"^unfit.Numbers: {name}: .*needed, not NoneType$"):
        m.Numbers(**{**GOOD, name: None}).to_bytes()


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"a": 300}, "a", "the value does not fit its type: 300 is not from 0 to 255"),
        ({"b": -40000}, "b", "the value does not fit its type: -40000 is not from -32768 to 32767"),
        ({"b": "1"}, "b", "the value does not fit its type: an int is needed, not str"),
        ({"c": 1e300}, "c", "the value does not fit its type: 1e+300 is beyond 32 bits"),
        ({"e": "1"}, "e", "the value does not fit its type: an int is needed, not str"),
        ({"h": 1.5}, "h", "the value does not fit its type: an int is needed, not float"),
        ({"k": 7}, "k", "the value does not fit its type: a list is needed, not int"),
        ({"k": [1, 70000]}, "k[1]", "the value does not fit its type: 70000 is not from 0 to 65535"),
        ({"l": "x"}, "l", "the value does not fit its type: bytes are needed, not str"),
    ],
)
def test_words(changes: dict[str, Any], path: str, rule: str) -> None:
    with pytest.raises(EncodeError) as caught:
        m.Numbers(**{**GOOD, **changes}).to_bytes()
    assert (caught.value.path, caught.value.rule) == (path, rule)


LENGTHS = {
    "one": "bytes x[1];",
    "behind": "u8 n; bytes x[1]; utf8 y[1];",
    "run": "u8 a; bytes x[1]; u16 b; f32 c;",
    "list": "u8 x[1];",
}


@pytest.mark.parametrize("shape", LENGTHS)
def test_one_byte_is_needed(shape: str) -> None:
    kind = compile_idl(f"record R {{ {LENGTHS[shape]} }}", name="lengths").R
    others = {"n": 1, "y": "y", "a": 1, "b": 1, "c": 1.0}
    given = {name: value for name, value in others.items() if name in kind.__rows__}
    wrong, noun = ([1, 2], "element") if shape == "list" else (b"xy", "byte")
    with pytest.raises(EncodeError) as caught:
        kind(x=wrong, **given).to_bytes()
    assert (caught.value.path, caught.value.rule) == ("x", f"1 {noun} is needed, not 2")


#: The types of one number or more, alone, beside others, as lists, as lists of elements that may be absent, and counted.
NUMBERS = ["u8", "i16", "u24", "i48", "u64", "uvarint32", "svarint16", "vlq64", "vlq9", "ivlq9", "f16", "f64", "bool8"]
SHAPES = {
    "one": "{0} x;",
    "run": "u16 before = 1; {0} x; u16 behind = 2;",
    "list": "{0} x[2];",
    "each": "u8 n = 2; {0} x[i < n] if i >= 0;",
    "counted": "u8 n = count(x); {0} x[n] where count(x) < 5;",
    "rest": "{0} x[..];",
}
OTHERS = {
    "fixed": ("bytes x[2];", "bytes"),
    "bytes": ("u8 n = count(x); bytes x[n];", "bytes"),
    "ended": ('bytes x until "\\0";', "bytes"),
    "open": ("bytes x[..];", "bytes"),
    "text2": ("utf8 x[2];", "str"),
    "text": ("u8 n = count(x); utf8 x[n];", "str"),
    "ended_text": ('utf8 x until "\\0";', "str"),
    "texts": ("u8 n = count(x); utf8 x[n][3];", "list"),
    "enum": ("u8 x via enum(E);", "int"),
    "enums": ("u16 x[2] via enum(E);", "list"),
    "bits": ("u8 n = count(x); bits<3> x[n];", "list"),
    "struct": ("S x via compact;", "S"),
    "message": ("M x via protobuf;", "M"),
    "record": ("P x;", "P"),
    "records": ("u8 n = count(x); P x[n];", "list"),
    "variant": ("V(1) x;", "V"),
}
w: Any = compile_idl(
    "enum E { A = 1; } struct S { 1: i32 a } message M { 1: int32 a; } record P { u8 v; }"
    "variant V(u8 k) on k { 1: X { u8 v; }; else: Y { u8 w; }; }"
    + "".join(
        f"record {shape}_{kind} {{ {text.format(kind)} }}\n" for shape, text in SHAPES.items() for kind in NUMBERS
    )
    + "".join(f"record r_{name} {{ {text} }}\n" for name, (text, _) in OTHERS.items()),
    name="unfit_kinds",
)
NO_TYPE = [None, "x", b"x", 1.5, {1}, object()]


def said(cls: Any, value: Any) -> str:
    with pytest.raises(EncodeError) as caught:
        cls(x=value).to_bytes()
    return f"{caught.value.path}: {caught.value.rule}"


@pytest.mark.parametrize("kind", NUMBERS)
def test_every_number(kind: str) -> None:
    needed = "a float" if kind[0] == "f" else "a bool" if kind == "bool8" else "an int"
    wrong = [each for each in NO_TYPE if kind[0] != "f" or each != 1.5]
    for value in wrong:
        rule = f"the value does not fit its type: {needed} is needed, not {type(value).__name__}"
        for shape in ("one", "run"):
            assert said(getattr(w, f"{shape}_{kind}"), value) == f"x: {rule}"
        for shape in ("list", "each", "counted", "rest"):
            assert said(getattr(w, f"{shape}_{kind}"), [1 if kind != "bool8" else True, value]) == f"x[1]: {rule}"
    for value in [-(2**70), 2**70] if kind[0] in "uisv" else []:
        for shape, path in (("one", "x"), ("run", "x"), ("list", "x[1]"), ("each", "x[1]"), ("rest", "x[1]")):
            found = said(getattr(w, f"{shape}_{kind}"), value if path == "x" else [1, value])
            fixed = f"the value does not fit its type: {value} is not from "
            assert found.startswith(f"{path}: {fixed if kind in FIXED_WIDTHS else f'{value} does not fit '}")
    for value in (None, 7, 1.5, object()):
        for shape in ("list", "each", "counted", "rest"):
            rule = f"the value does not fit its type: a list is needed, not {type(value).__name__}"
            assert said(getattr(w, f"{shape}_{kind}"), value) == f"x: {rule}"


@pytest.mark.parametrize("name", OTHERS)
def test_every_other_kind(name: str) -> None:
    _, needed = OTHERS[name]
    verb = (
        "bytes are"
        if needed == "bytes"
        else f"{ {'int': 'an int', 'str': 'a str', 'list': 'a list'}.get(needed, needed) } is"
    )
    wrong = [
        each
        for each in [*NO_TYPE, 7]
        if type(each).__name__ != needed and not (needed == "list" and hasattr(each, "__len__"))
    ]
    for value in wrong if needed != "int" else wrong[:-1]:
        rule = f"the value does not fit its type: {verb} needed, not {type(value).__name__}"
        assert said(getattr(w, f"r_{name}"), value) == f"x: {rule}"


def test_texts_that_utf8_has_no_bytes_for() -> None:
    rule = r"the value does not fit its type: UTF-8 has no bytes for '\ud800' at 1"
    for name in ("text2", "text", "ended_text"):
        assert said(getattr(w, f"r_{name}"), "a\ud800") == f"x: {rule}"
    assert said(w.r_texts, ["abc", "a\ud800"]) == f"x[1]: {rule}"


def test_elements_of_other_kinds() -> None:
    assert said(w.r_records, [w.P(v=1), None]) == "x[1]: the value does not fit its type: P is needed, not NoneType"
    assert said(w.r_enums, [1, "x"]) == "x[1]: the value does not fit its type: an int is needed, not str"
    assert said(w.r_bits, [1, None]) == said(w.r_bits, [1, 1.5]) == "x: whole numbers of 3 bits are needed"
    assert said(w.r_bits, [1, [2]]) == "x: whole numbers of 3 bits are needed, not lists of them"


def test_values_that_others_are_computed_from() -> None:
    computed: Any = compile_idl("record Sum { u8 n = sum(x); u8 x[..]; } record Bits { u8 h { x : 3; y : 5 = 1; } }")
    assert (
        said(computed.Sum, [1, "x"])
        == "n: cannot evaluate this field's expression: '+' cannot take int and str (x is [1, 'x']: change it or n)"
    )
    assert said(computed.Bits, None) == "x: the value does not fit its type: an int is needed, not NoneType"
