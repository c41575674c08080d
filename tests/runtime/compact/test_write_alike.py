"""Lists of structs that have few shapes: written by stencils, with the bytes and errors of the pure one."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from lakecodec import EncodeError, parquet
from lakecodec.generated.parquet import FileMetaData

from .backends import BACKENDS, kitchen, outcomes, running
from .footers import footer

_KITCHEN: Any = kitchen()
_COUNT = 40


class Member(int):
    """A number of a class that is no enum's."""


class Words(str):
    __slots__ = ()


class Calls:
    """An integer that calls something while it is written."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call

    def __index__(self) -> int:
        self.call()
        return 5


def _same(value: Any) -> tuple[Any, ...]:
    """The outcome of encoding, the same on all backends."""
    first, *others = outcomes(value.to_bytes)
    assert all(other == first for other in others)
    return first


def _scalars(number: int, **changed: Any) -> Any:
    values: dict[str, Any] = {
        "flag": True,
        "tiny": number % 100,
        "medium": number * 1000,
        "large": number << 35,
        "real": number / 3,
        "data": bytes(number % 20),
        "text": f"text {number}",
        "color": _KITCHEN.Color.BLUE,
        "point": _KITCHEN.Point(x=number),
    }
    return _KITCHEN.Scalars(**{**values, **changed})


def _many(**changed: Any) -> Any:
    """A list of elements that are alike, but for one in the middle."""
    return _KITCHEN.Everything(many=[_scalars(n, **(changed if n == 23 else {})) for n in range(_COUNT)])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("flag", value) for value in (False, None, 1, 0, "x")],
        *[("tiny", value) for value in (None, -128, 128, True, Member(3), np.int8(3))],
        *[("small", value) for value in (0, -(2**15), 2**15, 2**40, Member(4))],
        *[("medium", value) for value in (2**31 - 1, 2**31, 2**200, Member(5), True, np.int64(5), 1.0)],
        *[("large", value) for value in (0, -1, 2**63 - 1, -(2**63), 2**63, Member(2**40))],
        *[("real", value) for value in (float("inf"), 7, True, "1", np.float64(2), 2**2000)],
        *[("data", value) for value in (b"", b"x" * 127, b"x" * 128, b"x" * 70_000, bytearray(b"a"), "text", 5)],
        *[("text", value) for value in ("", "é", "a" * 127, "a" * 128, "\ud800", Words("w"), b"bytes", 5)],
        *[("color", value) for value in (_KITCHEN.Color.RED, 7, 0, 2**31, Member(7), True, None, "x")],
        *[("key", value) for value in (UUID(int=5), "text")],
        *[("point", value) for value in (None, 5, _KITCHEN.Point(x=1, y=None), _KITCHEN.Point(x=None), _KITCHEN.Point(x="x"))],
        *[("choice", value) for value in (_KITCHEN.Choice.NUMBER(5), 5)],
        *[("nothing", value) for value in (_KITCHEN.Empty(), 5)],
    ],
)  # fmt: skip
def test_one_element_that_differs(field: str, value: Any) -> None:
    kind, *rest = _same(_many(**{field: value}))
    if kind == "EncodeError":
        assert rest[1].startswith(f"many[23].{field}")


@pytest.mark.parametrize("number", [Member(7), _KITCHEN.Color.FAR, 7, Member(2**40), np.int32(7)])
def test_all_elements_hold_one_number(number: Any) -> None:
    members = [_scalars(n, color=number) for n in range(_COUNT)]
    before = sys.getrefcount(number)
    _same(_KITCHEN.Everything(many=members))
    assert sys.getrefcount(number) == before


@pytest.mark.parametrize("place", [0, 1, 15, _COUNT - 1])
@pytest.mark.parametrize("other", [None, 5, _KITCHEN.Point(x=1)])
def test_an_element_that_is_no_struct_of_the_list(place: int, other: Any) -> None:
    value = _many()
    value.many[place] = other
    assert _same(value)[2] == f"many[{place}]"


@pytest.mark.parametrize("shapes", [1, 2, 7, 31, 33, 200])
def test_shapes_that_alternate(shapes: int) -> None:
    chance = random.Random(shapes)
    fields = ["flag", "tiny", "medium", "large", "real", "data", "text", "color"]
    absent = [chance.sample(fields, chance.randrange(len(fields))) for _ in range(shapes)]
    colors = chance.choices(list(_KITCHEN.Color), k=shapes)

    def group() -> Any:
        many = [
            _scalars(n, **{"color": colors[n % shapes], "flag": n % 2 == 0, **dict.fromkeys(absent[n % shapes])})
            for n in range(150)
        ]
        return _KITCHEN.Everything(many=many)

    # Lists of lists, each as the one before.
    for _ in range(2):
        assert _same(group())[0] == "value"
    value = group()
    chance.shuffle(value.many)
    assert _same(value)[0] == "value"


def test_long_values_in_all_elements() -> None:
    value = _KITCHEN.Everything(many=[_scalars(n, text="é" * 200 * n, data=b"d" * 1000) for n in range(100)])
    assert _same(value)[0] == "value"


@pytest.mark.parametrize("size", [0, 1, 14, 15, 16, 90, 100, 300])
def test_lists_in_elements(size: int) -> None:
    def element(number: int) -> Any:
        return _KITCHEN.Tree(name=str(number), children=[_KITCHEN.Tree(name="below", children=[]) for _ in range(size)])

    tree = _KITCHEN.Tree(name="root", children=[element(n) for n in range(20)])
    assert _same(tree)[0] == "value"
    tree.children[19].children.append(_KITCHEN.Tree(name="more"))
    tree.children[3].children = tuple(tree.children[3].children)
    assert _same(tree)[0] == "value"
    tree.children[7].children.append(_KITCHEN.Tree(name=None))
    assert _same(tree)[2] == f"children[7].children[{size}].name"


def test_an_element_that_contains_itself() -> None:
    tree = _KITCHEN.Tree(name="root", children=[_KITCHEN.Tree(name=str(n)) for n in range(20)])
    tree.children[17].left = tree
    assert _same(tree)[1].startswith("nested deeper than 1000 levels")
    tree.children[17].left = None


def test_subclasses_and_empty_slots() -> None:
    class More(_KITCHEN.Scalars):  # type: ignore[misc]
        pass

    value = _many()
    value.many[20] = More(tiny=3)
    assert _same(value)[0] == "value"
    del value.many[30].medium
    for name in BACKENDS:
        with running(name), pytest.raises(AttributeError):
            value.to_bytes()


def test_a_list_that_shrinks_while_it_is_written() -> None:
    value = _many()
    value.many[20].large = Calls(value.many.clear)
    with pytest.raises(EncodeError, match="changed its size"):
        value.to_bytes()


def test_elements_that_are_replaced_while_others_are_written() -> None:
    def make() -> Any:
        value = _many()

        def change() -> None:
            value.many[21:] = [_scalars(-n, flag=None) for n in range(_COUNT - 21)]
            value.many[25].point = None

        value.many[20].large = Calls(change)
        return value

    encoded = []
    for name in BACKENDS:
        with running(name):
            encoded.append(make().to_bytes())
    assert set(encoded) == {encoded[0]}


def test_what_a_shape_has_in_common_outlives_its_owner() -> None:
    """Another object in the place of a member in memory is not taken for it."""
    value = _many()
    for n, element in enumerate(value.many):
        element.color = None if n else Member(1)

    def change() -> None:
        value.many[0].color = None
        for element in value.many[21:]:
            element.color = Member(7)

    value.many[20].large = Calls(change)
    value.to_bytes()
    back = _KITCHEN.Everything.from_bytes(value.to_bytes())
    assert [element.color for element in back.many[21:]] == [_KITCHEN.Color.BLUE] * (_COUNT - 21)


@pytest.mark.parametrize("columns", [30, 31, 32])
def test_trees_of_full_objects(columns: int) -> None:
    data = footer(columns, 4)
    whole = pickle.loads(pickle.dumps(FileMetaData.from_bytes(data)))
    assert _same(whole) == ("value", data)
    # Elements that were read and not touched are among those that hold everything.
    group = FileMetaData.from_bytes(data).row_groups[1]
    whole.row_groups[1].columns[5:20] = group.columns[5:20]
    assert _same(whole) == ("value", data)
    for row_group in whole.row_groups:
        for number, chunk in enumerate(row_group.columns):
            chunk.file_path = f"part-{number}.parquet"
            chunk.meta_data.statistics = None if number % 3 else chunk.meta_data.statistics
    kind, written = _same(whole)
    assert kind == "value"
    assert FileMetaData.from_bytes(written) == whole
    assert parquet.write_metadata(whole)[:-8] == written


def test_empty_lists_in_shapes_that_alternate() -> None:
    """An empty list has no items: nothing of the element is lost to them when another shape is tried."""

    def element(number: int) -> Any:
        below = _KITCHEN.Tree(name="below", children=None if number % 3 else [])
        return _KITCHEN.Tree(name=str(number), children=[_KITCHEN.Tree(name="first", children=[]), below])

    assert _same(_KITCHEN.Tree(name="root", children=[element(n) for n in range(40)]))[0] == "value"
