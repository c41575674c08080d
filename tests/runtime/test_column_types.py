"""Columns of timestamps, durations and decimals, over structs and over records, on both backends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec import IdlError, compile_idl

from .compact.backends import load
from .compact.fixtures import each_backend  # noqa: F401

COLUMNS = """
      timestamp<ms, UTC>           at     = r.at;
      timestamp<us>                local  = r.at * 1000;
      timestamp<s, "Europe/Oslo">  zoned  = r.at / 1000;
      timestamp<ns>                second = r.second;
      duration<us>                 took   = r.took;
      decimal<18, 2>               price  = r.price;
      decimal<38, 0>               sum    = r.sum;
      decimal<5, 1>  share (unit = "%")  = present(r.took) ? r.took : null;
"""
STRUCTS = f"""
    struct Row {{ 1: required i64 at; 2: optional i32 took; 3: optional i64 price; 4: optional binary sum; 5: i64 second; }}
    struct Rows {{ 1: list<Row> rows; }}
    table rows from Rows {{ for r in rows {COLUMNS} }}
"""
RECORDS = f"""
    record Row : little {{
      i64 at;  i64 second;  u8 has_took = took != null;  i32 took if has_took == 1;
      u8 has_price = price != null;  i64 price if has_price == 1;
      u8 n = count(sum);  bytes sum[n];
    }}
    record Rows {{ Row rows[..]; }}
    table rows from Rows {{ for r in rows {COLUMNS.replace("present(r.took) ? r.took : null", "r.took")} }}
