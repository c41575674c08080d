"""Values that do not fit: an EncodeError with the path of the value, the same from both backends and the interpreter."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from lakecodec.runtime.compact import encode
from lakecodec.runtime.errors import format_name

from .backends import kitchen, outcomes
from .fixtures import each_backend  # noqa: F401

k = kitchen()


class Other(IntEnum):
    """An enum that is not the field's."""

    SEVEN = 7


def encoded(value: Any) -> Any:
    """The one outcome of encoding; the interpreter's errors are the same but for who says so."""
    first, *others = outcomes(value.to_bytes)
    spec = type(value).__spec__
    others += outcomes(encode.encode, spec, value, "strict", format_name(type(value)))
    assert others == [first] * len(others)
    return first


INTS: list[Any] = ["1", 1.0, None.__class__, True, [1], b"1"]
WRONG: dict[str, list[Any]] = {
    "flag": [1, 0, "true", 1.0, np.bool_(True)],
    "tiny": [*INTS, 128, -129, 2**70],
    "small": [*INTS, 2**15, -(2**15) - 1],
    "medium": [*INTS, 2**31, -(2**31) - 1, 2**31 + 2**32],
    "large": [*INTS, 2**63, -(2**63) - 1, 2**64],
    "real": ["1.5", True, b"", 10**400, 1j],
    "data": ["text", 5, [1], 1.5],
    "text": [b"bytes", 5, "\ud800", ["a"]],
    "key": ["00000000-0000-0000-0000-000000000001", b"\0" * 16, 1],
    "color": [*INTS, 2**31, -(2**31) - 1],
    "point": [(1, 2), {"x": 1}, k.Empty(), k.Choice.NUMBER(1), 5],
    "choice": ["NUMBER", k.Unit.FIRST(), k.Point(x=1), 5],
    "unit": [k.Choice.NUMBER(1), "FIRST", 1],
    "nothing": [k.Nothing(), 0, {}],
}


@pytest.mark.parametrize("name", WRONG)
def test_scalars(name: str) -> None:
    for wrong in WRONG[name]:
        found = encoded(k.Scalars(**{name: wrong}))
        assert found[0] == "EncodeError", wrong
        assert found[2:] == (name, None, "kitchen.Scalars"), wrong
        assert found[1], wrong


RULES = [
    (lambda: k.Point(), "x", "a required field is None"),
    (lambda: k.Scalars(point=k.Point()), "point.x", "a required field is None"),
    (lambda: k.Scalars(medium=2**31), "medium", "the value does not fit i32"),
    (lambda: k.Scalars(color=2**31), "color", "the value does not fit i32"),
    (lambda: k.Scalars(medium="1"), "medium", "the value must be an int, not str"),
    (lambda: k.Scalars(large=True), "large", "the value must be an int, not bool"),
    (lambda: k.Scalars(flag=1), "flag", "the value must be a bool, not int"),
    (lambda: k.Scalars(text=b""), "text", "the value must be a str, not bytes"),
    (lambda: k.Scalars(data=""), "data", "the value must be bytes, not str"),
    (lambda: k.Scalars(real=""), "real", "the value must be a float, not str"),
    (lambda: k.Scalars(real=10**400), "real", "the value does not fit double"),
    (lambda: k.Scalars(key=1), "key", "the value must be a uuid.UUID, not int"),
    (lambda: k.Scalars(point=1), "point", "the value must be Point, not int"),
    (lambda: k.Scalars(text="\ud800"), "text", "the text cannot be written as UTF-8"),
    (lambda: k.Lists(mediums=[1, 2, "3"]), "mediums[2]", "the value must be an int, not str"),
    (lambda: k.Lists(mediums={1, 2}), "mediums", "the value must be a list, not set"),
    (lambda: k.Lists(mediums="12"), "mediums", "the value must be a list, not str"),
    (lambda: k.Lists(flags=[True, None]), "flags[1]", "the value must be a bool, not NoneType"),
    (lambda: k.Lists(points=[k.Point(x=1), None]), "points[1]", "the value must be Point, not NoneType"),
    (lambda: k.Lists(points=[k.Point(x=1), k.Point(x=2**40)]), "points[1].x", "the value does not fit i32"),
    (lambda: k.Lists(deep=[[[1], [2, 2**31]]]), "deep[0][1][1]", "the value does not fit i32"),
    (lambda: k.Lists(sets=[{1}, {2**15}]), "sets[1][0]", "the value does not fit i16"),
    (lambda: k.Lists(maps=[{"a": [1]}]), "maps[0][0][0]", "the value must be a bool, not int"),
    (lambda: k.Lists(choices=[k.Choice.POINTS([k.Point()])]), "choices[0].POINTS[0].x", "a required field is None"),
    (lambda: k.Maps(counts={"a": 1, "b": None}), "counts[1]", "the value must be an int, not NoneType"),
    (lambda: k.Maps(counts={1: 1}), "counts[0]", "the value must be a str, not int"),
    (lambda: k.Maps(counts=[("a", 1), ("b",)]), "counts", "the value must be a dict or a list of pairs, not list"),
    (lambda: k.Maps(counts=5), "counts", "the value must be a dict or a list of pairs, not int"),
    (lambda: k.Sets(texts={"a", 1}), "texts", None),
    (lambda: k.Choice.NUMBER("1"), "NUMBER", "the value must be an int, not str"),
    (lambda: k.Choice.DEEPER(k.Choice.DEEPER(k.Choice.FLAG(3))), "DEEPER.DEEPER.FLAG", "the value must be a bool, not int"),
    (lambda: k.Tree(name="a", named={"b": k.Tree()}), "named[0].name", "a required field is None"),
    (lambda: k.Everything(many=[k.Scalars(), k.Scalars(tiny=200)]), "many[1].tiny", "the value does not fit i8"),
    (lambda: k.Spread(middle=1, flags=[1]), "flags[0]", "the value must be a bool, not int"),
    (lambda: k.Defaults(needed=1, number=None, color="x"), "color", "the value must be an int, not str"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "path", "rule"), RULES, ids=[path for _, path, _ in RULES])
