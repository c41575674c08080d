"""The candidate in FlatBuffers as others read it, by the proposal's schema: the package flatbuffers, and flatc if it is there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import flatbuffers.number_types as numbers
import pytest
from flatbuffers.table import Table

from lakecodec import parquet
from lakecodec.generated.parquet import FileMetaData, Type
from lakecodec.parquet.lab import CANDIDATES
from lakecodec.parquet.schema import is_leaf

from ..paths import TESTS
from .files import FILES

SCHEMA = TESTS / "data" / "parquet-flatbuffers" / "parquet.fbs"
_SCALARS = {
    "bool": numbers.BoolFlags, "byte": numbers.Int8Flags, "short": numbers.Int16Flags, "int": numbers.Int32Flags,
    "uint": numbers.Uint32Flags, "long": numbers.Int64Flags, "ulong": numbers.Uint64Flags, "double": numbers.Float64Flags,
}  # fmt: skip


class Schema:
    """The types of a schema in FlatBuffers' language."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        self.tables = {
            name: [(each[1], each[2]) for each in re.finditer(r"(\w+)\s*:\s*(\[?\w+\]?)[^;]*;", body)]
            for name, body in re.findall(r"table (\w+) \{(.*?)\}", text, re.S)
        }
        self.unions = {
            name: re.findall(r"\w+:(\w+)", body) for name, body in re.findall(r"union (\w+) \{(.*?)\}", text, re.S)
        }
        self.enums = set(re.findall(r"enum (\w+) : byte", text))

    def read(self, name: str, table: Table) -> dict[str, Any]:
        """What a table holds, read by the package; scalars stand at multiples of their size."""
        found: dict[str, Any] = {}
        slot = 0
        for field, kind in self.tables[name]:
            at = table.Offset(4 + 2 * slot)
            slot += 2 if kind in self.unions else 1
            if kind in self.unions:
                tag = table.Get(numbers.Uint8Flags, at + table.Pos) if at else 0
                at = table.Offset(4 + 2 * (slot - 1))
                if tag:
                    inner = self.unions[kind][tag - 1]
                    found[field] = {inner: self.read(inner, Table(table.Bytes, table.Indirect(at + table.Pos)))}
            elif at:
                found[field] = self._value(kind, table, at + table.Pos)
        return found

    def _value(self, kind: str, table: Table, at: int) -> Any:
        if kind == "string":
            return table.String(at).decode()
        if kind.startswith("["):
            start, count = table.Vector(at - table.Pos), table.VectorLen(at - table.Pos)
            inner = kind[1:-1]
            if inner in self.tables:
                return [self.read(inner, Table(table.Bytes, table.Indirect(start + 4 * n))) for n in range(count)]
            flags = _SCALARS[inner]
            return [table.Get(flags, start + n * flags.bytewidth) for n in range(count)]
        if kind in self.tables:
            return self.read(kind, Table(table.Bytes, table.Indirect(at)))
        flags = numbers.Int8Flags if kind in self.enums else _SCALARS[kind]
        assert at % flags.bytewidth == 0, (kind, at)
        return table.Get(flags, at)


@cache
def schema() -> Schema:
    return Schema(SCHEMA.read_text())


def flatbuffer(metadata: FileMetaData) -> bytes:
    data = CANDIDATES["flatbuffers"].encode(metadata, 4)
    return data[: int.from_bytes(data[-12:-8], "little")]


