"""Uses an installed lakecodec for a few seconds: every native module, an IDL, Parquet, Mosaic, row keys, Delta, the CLI.

``python .ci/smoke.py [native | pure | partial]``: the backend that must run; LAKECODEC_REQUIRE_NATIVE=1 stands for native.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import lakecodec
from lakecodec import delta, mosaic, parquet, row
from lakecodec.runtime import native


def main(wanted: str) -> None:
    found = lakecodec.backend()
    if wanted and found != wanted:
        raise SystemExit(f"the backend is {found}, not {wanted}: {native.failures()}")
    made = lakecodec.compile_idl("struct Point { 1: required i32 x; 2: optional string name; }")
    point = made.Point(x=1, name="here")
    assert made.Point.from_bytes(point.to_bytes()) == point
    table = pa.table({"id": pa.array(range(1000), pa.int64()), "city": [f"city {i % 7}" for i in range(1000)]})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.parquet")
        pq.write_table(table, file)
        assert parquet.read_metadata(file).num_rows == 1000
        assert parquet.column_chunks([file]).num_rows == 2
        mosaic.write_table(table, Path(folder, "t.mosaic"))
        assert mosaic.read_table(Path(folder, "t.mosaic")) == table
        command = [sys.executable, "-m", "lakecodec", "inspect", "--json", str(file)]
        assert b'"id"' in subprocess.run(command, check=True, capture_output=True).stdout
    converter = row.RowConverter(table.schema)
    assert pa.table(converter.convert_rows(converter.convert_columns(table)), names=table.column_names) == table
    assert row.sort_table(table, [("id", "descending")])["id"][0].as_py() == 999
    codec = delta.PartitionCodec(table.schema, ["city"])
    assert codec.directory({"city": "São/Paulo"}) == "city=São%2FPaulo"
    print(f"lakecodec {lakecodec.__version__} works, {found}, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "native" if os.environ.get("LAKECODEC_REQUIRE_NATIVE") == "1" else "")
