"""Whole columns give what value by value calls give, and name the row of an error."""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.delta import PartitionCodec
from lakecodec.runtime.errors import DecodeError, EncodeError

ZONE = "America/Los_Angeles"
MICROS = st.integers(-62_135_510_400_000_000, 253_402_214_399_999_999)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
KINDS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.bool_(): st.booleans(),
    pa.int8(): st.integers(-128, 127),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float32(): st.floats(width=32),
    pa.float64(): st.floats() | st.floats(-1e9, 1e9) | st.integers(-(10**8), 10**8).map(float),
    pa.decimal128(38, 18): st.decimals(places=18, min_value=-(10**19), max_value=10**19, allow_nan=False),
    pa.decimal128(9, 9): st.decimals(places=9, min_value=Decimal("-0.999999999"), max_value=Decimal("0.999999999")),
    pa.decimal64(12, 0): st.integers(-(10**11), 10**11).map(Decimal),
    pa.date32(): st.dates(),
    pa.timestamp("us", "UTC"): MICROS,
    pa.timestamp("us"): MICROS,
    pa.duration("us"): st.integers(-(10**17), 10**17).map(lambda n: timedelta(microseconds=n)),
    pa.string(): TEXTS,
    pa.large_string(): TEXTS,
    pa.string_view(): TEXTS,
    pa.binary(): TEXTS.map(str.encode),
    pa.binary_view(): TEXTS.map(str.encode),
}


def codec(arrow: pa.DataType, profile: str = "kernel", **options: Any) -> PartitionCodec:
    schema = pa.schema([("p", arrow), ("x", pa.int8())])
    return PartitionCodec(schema, ["p"], profile=profile, timezone=ZONE if profile == "spark" else "UTC", **options)


def same(one: object, other: object) -> bool:
    return one == other or (
        isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    )


@pytest.mark.parametrize("profile", ["kernel", "spark"])
@pytest.mark.parametrize("arrow", list(KINDS), ids=str)
def test_columns_are_their_values(arrow: pa.DataType, profile: str) -> None:
    one = codec(arrow, profile)

    @settings(deadline=None, max_examples=40)
    @given(st.lists(st.none() | KINDS[arrow], max_size=12), st.integers(0, 3))
    def check(values: list[Any], skipped: int) -> None:
        array = pa.array([*values[:skipped], *values], arrow)[skipped:]
        scalars = [array[row] for row in range(len(array))]
        texts = [one.serialize({"p": scalar})["p"] for scalar in scalars]
        serialized = one.serialize_array("p", array)
        assert serialized.type == pa.string()
        assert serialized.to_pylist() == texts
        directories = one.directory_array({"p": array})
        assert directories.to_pylist() == [one.directory({"p": scalar}) for scalar in scalars]
        parsed = one.parse_array("p", serialized)
        assert parsed.type == arrow
        parsed.validate(full=True)
        expected = [one.parse({"p": text})["p"] for text in texts]
        assert all(map(same, parsed.to_pylist(), expected))
        # What has no text comes back as null; everything else as itself.
        for scalar, back in zip(array.to_pylist(), parsed.to_pylist(), strict=True):
            assert same(scalar, back) or (scalar in ("", b"") and back is None)

    check()


@pytest.mark.parametrize("distinct", [5, 5000])
def test_few_and_many_distinct_values(distinct: int) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.integers(-(10**9), 10**9, distinct)[rng.integers(0, distinct, 5000)]
    columns = {
        pa.int64(): pa.array(numbers),
        pa.float64(): pa.array(numbers / 1000),
        pa.date32(): pa.array((numbers % 40_000).astype(np.int32)).view(pa.date32()),
        pa.timestamp("us", "UTC"): pa.array(numbers * 997_001).view(pa.timestamp("us", "UTC")),
        pa.string(): pa.array([f"US/{number}" for number in numbers]),
        pa.decimal128(12, 2): pa.array([Decimal(int(number)).scaleb(-2) for number in numbers], pa.decimal128(12, 2)),
    }
    for arrow, array in columns.items():
        for profile in ("kernel", "spark"):
            one = codec(arrow, profile)
            rows = range(0, 5000, 37)
            texts = one.serialize_array("p", array)
            names = one.directory_array({"p": array.dictionary_encode()})
            assert [texts[row].as_py() for row in rows] == [one.serialize({"p": array[row]})["p"] for row in rows]
            assert [names[row].as_py() for row in rows] == [one.directory({"p": array[row]}) for row in rows]
            assert one.parse_array("p", texts).equals(array)
            assert one.parse_array("p", texts.dictionary_encode()).equals(array)


