"""Defaults of record fields: constants that the constructor takes where a field is not given; what is read is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lakecodec
from lakecodec import EncodeError, IdlError, compile_idl

from ..oracle.backends import BACKENDS, running

IDL = """
enum Kind { RAW = 0; DEEP = 7; }
const i32 TWO = 2
record R {
  u8    major default 1;
  u16   minor default TWO + 1  where minor < 9;
  u8    kind via enum(Kind) default DEEP;
  bytes pad[3] default 0;
  utf8  name until "\\0" default "x";
  bytes id[4] default "ABCD";
  u8 flags { a : 3 default 5; b : 5; }
  i8    shift default -1;
  bool8 is_on default true;
  f32   scale default 0.5;
  Shape(a) shape;
}
variant Shape(u8 a) on a { 1: ONE { u8 x default 4; }; 5: OTHER { u8 y default 6; }; }
record P : gaps { u16 where_at; u8 n default 3 ; u8 far at where_at default 9; }
"""


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL, name="field_defaults")


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_not_given(module: Any, backend: str) -> None:
    with running(backend):
        made = module.R(b=1, shape=module.Shape.OTHER())
        assert (made.major, made.minor, made.kind, made.pad, made.name, made.id) == (
            1,
            3,
            module.Kind.DEEP,
            bytes(3),
            "x",
            b"ABCD",
        )
        data = made.to_bytes()
        assert data == b"\1\3\0\7\0\0\0x\0ABCD\xa1\xff\1\0\0\0\x3f\6"
        assert module.R.from_bytes(data) == made
        assert module.R(major=9, a=1, b=0, shape=module.Shape.ONE()).to_bytes()[:2] == b"\x09\3"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_read_is_kept(module: Any, backend: str) -> None:
    data = b"\0\0\0\0\1\2\3\0efgh\xa0\0\0\0\0\0\0\0"
    with running(backend):
        found = module.R.from_bytes(data)
        assert (found.major, found.name, found.is_on, found.shape.y) == (0, "", False, 0)
        assert found.to_bytes() == data


@pytest.mark.parametrize("backend", BACKENDS)
def test_places(module: Any, backend: str) -> None:
    with running(backend):
        made = module.P(where_at=4)
        assert (made.n, made.far) == (3, 9)
        assert made.to_bytes() == b"\4\0\3\0\x09"


def test_none_is_no_default(module: Any) -> None:
    with pytest.raises(EncodeError, match="major"):
        module.R(major=None, b=1, shape=module.Shape.OTHER()).to_bytes()


def test_plain_forms(module: Any) -> None:
    made = module.R.from_dict({"b": 1, "shape": {"OTHER": {}}})
    assert made == module.R(b=1, shape=module.Shape.OTHER())
    assert module.R.from_json(made.to_json()) == made
    with pytest.raises(EncodeError, match="is missing") as caught:
        module.R.from_dict({"shape": {"OTHER": {}}})
    assert caught.value.path == "b"


def test_descriptions(module: Any) -> None:
    found = {each.name: each.default for each in module.__spec__["R"].fields}
    assert (found["major"], found["kind"], found["pad"], found["b"]) == (1, module.Kind.DEEP, bytes(3), None)


def test_specification(module: Any) -> None:
    from lakecodec.workbench.layouts import model_of
    from lakecodec.workbench.specification.pages import sections_of

    parts = {part.name: part for _, parts in sections_of(model_of(module.__name__)) for part in parts}
    assert next(row for row in parts["R"].groups[0][2] if row.name == "kind").notes == [
        "default DEEP",
        "via enum(Kind)",
    ]


def test_samples_hold_other_values_too(module: Any) -> None:
    assert len({each.major for each in lakecodec.samples(module.R, 20)}) > 2


@pytest.mark.parametrize(
    ("old", "new", "rule", "breaks"),
    [
        ("default 1", "default 2", "default-changed", ["source"]),
        ("default 1", "", "default-removed", ["source"]),
        ("", "default 1", "default-added", []),
    ],
)
def test_breaking(tmp_path: Path, old: str, new: str, rule: str, breaks: list[str]) -> None:
    for name, text in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.idl").write_text(f"record R {{ u8 a {text}; u8 c; }}")
    changes = lakecodec.breaking(str(tmp_path / "old"), str(tmp_path / "new"))
    assert [(each.rule, each.where, each.breaks) for each in changes] == [(rule, "R.a", each) for each in breaks]


def test_fields_of_that_name() -> None:
    module = compile_idl("record R { u8 default; u8 xs[default] ; u8 align default 2; }")
    assert module.R.from_bytes(b"\1\2\3") == module.R(default=1, xs=[2], align=3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_number_is_each_byte(backend: str) -> None:
    module = compile_idl("record R { bytes x[4] = 7; u8 n; bytes y[n] = n; bytes z[4] = big_bytes(7, 4); }")
    with running(backend):
        data = module.R(n=2).to_bytes()
        assert data == b"\7\7\7\7\2\2\2\0\0\0\7"
        assert module.R.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize(
    ("field", "error"),
    [
        ("bytes x[4] = 256", "the value 256 of 'x' does not fit a byte"),
        ("bytes x[2] = TWO - 3", "the value -1 of 'x' does not fit a byte"),
        ("u8 x = 300", "the value 300 of 'x' does not fit u8"),
        ("i8 x = -129", "the value -129 of 'x' does not fit i8"),
        ("uvarint32 x = 4294967296", "the value 4294967296 of 'x' does not fit uvarint32"),
        ("u8 x default 300", "the default 300 of 'x' does not fit u8"),
    ],
)
def test_constants_that_do_not_fit(field: str, error: str) -> None:
    with pytest.raises(IdlError, match=error):
        compile_idl(f"const i32 TWO = 2\nrecord R {{ {field}; }}")


def test_fields_hide_constants() -> None:
    module = compile_idl("const i32 TWO = 300\nrecord R { u8 TWO; u8 x = TWO; }")
    assert module.R(TWO=2).to_bytes() == b"\2\2"
