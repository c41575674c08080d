"""Choices of fields and skipping, natively and in pure Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.generated import parquet
from lakecodec.runtime.compact import interpret, native
from lakecodec.runtime.compact.pure import skip as pure_skip
from lakecodec.runtime.errors import EncodeError
from lakecodec.runtime.limits import Limits

from .classes import CODECS, All, Inner, Tree, decode, make, oracle
from .footers import broken, footer
from .results import outcome

FILE = parquet.FileMetaData.__codec__
TREES: list[dict[str, Any]] = [
    {},
    {"version": True},
    {"schema": (frozenset({0, 2}), True), "created_by": True},
    {"row_groups": (None, {"columns": (frozenset({1, 3, 10**30}), True)})},
    {"row_groups": (frozenset({1}), {"columns": (None, {"meta_data": (None, {"path_in_schema": (frozenset({0}), True)})})})},
    {"row_groups": (None, {"columns": (None, {"meta_data": (None, {"statistics": (None, {"min_value": True})})})})},
    {"schema": (None, {"logicalType": True}), "column_orders": (frozenset(), True)},
]  # fmt: skip


def interpreted(data: bytes, tree: Any) -> Any:
    reading = interpret.Reading("parquet.FileMetaData", 64, 10**6)
    return interpret.decode(parquet.FileMetaData.__spec__, data, 0, reading, tree)


@pytest.mark.parametrize("tree", TREES)
def test_choices_of_fields(tree: dict[str, Any]) -> None:
    codec = FILE.project(tree)
    good = footer(5, 2)
    got = codec.decode(good, 0, 64, 10**6, False, "strict")
    assert got[1] == len(good)
    assert repr(got) == repr(interpreted(good, tree))
    for seed in range(200):
        bad = broken(good, seed)
        assert outcome(codec.decode, bad, 0, 64, 10**6, False, "strict") == outcome(interpreted, bad, tree)


def test_fields_left_out_may_be_missing_or_of_any_kind() -> None:
    tree = {"inner": (None, {"s": True}), "flags": (frozenset({0, 2}), True)}
    data = CODECS[All].encode(make(All, flags=[True, False, True, True], inner=make(Inner, x=1, s="s")), "strict")
    got = CODECS[All].project(tree).decode(data, 0, 9, 9, False, "strict")[0]
    assert (got.inner.x, got.inner.s, got.flags) == (None, "s", [True, True])
    without = b"\xcc\x28\x01a\x00\x00"
    assert CODECS[All].project(tree).decode(without, 0, 9, 9, False, "strict")[0].inner.s == "a"
    assert repr(oracle(All, data, tree=tree)[0]) == repr(got)


def test_recursive_structs_and_unions_whole() -> None:
    tree = {"left": (None, {"left": (None, {"value": True})}), "others": (frozenset({0}), {"value": True})}
    leaf = make(Tree, value=1, left=make(Tree, value=5))
    data = CODECS[Tree].encode(make(Tree, value=2, left=leaf, others=[leaf, leaf]), "strict")
    got = CODECS[Tree].project(tree).decode(data, 0, 9, 9, False, "strict")[0]
    assert repr(got) == repr(oracle(Tree, data, tree=tree)[0])
    assert repr(decode(Tree, data)) != repr(got)
    union = parquet.LogicalType.__codec__
    assert union.project({"STRING": True}) is union


def test_a_choice_is_for_reading_and_made_of_known_names() -> None:
    codec = FILE.project(TREES[1])
    with pytest.raises(EncodeError, match="a choice of fields is for reading only"):
        codec.encode(FILE.decode(footer(1, 1), 0, 64, 99, False, "strict")[0], "strict")
    assert "projected" in repr(codec)
    with pytest.raises(KeyError, match="tree"):
        FILE.project({"nothing": True})
    for wrong in ({"version": 5}, {"version": (frozenset({1}), True)}, 5, {"schema": (None, 5)}):
        with pytest.raises((TypeError, ValueError)):
            FILE.project(wrong)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40), st.integers(0, 16), st.integers(1, 6))
def test_any_bytes_are_skipped_alike(data: bytes, wire: int, depth: int) -> None:
    limits = Limits(max_depth=depth)
    assert outcome(native.skip, data, 0, wire, limits) == outcome(pure_skip, data, 0, wire, limits, "")


def test_broken_footers_are_skipped_alike() -> None:
    for seed in range(500):
        bad = broken(footer(3, 2), seed)
        assert outcome(native.skip, bad, 0, 12, Limits()) == outcome(pure_skip, bad, 0, 12, Limits(), "")
