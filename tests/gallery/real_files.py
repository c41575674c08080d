"""A small real file of each format of the gallery that the libraries here can make, or that lies in tests/data."""

from __future__ import annotations

import io
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

from ..paths import DATA


def _data(name: str) -> Callable[[], bytes]:
    return lambda: (DATA / name).read_bytes()


def _arrow() -> bytes:
    table = pa.table({"number": [1, 2], "word": ["a", None]})
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def _orc() -> bytes:
    out = io.BytesIO()
    orc.write_table(pa.table({"number": [1, 2], "word": ["a", None]}), out, compression="uncompressed")
    return out.getvalue()


def _sqlite() -> bytes:
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA page_size = 512")
        database.execute("CREATE TABLE t (n INTEGER, word TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(n, f"word {n}" * (n % 7)) for n in range(40)])
        database.commit()
        return database.serialize()


def _avro() -> bytes:
    from .test_avro import written

    return written("deflate")


def _dns() -> bytes:
    from .test_dns import answer

    return answer()


def _der() -> bytes:
    from .test_der import CERTIFICATE

    return CERTIFICATE


def _gguf() -> bytes:
    from .test_gguf import model

    with tempfile.TemporaryDirectory() as folder:
        return model(Path(folder) / "model.gguf")


def _mo() -> bytes:
    from .test_mo import compiled

    with tempfile.TemporaryDirectory() as folder:
        return compiled(Path(folder))


def _ogg() -> bytes:
    from .test_ogg import OPUS

    return OPUS


def _pcap() -> bytes:
    from .test_pcap import capture

    return capture()


def _plist() -> bytes:
    from .test_plist import VALUES, written

    return written(VALUES["some"])


def _png() -> bytes:
    from .test_png import saved

    return saved("RGB")


def _protobuf() -> bytes:
    from .test_protobuf import described

    return described()


def _roaring() -> bytes:
    from .test_roaring import SETS, pyroaring

    return bytes(pyroaring.BitMap(SETS["few"]).serialize())


def _tar() -> bytes:
    from .test_tar import archive

    return archive()


def _tzif() -> bytes:
    from .test_tzif import zone

    return zone("Asia/Kathmandu")


def _wave() -> bytes:
    from .test_wave import sound

    return sound()


def _zip() -> bytes:
    from .test_zip import archive

    return archive()


#: By the name of the declaration; the packages that make them, and their files.
_MAKERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "arrow_ipc": ("pyarrow", _arrow),
    "avro": ("fastavro", _avro),
    "cbor": ("", _data("gallery/items.cbor")),
    "cpio": ("", _data("gallery/sums.cpio")),
    "der": ("", _der),
    "dex": ("", _data("gallery/hello.dex")),
    "dns": ("dns", _dns),
    "gif": ("", _data("gallery/three.gif")),
    "gguf": ("gguf", _gguf),
    "git_pack_index": ("", _data("gallery/pack.idx")),
    "kafka": ("", _data("gallery/segment.kafka")),
    "leveldb": ("", _data("gallery/table.ldb")),
    "midi": ("", _data("midi/scale.mid")),
    "mo": ("", _mo),
    "ogg": ("", _ogg),
    "orc": ("pyarrow", _orc),
    "pcap": ("scapy", _pcap),
    "plist": ("", _plist),
    "png": ("PIL", _png),
    "protobuf": ("google.protobuf", _protobuf),
    "puffin": ("", _data("puffin/sample-metric-data-uncompressed.bin")),
    "redis_rdb": ("", _data("gallery/dump.rdb")),
    "roaring": ("pyroaring", _roaring),
    "sqlite": ("", _sqlite),
    "sqlite_wal": ("", _data("gallery/changes.wal")),
    "squashfs": ("", _data("gallery/zlib.squashfs")),
    "tar": ("", _tar),
    "terminfo": ("", _data("gallery/own.terminfo")),
    "tzif": ("tzdata", _tzif),
    "wasm": ("", _data("gallery/module.wasm")),
    "wave": ("", _wave),
    "zip": ("", _zip),
}


def names() -> Iterator[str]:
    """Yields the formats of which a file can be made here."""
    for name, (package, _) in _MAKERS.items():
        if not package or find_spec(package.split(".")[0]) is not None:
            yield name


def file_of(name: str) -> bytes:
    """Returns a file of a format."""
    return _MAKERS[name][1]()
