"""The native encoder: the bytes and the errors of the pure one."""

from __future__ import annotations

import array
import enum
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.runtime.compact import encode as pure
from lakecodec.runtime.errors import EncodeError

from .classes import CODECS, FORMAT, All, Blob, Choice, Color, Empty, Holder, Inner, Mark, Tree, Wide, decode, make
from .results import outcome


def both(value: Any, text: str = "strict") -> tuple[Any, ...]:
    """The outcome, which has to be the same for both."""
    spec = type(value).__spec__
    native = outcome(CODECS[type(value)].encode, value, text)
    assert native == outcome(pure.encode, spec, value, text, f"{FORMAT}.{spec.name}")
    return native


class Index:
    def __index__(self) -> int:
        return 5


class Words(str):
    __slots__ = ()


class Numbers(enum.IntEnum):
    BIG = 2**40


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("flag", v) for v in (True, False, 1, "x", np.True_)],
        *[(name, v) for name in ("i8", "i16", "i32", "i64", "color") for v in (
            0, -1, 127, 128, -128, -129, 2**15 - 1, 2**15, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 2**63, -(2**63), 2**200,
            True, 1.0, "1", Index(), np.int16(-7), np.uint64(2**64 - 1), Color.GREEN, Numbers.BIG, Decimal(1),
        )],
        *[("double", v) for v in (0.0, -0.0, float("nan"), 1e308, 7, True, "1.0", np.float64(2.5), np.float32(1), None)],
        *[("binary", v) for v in (
            b"", b"x" * 600, bytearray(b"ab"), memoryview(b"abcdef")[::2], array.array("i", [1, 2]), np.arange(6).reshape(2, 3).T,
            "text", 5, [1],
        )],
        *[("string", v) for v in ("", "a" * 600, "é", "\U0001f600", "\ud800", Words("w"), b"bytes", bytearray(b"b"), 5)],
        *[("uuid", v) for v in ("00112233-4455-6677-8899-aabbccddeeff", b"0" * 16)],
        *[("inner", v) for v in (make(Inner, x=1), make(Inner), Empty(), 5, {"x": 1})],
        *[("choice", v) for v in (
            Choice.__singletons__[1], Choice._make("FLAG", False, 3), Choice._make("FLAG", 0, 3),
            Choice._make("NUMBER", None, 17),
            Choice._make("NAMES", ["a", 1], -5), Choice._make(None, None, 9, b"\x02", 5), Choice._make(None, None, 9),
            Choice._make("GONE", 1, 99), Mark.__singletons__[1],
        )],
        *[("flags", v) for v in ([], [True] * 20, (True, False), [1], {True}, "ab", None)],
        *[("inners", v) for v in ([make(Inner, x=1), make(Inner)], [None], [make(Inner, x="1")], make(Inner, x=1))],
        *[("i32_set", v) for v in ({3, 1, 2}, frozenset({-1}), [3, 1], (2,), {2**31}, {"a"}, {"a": 1}, 5)],
        *[("mark_set", v) for v in (set(Mark.__singletons__.values()), {Mark.__singletons__[20]}, {1, "x"})],
        *[("strings", v) for v in ({"b", "a"}, {"b", b"a"}, {"b", 1})],
        *[("by_name", v) for v in ({}, {"b": 1, "a": 2}, [("x", 1), ["x", 2]], [("x",)], ["xy"], {"a": "b"}, {1: 1}, 5)],
        *[("by_inner", v) for v in ([(make(Inner, x=1), False)], ((make(Inner), True),))],
        *[("nested", v) for v in ([[1], [], [2, 300]], [1])],
        *[("uuids", v) for v in ([None],)],
    ],
)  # fmt: skip
def test_values_that_fit_and_that_do_not(field: str, value: Any) -> None:
    for text in ("strict", "surrogateescape", "bytes", "replace"):
        kind, *rest = both(make(All, **{field: value}), text)
        if kind == "EncodeError" and value is not None:
            assert rest[2].startswith(field)


def test_short_values_of_all_lengths() -> None:
    for size in range(140):
        data = bytes(range(size))
        both(
            make(
                All,
                i16=size - 70,
                i64=1 << size % 63,
                binary=data,
                string=data.decode("latin-1") if size % 2 else "x" * size,
            )
        )


@pytest.mark.parametrize(
    "odd", [None, 5, Empty(), "unset", make(Inner, x=2**31), type("Sub", (Inner,), {"__slots__": ()})]
)
@pytest.mark.parametrize("place", range(8))
def test_lists_that_are_looked_at_ahead(odd: Any, place: int) -> None:
    inners: list[Any] = [make(Inner, x=number, s="s" * number) for number in range(8)]
    inners[place] = odd
    if odd == "unset":
        inners[place] = object.__new__(Inner)
    elif isinstance(odd, type):
        inners[place] = object.__new__(odd)
        inners[place].x, inners[place].s = 7, "sub"
    trees = [make(Tree, value=number, others=[make(Tree, value=1)] * number) for number in range(9)]
    trees[place].others = [make(Tree, value=2), inners[place]]
    for value in (make(All, inners=inners), make(All, inners=tuple(inners)), make(Tree, value=1, others=trees)):
        if odd == "unset":
            with pytest.raises((AttributeError, EncodeError)):
                CODECS[type(value)].encode(value, "strict")
        else:
            both(value)


