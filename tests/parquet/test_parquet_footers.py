"""Footers that are found together: those that are found one by one, and what is left to that."""

from __future__ import annotations

import io
import os
import random
import struct
from pathlib import Path

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError, backend, parquet
from lakecodec.parquet.footer import find_footer
from lakecodec.parquet.footer_batches import read_batches
from lakecodec.parquet.sources import expand
from lakecodec.parquet.tail_reads import find_metadata
from lakecodec.runtime.tail_cache import TAIL_SIZE, TailCache

from .tails import read_tails


def file_of(columns: int) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({f"column {number}": [number] for number in range(columns)}), stream)
    return stream.getvalue()


SMALL, LONG = file_of(3), file_of(900)
FILES = {
    "small": SMALL,
    "long": LONG,
    "empty": b"",
    "short": b"PAR1PAR1",
    "smallest": b"PAR1" + struct.pack("<I", 0) + b"PAR1",
    "no footer": b"PAR1" + bytes(20) + struct.pack("<I", 0) + b"PAR1",
    "all footer": b"PAR1" + bytes(20) + struct.pack("<I", 20) + b"PAR1",
    "more footer": b"PAR1" + bytes(20) + struct.pack("<I", 21) + b"PAR1",
    "most footer": b"PAR1" + bytes(20) + struct.pack("<I", 2**32 - 1) + b"PAR1",
    "encrypted": SMALL[:-4] + b"PARE",
    "encrypted head": b"PARE" + SMALL[4:],
    "other head": b"PAR2" + SMALL[4:],
    "other end": SMALL[:-4] + b"PAR2",
    "large": b"PAR1" + bytes(2 * TAIL_SIZE) + SMALL[4:],
    "cut in its footer": LONG[len(LONG) - TAIL_SIZE + 7 :],
    "large, other head": b"PAR2" + bytes(2 * TAIL_SIZE) + SMALL[4:],
}


def write(directory: Path, files: dict[str, bytes]) -> list[str]:
    for name, data in files.items():
        (directory / name).write_bytes(data)
    return [str(directory / name) for name in files]


def assert_same(paths: list[str], length: int) -> None:
    """``length`` bytes are read of the end of each file at first."""
    tails = read_tails(paths, memoryview(bytearray(len(paths) * length)), length)
    found, longest = find_metadata(tails)
    needed = [0]
    for tail, metadata in zip(tails, found, strict=True):
        try:
            assert isinstance(tail, TailCache)
            footer = find_footer(tail)
        except (AssertionError, DecodeError):
            assert metadata is None
            continue
        needed.append(tail.size - footer.start)
        # More reads are left to who reads one by one.
        assert (metadata is None) == (needed[-1] > length)
        assert metadata is None or metadata == footer.metadata
    assert longest >= max(each for each in needed if each <= length)


@pytest.mark.skipif(backend() == "pure", reason="the pure backend finds them one by one")
@pytest.mark.parametrize("length", [16, 900, 4096, TAIL_SIZE])
def test_together_as_one_by_one(tmp_path: Path, length: int) -> None:
    assert_same(write(tmp_path, FILES), length)


@pytest.mark.skipif(backend() == "pure", reason="the pure backend finds them one by one")
@pytest.mark.parametrize("seed", range(10))
def test_damaged_files(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    files = {}
    for number in range(60):
        data = bytearray(rng.choice([SMALL, LONG]))
        for _ in range(rng.randrange(3)):
            data[rng.choice([rng.randrange(4), -1 - rng.randrange(8)])] = rng.choice(
                [0, 1, 80, 255, rng.randrange(256)]
            )
        files[str(number)] = bytes(data[rng.choice([0, 0, 0, rng.randrange(len(data))]) :])
    assert_same([*write(tmp_path, files), str(tmp_path), str(tmp_path / "missing")], rng.choice([64, 2000, TAIL_SIZE]))


def test_chunks_of_odd_files(tmp_path: Path) -> None:
    """Rows and errors are those of files that are opened one by one."""
    paths = write(tmp_path, FILES) * 8
    random.Random(1).shuffle(paths)
    found = parquet.column_chunks(paths, errors="column")
    expected = parquet.column_chunks(paths, errors="column", filesystem=pyarrow.fs.LocalFileSystem())
    assert found.equals(expected)
    assert found["error"].null_count < len(found)


def test_batches_are_as_long_as_their_footers(tmp_path: Path) -> None:
    small, long = (write(tmp_path, {name: data})[0] for name, data in (("small", SMALL), ("long", file_of(9000))))
    assert os.path.getsize(long) > 8 * TAIL_SIZE

    def sizes(paths: list[str]) -> list[int]:
        found = []
        for batch in read_batches(expand(paths), "raise", 1):
            found.append(len(batch.files))
            assert len(batch.metadata) == len(batch.numbers) == len(batch.files)
            batch.done()
        return found

    assert sizes([]) == [0]
    assert sizes([small] * 100) == [100]
    assert sizes([small] * 1300) == [434, 433, 433]
    assert sizes([long] * 140) == [16] * 5 + [15] * 4
    # Nothing tells that they become longer.
    assert sizes([*[small] * 500, long]) == [501]


def test_errors_are_those_of_the_first_file(tmp_path: Path) -> None:
    paths = write(tmp_path, {f"{number:03}": LONG if number == 70 else SMALL for number in range(160)})
    found = parquet.column_chunks(paths)
    assert found["file"].unique().to_pylist() == paths
    os.remove(paths[120])
    Path(paths[140]).write_bytes(b"")
    with pytest.raises(FileNotFoundError):
        parquet.column_chunks(paths)
