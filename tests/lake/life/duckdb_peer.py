"""Tables as DuckDB's extension delta reads them, in an environment of its own (see .ci/duckdb)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa

PYTHON = Path(os.environ.get("LAKECODEC_DUCKDB") or Path(__file__).parents[3] / ".venv-duckdb/bin/python")
MISSING = (
    f"there is no DuckDB with the extension delta at {PYTHON}: run .ci/duckdb, or name its Python in LAKECODEC_DUCKDB"
)


def duckdb_rows(path: Path, columns: list[str]) -> pa.Table:
    """Returns the rows of a table; RuntimeError with DuckDB's words where it does not read it."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "rows.arrow")
        command = [str(PYTHON), __file__, str(path), str(made), *columns]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"TZ": "UTC"})
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        return pa.ipc.open_stream(made.read_bytes()).read_all()


def _read(path: str, target: str, columns: list[str]) -> None:
    import duckdb
    import duckdb_ext

    folder = str(Path(next(iter(duckdb_ext.__path__)), "extensions"))
    connection = duckdb.connect(config={"extension_directory": folder})
    connection.sql("LOAD delta")
    connection.sql("SET TimeZone = 'UTC'")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
    rows = connection.execute(f"SELECT {names} FROM delta_scan(?)", [path]).fetch_arrow_table()
    with pa.OSFile(target, "wb") as sink, pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)


if __name__ == "__main__":
    _read(sys.argv[1], sys.argv[2], sys.argv[3:])
