"""Expressions over columns beside the same over objects and Python's, with numbers near the edges of 64 bits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

import lakecodec

IDL = """
struct Row { 1: i64 a  2: i64 b  3: optional double d  4: string s }
struct Rows { 1: list<Row> rows }
table quotients from Rows { for r in rows  i64 a = r.a / r.b;  bool has = r.d != null; }

record File { u16 n = count(rows); Item rows[n]; }
record Item : little { i64 a; i64 b; u8 has_d; f64 d if has_d == 1; u8 size = size(s); utf8 s size size; }
"""
NUMBERS = (-(2**63), -(2**62), -7, -1, 0, 1, 2, 5, 63, 64, 70, 2**32, 2**62, 2**63 - 1)
PAIRS = list(itertools.product(NUMBERS, NUMBERS))
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b if b <= 64 else 1 // 0,
    ">>": lambda a, b: a >> b,
}


@pytest.fixture(scope="module")
def module() -> Any:
    return lakecodec.compile_idl(IDL)


def asked(module: Any, pairs: list[tuple[int, int]], text: str, **more: str) -> dict[str, list[Any] | str]:
    """Returns the column ``x`` over structs and over objects, or "error"."""
    half = [a / 2 if a % 2 else None for a, _ in pairs]
    structs = module.Rows(rows=[module.Row(a=a, b=b, d=d, s=f"é{b}") for (a, b), d in zip(pairs, half, strict=True)])
    items = module.File(
        rows=[
            module.Item(a=a, b=b, has_d=int(d is not None), d=d, s=f"é{b}")
            for (a, b), d in zip(pairs, half, strict=True)
        ]
    )
    found: dict[str, list[Any] | str] = {}
    for name, cls, value in (("structs", module.Rows, structs), ("objects", module.File, items)):
        try:
            table = lakecodec.query(value.to_bytes(), type=cls, over="r in rows", select=f"x = {text}", **more)
            found[name] = table["x"].to_pylist()
        except ValueError:
            found[name] = "error"
    return found


def value_of(operator: str, a: int, b: int) -> int | None:
    try:
        value = OPERATORS[operator](a, b)
    except (ArithmeticError, ValueError):
        return None
    return value if -(2**63) <= value < 2**63 else None


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(module: Any, operator: str) -> None:
    known = [(pair, value) for pair in PAIRS if (value := value_of(operator, *pair)) is not None]
    values = [value for _, value in known]
    assert asked(module, [pair for pair, _ in known], f"r.a {operator} r.b") == {"structs": values, "objects": values}
    for pair in PAIRS:
        if value_of(operator, *pair) is None:
            assert asked(module, [(1, 1), pair], f"r.a {operator} r.b") == {"structs": "error", "objects": "error"}, (
                pair
            )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r.a * 4 / 8", lambda a, b: a * 4 // 8),
        ("r.a >> 70", lambda a, b: a >> 70),
        ("r.b == 0 ? 0 : r.a / 2 / r.b", lambda a, b: 0 if b == 0 else a // 2 // b),
        ("r.b != 0 and r.a / r.b > 1", lambda a, b: b != 0 and a // b > 1),
        ("r.b == 0 or r.a / r.b > 1", lambda a, b: b == 0 or a // b > 1),
        ("r.d / 2", lambda a, b: a / 2 // 2 if a % 2 else None),
        ("r.d % 2 > 0", lambda a, b: a / 2 % 2 > 0 if a % 2 else None),
        ("not (r.a * 4 > 0)", lambda a, b: not a > 0),
        ("r.a * 4 > 0 and r.d == null", lambda a, b: a > 0 and a % 2 == 0),
        ("r.a * 4 > 0 and r.s == 'é70'", lambda a, b: a > 0 and b == 70),
        ("-(r.a / 4) + -2 * 3", lambda a, b: -(a // 4) - 6),
        ("7 / -2", lambda a, b: -4),
    ],
)
def test_expressions(module: Any, text: str, expected: Any) -> None:
    values = [expected(a, b) for a, b in PAIRS]
    assert asked(module, PAIRS, text) == {"structs": values, "objects": values}


def test_rows_that_are_left_out_are_no_errors(module: Any) -> None:
    where = "r.b != 0 and r.b != -1"
    values = [a // b for a, b in PAIRS if b not in (0, -1)]
    assert asked(module, PAIRS, "r.a / r.b", where=where) == {"structs": values, "objects": values}


def test_declared_tables(module: Any) -> None:
    rows = [module.Row(a=a, b=b, d=None if b == 2 else 0.5, s="") for a, b in ((-7, 2), (7, -2))]
    table, _ = module.quotients.decode([module.Rows(rows=rows).to_bytes()])
    assert table.to_pylist() == [{"a": -4, "has": False}, {"a": -4, "has": True}]
    none = module.Rows(rows=[*rows, module.Row(a=1, b=0, d=None, s="")]).to_bytes()
    with pytest.raises(ValueError, match="column 'a', row 2: a division by zero"):
        module.quotients.decode([none])


def test_columns_of_one_name_are_refused(module: Any) -> None:
    with pytest.raises(lakecodec.IdlError, match="two columns are called 'a'"):
        lakecodec.query(b"\0", type=module.Rows, over="r in rows", select="r.a, a = r.b")