def test_rules_and_paths(make: Callable[[], Any], path: str, rule: str | None) -> None:
    found = encoded(make())
    assert found[0] == "EncodeError"
    if rule is None:
        assert found[2].startswith(path)
    else:
        assert found[1:4] == (rule, path, None)


def test_values_that_contain_themselves() -> None:
    tree = k.Tree(name="a")
    tree.left = tree
    assert encoded(tree)[:2] == ("EncodeError", "nested deeper than 1000 levels: does it contain itself?")
    items: list[Any] = []
    items.append(items)
    assert encoded(k.Lists(deep=items))[0] == "EncodeError"


def test_deep_values_are_written() -> None:
    tree = k.Tree(name="a")
    for _ in range(150):
        tree = k.Tree(name="a", left=tree)
    assert encoded(tree)[0] == "value"


RIGHT = [
    (lambda: k.Scalars(medium=np.int64(5), large=np.uint8(7), tiny=np.int8(-1)), lambda: k.Scalars(medium=5, large=7, tiny=-1)),
    (lambda: k.Scalars(medium=Other.SEVEN, color=Other.SEVEN), lambda: k.Scalars(medium=7, color=k.Color.BLUE)),
    (lambda: k.Scalars(real=3, data=bytearray(b"a")), lambda: k.Scalars(real=3.0, data=b"a")),
    (lambda: k.Scalars(real=np.float64(0.5), data=memoryview(b"abc")[1:]), lambda: k.Scalars(real=0.5, data=b"bc")),
    (lambda: k.Scalars(data=np.array([1, 2], np.uint8)), lambda: k.Scalars(data=b"\1\2")),
    (lambda: k.Lists(mediums=(1, 2), texts=()), lambda: k.Lists(mediums=[1, 2], texts=[])),
    (lambda: k.Sets(mediums=[3, 1], texts=frozenset({"b", "a"})), lambda: k.Sets(mediums=[3, 1], texts=["a", "b"])),
    (lambda: k.Maps(counts=[("a", 1), ("a", 2)]), lambda: k.Maps(counts=(["a", 1], ("a", 2)))),
    (lambda: k.Sets(blobs={b"b", b"a", b""}), lambda: k.Sets(blobs=[b"", b"a", b"b"])),
    (lambda: k.Sets(units={k.Unit.SECOND(), k.Unit.FIRST()}), lambda: k.Sets(units=[k.Unit.FIRST(), k.Unit.SECOND()])),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_values_of_related_types(number: int) -> None:
    given, same = RIGHT[number]
    first, second = encoded(given()), encoded(same())
    assert first == second
    assert first[0] == "value"


@pytest.mark.usefixtures("each_backend")
def test_subclasses_of_generated_classes() -> None:
    class Near(k.Point):  # type: ignore[misc, name-defined]
        __slots__ = ()

    assert k.Scalars(point=Near(x=1, y=None)).to_bytes() == bytes.fromhex("bc 15 02 00 00")
    assert k.Scalars(key=uuid.UUID(int=1)).to_bytes() == b"\x9d" + bytes(15) + b"\1\0"
