"""Predicates as text: what is understood, what is left to Spark, and the way back to text."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lakecodec.lake.read.bind import bind
from lakecodec.lake.read.predicate import (
    And,
    Anything,
    Compare,
    Comparison,
    Constant,
    In,
    Like,
    Not,
    NullCheck,
    NullTest,
    OneOf,
    Or,
    Prefix,
    positive,
    undecided,
)
from lakecodec.lake.read.sql import parse_sql, settings_decide
from lakecodec.lake.read.sql_text import to_sql

A, B = Comparison(("a",), ">", 1), Comparison(("b",), "=", "x")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a > 1", A),
        ("1 < a", A),
        ("(a > 1)", A),
        ("a > 1 AND b = 'x'", And((A, B))),
        ("a>1 or b=='x'", Or((A, B))),
        ("not a > 1", Not(A)),
        ("NOT (a > 1 OR b = 'x')", Not(Or((A, B)))),
        ("a > 1 and b = 'x' or b = 'x'", Or((And((A, B)), B))),
        ("a <> -1.5", Comparison(("a",), "!=", Decimal("-1.5"))),
        ("a = 1e3", Comparison(("a",), "=", 1000.0)),
        ("a = 2.5BD and a = 2D and a = 7L", And(tuple(Comparison(("a",), "=", v) for v in (Decimal("2.5"), 2.0, 7)))),
        ("a BETWEEN 1 AND 2", And((Comparison(("a",), ">=", 1), Comparison(("a",), "<=", 2)))),
        ("a NOT IN (1, NULL)", Not(In(("a",), (1, None)))),
        ("a IS NOT NULL", Not(NullTest(("a",)))),
        ("a <=> NULL", NullTest(("a",))),
        ("a <=> 1", And((Not(NullTest(("a",))), Comparison(("a",), "=", 1)))),
        ("b = 'it''s' or b in ('', '''', 'a''')", Or((Comparison(("b",), "=", "it's"), In(("b",), ("", "'", "a'"))))),
        (r"b = '\\\''''", Comparison(("b",), "=", "\\''")),
        ("b LIKE 'x%'", Like(("b",), "x%")),
        ("`a b`.`c``d`.e = TRUE", Comparison(("a b", "c`d", "e"), "=", True)),
        ("flag", Comparison(("flag",), "=", True)),
        ("android = 1 AND orders = 2", And((Comparison(("android",), "=", 1), Comparison(("orders",), "=", 2)))),
        ("d = DATE'2024-02-29'", Comparison(("d",), "=", date(2024, 2, 29))),
        ("t = timestamp '2024-01-01 12:00:00'", Comparison(("t",), "=", datetime(2024, 1, 1, 12, tzinfo=UTC))),
        ("t = TIMESTAMP_NTZ'2024-01-01'", Comparison(("t",), "=", datetime(2024, 1, 1))),
        ("data = X'00ff'", Comparison(("data",), "=", b"\x00\xff")),
        ("true", Constant(True)),
        ("a + 1 > 2", Anything("a + 1 > 2")),
        ("upper(b) = 'X' AND a > 1", And((Anything("upper(b) = 'X'"), A))),
        ("a = b", Anything("a = b")),
        ("NULL", Anything("NULL")),
        ("a < 1e999999999BD", Anything("a < 1e999999999BD")),
        # Spark knows more: all of it is left to it.
        ("CAST(a AS int) = 1", Anything("CAST(a AS int) = 1")),
        ('b = "x"', Anything('b = "x"')),
        ("d = DATE'2024-02-30'", Anything("d = DATE'2024-02-30'")),
        ("a > 1 AND", Anything("a > 1 AND")),
    ],
)
def test_parse(text: str, tree: object) -> None:
    assert parse_sql(text) == tree


def test_what_settings_of_spark_decide() -> None:
    unsure = ["b = 'it''s'", "b = '''''", r"b = 'a\\b'", "`a'b` = 'x''y'"]
    assert all(map(settings_decide, unsure))
    assert not any(map(settings_decide, ["b = ''", "b IN ('', 'a')", "`a''b` = 'x' OR b = ''"]))


def test_time_zone_of_the_session() -> None:
    tree = parse_sql("t = TIMESTAMP'2024-07-01 00:00:00'", "America/Los_Angeles")
    assert tree == Comparison(("t",), "=", datetime(2024, 7, 1, 7, tzinfo=UTC))
    assert isinstance(parse_sql("t = TIMESTAMP'2024-07-01 00:00:00'", "Nowhere/City"), Anything)


def test_deep_and_long_texts_are_left_to_spark() -> None:
    for text in ("(" * 100_000 + "a", "NOT " * 100_000 + "a", "a" * (2 << 20)):
        assert isinstance(parse_sql(text), Anything)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.decimals(-(10**40), 10**40, allow_nan=False),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.binary(),
    st.dates(),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
)
NAMES = st.lists(st.text(min_size=1), min_size=1, max_size=2).map(tuple)
LEAVES = st.one_of(
    st.builds(Comparison, NAMES, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), VALUES),
    st.builds(In, NAMES, st.lists(VALUES, min_size=1, max_size=3).map(tuple)),
    st.builds(Like, NAMES, st.text()),
    st.builds(NullTest, NAMES),
    st.builds(Constant, st.booleans()),
)
PAIRS = st.lists(st.deferred(lambda: TREES), min_size=2, max_size=3).map(tuple)
TREES = st.recursive(
    LEAVES,
    lambda trees: st.one_of(
        st.builds(Not, trees),
        st.builds(And, st.lists(trees, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(trees, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@given(TREES)
def test_text_is_read_back(tree: object) -> None:
    assert parse_sql(to_sql(tree)) == tree  # type: ignore[arg-type]


SCHEMA = pa.schema(
    {
        "a": pa.int32(),
        "big": pa.int64(),
        "price": pa.decimal128(5, 2),
        "x": pa.float64(),
        "b": pa.string(),
        "d": pa.date32(),
        "t": pa.timestamp("us", "UTC"),
        "local": pa.timestamp("us"),
        "s": pa.struct({"Y": pa.int64()}),
    }
)


def compare(name: str, operator: str, value: object, **more: bool) -> Compare:
    return Compare((name,), SCHEMA.field(name).type, operator, value, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("A = 1", compare("a", "=", 1)),
        ("NOT a < 1", compare("a", ">=", 1)),
        ("NOT (a < 1 AND b = 'x')", Or((compare("a", ">=", 1), compare("b", "!=", "x")))),
        ("a > 1.5", compare("a", ">", 1)),
        ("a >= 1.5", compare("a", ">", 1)),
        ("a < 1.5", compare("a", "<", 2)),
        ("a <= -1.5", compare("a", "<", -1)),
        ("a = 1.5", Constant(False)),
        ("a != 1.5", NullCheck(("a",), False)),
        ("a < 3000000000", NullCheck(("a",), False)),
        ("a > 3000000000", Constant(False)),
        ("a > -3000000000", NullCheck(("a",), False)),
        ("a = 1D", compare("a", "=", 1.0, as_double=True)),
        ("price > 1.005", compare("price", ">", Decimal("1.00"))),
        ("price = 1", compare("price", "=", Decimal("1.00"))),
        ("price < 1000", NullCheck(("price",), False)),
        ("price = 999.99", compare("price", "=", Decimal("999.99"))),
        ("x > 1", compare("x", ">", 1.0, as_double=True)),
        (
            "x > 1 AND x < 2.5",
            And(
                (
                    compare("x", ">", 1.0, as_double=True, without_nan=True),
                    compare("x", "<", 2.5, as_double=True, without_nan=True),
                )
            ),
        ),
        ("a IN (1, 2, NULL, 2.5)", OneOf(("a",), pa.int32(), (1, 2))),
        ("a IN (1, 2, NULL)", OneOf(("a",), pa.int32(), (1, 2))),
        ("a NOT IN (1, NULL)", Constant(False)),
        ("a NOT IN (1, 2)", And((compare("a", "!=", 1), compare("a", "!=", 2)))),
        ("a = NULL OR NOT a = NULL", Or((Constant(False), Constant(False)))),
        ("b LIKE 'ab%'", Prefix(("b",), "ab")),
        ("b NOT LIKE 'ab%'", Prefix(("b",), "ab", True)),
        ("b LIKE 'ab'", compare("b", "=", "ab")),
        ("d >= '2024-01-01'", compare("d", ">=", date(2024, 1, 1))),
        ("t < '2024-01-01'", compare("t", "<", datetime(2023, 12, 31, 23, tzinfo=UTC))),
        ("t < DATE'2024-01-01'", compare("t", "<", datetime(2023, 12, 31, 23, tzinfo=UTC))),
        ("local < TIMESTAMP_NTZ'2024-01-01'", compare("local", "<", datetime(2024, 1, 1))),
        ("s.y IS NULL", NullCheck(("s", "Y"), True)),
    ],
)
def test_bind(text: str, bound: object) -> None:
    assert bind(parse_sql(text, "Europe/Berlin"), SCHEMA, "Europe/Berlin") == bound


@pytest.mark.parametrize(
    "text",
    [
        "a = '1'",
        "b = 1",
        "b LIKE '%x'",
        "b LIKE 'a_%'",
        "NOT b LIKE '%ab'",
        "d = TIMESTAMP'2024-01-01 00:00:00'",
        "local = '2024-01-01T00:00:00Z'",
        "t NOT IN ('2024-01-01')",
        "nothing = 1",
        "s = 1",
        "a IN (1, 'x')",
    ],
)
def test_what_is_not_certain_is_left_to_spark(text: str) -> None:
    assert undecided(bind(parse_sql(text), SCHEMA)) != []


def test_negation_of_the_unknown_is_unknown() -> None:
    assert positive(parse_sql("NOT (upper(b) = 'X' AND a > 1)")) == Or(
        (Anything("upper(b) = 'X'"), Comparison(("a",), "<=", 1))
    )


@pytest.mark.parametrize(
    ("text", "zone", "value"),
    [
        ("local >= '2024-06-01'", "America/New_York", datetime(2024, 6, 1)),
        ("local >= '2024-06-01 12:30:00.5'", "UTC", datetime(2024, 6, 1, 12, 30, 0, 500000)),
        ("local >= TIMESTAMP'2024-06-01 12:00:00'", "America/New_York", datetime(2024, 6, 1, 12)),
        ("local >= TIMESTAMP'2024-06-01 12:00:00Z'", "Asia/Tokyo", datetime(2024, 6, 1, 21)),
        ("local >= TIMESTAMP'2024-03-10 12:00:00Z'", "America/New_York", None),  # clocks change on this day
    ],
)
def test_times_without_zone_against_texts_and_instants(text: str, zone: str, value: datetime | None) -> None:
    found = bind(parse_sql(text, zone), SCHEMA, zone)
    if value is None:
        assert undecided(found)
    else:
        assert found == Compare(("local",), pa.timestamp("us"), ">=", value)
