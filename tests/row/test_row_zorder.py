"""Z-order keys against the definition, bit by bit."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.row import zorder_keys


def interleaved(columns: list[str]) -> bytes:
    """Strings of 0 and 1, one bit of each in turn."""
    longest = max(map(len, columns))
    bits = "".join(bits[i] for i in range(longest) for bits in columns if i < len(bits))
    bits = bits.ljust(-(-len(bits) // 8) * 8, "0")
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def number(value: int | None, width: int) -> str:
    return "0" * (width + 1) if value is None else "1" + format(value + (1 << (width - 1)), f"0{width}b")


def text(value: str | None, size: int) -> str:
    raw = (value or "").encode()[:size].ljust(size, b"\0")
    return ("0" if value is None else "1") + "".join(format(byte, "08b") for byte in raw)


ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-128, 127),
        st.none() | st.integers(-(2**31), 2**31 - 1),
        st.none() | st.text(max_size=9),
    ),
    max_size=8,
)


@settings(max_examples=200, deadline=None)
@given(ROWS, st.none() | st.integers(1, 80))
def test_keys_are_the_bits_in_turn(rows: list[tuple[Any, ...]], bits: int | None) -> None:
    a, b, c = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    columns = [pa.array(a, pa.int8()), pa.array(b, pa.int32()), pa.array(c, pa.string())]
    size = 8 if bits is None else max(8, bits)
    expected = [
        interleaved([column[:bits] for column in (number(x, 8), number(y, 32), text(z, size))]) for x, y, z in rows
    ]
    if bits is None:
        expected = [interleaved([number(x, 8), number(y, 32), text(z, 8)]) for x, y, z in rows]
    assert zorder_keys(columns, bits=bits).to_pylist() == expected


def test_keys_do_not_depend_on_other_rows() -> None:
    table = pa.table({"a": [5, -3, None, 12], "b": [0.5, float("nan"), -0.0, None]})
    whole = zorder_keys(table).to_pylist()
    assert [zorder_keys(table.slice(i, 1)).to_pylist()[0] for i in range(4)] == whole
    assert zorder_keys(table.slice(1, 2), bits=[9, 17]).to_pylist() == zorder_keys(table, bits=[9, 17]).to_pylist()[1:3]


def test_one_column_keeps_its_order() -> None:
    values = [None, float("-inf"), -2.5, 0.0, 1e-300, 7.0, float("inf"), float("nan")]
    keys = zorder_keys([pa.array(values, pa.float64())]).to_pylist()
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="columns"):
        zorder_keys([])
    with pytest.raises(ValueError, match="bits"):
        zorder_keys([pa.array([1])], bits=0)
    with pytest.raises(ValueError, match="bits"):
        zorder_keys([pa.array([1])], bits=[1, 2])
    with pytest.raises(ValueError, match="z-order"):
        zorder_keys([pa.array([[1]])])