"""
SCHEMA = pa.schema(
    {
        "at": pa.timestamp("ms", "UTC"),
        "local": pa.timestamp("us"),
        "zoned": pa.timestamp("s", "Europe/Oslo"),
        "second": pa.timestamp("ns"),
        "took": pa.duration("us"),
        "price": pa.decimal128(18, 2),
        "sum": pa.decimal128(38, 0),
        "share": pa.decimal128(5, 1),
    }
)
SUMS = (
    b"",
    b"\0",
    b"\x7f",
    b"\x80",
    b"\xff\x00",
    (10**38 - 1).to_bytes(16, "big"),
    (-(10**30)).to_bytes(13, "big", signed=True),
)
VALUES = [
    {
        "at": 1_700_000_000_000 * (-1) ** n + n,
        "second": n - 3,
        "took": None if n % 3 == 0 else n - 4,
        "price": None if n == 2 else 10**17 * (n - 3),
        "sum": sums,
    }
    for n, sums in enumerate(SUMS)
]

structs = load(STRUCTS, name="typed_structs")


def expected() -> list[dict[str, Any]]:
    epoch = datetime(1970, 1, 1)
    rows = []
    for each in VALUES:
        at = timedelta(milliseconds=each["at"])
        rows.append(
            {
                "at": epoch.replace(tzinfo=UTC) + at,
                "local": epoch + at,
                "second": each["second"],
                "zoned": each["at"] // 1000,
                "took": None if each["took"] is None else timedelta(microseconds=each["took"]),
                "price": None if each["price"] is None else Decimal(each["price"]).scaleb(-2),
                "sum": Decimal(int.from_bytes(each["sum"], "big", signed=True)),
                "share": None if each["took"] is None else Decimal(each["took"]).scaleb(-1),
            }
        )
    return rows


def plain(table: pa.Table) -> list[dict[str, Any]]:
    numbers = {name: table[name].cast(pa.int64()) for name in ("second", "zoned")}
    for name, column in numbers.items():
        table = table.set_column(table.column_names.index(name), name, column)
    return table.to_pylist()


@pytest.mark.usefixtures("each_backend")
def test_structs() -> None:
    data = structs.Rows(rows=[structs.Row(**each) for each in VALUES]).to_bytes()
    table, errors = structs.rows.decode([data])
    assert not errors
    assert table.schema == structs.rows.schema == SCHEMA
    table.validate(full=True)
    assert plain(table) == expected()
    empty, _ = structs.rows.decode([structs.Rows(rows=[]).to_bytes()])
    assert (empty.schema, empty.num_rows) == (SCHEMA, 0)
    with pytest.raises(ValueError, match="column 'share': a value does not fit"):
        structs.rows.decode([structs.Rows(rows=[structs.Row(at=1, took=100_000, second=1)]).to_bytes()])
    with pytest.raises(ValueError, match="column 'sum': a value does not fit"):
        structs.rows.decode([structs.Rows(rows=[structs.Row(at=1, sum=b"\x01" * 17, second=1)]).to_bytes()])


def test_records() -> None:
    module = compile_idl(RECORDS)
    rows = module.Rows(rows=[module.Row(**each) for each in VALUES])
    data = rows.to_bytes()
    table, errors = module.rows.decode([data])
    assert not errors
    assert table.schema == module.rows.schema == SCHEMA
    table.validate(full=True)
    assert plain(table) == expected()
    assert module.rows.of(rows).equals(table)
    chosen = ["at", "second", "took", "price", "sum", "share"]
    # Without the computed columns an offset scan finds them.
    assert module.rows.decode([data], columns=chosen)[0].equals(table.select(chosen))
    assert module.rows.decode([b""])[0].schema == SCHEMA
    with pytest.raises(ValueError, match="column 'sum': a value does not fit decimal128"):
        module.rows.of(module.Rows(rows=[module.Row(**VALUES[0] | {"sum": b"\x7f" * 16})]))


def test_wide_numbers() -> None:
    module = compile_idl("""
        record Row { bytes digits[16]; u64 n; }
        record Rows : little { Row rows[..]; }
        table rows from Rows { for r in rows  decimal<38, 3> value = big_number(r.digits);  decimal<20, 0> n = r.n; }
    """)
    numbers = [0, 1, 2**64 - 1, 10**37]
    rows = module.Rows(rows=[module.Row(digits=each.to_bytes(16, "big"), n=min(each, 2**64 - 1)) for each in numbers])
    found = module.rows.of(rows)
    assert found["value"].to_pylist() == [Decimal(each).scaleb(-3) for each in numbers]
    assert found["n"].to_pylist() == [Decimal(min(each, 2**64 - 1)) for each in numbers]
    with pytest.raises(ValueError, match="column 'value': a value does not fit"):
        module.rows.of(module.Rows(rows=[module.Row(digits=b"\xff" * 16, n=0)]))


def test_queries() -> None:
    module = compile_idl(RECORDS)
    data = module.Rows(rows=[module.Row(**each) for each in VALUES]).to_bytes()
    ask: dict[str, Any] = {"idl": RECORDS, "type": "Rows", "over": "r in rows"}
    found = lakecodec.query(
        data, **ask, select="timestamp<ms, UTC> at = r.at, r.second, decimal<18, 2> price = r.price"
    )
    assert found.equals(
        module.rows.decode([data], columns=["at", "second", "price"])[0].set_column(1, "second", found["second"])
    )
    assert found["second"].type == pa.int64()
    newest = lakecodec.query(data, **ask, select="timestamp<ms, UTC> newest = max(r.at)", group_by=())
    assert newest["newest"].to_pylist() == [max(each["at"] for each in expected())]
    with pytest.raises(IdlError, match=r"select:1:14: column 'at' has type 'timestamp<m>': write timestamp<unit>"):
        lakecodec.query(data, **ask, select="timestamp<m> at = r.at")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("timestamp<day> x = r.n", "column 'x' has type 'timestamp<day>': write timestamp<unit>"),
        ("timestamp<us, UTC, UTC> x = r.n", "'timestamp<us, UTC, UTC>': write timestamp<unit>"),
        ("duration<us, UTC> x = r.n", "'duration<us, UTC>': write duration<unit>"),
        ("decimal<39, 2> x = r.n", "'decimal<39, 2>': write decimal<precision, scale>"),
        ("decimal<2, 3> x = r.n", "'decimal<2, 3>': write decimal<precision, scale>"),
        ("decimal<2> x = r.n", "'decimal<2>': write decimal<precision, scale>"),
        ("decimal<p, s> x = r.n", "'decimal<p, s>': write decimal<precision, scale>"),
        (
            "timestamp<us> x = r.t",
            "the value of the timestamp<us> 'x' must be an integer, the units since 1970, not a text",
        ),
        ("duration<s> x = r.b", "the value of the duration<s> 'x' must be an integer, a number of units, not bytes"),
        ("decimal<9, 2> x = r.f", "the value of the decimal<9, 2> 'x' must be its digits as an integer, or as bytes"),
        ("timestamp x = r.n", "column 'x' has type 'timestamp': write timestamp<unit>"),
    ],
)
def test_what_is_no_type(column: str, message: str) -> None:
    fields = "1: i64 n; 2: string t; 3: binary b; 4: double f;"
    with pytest.raises(IdlError) as caught:
        compile_idl(
            f"struct R {{ {fields} }} struct Rs {{ 1: list<R> rs; }}\ntable t from Rs {{ for r in rs {column}; }}"
        )
    assert message in str(caught.value)


def test_words_stay_names() -> None:
    module = compile_idl("""
        typedef i64 us
        typedef i64 decimal
        struct R { 1: us timestamp; 2: i32 duration; 3: i32 decimal; }
        struct Rs { 1: list<R> rs; }
        table t from Rs {
          for r in rs
          timestamp<us> timestamp = r.timestamp;  bool long = r.duration < 3;  decimal decimal = r.decimal;
        }
    """)
    found, _ = module.t.decode([module.Rs(rs=[module.R(timestamp=1, duration=2, decimal=3)]).to_bytes()])
    assert found.to_pylist() == [{"timestamp": datetime(1970, 1, 1, 0, 0, 0, 1), "long": True, "decimal": 3}]
