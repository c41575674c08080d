"""Parquet metadata against pyarrow, fastparquet, Apache Thrift (accelerated), thriftpy2 and duckdb."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData

from . import parquet_peers as peers
from .harness import Result, compare

#: Seconds that an import and a generation of everything may take.
_IMPORT_LIMIT = 0.15
_GENERATE_LIMIT = 3.0


def run(quick: bool) -> list[Result]:
    """All comparisons; ``quick`` makes fewer repetitions and fewer files."""
    repeat = 3 if quick else 9
    wide = file_of(columns=1000, row_groups=1)
    groups = 5 if quick else 100
    deep = file_of(columns=100, row_groups=groups)
    results = []
    for name, file, decode_bar, walk_bar in (
        ("1,000 columns", wide, 0.30, 1 / 9),
        (f"{groups} x 100", deep, 1.0, 1 / 6),
    ):
        results += _footers(name, file, decode_bar, walk_bar, repeat)
    results += _projection(wide, repeat)
    results += _pure(wide, 3)
    results += _memory(wide)
    results += _chunks(50 if quick else 500, 3 if quick else 5)
    return results + _processes(1 if quick else 3)


def file_of(*, columns: int, row_groups: int) -> bytes:
    """A file with statistics and page index whose columns are of five types."""
    rows = 10
    makers: list[Callable[[int], pa.Array]] = [
        lambda n: pa.array([n * k for k in range(rows)], pa.int64()),
        lambda n: pa.array([n / (k + 1) for k in range(rows)], pa.float64()),
        lambda n: pa.array([f"value {n + k}" for k in range(rows)]),
        lambda n: pa.array([None if k == 3 else k for k in range(rows)], pa.int32()),
        lambda n: pa.array([n * 1_000_000 + k for k in range(rows)], pa.timestamp("us", "UTC")),
    ]
    table = pa.table({f"column_{n}": makers[n % len(makers)](n) for n in range(columns)})
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.schema, write_page_index=True) as writer:
        for _ in range(row_groups):
            writer.write_table(table)
    return sink.getvalue()


def footer_of(file: bytes) -> bytes:
    length = int.from_bytes(file[-8:-4], "little")
    return file[-8 - length : -8]


def walk(metadata: FileMetaData) -> int:
    """Visits every column chunk's statistics."""
    seen = 0
    for group in metadata.row_groups:
        for chunk in group.columns:
            statistics = chunk.meta_data.statistics  # type: ignore[union-attr]
            if statistics is not None:
                seen += statistics.null_count or 0
                _ = statistics.min_value, statistics.max_value
    return seen


def _footers(name: str, file: bytes, decode_bar: float, walk_bar: float, repeat: int) -> list[Result]:
    # Decoding first: trees that are alive for encoding would make every garbage collection slower.
    return _decoding(name, file, decode_bar, walk_bar, repeat) + _encoding(name, file, repeat)


def _decoding(name: str, file: bytes, decode_bar: float, walk_bar: float, repeat: int) -> list[Result]:
    data = footer_of(file)
    assert walk(FileMetaData.from_bytes(data)) == peers.pyarrow_walk(peers.pyarrow_decode(file))
    results = compare(
        f"decode, {name}",
        {
            "lakecodec": lambda: FileMetaData.from_bytes(data),
            "pyarrow": lambda: peers.pyarrow_decode(file),
            "fastparquet": lambda: peers.fastparquet_decode(data),
            "Apache Thrift": lambda: peers.apache_decode(data),
        },
        bars={"pyarrow": decode_bar},
        repeat=repeat,
        clock=time.process_time,
    )
    slow = {"lakecodec": lambda: FileMetaData.from_bytes(data), "thriftpy2": lambda: peers.thriftpy2_decode(data)}
    results += compare(f"decode, {name}", slow, repeat=3, clock=time.process_time)
    return results + compare(
        f"decode and walk statistics, {name}",
        {
            "lakecodec": lambda: walk(FileMetaData.from_bytes(data)),
            "pyarrow": lambda: peers.pyarrow_walk(peers.pyarrow_decode(file)),
        },
        bars={"pyarrow": walk_bar},
        repeat=repeat,
        clock=time.process_time,
    )


def _encoding(name: str, file: bytes, repeat: int) -> list[Result]:
    data = footer_of(file)
    ours, theirs = FileMetaData.from_bytes(data), peers.pyarrow_decode(file)
    apache, thriftpy2 = peers.apache_decode(data), peers.thriftpy2_decode(data)
    fastparquet = peers.fastparquet_decode(data)
    assert ours.to_bytes() == data == peers.pyarrow_encode(theirs)[4:-8]
    assert peers.apache_encode(apache) == data == peers.thriftpy2_encode(thriftpy2)
    results = compare(
        f"encode, {name}",
        {
            "lakecodec": lambda: ours.to_bytes(),
            "pyarrow": lambda: peers.pyarrow_encode(theirs),
            "fastparquet": lambda: fastparquet.to_bytes(),
            "Apache Thrift": lambda: peers.apache_encode(apache),
        },
        bars={"pyarrow": 0.8},
        repeat=repeat,
        clock=time.process_time,
    )
    slow = {"lakecodec": lambda: ours.to_bytes(), "thriftpy2": lambda: peers.thriftpy2_encode(thriftpy2)}
    return results + compare(f"encode, {name}", slow, repeat=3, clock=time.process_time)