def test_zeros_and_nans_stay_apart() -> None:
    """Few distinct values by comparison, told apart all the same."""
    array = pa.array([0.0, -0.0, math.nan, 1e7] * 1000)
    one = codec(pa.float64())
    assert one.serialize_array("p", array).to_pylist() == ["0.0", "-0.0", "NaN", "1.0E7"] * 1000
    back = one.parse_array("p", pa.array(["0.0", "-0.0"] * 2000)).to_numpy()
    assert np.signbit(back).tolist() == [False, True] * 2000


def test_shapes_of_arrays() -> None:
    one = codec(pa.string())
    values = ["b", None, "", "a/b"]
    expected = ["p=b", *["p=__HIVE_DEFAULT_PARTITION__"] * 2, "p=a%2Fb"]
    plain = pa.array(values)
    run_ends = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4]), plain)
    chunked = pa.chunked_array([values[:1], [], values[1:]], pa.string())
    for array in (plain, run_ends, chunked, plain.dictionary_encode(), pa.chunked_array([plain.dictionary_encode()])):
        assert one.serialize_array("p", array).to_pylist() == ["b", None, None, "a/b"]
        assert one.directory_array({"p": array}).to_pylist() == expected
    assert one.serialize_array("p", pa.nulls(2)).to_pylist() == [None, None]
    assert one.serialize_array("p", pa.chunked_array([], pa.string())).to_pylist() == []
    assert one.parse_array("p", pa.nulls(2)).to_pylist() == [None, None]
    assert one.parse_array("p", pa.array(["", "x"], pa.large_string())).to_pylist() == [None, "x"]


def test_units_of_time() -> None:
    one = codec(pa.timestamp("ms", "Asia/Tokyo"))
    texts = one.serialize_array("p", pa.array([1000], pa.timestamp("ns", "UTC")))
    assert texts.to_pylist() == ["1970-01-01T00:00:00.000001Z"]
    with pytest.raises(DecodeError, match=r"p: a value does not fit in the Arrow type timestamp\[ms, tz=Asia/Tokyo\]"):
        one.parse_array("p", texts)
    with pytest.raises(EncodeError, match=r"p: a value does not fit in the column's type timestamp .*would lose data"):
        one.serialize_array("p", pa.array([1], pa.timestamp("ns", "UTC")))


def test_year_month_intervals() -> None:
    build: Any = pa.MonthDayNano
    one = codec(pa.month_day_nano_interval())
    array = pa.array([build([14, 0, 0]), None, build([-1, 0, 0])] * 1000)
    texts = one.serialize_array("p", array)
    assert texts.to_pylist()[:3] == ["INTERVAL '1-2' YEAR TO MONTH", None, "INTERVAL '-0-1' YEAR TO MONTH"]
    assert one.parse_array("p", texts).equals(array)
    assert one.directory_array({"p": array})[0].as_py() == "p=INTERVAL %271-2%27 YEAR TO MONTH"
    with pytest.raises(EncodeError, match=r"delta: p\[0\]: .*has days or nanoseconds"):
        one.serialize_array("p", pa.array([build([1, 2, 0])]))


def test_several_columns() -> None:
    schema = pa.schema([("Region", pa.string()), ("a b", pa.string()), ("dü=r", pa.int32()), ("x", pa.int8())])
    one = PartitionCodec(schema, ["Region", "a b", "dü=r"])
    table = pa.table(
        {"dü=r": pa.array([1, None], pa.int32()), "x": [0, 0], "Region": ["US/East", ""], "a b": ["x y", "z"]}
    )
    expected = [
        "Region=US%2FEast/a b=x y/dü%3Dr=1",
        "Region=__HIVE_DEFAULT_PARTITION__/a b=z/dü%3Dr=__HIVE_DEFAULT_PARTITION__",
    ]
    for columns in (table, table.to_batches()[0], {name: table[name] for name in table.column_names}):
        assert one.directory_array(columns).to_pylist() == expected
    with pytest.raises(KeyError, match="columns: the partition column 'a b' is missing"):
        one.directory_array(table.drop_columns(["a b"]))
    with pytest.raises(ValueError, match="columns: the partition columns have different lengths"):
        one.directory_array({"dü=r": table["dü=r"], "Region": pa.array(["x"]), "a b": table["a b"]})


