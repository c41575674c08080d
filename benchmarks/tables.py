"""Tables made without Spark, for benchmarks of reading."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
from pyarrow import fs

from lakecodec.lake.files import WriterOptions, file_format
from lakecodec.lake.log import Add, Log, Transaction

_ROW_GROUP_BYTES = 16 << 20


def write_table(root: Path, format: str, schema: pa.Schema, files: Iterable[pa.Table]) -> None:
    """Appends ``files`` to a table without partitions, which is made where there is none, with all statistics in its log."""
    root.mkdir(parents=True, exist_ok=True)
    log = Log(root)
    transaction = Transaction(log, log.snapshot() if log.exists() else None, "WRITE")
    if transaction.read is None:
        transaction.set_schema(schema, (), format)
    options = WriterOptions(_ROW_GROUP_BYTES)
    kind = file_format(format)
    for number, rows in enumerate(files):
        name = f"part-{number:05d}-{uuid4().hex[:8]}{kind.suffix}"
        writer = kind.open_writer(fs.LocalFileSystem(), str(root / name), schema, options)
        writer.write(rows)
        stats = writer.close()
        status = (root / name).stat()
        transaction.add(Add(name, {}, status.st_size, int(status.st_mtime * 1000), stats=stats))
    transaction.commit()
