"""Parquet files of pyarrow and fastparquet: generated code, on both backends, reads what parquet_file.idl says."""

from __future__ import annotations

import pytest

from lakecodec.generated import parquet_file as generated
from lakecodec.generated.parquet import FileMetaData

from ..parquet.files import FILES
from ..paths import SPECS
from ..runtime.compact.backends import BACKENDS, running
from .compare import differences
from .nodes import Node, Refused
from .reader import Oracle

PARQUET = Oracle(SPECS / "parquet_file.idl")


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    """The envelope, the metadata in it, and every page of every column chunk."""
    data = FILES[name]()
    node = PARQUET.read("File", data)
    start, size = len(data) - 8 - node.walk("tail.meta_size"), node.walk("tail.meta_size")
    for backend in BACKENDS:
        with running(backend):
            assert list(differences(generated.File.from_bytes(data), node)) == []
            meta = FileMetaData.from_bytes(data[start : start + size], allow_trailing=True)
            assert list(differences(meta, node["meta"])) == []


@pytest.mark.parametrize("name", ["defaults", "page index", "nested"])
def test_pages(name: str) -> None:
    data = FILES[name]()
    pages = 0
    for chunk in column_chunks(PARQUET.read("File", data)["meta"]):
        node = PARQUET.read("Chunk", data, *chunk)
        pages += len(node["pages"])
        for backend in BACKENDS:
            with running(backend):
                assert list(differences(generated.Chunk.from_bytes(data, *chunk), node)) == []
    assert pages >= 20


def column_chunks(meta: Node) -> list[tuple[int, int]]:
    """(offset, size) of each column chunk."""
    found = []
    for group in meta["row_groups"]:
        for column in group["columns"]:
            chunk = column["meta_data"]
            starts = [chunk["data_page_offset"], chunk["dictionary_page_offset"]]
            found.append((min(start for start in starts if start is not None), chunk["total_compressed_size"]))
    return found


def test_refused_envelopes() -> None:
    data = FILES["defaults"]()
    for bad in (b"PARE" + data[4:], data[:-4] + b"PARE", data[:-1], data[:-8] + b"\xff\xff\xff\x7f" + data[-4:]):
        with pytest.raises(Refused):
            PARQUET.read("File", bad)
        with pytest.raises(ValueError, match=r"parquet_file\.File"):
            generated.File.from_bytes(bad)
