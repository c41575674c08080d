"""Values set in columns of other types, with CAST and without: as Spark casts them, or refused."""

from __future__ import annotations

import random
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import lake
from lakecodec.runtime.errors import EncodeError

QUIET: Any = {"progress": False}
#: Values of a column, and their texts in Spark 4 on Java 19 or later.
TEXTS: dict[str, tuple[pa.Array, list[str]]] = {
    "x": (pa.array([1e10, 1e-3, 9.9e-4, -0.0, 1e7, 5e-324]), ["1.0E10", "0.001", "9.9E-4", "-0.0", "1.0E7", "4.9E-324"]),
    "f": (pa.array([1.1, 16777216, 1e-45, 100, 3.4028235e38, -1], pa.float32()),
          ["1.1", "1.6777216E7", "1.4E-45", "100.0", "3.4028235E38", "-1.0"]),
    "t": (pa.array([0, 120_000, -1, 253402300799999999, -62135596800000000, 1], pa.timestamp("us", "UTC")),
          ["1970-01-01 00:00:00", "1970-01-01 00:00:00.12", "1969-12-31 23:59:59.999999", "9999-12-31 23:59:59.999999",
           "0001-01-01 00:00:00", "1970-01-01 00:00:00.000001"]),
    "d": (pa.array([0, 2932897, -1, -719162, 1, 2], pa.int32()).cast(pa.date32()),
          ["1970-01-01", "+10000-01-01", "1969-12-31", "0001-01-01", "1970-01-02", "1970-01-03"]),
    "p": (pa.array([0, 1, -1, 12, 10, 5]).cast(pa.decimal128(28, 9)),
          ["0.000000000", "1.000000000", "-1.000000000", "12.000000000", "10.000000000", "5.000000000"]),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("partition_by", ["", "s"])
def test_texts_are_those_of_spark(tmp_path: Path, name: str, partition_by: str) -> None:
    """Of values set without a cast and with one, computed for each row or a literal, also as partition values."""
    values, expected = TEXTS[name]
    rows = pa.table({"id": range(6), name: values, "s": [""] * 6})
    lake.write(rows, tmp_path, partition_by=[partition_by] if partition_by else (), **QUIET)
    for text in (name, f"CAST({name} AS STRING)"):
        lake.update(tmp_path, {"s": text}, **QUIET)
        assert lake.scan(tmp_path).read_all().sort_by("id")["s"].to_pylist() == expected
        lake.update(tmp_path, {"s": "''"}, **QUIET)
    source = pa.table({"id": range(6), "v": values})
    lake.merge(tmp_path, source, "id", when_matched_update={"s": "source.v"}, **QUIET)
    assert lake.scan(tmp_path).read_all().sort_by("id")["s"].to_pylist() == expected


def test_decimals_among_floats_are_the_nearest_doubles(tmp_path: Path) -> None:
    """Literals such as 0.1 are decimals; a float becomes the decimal of its digits, halves away from zero."""
    chance = random.Random(5)
    values = [round(chance.uniform(-1e6, 1e6), chance.randint(1, 6)) for _ in range(60)]
    price = pa.decimal128(18, 6)
    rows = pa.table({"id": range(60), "x": values, "p": pa.array([Decimal(repr(value)) for value in values], price)})
    lake.write(rows.append_column("y", pa.array([0.0] * 60)), tmp_path, **QUIET)

    def ys(text: str) -> list[float]:
        lake.update(tmp_path, {"y": text}, **QUIET)
        found: list[float] = lake.scan(tmp_path).read_all().sort_by("id")["y"].to_pylist()
        return found

    assert ys("p") == ys("CAST(p AS DOUBLE)") == values
    assert ys("x * 1.1") == [value * 1.1 for value in values]
    assert ys("coalesce(nullif(x, x), 906691.1)") == [906691.1] * 60
    for value in values[:20]:
        assert ys(f"if(x = {value!r}, 1, 0)").count(1.0) == 1
        assert lake.count(tmp_path, where=[("p", "=", value)]) == 1
    lake.update(tmp_path, {"x": "id + 0.5e0"}, **QUIET)
    lake.update(tmp_path, {"p": "x / 1e6"}, **QUIET)
    halves = [Decimal(repr((number + 0.5) / 1e6)) for number in range(60)]
    rounded = [half.quantize(Decimal("0.000001"), ROUND_HALF_UP) for half in halves]
    assert lake.scan(tmp_path).read_all().sort_by("id")["p"].to_pylist() == rounded


@pytest.mark.parametrize(
    ("name", "value"), [("t", "id"), ("d", "id"), ("id", "t"), ("id", "d"), ("x", "t"), ("id", "'0x1f'")]
)
def test_casts_that_spark_does_otherwise_are_refused(tmp_path: Path, name: str, value: str) -> None:
    rows = pa.table({"id": [1], "x": [1.5], "t": pa.array([5], pa.timestamp("us"))})
    rows = rows.append_column("d", pa.array([5], pa.int32()).cast(pa.date32()))
    lake.write(rows, tmp_path, **QUIET)
    with pytest.raises(EncodeError, match=f"{name}: a (cast of .* is not computed here|value does not fit)"):
        lake.update(tmp_path, {name: value}, **QUIET)
    assert lake.scan(tmp_path).read_all().equals(rows)
