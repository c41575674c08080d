"""Appends the rows of a Parquet file to a table, as one transaction of a given id: a process to be killed.

python append.py TABLE ROWS TXN FORMAT [PARTITION_COLUMN ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow.parquet as pq

from tests.spark.lakes import write_lake


def main(root: str, rows: str, txn_id: str, format: str, *partition_by: str) -> None:
    table = pq.read_table(rows)
    print("begins", flush=True)
    write_lake(Path(root), table, partition_by=partition_by, format=format, txn_id=txn_id)


if __name__ == "__main__":
    main(*sys.argv[1:])