ERRORS = [
    (pa.array([b"a", None, b"\xff"]), pa.binary(), {}, r"p\[2\]: the bytes are not UTF-8 text .*: b'\\xff'"),
    (pa.array(["a", "b\0"]), pa.string(), {"profile": "spark"}, r"p\[1\]: the text has the character U\+0000"),
    (
        pa.array([0, 2932897], pa.date32()),
        pa.date32(),
        {},
        r"p\[1\]: the year \+10000 is outside 0001 to 9999: 2932897",
    ),
    (pa.array([0, -(2**63)], pa.timestamp("us")), pa.timestamp("us"), {"extended_years": True}, r"p\[1\]: the year "),
    (
        pa.array([1], pa.int32()),
        pa.int64(),
        {},
        "p: the array is of the type .*int32.*, the column is of the type long",
    ),
    (pa.array(["1"]), pa.int64(), {}, "p: the array is of the type .*string.*, the column is of the type long"),
]


@pytest.mark.parametrize(("array", "arrow", "options", "message"), ERRORS)
def test_errors_name_the_row(array: Any, arrow: pa.DataType, options: dict[str, Any], message: str) -> None:
    one = codec(arrow, **options)
    many = pa.concat_arrays([array, *[array[:1]] * 3000])
    for given_array in (array, many, many.dictionary_encode()):
        for function in (one.serialize_array, lambda name, values: one.directory_array({name: values})):
            with pytest.raises(EncodeError, match=message):
                function("p", given_array)


def test_long_names() -> None:
    one = codec(pa.string())
    with pytest.raises(EncodeError, match=r"p\[1\]: the directory name has 256 bytes, file systems take at most 255"):
        one.directory_array({"p": pa.array(["x", "y" * 254])})


def test_nulls_where_there_must_be_none() -> None:
    schema = pa.schema([pa.field("p", pa.string(), nullable=False), ("x", pa.int8())])
    one = PartitionCodec(schema, ["p"])
    assert one.serialize_array("p", pa.array(["a"])).to_pylist() == ["a"]
    for array in (pa.array(["a", None]), pa.array(["a", ""]), pa.array(["a", ""]).dictionary_encode()):
        for function in (one.serialize_array, lambda name, values: one.directory_array({name: values})):
            with pytest.raises(
                EncodeError, match=r"delta: p\[1\]: the column is not nullable, the value is null or empty"
            ):
                function("p", array)


@pytest.mark.parametrize(
    ("texts", "arrow", "message"),
    [
        (["1", "x"], pa.int32(), r"delta: p\[1\]: an integer is an optional sign and digits: 'x'"),
        (["1", None, "2147483648"], pa.int32(), r"delta: p\[2\]: the integer does not fit in 32 bits: '2147483648'"),
        (["2024-02-29", "2023-02-29"], pa.date32(), r"delta: p\[1\]: there is no such day: '2023-02-29'"),
        (
            ["1.00", "1.0"],
            pa.decimal128(5, 2),
            r"delta: p\[1\]: the decimal has scale 1, the column has scale 2: '1.0'",
        ),
        (["1e400"], pa.float64(), r"delta: p\[0\]: the number is outside the range of a 64-bit float: '1e400'"),
    ],
)
def test_texts_that_are_no_values(texts: list[str | None], arrow: pa.DataType, message: str) -> None:
    one = codec(arrow)
    many = pa.array(texts + texts[:1] * 3000)
    for array in (pa.array(texts), many, many.dictionary_encode()):
        with pytest.raises(DecodeError, match=message):
            one.parse_array("p", array)


def test_unused_entries_of_a_dictionary_do_no_harm() -> None:
    indices = pa.array([0, None, 0])
    texts = pa.DictionaryArray.from_arrays(indices, pa.array(["5", "x"]))
    assert codec(pa.int32()).parse_array("p", texts).to_pylist() == [5, None, 5]
    days = pa.DictionaryArray.from_arrays(indices, pa.array([0, 2932897], pa.date32()))
    assert codec(pa.date32()).serialize_array("p", days).to_pylist() == ["1970-01-01", None, "1970-01-01"]
    assert codec(pa.date32()).directory_array({"p": days}).to_pylist()[0] == "p=1970-01-01"


def test_wrong_arguments() -> None:
    one = codec(pa.int32())
    for function in (one.serialize_array, one.parse_array):
        with pytest.raises(KeyError, match="name: there is no partition column 'q'; there "):
            function("q", pa.array([1]))
    with pytest.raises(TypeError, match="array: a pyarrow array"):
        one.serialize_array("p", [1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="texts: a pyarrow array"):
        one.parse_array("p", ["1"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="texts: an array of strings is needed, not of int64"):
        one.parse_array("p", pa.array([1]))
