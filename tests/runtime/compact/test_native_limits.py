"""What the native codec spends and leaves behind: limits, the garbage collector, references, arguments."""

from __future__ import annotations

import gc
import itertools
import sys
import threading
import weakref
from typing import Any

import pytest

from lakecodec.generated import parquet
from lakecodec.runtime.compact import native
from lakecodec.runtime.compact.wire import STRUCT
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits
from lakecodec.runtime.native import _compact
from lakecodec.runtime.spec import I32, FieldSpec, Spec, list_, struct_

from ...memory import traced
from .classes import CODECS, All, Blob, Choice, Holder, Inner, Tree, Wide, decode, make
from .footers import broken, footer
from .results import outcome

FILE = parquet.FileMetaData.__codec__


def deep(levels: int) -> bytes:
    return b"\x16\x02\x1c" * (levels - 1) + b"\x16\x02" + b"\x00" * levels


def test_depth_counts_structs_and_containers() -> None:
    assert decode(Tree, deep(20), depth=20).left is not None
    with pytest.raises(DecodeError, match="max_depth"):
        decode(Tree, deep(21), depth=20)
    inner = CODECS[All].encode(make(All, inners=[make(Inner, x=1)]), "strict")
    assert decode(All, inner, depth=3).inners
    with pytest.raises(DecodeError, match=r"inners\[0\]: nested"):
        decode(All, inner, depth=2)


@pytest.mark.parametrize("data", [b"\xfc" + b"\x1c" * 10**6, b"\xf9" + b"\x19" * 10**6, b"\xfb" + b"\x01\xbb" * 10**6])
def test_no_limit_lets_nesting_exhaust_the_stack(data: bytes) -> None:
    with pytest.raises(DecodeError, match="max_depth"):
        CODECS[Tree].decode(data, 0, 10**9, 10**9, False, "strict")
    with pytest.raises(DecodeError, match="max_depth"):
        native.skip(data, 0, STRUCT, Limits(max_depth=10**9))


def test_deep_trees_are_made_and_freed() -> None:
    # Frames of AddressSanitizer leave room for some 1,000 levels.
    nested = b"\x16\x02\x1c" * 900 + b"\x16\x02" + b"\x00" * 901
    in_thread = threading.Thread(target=lambda: CODECS[Tree].decode(nested, 0, 5000, 10, False, "strict"))
    in_thread.start()
    in_thread.join()
    assert CODECS[Tree].decode(nested, 0, 5000, 10, False, "strict")[0].value == 1


def test_elements_count_over_the_whole_value() -> None:
    data = CODECS[All].encode(make(All, flags=[True] * 4, nested=[[1], [2, 3]], by_name={"a": 1}), "strict")
    assert decode(All, data, elements=10).nested == [[1], [2, 3]]
    with pytest.raises(DecodeError, match=r"by_name: .*max_elements|nested\[1\]: .*max_elements"):
        decode(All, data, elements=9)
    with pytest.raises(DecodeError, match="max_elements"):
        FILE.decode(b"\x29\xfc" + b"\x80\x80\x40" + bytes(2**20), 0, 64, 2**19, False, "strict")


def test_a_count_alone_allocates_nothing() -> None:
    def read() -> None:
        with pytest.raises(DecodeError, match="a container declares more"):
            FILE.decode(b"\x29\xfc\xff\xff\xff\xff\x07", 0, 64, 10**9, False, "strict")

    assert traced(read).peak < 10**6


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_left_as_it_was(collecting: bool) -> None:
    seen = []

    class Reader:
        @staticmethod
        def read(data: memoryview, pos: int) -> tuple[Any, int]:
            seen.append(gc.isenabled())
            CODECS[Inner].decode(b"\x15\x02\x00", 0, 64, 10, False, "strict")
            seen.append(gc.isenabled())
            return None, pos + 1

    def hooked() -> Any:
        class Hooked:
            __slots__ = ("x",)
            __custom__ = Reader

        class Outer:
            __slots__ = ("hooked",)

        specs = [
            Spec("Hooked", "struct", Hooked, annotations={"lakecodec.codec": "x"}),
            Spec("Outer", "struct", Outer, (FieldSpec("hooked", 1, struct_(Hooked)),)),
        ]
        for spec in specs:
            spec.cls.__spec__ = spec  # type: ignore[attr-defined]
        return native.define(specs, "test")[Outer]

    before = gc.isenabled()
    codec = hooked()
    try:
        (gc.enable if collecting else gc.disable)()
        codec.decode(b"\x1cx\x00", 0, 64, 10, False, "strict")
        assert gc.isenabled() is collecting
        with pytest.raises(DecodeError):
            codec.decode(b"\x1cx", 0, 64, 10, False, "strict")
        assert gc.isenabled() is collecting
        assert not any(seen)
    finally:
        (gc.enable if before else gc.disable)()


def test_only_what_can_be_in_a_cycle_is_tracked() -> None:
    assert not gc.is_tracked(decode(Inner, b"\x15\x02\x18\x01a\x00"))
    assert gc.is_tracked(decode(Tree, b"\x16\x02\x00"))
    tree = decode(Tree, b"\x16\x02\x00")
    tree.left = tree
    marker = weakref.finalize(type("Alive", (), {})(), lambda: None)
    del tree
    gc.collect()
    assert not marker.alive


