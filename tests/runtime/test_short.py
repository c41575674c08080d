"""Short displays of what users hold: metadata, files, converters, codecs, commits."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from lakecodec import compile_idl, mosaic
from lakecodec.delta import PartitionCodec
from lakecodec.lake.log.commit_info import CommitInfo
from lakecodec.row import RowConverter, SortOptions
from lakecodec.runtime.records.source import Bytes
from lakecodec.runtime.short import represent


def test_values() -> None:
    assert represent([*range(100)]) == "[0, 1, 2, 3, 4, 5, 6, 7, ... 92 more]"
    assert represent(b"x" * 100) == f"{b'x' * 48!r}... (100 bytes)"
    assert represent("y" * 1000) == f"{'y' * 200!r}... (1,000 characters)"
    assert represent({number: (number,) for number in range(9)}).endswith("7: (7,), ... 1 more}")
    assert [represent(each) for each in ([], (), set(), {}, (1, 2), {1}, frozenset())] == [
        "[]", "()", "set()", "{}", "(1, 2)", "{1}", "frozenset()",
    ]  # fmt: skip


def test_values_in_many_places() -> None:
    """Places that point to each other are followed no further than the text has room; what cannot be read is named."""
    nodes: Any = compile_idl("record Node { u8 n; u8 p[n]; Node kids[i < n] at p[i] from source; }")
    reads: list[int] = []

    class Source:
        size = 9

        def read(self, offset: int, length: int) -> bytes:
            reads.append(offset)
            return (bytes([8]) + bytes(8))[offset : offset + length]

    node = nodes.Node.open(Source())
    assert repr(node).startswith("Node(n=8, p=[0, 0, 0, 0, 0, 0, 0, 0], kids=[Node(n=8, p=")
    assert len(reads) < 10_000
    broken = nodes.Node.open(Bytes(b"\1\2\1\x63"))
    rule = "the offset 99 is outside the 4 bytes of the source (at byte 99)"
    assert repr(broken) == f"Node(n=1, p=[2], kids=[Node(n=1, p=[99], kids=<idl.Node: kids[0]: {rule}>)])"
    assert rule in broken.kids[0]._repr_html_()


def test_mosaic() -> None:
    sink = io.BytesIO()
    mosaic.write_table(pa.table({"<a>": [1, 2, 3]}), sink)
    with mosaic.MosaicFile(sink.getvalue()) as file:
        assert (
            repr(file)
            == f"MosaicFile(num_row_groups=1, num_buckets={file.metadata.num_buckets}, size={file.metadata.size})"
        )
        assert repr(file.metadata).startswith("FileMetaData(num_rows=3, num_columns=1, num_buckets=")
        assert repr(file.metadata.row_groups[0]).startswith("RowGroupMetaData(num_rows=3, num_buckets=1, stored_size=")
        assert "<th>rows</th>" in file.metadata._repr_html_()
        assert "<td>0</td><td>3</td><td>1</td>" in file.metadata._repr_html_()
    assert repr(file).endswith("closed=True)")


def test_row_converters() -> None:
    fields = pa.schema({"a": pa.int64(), "b": pa.string()})
    converter = RowConverter(fields, sort_keys=["a", ("b", SortOptions(descending=True, nulls_first=False))])
    assert repr(converter) == "RowConverter([a: int64, b: string descending nulls last], variant='arrow')"
    assert "<td>b</td><td>string</td><td>descending, nulls last</td>" in converter._repr_html_()
    assert repr(RowConverter([pa.int8()], variant="polars", ordered=False)).endswith("ordered=False)")
    assert len(repr(RowConverter([pa.int8()] * 1000))) < 200


def test_partition_codecs() -> None:
    schema = pa.schema([pa.field("day", pa.date32()), pa.field("<x>", pa.string(), nullable=False), ("v", pa.int8())])
    codec = PartitionCodec(schema, ["day", "<x>"], profile="spark", timezone="Asia/Tokyo")
    assert repr(codec) == "PartitionCodec([day: date32[day], <x>: string], profile='spark', timezone='Asia/Tokyo')"
    assert "<td>&lt;x&gt;</td><td>string</td><td>not null</td>" in codec._repr_html_()


def test_commits() -> None:
    info = CommitInfo(
        3, "WRITE", datetime(2026, 1, 2, 3, 4, 5, 600, UTC), 2, None, 1000, metrics={"a": 1} | {"b" * 900: 2}
    )
    assert repr(info) == (
        "CommitInfo(version=3, timestamp=2026-01-02 03:04:05+00:00, operation='WRITE', num_files=2, num_bytes=1000)"
    )
    assert "<td>operation</td><td>&#x27;WRITE&#x27;</td>" in info._repr_html_()
