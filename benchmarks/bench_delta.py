"""Delta partition values: whole columns against calls value by value, with few and with many distinct values."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.delta import PartitionCodec, parse_value, serialize_value

from .harness import Result, interleave

_ROWS = 400_000
#: Value by value calls are timed on a part of the rows.
_PART = 20
_DISTINCT = 50
_FEW_BAR, _MANY_BAR = 1 / 20, 1 / 3


def run(quick: bool) -> list[Result]:
    """All types and directions; ``quick`` takes fewer rows, and three types."""
    rows, repeat = (20_000, 3) if quick else (_ROWS, 5)
    results = []
    for distinct, bar in ((_DISTINCT, _FEW_BAR), (rows, _MANY_BAR)):
        for name, array in list(columns(rows, distinct).items())[:: 3 if quick else 1]:
            kind = "few" if distinct == _DISTINCT else "many"
            results += _directions(f"{name}, {kind} distinct", array, bar, repeat)
    return results


def columns(rows: int, distinct: int) -> dict[str, pa.Array]:
    """A column of each type with about ``distinct`` different values in random order."""
    rng = np.random.default_rng(7)
    numbers = rng.integers(-(10**9), 10**9, distinct)[rng.integers(0, distinct, rows)]
    units = pa.array(numbers).cast(pa.decimal128(19, 0))
    cents = pa.Array.from_buffers(pa.decimal128(19, 2), rows, units.buffers())
    return {
        "long": pa.array(numbers),
        "double": pa.array(np.abs(numbers) / 10_000),
        "double, any exponent": pa.array((numbers * 4_611_686_018).view(np.float64)),
        "decimal(19,2)": cents,
        "date": pa.array((numbers % 30_000).astype(np.int32)).view(pa.date32()),
        "timestamp": pa.array(numbers * 1_000_003).view(pa.timestamp("us", "UTC")),
        "string": pc.binary_join_element_wise("US/East ", pa.array(numbers).cast(pa.string()), ""),
    }


def _directions(name: str, array: pa.Array, bar: float, repeat: int) -> list[Result]:
    arrow = array.type
    codec = PartitionCodec(pa.schema([("p", arrow), ("x", pa.int8())]), ["p"])
    texts = codec.serialize_array("p", array)
    part = len(array) // _PART
    values: list[Any] = array.slice(0, part).to_pylist()
    some = texts.slice(0, part).to_pylist()
    measured: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "serialize": (lambda: codec.serialize_array("p", array), lambda: [serialize_value(v, arrow) for v in values]),
        "directory": (lambda: codec.directory_array({"p": array}), lambda: [codec.directory({"p": v}) for v in values]),
        "parse": (lambda: codec.parse_array("p", texts), lambda: [parse_value(text, arrow) for text in some]),
    }
    results = []
    for what, (whole, single) in measured.items():
        found = interleave({"whole": whole, "single": single}, repeat=repeat, clock=time.process_time)
        ours, peer = found["whole"] / len(array), found["single"] / part
        results.append(Result(f"{what} {name}", ours, peer, "value by value", bar=bar))
    return results
