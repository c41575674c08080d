"""The workbench against its limits of CPU time: verification of large files, exploration and comparison of wide ones."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec import mosaic, parquet
from lakecodec.workbench import diff, explore, verify
from lakecodec.workbench.excerpt import MOST_NODES
from lakecodec.workbench.page import page_of
from lakecodec.workbench.plain import tree_to_dict

from .harness import Result, interleave

#: Bytes in a second that must be reached.
_BAR = 1e9
_MEMBER = 4 << 20


def run(quick: bool) -> list[Result]:
    """Files of 500 or 100 MB in the page cache, of which no values are decoded; Parquet of 10,000 columns."""
    size, repeat = (50 if quick else 500) << 20, 1 if quick else 7
    with tempfile.TemporaryDirectory() as folder:
        found = [result for write in _WRITERS for result in _measured(write, Path(folder), size, repeat)]
    return found + _of_wide_files(repeat)


def _of_wide_files(repeat: int) -> list[Result]:
    old, new = (_wide(shift) for shift in (1, 2))
    footers = [parquet.read_metadata(each).to_bytes() for each in (old, new)]
    limits: dict[str, tuple[float, Callable[[], object]]] = {
        "explore 10,000 columns, JSON": (2.0, lambda: json.dumps(tree_to_dict(explore(old), most=MOST_NODES))),
        "explore 10,000 columns, HTML": (2.0, lambda: page_of(explore(old), MOST_NODES)),
        "diff footers of 10,000 columns": (1.0, lambda: diff(*footers, "parquet.FileMetaData")),
    }
    return [
        Result(name, interleave({name: run}, repeat=repeat, clock=time.process_time)[name], limit, "limit", bar=1.0)
        for name, (limit, run) in limits.items()
    ]


def _wide(shift: int) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table({f"c{number}": [number, number + shift] for number in range(10_000)}), stream)
    return stream.getvalue()


# ---- verification: this process, and one that imports all it needs ----


def _measured(write: Callable[[Path, int], None], folder: Path, size: int, repeat: int) -> list[Result]:
    name = write.__name__.removeprefix("_")
    path = folder / name
    write(path, size)
    limit = path.stat().st_size / _BAR
    before = _of_children()
    subprocess.run([sys.executable, "-m", "lakecodec", "verify", str(path)], check=True, stdout=subprocess.DEVNULL)
    first = _of_children() - before
    assert not [each for each in verify(path) if each.is_error]
    again = interleave({"verify": lambda: verify(path)}, repeat=repeat, clock=time.process_time)["verify"]
    path.unlink()
    title = f"verify {name.replace('_', ', ')}, {limit * 1000:.0f} MB"
    return [
        Result(title, again, limit, "1 GB/s", bar=1.0),
        Result(f"{title}, new process", first, limit, "1 GB/s"),
    ]


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _noise(size: int) -> bytes:
    return np.random.default_rng(0).bytes(size)


def _table(size: int) -> pa.Table:
    generator = np.random.default_rng(0)
    return pa.table({f"c{number}": generator.integers(0, 1 << 20, size // 80) for number in range(10)})


def _tar(path: Path, size: int) -> None:
    member = _noise(_MEMBER)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(size // _MEMBER):
            info = tarfile.TarInfo(f"member {number}")
            info.size = _MEMBER
            archive.addfile(info, io.BytesIO(member))


def _wave(path: Path, size: int) -> None:
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(44100)
        sound.writeframes(_noise(size))


def _parquet_checksums(path: Path, size: int) -> None:
    pq.write_table(
        _table(size), path, write_page_checksum=True, write_page_index=True, use_dictionary=False, compression="none"
    )


def _parquet_snappy(path: Path, size: int) -> None:
    pq.write_table(_table(size), path, write_page_index=True, use_dictionary=False, compression="snappy")


def _mosaic_stored(path: Path, size: int) -> None:
    mosaic.write_table(_table(size), path, compression="none")


_WRITERS = (_tar, _wave, _parquet_checksums, _parquet_snappy, _mosaic_stored)
