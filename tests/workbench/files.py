"""Files of every format of idl/ and its gallery, each written by an implementation that is not ours."""

from __future__ import annotations

import io
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.generated import deletion_vector, mosaic, parquet_file

from ..compiled import gallery
from ..gallery import (
    test_der,
    test_elf,
    test_gguf,
    test_midi,
    test_mo,
    test_ogg,
    test_pcap,
    test_plist,
    test_png,
    test_puffin,
    test_tar,
    test_tzif,
    test_wave,
    test_zip,
)
from ..mosaic import examples

_TABLE = pa.table({"a": list(range(600)), "b": [f"name {n % 7}" for n in range(600)]})


def _parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(
        _TABLE, stream, write_page_checksum=True, write_page_index=True, row_group_size=400, data_page_size=500,
        write_batch_size=100, use_dictionary=["b"],
    )  # fmt: skip
    return stream.getvalue()


def _mosaic() -> bytes:
    return bytes.fromhex(examples.ENCODINGS[2])


def _bitmap() -> bytes:
    pyroaring = pytest.importorskip("pyroaring")
    numbers = pyroaring.BitMap([*range(10_000), *range(70_000, 140_000, 2), 300_000])
    numbers.run_optimize()
    return bytes(numbers.serialize())


def _vector() -> bytes:
    pyroaring = pytest.importorskip("pyroaring")
    return (1681511377).to_bytes(4, "little") + bytes(pyroaring.BitMap64([1, 5, 1 << 33]).serialize())


def _arrow() -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, _TABLE.schema) as writer:
        writer.write_table(_TABLE)
    return stream.getvalue()


def _avro() -> bytes:
    fastavro = pytest.importorskip("fastavro")
    stream = io.BytesIO()
    schema = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "long"}]}
    fastavro.writer(stream, schema, [{"a": n} for n in range(50)], sync_interval=100)
    return stream.getvalue()


def _orc() -> bytes:
    orc = pytest.importorskip("pyarrow.orc")
    stream = io.BytesIO()
    orc.write_table(_TABLE, stream, compression="uncompressed")
    return stream.getvalue()


def _font() -> bytes:
    matplotlib = pytest.importorskip("matplotlib")
    return (Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSerifDisplay.ttf").read_bytes()


def _sqlite(folder: Path) -> bytes:
    path = folder / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma page_size = 512")
        connection.execute("create table t (id integer primary key, name text, amount)")
        connection.executemany("insert into t values (?, ?, ?)", [(n, f"name {n}", n / 3) for n in range(40)])
        connection.execute("insert into t values (1000, ?, null)", ("y" * 2000,))
        connection.commit()
    return path.read_bytes()


def _git(folder: Path) -> bytes:
    _tool("git", "init", "-q", str(folder))
    for name in ("a", "b", "long name"):
        (folder / name).write_text(name)
    _tool("git", "-C", str(folder), "-c", "index.version=2", "add", ".")
    return (folder / ".git" / "index").read_bytes()


def _class(folder: Path) -> bytes:
    (folder / "A.java").write_text("class A { long n = 123456789012L; double f(double x) { return x * 2.5 + n; } }")
    _tool("javac", str(folder / "A.java"))
    return (folder / "A.class").read_bytes()


def _tool(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip(f"{command[0]} is needed")


def _in_folder(make: Callable[[Path], bytes]) -> Callable[[], bytes]:
    def made() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            return make(Path(folder))

    return made


def _program() -> bytes:
    if not test_elf.TRUE.is_file():
        pytest.skip("programs of Linux are needed")
    return test_elf.TRUE.read_bytes()


_MAKERS: dict[str, Callable[[], bytes]] = {
    "parquet_file": _parquet,
    "mosaic": _mosaic,
    "deletion_vector": _vector,
    "arrow_ipc": _arrow,
    "avro": _avro,
    "der": lambda: test_der.CERTIFICATE,
    "elf": _program,
    "gguf": _in_folder(lambda folder: test_gguf.model(folder / "a.gguf")),
    "git_index": _in_folder(_git),
    "java_class": _in_folder(_class),
    "midi": lambda: test_midi.DATA,
    "mo": _in_folder(test_mo.compiled),
    "ogg": lambda: test_ogg.OPUS,
    "orc": _orc,
    "pcap": test_pcap.capture,
    "plist": lambda: test_plist.written(test_plist.VALUES["some"]),
    "png": lambda: test_png.saved("RGB"),
    "puffin": lambda: test_puffin.sample("sample-metric-data-uncompressed"),
    "roaring": _bitmap,
    "sqlite": _in_folder(_sqlite),
    "tar": test_tar.archive,
    "truetype": _font,
    "tzif": lambda: test_tzif.zone("Europe/Berlin"),
    "wave": test_wave.sound,
    "zip": test_zip.archive,
}
#: Every format of files, and the vectors that Delta's data files have beside them.
NAMES = sorted(_MAKERS)


@cache
def file_of(name: str) -> bytes:
    """The bytes of a file of a format."""
    return _MAKERS[name]()


@cache
def type_of(name: str) -> Any:
    """The record that a file of a format is."""
    if name == "deletion_vector":
        return deletion_vector.DeletionVector
    own = {"parquet_file": parquet_file, "mosaic": mosaic}.get(name)
    return (gallery(name) if own is None else own).File
