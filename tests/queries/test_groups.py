"""Aggregates of groups beside Python's, with sums that do not fit."""

from __future__ import annotations

from decimal import Decimal
from math import prod
from typing import Any

import pytest

import lakecodec

IDL = """
record File { Row rows[..]; }
record Row : little { u8 key; u64 big; i64 small; utf8 word[1] = "w"; }
"""
ROWS = [(1, 2**63, -5), (2, 7, 3), (1, 5, 2**40), (2, 2**64 - 9, 0), (1, 0, -(2**40))]


def ask(select: str, rows: list[tuple[int, int, int]] = ROWS, **asked: Any) -> list[dict[str, Any]]:
    module = lakecodec.compile_idl(IDL)
    data = module.File(rows=[module.Row(key=k, big=b, small=s) for k, b, s in rows]).to_bytes()
    return lakecodec.query(data, type=module.File, over="r in rows", select=select, **asked).to_pylist()


EVERY = "n = count(), f = first(r.big), l = last(r.big), all = list(r.small), s = sum(r.small), low = min(r.small)"


def expected(rows: list[tuple[int, int, int]]) -> dict[str, Any]:
    big, small = [b for _, b, _ in rows], [s for _, _, s in rows]
    return {"n": len(rows), "f": big[0], "l": big[-1], "all": small, "s": sum(small), "low": min(small)}


def test_first_last_and_list() -> None:
    assert ask(EVERY, group_by="") == [expected(ROWS)]
    found = ask(f"k = r.key, {EVERY}", group_by="k", order_by="k")
    assert found == [{"k": key, **expected([row for row in ROWS if row[0] == key])} for key in (1, 2)]
    nothing = {"n": 0, "f": None, "l": None, "all": [], "s": None, "low": None}
    assert ask(EVERY, [], group_by="") == [nothing]
    assert ask("x = list(r.key)", group_by="") == [{"x": [key for key, _, _ in ROWS]}]


@pytest.mark.parametrize("key", ["", "k"])
def test_sums_and_products_near_64_bits_are_exact(key: str) -> None:
    rows = [(1, 2**63, 2**62), (1, 2**63 - 1, -(2**62)), (1, 0, 2)]
    select = "s = sum(r.big), t = sum(r.small), p = product(r.big)" + (", k = r.key" if key else "")
    found = ask(select, rows, group_by=key)[0]
    assert (found["s"], found["t"], found["p"]) == (2**64 - 1, 2, 0)
    small = [(1, n, -n) for n in range(1, 21)]
    found = ask(select.replace("r.big)", "r.small)"), small, group_by=key)[0]
    assert found["p"] == prod(-n for n in range(1, 21))


@pytest.mark.parametrize("key", ["", "k"])
@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("s = sum(r.big)", r"the sum 's' does not fit uint64: declare decimal<38, 0> s = sum\(...\)"),
        ("s = product(r.big)", "the product 's' does not fit uint64"),
        ("s = product(r.small)", "the product 's' does not fit int64"),
        ("s = sum(r.word)", "an aggregate has no meaning for its column: .*sum"),
        ("decimal<38, 0> s = product(r.small)", "a product of decimals may not fit 38 digits: declare a double"),
    ],
)
def test_what_does_not_fit_is_refused(key: str, select: str, message: str) -> None:
    rows = [(1, 2**63, 2**32), (1, 2**63, -(2**32))]
    with pytest.raises(ValueError, match=message):
        ask(select + (", k = r.key" if key else ""), rows, group_by=key)


def test_wider_sums_are_declared() -> None:
    rows = [(1, 2**63, 0)] * 3
    assert ask("decimal<38, 0> s = sum(r.big)", rows, group_by="") == [{"s": Decimal(3 * 2**63)}]
