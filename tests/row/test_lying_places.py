"""Places that are not those of the rows: refused, or the rows of one moment; no memory beyond them is touched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.row import RowConverter
from lakecodec.row.order import kernels, pure_write
from lakecodec.row.order.cells import Cell, Kind, Source
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.native import load

NATIVE: Any = load("row.native.encode", pure_write)
DATA = np.frombuffer(b"some text", np.uint8)
PAIRS = [(Cell(Kind.BLOCKS, narrow=4, empty=1, filled=2, null=0), Source(DATA, np.array([0, 4]), np.array([4, 9])))]


@pytest.mark.parametrize("module", [NATIVE, pure_write])
@pytest.mark.parametrize("wrong", [[0, 1, 20], [0, -1000, 20], [2**40, 10, 20], [0, 10], [-10, 0, 10]])
def test_rows_are_written_only_to_where_they_were_measured(module: Any, wrong: list[int]) -> None:
    offsets = module.measure(PAIRS, 2)
    module.write(PAIRS, 2, np.empty(20, np.uint8), offsets)
    assert offsets.tolist() == [0, 10, 20]
    with pytest.raises(ValueError, match="offsets"):
        module.write(PAIRS, 2, np.empty(20, np.uint8), np.array(wrong))
    with pytest.raises(ValueError, match="out: 20 bytes"):
        module.write(PAIRS, 2, np.empty(19, np.uint8), offsets)


@pytest.mark.skipif(NATIVE is pure_write, reason="NumPy looks at each place")
@pytest.mark.parametrize("kind", [Kind.BLOCKS, Kind.RAW, Kind.LIST, Kind.SEQUENCE, Kind.TERMINATED, Kind.COUNTED])
@pytest.mark.parametrize(
    ("starts", "ends"), [([0, 4], [4, 10**6]), ([-9, 4], [4, 9]), ([5, 4], [4, 9]), ([0, 4], [2**62, -(2**62)])]
)
def test_values_outside_their_data_are_refused(kind: Kind, starts: list[int], ends: list[int]) -> None:
    cell = Cell(kind, narrow=4, empty=1, filled=2, null=0)
    items = np.arange(10) if kind in (Kind.LIST, Kind.SEQUENCE) else None
    source = Source(DATA, np.array(starts), np.array(ends), items)
    with pytest.raises(ValueError, match="outside the data"):
        NATIVE.measure([(cell, source)], 2)
    if items is not None:
        items[-1] = 10**9
        with pytest.raises(ValueError, match="items"):
            NATIVE.measure([(cell, Source(DATA, np.array([0]), np.array([0]), items))], 1)
    source.valid = np.zeros(1, np.uint8)  # nobody looks at where nulls are
    assert NATIVE.measure([(cell, Source(DATA, source.starts, source.ends, np.arange(10), source.valid))], 2)[-1] == 2


@pytest.mark.parametrize("n", [-1, 2**40 + 1, 2**62])
def test_numbers_of_rows_that_nobody_has(n: int) -> None:
    for module in {NATIVE, pure_write}:
        with pytest.raises((ValueError, MemoryError)):
            module.measure(PAIRS, n)


def test_rows_whose_sizes_wrap_around() -> None:
    data = pa.py_buffer(b"\x01" * 10)
    low = -(2**63) + 11
    offsets = np.arange(6)
    rows = pa.Array.from_buffers(pa.large_binary(), 5, [None, pa.py_buffer(offsets), data])
    offsets[:] = [12, low, 12, low, 12, low]
    with pytest.raises((DecodeError, ValueError)):
        RowConverter([pa.string()]).convert_rows(rows)


def test_places_that_change_after_the_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that break a rule are read once more, to tell which."""
    table = pa.table({"number": [1, 2, 3], "list": [[1], [2, 3], []]})
    converter = RowConverter(table.schema)
    keys = converter.convert_columns(table)
    _, places, data = keys.buffers()
    offsets, broken = np.frombuffer(places, np.int64)[:4].copy(), bytearray(data)
    broken[-1] ^= 0x55
    rows = pa.Array.from_buffers(pa.large_binary(), 3, [None, pa.py_buffer(offsets), pa.py_buffer(broken)])
    read = kernels.read

    def changing(*arguments: Any) -> Any:
        offsets[1:3] = 2**60
        return read(*arguments)

    monkeypatch.setattr(kernels, "read", changing)
    with pytest.raises(DecodeError) as caught:
        converter.convert_rows(rows)
    assert caught.value.path == "rows[2]"
