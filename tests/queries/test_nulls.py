"""Null in queries: the same over objects and over structs, whatever the order of operands."""

from __future__ import annotations

from typing import Any

import pytest

import lakecodec

IDL = """
struct Row { 1: optional i64 a  2: optional i64 b }
struct Rows { 1: list<Row> rows }

record File { u8 n = count(items); Item items[n]; }
record Item : little {
  u8 has_a;  i64 a if has_a == 1;
  u8 has_b;  i64 b if has_b == 1;
  u8 kind;   Body(kind) body;
  u8 count = count(list);  u8 list[count];
}
variant Body(u8 kind) on kind { 1: Number { u8 x; }; else: None_; }
"""
VALUES = (None, 0, 5)
PAIRS = [(a, b) for a in VALUES for b in VALUES]


@pytest.fixture(scope="module")
def module() -> Any:
    return lakecodec.compile_idl(IDL)


def over_structs(module: Any, **asked: str) -> list[dict[str, Any]]:
    data = module.Rows(rows=[module.Row(a=a, b=b) for a, b in PAIRS]).to_bytes()
    return lakecodec.query(data, type=module.Rows, over="r in rows", **asked).to_pylist()


def over_records(module: Any, **asked: str) -> list[dict[str, Any]]:
    items = [
        module.Item(
            has_a=int(a is not None), a=a, has_b=int(b is not None), b=b, kind=int(a == 5),
            body=module.Body.Number(x=9) if a == 5 else module.Body.None_(tag=0), list=[7] * (b or 0),
        )
        for a, b in PAIRS
    ]  # fmt: skip
    return lakecodec.query(
        module.File(items=items).to_bytes(), type=module.File, over="r in items", **asked
    ).to_pylist()


def either(a: bool | None, b: bool | None) -> bool | None:
    return True if True in (a, b) else None if None in (a, b) else False


def opposite(a: bool | None) -> bool | None:
    return None if a is None else not a


def more(value: int | None) -> bool | None:
    return None if value is None else value > 1


@pytest.mark.parametrize("rows", [over_structs, over_records])
@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("r.a > 1 or r.b > 1", lambda a, b: either(more(a), more(b))),
        ("r.b > 1 or r.a > 1", lambda a, b: either(more(a), more(b))),
        ("r.a > 1 and r.b > 1", lambda a, b: opposite(either(opposite(more(a)), opposite(more(b))))),
        ("r.b > 1 and r.a > 1", lambda a, b: opposite(either(opposite(more(a)), opposite(more(b))))),
        ("not (r.a > 1)", lambda a, b: opposite(more(a))),
        ("not (r.a > 1 or r.b > 1)", lambda a, b: opposite(either(more(a), more(b)))),
        ("r.a > 1 or not present(r.a)", lambda a, b: a is None or a > 1),
        ("r.a == null", lambda a, b: a is None),
        ("null == r.a", lambda a, b: a is None),
        ("r.a != null and r.b == null", lambda a, b: a is not None and b is None),
        ("r.a == 5", lambda a, b: None if a is None else a == 5),
        ("r.a != 5", lambda a, b: None if a is None else a != 5),
        ("not (r.a == r.b)", lambda a, b: None if None in (a, b) else a != b),
        ("r.a > 1 ? r.b == null : r.b != null", lambda a, b: None if a is None else (b is None) == (a > 1)),
    ],
)
def test_words_of_null(module: Any, rows: Any, expression: str, expected: Any) -> None:
    wanted = [expected(a, b) for a, b in PAIRS]
    assert [each["x"] for each in rows(module, select=f"x = {expression}")] == wanted
    kept = [pair for pair, holds in zip(PAIRS, wanted, strict=True) if holds]
    assert [(each["a"], each["b"]) for each in rows(module, where=expression, select="r.a, r.b")] == kept


def test_other_alternatives_are_null(module: Any) -> None:
    found = over_records(
        module, select="none = r.body.x == null, some = r.body.x != null, x = r.body.x > 1 or r.a != 5"
    )
    assert [tuple(each.values()) for each in found] == [
        (a != 5, a == 5, True if a is not None else None) for a, _ in PAIRS
    ]


def test_elements_that_are_not_there_are_null(module: Any) -> None:
    found = over_records(
        module, select="second = r.list[1], before = r.list[r.kind - 1], f = first(r.list), l = last(r.list)"
    )
    assert [tuple(each.values()) for each in found] == [
        (7 if b else None, 7 if a == 5 and b else None, 7 if b else None, 7 if b else None) for a, b in PAIRS
    ]