def test_codecs_die_with_their_classes() -> None:
    class Node:
        __slots__ = ("children",)

    spec = Spec("Node", "struct", Node, (FieldSpec("children", 1, list_(struct_(Node)), "default", []),))
    Node.__spec__ = spec  # type: ignore[attr-defined]
    Node.__codec__ = native.define([spec], "test")[Node]  # type: ignore[attr-defined]
    assert len(Node.__codec__.decode(b"\x19\x2c\x00\x00\x00", 0, 9, 9, False, "strict")[0].children) == 2  # type: ignore[attr-defined]
    gone = weakref.ref(Node)
    del Node, spec
    gc.collect()
    assert gone() is None


def _growth(call: Any) -> int:
    """Blocks that 20 calls leave allocated, in the first of several rounds that leaves few: the interpreter fills caches too."""
    sizes = []
    for _ in range(8):
        for _ in range(20):
            call()
        gc.collect()
        sizes.append(sys.getallocatedblocks())
        if len(sizes) > 1 and sizes[-1] - sizes[-2] < 5:
            break
    return min(after - before for before, after in itertools.pairwise(sizes))


def test_nothing_leaks() -> None:
    good = footer(3, 2)
    tree = {"row_groups": (None, {"columns": (frozenset({1}), {"meta_data": (None, {"statistics": True})})})}

    def everything() -> None:
        value, _ = FILE.decode(good, 0, 64, 10**6, True, "strict")
        FILE.encode(value, "strict")
        FILE.project(tree).decode(good, 0, 64, 10**6, False, "strict")
        for seed in range(20):
            bad = broken(good, seed)
            outcome(FILE.decode, bad, 0, 64, 10**6, False, "strict")
            outcome(parquet.FileMetaData.skip, bad)
        blob = make(Blob)
        blob.data = b"x"
        decode(Holder, CODECS[Holder].encode(make(Holder, blobs=[blob]), "strict"))
        outcome(CODECS[All].encode, make(All, i32_set={1, "a"}, by_name=5), "strict")
        outcome(CODECS[All].encode, make(All, nested=[[1], [400]]), "strict")
        outcome(CODECS[Wide].decode, b"\0", 0, 64, 10, False, "strict")
        decode(Choice, b"\x9c\x19\x25\x02\x04\x00\x00")

    assert _growth(everything) < 20


def test_the_input_is_released() -> None:
    data = bytearray(b"\x15\x02\x00")
    references = sys.getrefcount(data)
    decode(Inner, data)
    outcome(CODECS[Inner].decode, data, 0, 64, 1, False, "strict")
    with pytest.raises(ValueError, match="max_depth"):
        CODECS[Inner].decode(data, 0, 0, 1, False, "strict")
    data.append(0)
    assert sys.getrefcount(data) == references


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("x", 0, 1, 1, False, "strict"), "data: "),
        ((memoryview(b"abcd")[::2], 0, 1, 1, False, "strict"), "data: "),
        ((b"", 0, 0, 1, False, "strict"), "max_depth"),
        ((b"", 0, 1, -1, False, "strict"), "max_elements"),
        ((b"", 0, 1, 1, False, "loose"), "text"),
        ((b"", 0, 1, 1, False, 5), "text"),
        ((b"", "0", 1, 1, False, "strict"), "integer"),
        ((b"",), "6 arguments"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple[Any, ...], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        FILE.decode(*arguments)


@pytest.mark.parametrize(
    "row",
    [
        5,
        (
            Inner,
            "struct",
            "Inner",
            "f",
            None,
            (("x", "nothing", 1, False, None, None, ("i32", None, None, None, False)),),
        ),
        (Inner, "struct", "Inner", "f", None, (("x", "x", 1, False, None, None, ("int", None, None, None, False)),)),
        (Inner, "struct", "Inner", "f", None, (("x", "x", 1, False, None, None, ("list", None, None, None, False)),)),
        (Inner, "struct", "Inner", "f", None, (("x", "x", 1, False, None, None, ("struct", 7, None, None, False)),)),
        (Inner, "struct", "Inner", "f", None, (("x", "x", 1, False, None, None, ("struct", None, None, None, False)),)),
        (
            Inner,
            "struct",
            "Inner",
            "f",
            None,
            (("x", "x", 40000, False, None, None, ("i32", None, None, None, False)),),
        ),
        (
            Inner,
            "struct",
            "Inner",
            "f",
            None,
            (("x", "x", 1, False, None, None, ("i32", None, None, None, False)),) * 2,
        ),
        (Inner, "list", "Inner", "f", None, ()),
        (Inner, "union", "Inner", "f", {}, ()),
        (int, "struct", "Inner", "f", None, (("x", "real", 1, False, None, None, ("i32", None, None, None, False)),)),
    ],
)
def test_rows_that_describe_nothing_are_refused(row: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        _compact.define([row])


def test_classes_with_a_dict_are_filled_too() -> None:
    class Loose:
        __slots__ = ("__dict__", "__weakref__", "x")
        x: int

    spec = Spec("Loose", "struct", Loose, (FieldSpec("x", 1, I32),))
    Loose.__spec__ = spec  # type: ignore[attr-defined]
    made = native.define([spec], "test")[Loose].decode(b"\x15\x02\x00", 0, 1, 1, False, "strict")[0]
    made.other = 1
    assert (made.x, made.__dict__) == (1, {"other": 1})
    assert weakref.ref(made)() is made
