"""Predicates that scans refuse: the message says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake, pipeline, variant


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("dest = LAX", "LAX is not quoted: write dest = 'LAX'"),
        ("dest = 3", "dest is text, and 3 is a number: write dest = '3'"),
        ("n = LAX", "LAX is not quoted: write n = 'LAX'"),
        ("n = 'x'", r"n is a number \(int64\), and 'x' is a text: give a number without quotes, such as n = 1"),
        ("n >= '2'", "give a number without quotes, such as n >= 2"),
        ("dest = n", "only Spark can decide"),
    ],
)
def test_message_says_what_to_write(where: str, message: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"dest": ["LAX", "SFO"], "n": [1, 2]}), tmp_path / "a.parquet")
    pipeline.convert(None, tmp_path)
    with pytest.raises(ValueError, match=message):
        pipeline.count(tmp_path, where=where)
    assert pipeline.count(tmp_path, where="dest = 'LAX'") == 1


def test_terms_that_name_a_field(tmp_path: Path) -> None:
    fields = [pa.field("s", pa.struct({"x": pa.int64()})), variant.field("v")]
    column = variant.array([{"a": {"b": 6}}])
    table = pa.Table.from_arrays([pa.array([{"x": 7}]), column], schema=pa.schema(fields))
    lake.write(table, tmp_path, progress=False)
    for name in ("v.a.b", "s.x"):
        with pytest.raises(KeyError, match=f"name a field in SQL, as in where='{re.escape(name)} IS NOT NULL'"):
            lake.count(tmp_path, where=[(name, ">", 5)])
        assert lake.count(tmp_path, where=f"{name} > 5") == 1


class _Silent(list):  # type: ignore[type-arg]
    """A list that has elements and yields none."""

    def __iter__(self) -> Iterator[object]:
        return iter(())


@pytest.mark.parametrize("where", [_Silent([("n", "=", 1)]), [_Silent([("n", "=", 1)])]])
def test_terms_that_yield_nothing_are_refused(where: object, tmp_path: Path) -> None:
    lake.write(pa.table({"n": [1, 2]}), tmp_path / "t")
    with pytest.raises((TypeError, ValueError), match=r"where: .*\(column, operator, value\) is needed"):
        lake.count(tmp_path / "t", where=where)  # type: ignore[arg-type]
