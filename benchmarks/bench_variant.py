"""Objects to columns: beside pyspark's VariantUtils, row by row, and DuckDB, from a table of variants in memory."""

from __future__ import annotations

import time
from collections.abc import Callable

import duckdb
import pyarrow as pa
from pyspark.sql.variant_utils import VariantUtils

from lakecodec import variant

from .harness import Result, interleave

_ROWS = 200_000
#: pyspark is timed on a part of the rows.
_PART = 100
_SPARK_BAR, _DUCKDB_BAR = 1 / 10, 1.0
_PATHS = {"id": pa.int64(), "name": pa.string(), "score": pa.float64(), "pos.x": pa.int64()}


def run(quick: bool) -> list[Result]:
    """Four paths of small objects; ``quick`` takes fewer rows."""
    rows, repeat = (20_000, 3) if quick else (_ROWS, 5)
    values = [
        {"id": i, "name": f"user{i}", "score": i * 0.5, "tags": ["a", "b"], "pos": {"x": i, "y": -i}}
        for i in range(rows)
    ]
    column = variant.array(values)
    some = [(row["value"], row["metadata"]) for row in column.slice(0, rows // _PART).to_pylist()]
    paths = {f"$.{path}": type for path, type in _PATHS.items()}
    connection = duckdb.connect()
    connection.execute("set threads = 1")
    connection.execute(
        "create table t as select {'id': i, 'name': 'user' || i, 'score': i * 0.5::double, 'tags': ['a', 'b'], "
        f"'pos': {{'x': i, 'y': -i}}}}::variant v from range({rows}) t(i)"
    )
    query = "select v.id::bigint, v.name::varchar, v.score::double, v.pos.x::bigint from t"

    def pyspark() -> pa.Table:
        made = [VariantUtils.to_python(*row) for row in some]
        columns = zip(*((each["id"], each["name"], each["score"], each["pos"]["x"]) for each in made), strict=True)
        return pa.table(dict(zip(_PATHS, map(list, columns), strict=True)))

    measured: dict[str, Callable[[], object]] = {
        "ours": lambda: variant.to_columns(column, paths),
        "pyspark": pyspark,
        "duckdb": lambda: connection.sql(query).to_arrow_table(),
    }
    found = interleave(measured, repeat=repeat, clock=time.process_time)
    ours = found["ours"] / rows
    return [
        Result(
            "objects to columns, a row", ours, found["pyspark"] / len(some), "pyspark's VariantUtils", bar=_SPARK_BAR
        ),
        Result("objects to columns, a row", ours, found["duckdb"] / rows, "DuckDB", bar=_DUCKDB_BAR),
    ]