@pytest.mark.parametrize("sizes", [(3 << 20, 5 << 20), (9 << 20,), (1, 4 << 20, 2)])
def test_outputs_of_megabytes(sizes: tuple[int, ...]) -> None:
    inners = [make(Inner, x=n, s="ab" * (size // 2)) for n, size in enumerate(sizes)]
    for _ in range(2):
        both(make(All, inners=inners))
    both(make(All, inners=[]))


def test_an_int_too_large_for_a_double() -> None:
    with pytest.raises(EncodeError, match="double: the value does not fit double"):
        CODECS[All].encode(make(All, double=2**2000), "strict")


def test_surrogates_come_back() -> None:
    data = CODECS[All].encode(make(All, string="a\udcff"), "surrogateescape")
    assert decode(All, data, text="surrogateescape").string == "a\udcff"


@settings(max_examples=200, deadline=None)
@given(
    st.builds(
        lambda **values: make(All, **values),
        flag=st.none() | st.booleans(),
        i64=st.none() | st.integers(-(2**63), 2**63 - 1),
        string=st.none() | st.text(),
        binary=st.none() | st.binary(),
        i64s=st.none() | st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40),
        by_name=st.none() | st.dictionaries(st.text(max_size=3), st.integers(-(2**31), 2**31 - 1)),
        i32_set=st.none() | st.sets(st.integers(-(2**31), 2**31 - 1)),
        inners=st.none()
        | st.lists(st.builds(lambda x, s: make(Inner, x=x, s=s), st.integers(0, 99), st.text(max_size=3))),
        doubles=st.none() | st.lists(st.floats(allow_nan=False)),
    )
)
def test_what_is_written_comes_back(value: Any) -> None:
    kind, _, data = both(value)
    assert kind == "value"
    assert decode(All, data) == value


def test_required_fields() -> None:
    assert both(make(Inner))[1:] == ("a required field is None", f"{FORMAT}.Inner", "x", None)
    assert both(make(Wide, f1=1))[3] == "f2"


def test_subclasses_are_written_as_their_base() -> None:
    class More(Inner):
        pass

    value = object.__new__(More)
    value.x, value.s = 3, None
    assert CODECS[Inner].encode(value, "strict") == b"\x15\x06\x00"


def test_an_object_that_contains_itself() -> None:
    tree = make(Tree, value=1)
    tree.left = tree
    assert both(tree)[1].startswith("nested deeper than 1000 levels")
    tree.left, tree.others = None, [tree]
    assert both(tree)[0] == "EncodeError"
    tree.others = None


def test_an_empty_slot_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        CODECS[Inner].encode(object.__new__(Inner), "strict")
    with pytest.raises(AttributeError):
        CODECS[Choice].encode(object.__new__(Choice), "strict")


def test_another_class_and_another_text_policy() -> None:
    with pytest.raises(EncodeError, match="the value must be Inner, not Empty"):
        CODECS[Inner].encode(Empty(), "strict")
    with pytest.raises(ValueError, match="text"):
        CODECS[Inner].encode(make(Inner, x=1), "ascii")


def test_errors_of_hand_written_codecs_get_the_outer_path() -> None:
    blob = make(Blob)
    blob.data = bytes(101)
    with pytest.raises(EncodeError, match=r"blob: blobs\[0\]\.size: a blob over 100 bytes"):
        CODECS[Holder].encode(make(Holder, blobs=[blob]), "strict")
    with pytest.raises(EncodeError, match="blob: the extern __custom__ failed: AttributeError"):
        CODECS[Holder].encode(make(Holder, blob=3), "strict")


def test_a_list_that_shrinks_while_it_is_written() -> None:
    numbers: list[Any] = [1, 2, 3]

    class Shrinks:
        def __index__(self) -> int:
            numbers.clear()
            return 1

    numbers[0] = Shrinks()
    with pytest.raises(EncodeError, match="changed its size"):
        CODECS[All].encode(make(All, i64s=numbers), "strict")


def test_a_field_that_is_replaced_while_it_is_written() -> None:
    value = make(All, i64s=[0])

    class Replaces:
        def __index__(self) -> int:
            value.i64s = None
            return 1

    value.i64s[0] = Replaces()
    assert CODECS[All].encode(value, "strict") == b"\x09\x20\x16\x02\x00"


def test_an_ending_follows_the_value_and_knows_its_size() -> None:
    value = make(Inner, x=1, s="a")
    encoded = value.to_bytes()
    codec = CODECS[Inner]
    assert codec.encode(value, "strict", lambda size: b"%d" % size) == encoded + b"%d" % len(encoded)
    with pytest.raises(TypeError, match="ending: must return bytes, not int"):
        codec.encode(value, "strict", lambda size: size)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        codec.encode(value, "strict", lambda size: b"" * (1 // 0))
