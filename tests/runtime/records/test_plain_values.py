"""Values of subclasses in lists of records: exchanged while they are written, and only where there are any."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records.plain_values import _Plain, plain_values

IDL = """
record Points { u8 n = count(items); Point items[n]; }
record Point { u8 x; u8 y; }
record Ones { u8 n = count(items); One items[n]; }
record One { u8 x; }
"""


class Lying(int):
    def __add__(self, other: Any) -> int:
        return 99


@pytest.mark.parametrize(("whole", "part", "fields"), [("Points", "Point", ("x", "y")), ("Ones", "One", ("x",))])
@pytest.mark.parametrize("where", range(3))
def test_one_value_that_lies(whole: str, part: str, fields: tuple[str, ...], where: int) -> None:
    module = compile_idl(IDL)
    items = [getattr(module, part)(**dict.fromkeys(fields, 1)) for _ in range(3)]
    setattr(items[where], fields[-1], Lying(5))
    record = getattr(module, whole)(items=items)
    with plain_values(record):
        assert [type(getattr(each, fields[-1])) for each in record.items] == [int] * 3
        assert getattr(record.items[where], fields[-1]) == 5
    assert type(getattr(items[where], fields[-1])) is Lying


def test_records_of_plain_values_are_not_visited_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    module = compile_idl(IDL)
    record = module.Points(items=[module.Point(x=1, y=2)] * 200)
    visited: list[Any] = []
    visit = _Plain.record
    monkeypatch.setattr(_Plain, "record", lambda self, each, depth: visited.append(each) or visit(self, each, depth))
    with plain_values(record):
        pass
    assert visited == [record]


@pytest.mark.parametrize("given", [True, None, 1.5, "text", b"bytes"])
def test_plain_values_of_other_types_are_not_visited_one_by_one(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    module = compile_idl(IDL)
    record = module.Points(items=[module.Point(x=1, y=2), module.Point(x=1, y=given)])
    visited: list[Any] = []
    visit = _Plain.record
    monkeypatch.setattr(_Plain, "record", lambda self, each, depth: visited.append(each) or visit(self, each, depth))
    with plain_values(record):
        assert record.items[1].y is given
    assert visited == [record]


def test_records_that_many_share_are_visited_once(monkeypatch: pytest.MonkeyPatch) -> None:
    module = compile_idl(
        "record Whole { u8 n = count(items); Item items[n]; } record Item { u8 x; Kind kind; } record Kind { u8 y; }"
    )
    kinds = [module.Kind(y=1), module.Kind(y=Lying(2))]
    record = module.Whole(items=[module.Item(x=number, kind=kinds[number % 2]) for number in range(200)])
    visited: list[Any] = []
    visit = _Plain.record
    monkeypatch.setattr(_Plain, "record", lambda self, each, depth: visited.append(each) or visit(self, each, depth))
    assert record.to_bytes() == b"".join([b"\xc8", *(bytes((number, 1 + number % 2)) for number in range(200))])
    assert visited[:3] == [record, *kinds]
    visited.clear()
    kinds[1].y = 2
    with plain_values(record):
        pass
    assert visited == [record, *kinds]


def test_records_of_other_classes_in_the_list() -> None:
    module = compile_idl(IDL)

    class Other(module.Point):  # type: ignore[name-defined,misc]
        pass

    items = [module.Point(x=1, y=2), Other(x=Lying(5), y=3)]
    with plain_values(module.Points(items=items)):
        assert type(items[1].x) is int
    assert type(items[1].x) is Lying


def test_what_a_value_changes_while_it_is_looked_at_is_looked_at_again() -> None:
    module = compile_idl("record Whole { u8 n = count(items); u8 items[n]; u8 m = count(others); u8 others[m]; }")
    items = [1, 2]

    class Acting:
        def __index__(self) -> int:
            items[0] = Lying(5)
            items.append(Lying(6))
            return 7

    record = module.Whole(items=items, others=[Acting()])
    with plain_values(record):
        assert list(map(type, record.items)) == [int] * 3
        assert record.items is not items
        assert record.others == [7]
    assert record.items is items