def _projection(file: bytes, repeat: int) -> list[Result]:
    data = footer_of(file)
    numbers = range(50, 1000, 100)
    fields = [f"row_groups.columns[{','.join(map(str, numbers))}].meta_data"]
    (group,) = FileMetaData.from_bytes(data, fields=fields).row_groups
    assert [chunk.meta_data.path_in_schema for chunk in group.columns] == [[f"column_{n}"] for n in numbers]  # type: ignore[union-attr]
    results = compare(
        "10 of 1,000 columns",
        {
            "lakecodec": lambda: FileMetaData.from_bytes(data, fields=fields),
            "pyarrow": lambda: peers.pyarrow_decode(file),
        },
        bars={"pyarrow": 1 / 12},
        repeat=repeat,
        clock=time.process_time,
    )
    names = [f"column_{n}" for n in numbers]
    return results + compare(
        "10 of 1,000 columns by name, with schema",
        {
            "lakecodec": lambda: parquet.read_metadata(file, columns=names),
            "pyarrow": lambda: peers.pyarrow_decode(file),
        },
        repeat=repeat,
        clock=time.process_time,
    )


def _pure(file: bytes, repeat: int) -> list[Result]:
    """The pure backend beside the native one, in this process."""
    from lakecodec.runtime.compact.pure import PureCodec

    data = footer_of(file)
    codec = PureCodec(FileMetaData.__spec__, "parquet.FileMetaData")

    def decode() -> Any:
        return codec.decode(data, 0, 64, 16_000_000, False, "strict")[0]

    value, theirs = decode(), peers.thriftpy2_decode(data)
    assert value == FileMetaData.from_bytes(data)
    assert codec.encode(value, "strict") == data
    results = compare(
        "pure backend: decode, 1,000 columns",
        {"lakecodec": decode, "thriftpy2": lambda: peers.thriftpy2_decode(data)},
        bars={"thriftpy2": 1 / 5},
        repeat=repeat,
        clock=time.process_time,
    )
    return results + compare(
        "pure backend: encode, 1,000 columns",
        {"lakecodec": lambda: codec.encode(value, "strict"), "thriftpy2": lambda: peers.thriftpy2_encode(theirs)},
        bars={"thriftpy2": 1 / 5},
        repeat=repeat,
        clock=time.process_time,
    )


def _memory(file: bytes) -> list[Result]:
    data = footer_of(file)
    chunks = len(FileMetaData.from_bytes(data).row_groups[0].columns)
    peers.apache_decode(data)

    def held(decode: Callable[[bytes], Any]) -> float:
        tracemalloc.start()
        value = decode(data)
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del value
        return size / chunks

    ours, theirs = held(FileMetaData.from_bytes), held(peers.apache_decode)
    return [Result("memory per decoded column chunk", ours, theirs, "Apache Thrift", bar=1.0, unit="bytes")]


def _chunks(files: int, repeat: int) -> list[Result]:
    import duckdb

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = folder / "part-0000.parquet"
        first.write_bytes(file_of(columns=50, row_groups=4))
        for number in range(1, files):
            shutil.copy(first, folder / f"part-{number:04}.parquet")
        paths = sorted(map(str, folder.iterdir()))
        connection = duckdb.connect()
        query = f"select * from parquet_metadata('{folder}/*.parquet')"

        def ours() -> Any:
            return parquet.column_chunks(paths)

        def pyarrow() -> Any:
            return [row for path in paths for row in peers.pyarrow_rows(path)]

        def duckdb_() -> Any:
            return connection.sql(query).to_arrow_table()

        assert ours().num_rows == len(pyarrow()) == duckdb_().num_rows == files * 200
        title = f"column_chunks, {files} files x 50 columns x 4 row groups"
        # duckdb uses all processors, so that its time is the wall's.
        results = compare(
            title,
            {"lakecodec": ours, "pyarrow": pyarrow},
            bars={"pyarrow": 1 / 35},
            repeat=repeat,
            clock=time.process_time,
        )
        return results + compare(title, {"lakecodec": ours, "duckdb": duckdb_}, bars={"duckdb": 1 / 20}, repeat=repeat)


def _processes(repeat: int) -> list[Result]:
    """Fresh interpreters: time inside the process for the import, of the whole process for generation.

    The best of some runs, since other processes can only add to it.
    """
    statement = "import time; t = time.perf_counter(); import lakecodec.parquet; print(time.perf_counter() - t)"

    def import_seconds() -> float:
        return float(subprocess.run([sys.executable, "-c", statement], check=True, capture_output=True).stdout)

    def generate_seconds() -> float:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "lakecodec", "generate", "-o", folder]
            subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[1])
        return time.perf_counter() - start

    imports = min(import_seconds() for _ in range(3 * repeat))
    generations = min(generate_seconds() for _ in range(repeat))
    return [
        Result("import lakecodec.parquet", imports, _IMPORT_LIMIT, "limit", bar=1.0),
        Result("generate everything", generations, _GENERATE_LIMIT, "limit", bar=1.0),
    ]
