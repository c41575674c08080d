"""What comes of the tables below a folder, read as we and as deltalake do.

``python -m tests.lake.golden_outcomes FOLDER`` prints the rows of docs/golden-tables.md. The folder has clones of
delta-io/delta, delta-io/delta-rs and delta-io/delta-kernel-rs, named ``delta-io+delta`` and so on.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
from deltalake import DeltaTable, QueryBuilder

from lakecodec.lake.log import LogError
from lakecodec.pipeline import count, scan
from lakecodec.runtime.errors import DecodeError
from tests.lake.read.test_read_golden import plain

#: Tables that deltalake reads wrongly, and what is right.
THEIRS_WRONG = {
    "table_with_edge_timestamps": "INT96 of the year 9999, which deltalake counts in nanoseconds, and overflows"
}


def outcome(path: Path) -> str:
    """What a full read of a table gives: equal to deltalake's, refused by a sentence, or WRONG."""
    try:
        found = scan(path).read_all()
    except (LogError, DecodeError) as error:
        return f"refused: {_sentence(error, path)}"
    except FileNotFoundError:
        return "no data files"
    except Exception as error:
        return f"WRONG: {type(error).__name__}: {_sentence(error, path)}"
    if count(path) != found.num_rows:
        return "WRONG: count differs"
    try:
        theirs = pa.table(QueryBuilder().register("t", DeltaTable(path)).execute("SELECT * FROM t"))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"read ({found.num_rows} rows); deltalake refuses it"
    if (reason := THEIRS_WRONG.get(path.name)) is not None:
        return f"read ({found.num_rows} rows): {reason}"
    if found.column_names != theirs.column_names or rows_of(found) != rows_of(theirs):
        return f"WRONG: {found.num_rows} rows, deltalake has {theirs.num_rows} or other values"
    return f"equal ({found.num_rows} rows)"


def rows_of(table: pa.Table) -> list[str]:
    """The rows as texts, in an order of their own; maps are lists, as their keys may be."""
    return sorted(repr(plain(_listed(row))) for row in table.to_pylist())


def _listed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


def _sentence(error: Exception, path: Path) -> str:
    text = str(error).split("\n")[0].replace(str(path), path.name)
    return text.replace("|", "/")[:160]


def tables_below(folder: Path) -> list[Path]:
    """The directories with a log."""
    return sorted(path.parent for path in folder.rglob("_delta_log") if path.is_dir())


def lines_of(folder: Path) -> list[str]:
    """The rows of the table of outcomes."""
    return [f"| `{table.relative_to(folder)}` | {outcome(table)} |" for table in tables_below(folder)]


if __name__ == "__main__":
    print("\n".join(lines_of(Path(sys.argv[1]))))
