"""Appends rows with ids from a number on to a table, as one transaction of a given id: a process to be killed.

python append.py TABLE FIRST COUNT TXN
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.lake.log import Add, Log, Statistics, Transaction


def main(root: Path, first: int, count: int, txn_id: str) -> None:
    rows = pa.table({"id": pa.array(range(first, first + count), pa.int64()), "n": pa.array([0] * count, pa.int64())})
    log = Log(root)
    print("begins", flush=True)
    path = root / f"{txn_id}.parquet"
    pq.write_table(rows, path)
    stats = Statistics(rows.schema)
    stats.update(rows)
    transaction = Transaction(log, log.snapshot(), "WRITE", txn_id=txn_id)
    transaction.add(Add(path.name, {}, path.stat().st_size, 0, stats=stats.to_json()))
    transaction.commit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
