"""Runs in the environment of pypaimon: does what lines of JSON on stdin say, and answers with the seconds that took."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from typing import Any

from pypaimon import CatalogFactory


def builder(path: str, columns: list[str] | None, where: list[Any] | None) -> Any:
    """A read of a table, which is looked up anew; ``where`` is a method of the predicate builder and its arguments."""
    warehouse, database, name = path.rsplit("/", 2)
    table = CatalogFactory.create({"warehouse": warehouse}).get_table(f"{database.removesuffix('.db')}.{name}")
    found = table.new_read_builder()
    if columns is not None:
        found = found.with_projection(columns)
    if where is not None:
        method, *arguments = where
        found = found.with_filter(getattr(found.new_predicate_builder(), method)(*arguments))
    return found


def plan(path: str, columns: list[str] | None = None, where: list[Any] | None = None) -> int:
    splits = builder(path, columns, where).new_scan().plan().splits()
    return sum(len(split.files) for split in splits)


def scan(path: str, columns: list[str] | None = None, where: list[Any] | None = None) -> int:
    read = builder(path, columns, where)
    return read.new_read().to_arrow(read.new_scan().plan().splits()).num_rows


def main() -> None:
    operations = {"plan": plan, "scan": scan}
    for line in sys.stdin:
        request = json.loads(line)
        operation = operations[request.pop("operation")]
        with contextlib.redirect_stdout(sys.stderr):
            wall, cpu = time.perf_counter(), time.process_time()
            found = operation(**request)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(json.dumps({"found": found, "cpu": cpu, "wall": wall}), flush=True)


if __name__ == "__main__":
    main()
