"""What reading bytes comes to: a table, or an error's rule, path and offset. In this process, or in another one."""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from lakecodec import DecodeError, mosaic
from lakecodec.runtime.parallel import readers, workers
from lakecodec.runtime.records.read import OF_DECODED

from ..paths import ROOT
from .raw import INT, TWO, one_bucket
from .tables import same

#: Bytes that the columns of a bucket may take beyond those of the file.
LIMIT = 2**24

Outcome = pa.Table | tuple[str, str, int | None]


def read_all(data: Any) -> pa.Table:
    """Everything that there is in a file."""
    file = mosaic.MosaicFile(data, limit=LIMIT)
    meta = file.metadata
    for number in range(meta.num_row_groups):
        file.statistics(number)
    return file.read()


def outcome(data: Any) -> Outcome:
    """What `read_all` comes to; other errors than DecodeError are raised, and tables that Arrow finds invalid are."""
    try:
        table = read_all(data)
    except DecodeError as error:
        return _checked(error, len(data))
    for column in table.columns:
        column.validate(full=not _has_ranges(column.type))
    return table


def equal(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes are the same."""
    if isinstance(one, pa.Table) and isinstance(other, pa.Table):
        return same(one, other)
    return one == other


class Reader:
    """A process of its own that reads files; a context manager that ends it.

    Args:
        pure: whether it runs the pure backend, else that of this process.
        memory: bytes of address space that it may use for reading, None for any number.
        seconds: of processor time that it may use altogether.
    """

    def __init__(self, *, pure: bool = True, memory: int | None = None, seconds: int = 600) -> None:
        self._command = [sys.executable, "-c", f"from {__name__} import serve; serve({memory}, {seconds})"]
        self._environment = os.environ | {"PYTHONPATH": os.pathsep.join((os.environ.get("PYTHONPATH", ""), str(ROOT)))}
        if pure:
            self._environment["LAKECODEC_PURE"] = "1"

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def outcomes(self, files: Sequence[bytes]) -> list[Outcome]:
        """What reading each file comes to there."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(list(files), self._process.stdin)
        self._process.stdin.flush()
        found: list[Outcome] = pickle.load(self._process.stdout)
        return found


def serve(memory: int | None, seconds: int) -> None:
    """Answers a `Reader` until it ends."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    # Threads and what they load belong to no file. A thread starts when all others are busy, and waits until all have started.
    for pool in (workers(), readers()):
        started = threading.Barrier(pool._max_workers)
        list(pool.map(lambda _, started=started: started.wait(60), range(pool._max_workers)))
    read_all(one_bucket(TWO, 2, INT))
    if memory is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    while True:
        try:
            files = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump([outcome(data) for data in files], sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _checked(error: DecodeError, size: int) -> tuple[str, str, int | None]:
    assert error.format == "mosaic"
    # In a schema that is compressed offsets count what it inflates to, and the error says so.
    assert error.offset is None or 0 <= error.offset <= size or error.rule.endswith(OF_DECODED)
    return error.rule, error.path, error.offset


def _has_ranges(type: pa.DataType) -> bool:
    """Whether Arrow looks at values that the format leaves to the reader: times outside a day, digits over the precision."""
    if pa.types.is_nested(type):
        return any(_has_ranges(type.field(number).type) for number in range(type.num_fields))
    return pa.types.is_decimal(type) or pa.types.is_time(type)
