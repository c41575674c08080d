"""Other engines on the demo's tables: Parquet ones open, Mosaic ones are refused before a file is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from .tables import DemoTable


@dataclass(frozen=True)
class EngineResult:
    """One engine on one table.

    Attributes:
        engine: its name and version.
        table: opened.
        rows: that it read, None where it refused the table.
        equal: whether these are as many rows as were ingested, with the same total of a column.
        refusal: its error, in one line; "" where it read the table.
    """

    engine: str
    table: DemoTable
    rows: int | None
    equal: bool
    refusal: str = ""

    @property
    def expected(self) -> bool:
        """True where a Parquet table was read correctly, or any other table was refused."""
        return self.equal if self.table.definition.format == "parquet" else self.rows is None


def open_elsewhere(table: DemoTable, rows: pa.Table) -> list[EngineResult]:
    """Read a table that was made of ``rows`` with deltalake and with polars.

    Raises:
        ModuleNotFoundError: one of them is not installed.
    """
    return [_result(engine, read, table, rows) for engine, read in (("deltalake", _deltalake), ("polars", _polars))]


def _result(engine: str, read: Callable[[Path], tuple[int, float]], table: DemoTable, rows: pa.Table) -> EngineResult:
    title = f"{engine} {version(engine)}"
    try:
        found = read(table.path)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # each engine has errors of its own
        return EngineResult(title, table, None, False, f"{type(error).__name__}: {str(error).splitlines()[0]}")
    return EngineResult(title, table, found[0], found == (rows.num_rows, pc.sum(rows["distance"]).as_py()))


def _deltalake(path: Path) -> tuple[int, float]:
    from deltalake import DeltaTable

    found = DeltaTable(path).to_pyarrow_table(columns=["distance"])
    return found.num_rows, pc.sum(found["distance"]).as_py()


def _polars(path: Path) -> tuple[int, float]:
    import polars as pl

    found = pl.read_delta(str(path), columns=["distance"])
    return found.height, float(found["distance"].sum())
