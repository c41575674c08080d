"""Classes made of rows: slots, constructor, documentation and description follow from the rows alone."""

from __future__ import annotations

import inspect
import linecache
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generated import parquet
from lakecodec.runtime.fields import Row, field, member
from lakecodec.runtime.spec import I32, list_, map_, resolve, set_


def made(text: str) -> Any:
    return compile_idl(text, name="made")


def test_slots_and_constructor() -> None:
    cls = parquet.Statistics
    assert cls.__slots__ == cls.__match_args__ == tuple(field.attr for field in cls.__spec__.fields)
    assert not hasattr(cls(), "__dict__")
    assert all(type(vars(cls)[name]).__name__ == "member_descriptor" for name in cls.__slots__)
    assert cls.__init__.__qualname__ == "Statistics.__init__"
    match cls(min=b"a"):
        case parquet.Statistics(min=b"a", max=None):
            pass
        case _:
            pytest.fail("no match")


def test_the_constructor_is_made_when_it_is_needed() -> None:
    module = made("struct A { 1: required i32 x; 2: i32 y = 3; }")
    assert "__init__" not in vars(module.A)
    assert str(inspect.signature(module.A)) == "(*, x: 'int' = None, y: 'int' = 3) -> None"
    assert "__init__" in vars(module.A)
    assert module.A.__init__.__annotations__ == {"x": "int", "y": "int", "return": None}
    with pytest.raises(TypeError, match=r"A\.__init__\(\) got an unexpected keyword argument 'z'"):
        made("struct A { 1: i32 x; }").A(z=1)
    with pytest.raises(TypeError, match="positional"):
        made("struct A { 1: i32 x; }").A(1)


def test_subclasses() -> None:
    module = made("struct A { 1: required i32 x; 2: string text; }")

    class Plain(module.A):  # type: ignore[name-defined,misc]
        extra = 5

    class Own(module.A):  # type: ignore[name-defined,misc]
        __slots__ = ("more",)

        def __init__(self, more: int, **given: Any) -> None:
            super().__init__(**given)
            self.more = more

    plain = Plain(x=1)
    plain.note = "users' classes have a dict unless they say otherwise"
    assert (plain.x, plain.extra, plain.to_bytes()) == (1, 5, b"\x15\x02\0")
    assert repr(plain) == "Plain(x=1)"
    assert list(inspect.signature(Plain).parameters) == ["x", "text"]
    assert list(inspect.signature(Own).parameters) == ["more", "given"]
    own = Own(2, x=1)
    assert (own.x, own.more) == (1, 2)
    assert own == Own(2, x=1) != Own(3, x=1)
    assert "__init__" not in vars(Plain)


def test_fields_may_be_called_like_what_rows_use() -> None:
    names = ["field", "I32", "list_", "Row", "rows", "type", "attr"]
    fields = " ".join(f"{number}: list<i32> {name};" for number, name in enumerate(names, 1))
    module = made(f"struct A {{ {fields} }} union U {{ 1: i32 STRING; 2: string text; 3: A A; }}")
    value = module.A(**{name: [number] for number, name in enumerate(names)})
    assert module.A.from_bytes(value.to_bytes()) == value
    assert [field.name for field in module.A.__spec__.fields] == names
    union = module.U.A(value)
    assert module.U.from_bytes(union.to_bytes()) == union
    assert module.U.STRING(3).value == 3


def test_requiredness_and_defaults() -> None:
    module = made(
        """
        struct A {
          1: required i32 a; 2: required i32 b = 2; 3: i32 c; 4: i32 d = 4; 5: optional i32 e; 6: optional i32 f = 6;
          7: list<i32> g = [7]; 8: optional list<i32> h = [8]; 9: optional A i;
        }
        """
    )
    specs = {field.name: (field.requiredness, field.default) for field in module.A.__spec__.fields}
    assert specs == {
        "a": ("required", None), "b": ("required", 2), "c": ("default", None), "d": ("default", 4), "e": ("optional", None),
        "f": ("optional", 6), "g": ("default", [7]), "h": ("optional", [8]), "i": ("optional", None),
    }  # fmt: skip
    value = module.A()
    assert [getattr(value, name) for name in "abcdefghi"] == [None, 2, None, 4, None, None, [7], None, None]
    spec = module.A.__spec__.fields[6]
    assert spec.default is not spec.default
    assert value.g is not module.A().g


def test_docs_stand_behind_the_rows() -> None:
    module = made(
        '''
        /** All of it. */
        struct A {
          /** One thing, said in so many words that the generator must break the line, which a reader of the
              description never sees: it comes out as one paragraph.

              And a second one with """quotes""" and a \\ backslash. */
          1: i32 x;
          2: i32 y;
          /** Called "z" */
          3: i32 z;
        }
        union U { /** The number. */ 1: i32 n; }
        '''
    )
    docs = {field.name: field.doc for field in module.A.__spec__.fields}
    assert docs["x"].startswith(
        "One thing, said in so many words that the generator must break the line, which a reader"
    )
    assert docs["x"].endswith('\n\nAnd a second one with """quotes""" and a \\ backslash.')
    assert (docs["y"], docs["z"]) == ("", 'Called "z"')
    assert module.A.__spec__.doc == "All of it."
    assert module.A.__doc__.startswith("All of it.\n\nAttributes:\n    x: One thing")
    assert inspect.getdoc(module.U) == "U.\n\nAttributes:\n    n: The number."
    assert "Null" in (parquet.Statistics.__doc__ or "").split("Attributes:")[1]


def test_docs_without_source(tmp_path: Path) -> None:
    module = ModuleType("lakecodec.generated.bare")
    source = linecache.getlines(parquet.__file__)
    module.__package__, module.__file__ = "lakecodec.generated", str(tmp_path / "bare.pyc")
    sys.modules[module.__name__] = module
    try:
        exec("".join(source[: source.index("class GeospatialStatistics(_rt.Struct):\n")]), vars(module))
        assert module.Statistics.__doc__ == vars(module.Statistics)["__doc__"]
        assert repr(module.Statistics(min=b"a")) == "Statistics(min=b'a')"
    finally:
        del sys.modules[module.__name__]


def test_pickles_of_earlier_versions() -> None:
    """State is (None, slots), as Python itself has it for slots."""
    old = (
        b"\x80\x05\x95J\0\0\0\0\0\0\0\x8c\x1blakecodec.generated.parquet\x94\x8c\x08KeyValue\x94\x93\x94)\x81\x94N}\x94"
        b"(\x8c\x03key\x94\x8c\x01k\x94\x8c\x05value\x94Nu\x86\x94b."
    )
    assert pickle.loads(old) == parquet.KeyValue(key="k")


def test_rows() -> None:
    row: Any = field(3, I32, default=None, name="from")
    assert isinstance(row, Row)
    assert (row.id, row.type, row.requiredness, row.default, row.name, row.init) == (
        3,
        I32,
        "optional",
        None,
        "from",
        True,
    )
    assert member(2, I32).requiredness == "default"


def test_types_are_resolved_by_name() -> None:
    names = {"A": parquet.KeyValue, "E": parquet.Type, "_m": parquet}
    found = resolve(map_(set_("E"), list_(list_("_m.Statistics"))), names)
    assert str(found) == "map<set<Type>, list<list<Statistics>>>"
    assert resolve("E", names).kind == "enum"
    with pytest.raises(KeyError):
        resolve(list_("B"), names)