def read(data: bytes) -> dict[str, Any]:
    root = int.from_bytes(data[:4], "little")
    return schema().read("FileMetaData", Table(bytearray(data), root))


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_package_reads_what_is_written(name: str) -> None:
    metadata = parquet.read_metadata(FILES[name]())
    found = read(flatbuffer(metadata))
    assert (found["version"], found["num_rows"]) == (metadata.version, metadata.num_rows)
    assert found.get("created_by") == metadata.created_by
    pairs = [(pair["key"], pair.get("val")) for pair in found.get("kv", ())]
    assert pairs == [(pair.key, pair.value) for pair in metadata.key_value_metadata or ()]
    for ours, theirs in zip(metadata.schema, found["schema"], strict=True):
        assert (theirs["name"], theirs.get("type"), theirs.get("num_children")) == (
            ours.name, ours.type, ours.num_children or None
        )  # fmt: skip
        assert (theirs.get("repetition_type"), theirs.get("field_id")) == (ours.repetition_type, ours.field_id)
        assert ("logical_type" in theirs) == (ours.logicalType is not None)
        if ours.logicalType is not None and ours.logicalType.kind == "DECIMAL":
            value = ours.logicalType.value
            assert theirs["logical_type"] == {"DecimalOptions": {"scale": value.scale, "precision": value.precision}}
    kinds = [element.type for element in metadata.schema if is_leaf(element)]
    for group, theirs in zip(metadata.row_groups, found["row_groups"], strict=True):
        assert (theirs["num_rows"], theirs["total_byte_size"]) == (group.num_rows, group.total_byte_size)
        assert len(theirs.get("sorting_columns", ())) == len(group.sorting_columns or ())
        for chunk, kind, column in zip(group.columns, kinds, theirs["columns"], strict=True):
            meta, read_meta = chunk.meta_data, column["metadata"]
            assert meta is not None
            assert read_meta.get("codec", 0) == meta.codec
            assert read_meta.get("num_values", group.num_rows) == meta.num_values
            for field in (
                "total_uncompressed_size",
                "total_compressed_size",
                "data_page_offset",
                "dictionary_page_offset",
            ):
                assert read_meta.get(field) == getattr(meta, field)
            assert read_meta.get("bloom_filter", {}).get("offset") == meta.bloom_filter_offset
            statistics = meta.statistics
            if statistics is None:
                assert "statistics" not in read_meta
                continue
            assert read_meta["statistics"].get("null_count") == statistics.null_count
            if kind == Type.INT64 and statistics.min_value is not None:
                assert read_meta["statistics"].get("min_lo8", 0) == int.from_bytes(statistics.min_value, "little")
                assert abs(read_meta["statistics"]["min_len"]) == 8


def test_the_proposals_own_example() -> None:
    """Bounds "apple" and "application_is_a_very_long_suffix"."""
    metadata = parquet.read_metadata(FILES["defaults"]())
    at = next(number for number, element in enumerate(metadata.schema[1:]) if element.type == Type.BYTE_ARRAY)
    meta = metadata.row_groups[0].columns[at].meta_data
    assert meta is not None
    assert meta.statistics is not None
    meta.statistics.min_value, meta.statistics.max_value = b"apple", b"application_is_a_very_long_suffix"
    meta.statistics.is_min_value_exact = meta.statistics.is_max_value_exact = True
    found = read(flatbuffer(metadata))["row_groups"][0]["columns"][at]["metadata"]["statistics"]
    assert bytes(found["prefix"]) == b"appl"
    assert (found["min_len"], found["min_lo8"], "min_hi8" in found) == (1, ord("e") << 56, False)
    end = found["max_hi8"].to_bytes(8, "big") + found["max_lo8"].to_bytes(8, "big")
    assert (found["max_len"], end) == (-16, b"ication_is_a_ves")


@pytest.mark.skipif(shutil.which("flatc") is None, reason="flatc, FlatBuffers' own compiler, is not installed")
@pytest.mark.parametrize("name", ["defaults", "nested", "many row groups", "bloom filters", "sorting columns"])
def test_flatc_reads_what_is_written(name: str, tmp_path: Path) -> None:
    data = flatbuffer(parquet.read_metadata(FILES[name]()))
    (tmp_path / "footer.bin").write_bytes(data)
    command = ["flatc", "--json", "--strict-json", "--raw-binary", "-o", str(tmp_path), str(SCHEMA), "--"]
    subprocess.run([*command, str(tmp_path / "footer.bin")], check=True, capture_output=True)
    theirs, ours = json.loads((tmp_path / "footer.json").read_text()), read(data)
    assert [element["name"] for element in theirs["schema"]] == [element["name"] for element in ours["schema"]]
    assert len(theirs["row_groups"]) == len(ours["row_groups"])
    for group, expected in zip(theirs["row_groups"], ours["row_groups"], strict=True):
        for column, same in zip(group["columns"], expected["columns"], strict=True):
            assert column["metadata"]["data_page_offset"] == same["metadata"]["data_page_offset"]
            found = column["metadata"].get("statistics", {})
            assert found.get("prefix") == same["metadata"].get("statistics", {}).get("prefix")
            assert found.get("max_len") == same["metadata"].get("statistics", {}).get("max_len")
