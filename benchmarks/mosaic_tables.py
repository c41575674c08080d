"""Tables of many shapes whose columns have the types, names and values that machines make."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa


@dataclass(frozen=True)
class Shape:
    """A table, and the highest ratios to the reference that are good enough (None: not asked for).

    With more than one row group each holds ``rows`` rows.
    """

    columns: int
    rows: int
    row_groups: int = 1
    write: float | None = None
    read: float | None = None
    ten: float | None = None
    open: float | None = None

    @property
    def title(self) -> str:
        groups = f"{self.row_groups} x " if self.row_groups > 1 else ""
        return f"{self.columns:,} columns x {groups}{self.rows:,} rows"


def make_table(shape: Shape) -> pa.Table:
    """Columns of many types and distributions, the same for every run, in chunks of ``shape.rows`` rows."""
    rng = np.random.default_rng(7)
    names = column_names(shape.columns)
    batch = pa.table([_KINDS[n % len(_KINDS)](rng, shape.rows) for n in range(shape.columns)], names=names)
    return pa.concat_tables([batch] * shape.row_groups)


def column_names(n: int) -> list[str]:
    """Names as machines make them, in no order."""
    words = ("temperature", "pressure", "status", "voltage", "errors", "speed", "level", "state")
    names = [f"sensor_{number // len(words):05}_{words[number % len(words)]}" for number in range(n)]
    random.Random(3).shuffle(names)
    return names


def _integers(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.integers(-(2**40), 2**40, rows))


def _small(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.integers(0, 100, rows, np.int32), mask=rng.random(rows) < 0.1)


def _floats(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.normal(20, 5, rows).round(2))


def _states(rng: np.random.Generator, rows: int) -> pa.Array:
    states = pa.array(["on", "off", "starting", "failed"])
    return states.take(pa.array(rng.integers(0, 4, rows), mask=rng.random(rows) < 0.05))


def _texts(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array([f"note {number:x}" for number in rng.integers(0, 2**40, rows)], pa.string())


def _times(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(1_700_000_000_000_000 + rng.integers(0, 10**12, rows)).cast(pa.timestamp("us", "UTC"))


def _flags(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.random(rows) < 0.3, mask=rng.random(rows) < 0.5)


def _decimals(rng: np.random.Generator, rows: int) -> pa.Array:
    cents = pa.array(rng.integers(1, 10**6, rows)).cast(pa.decimal128(19, 0))
    return pa.Array.from_buffers(pa.decimal128(19, 2), rows, cents.buffers())


def _days(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(19_700 + rng.integers(0, 8, rows, np.int32)).cast(pa.date32())


def _constants(_: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(np.full(rows, 7, np.int16))


def _nothing(_: np.random.Generator, rows: int) -> pa.Array:
    return pa.nulls(rows, pa.float32())


_KINDS: list[Callable[[np.random.Generator, int], pa.Array]] = [
    _integers, _floats, _states, _small, _times, _texts, _flags, _decimals, _days, _constants, _nothing, _floats,
]  # fmt: skip
