"""Verification: sound files have no errors; each class of damage is found, with its place and rule."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import backend, compile_idl, mosaic, parquet
from lakecodec.cli.app import run
from lakecodec.generated import mosaic as declared
from lakecodec.generated import parquet_file
from lakecodec.workbench import Finding, dump, explore, load, verify

from ..memory import traced
from ..mosaic import examples
from ..mosaic.sources import written
from ..parquet.files import arrow_file, flat_table
from .test_tree import EXAMPLES

TABLE = pa.table({"a": list(range(2000)), "b": [f"name {n % 50}" for n in range(2000)]})
PARQUET = arrow_file(
    TABLE,
    compression="none",
    write_page_index=True,
    write_page_checksum=True,
    data_page_size=1000,
    row_group_size=900,
    write_batch_size=100,
    use_dictionary=["b"],
)
MOSAIC = bytes.fromhex(examples.ENCODINGS[2])
ZIPPED = written(TABLE, num_buckets=1, stats_columns=["a"], checksum=True)


def errors(found: list[Finding]) -> list[Finding]:
    return [each for each in found if each.is_error]


@pytest.mark.parametrize("data", [PARQUET, MOSAIC, ZIPPED, *(bytes.fromhex(each[2]) for each in EXAMPLES)])
def test_sound_files(data: bytes) -> None:
    assert verify(data) == []


@pytest.mark.parametrize(
    "options", [{}, {"data_page_version": "2.0", "write_page_index": True}, {"compression": "zstd"}]
)
def test_all_types_of_parquet(options: dict[str, object]) -> None:
    assert verify(arrow_file(flat_table(), **options)) == []


def patched(data: bytes, type_: Any, path: str, change: Callable[[bytes], bytes]) -> bytes:
    """The file with other bytes of one field, as many as before."""
    node = explore(data, type_).find(path)
    old = node.data[node.header :]
    new = change(old)
    assert len(new) == len(old)
    assert new != old
    start = node.offset + node.header
    return data[:start] + new + data[start + len(old) :]


def plus(amount: int) -> Callable[[bytes], bytes]:
    """Adds to the last byte, which keeps the length of a varint."""
    return lambda old: bytes([old[0] ^ amount]) + old[1:]


def flip(old: bytes) -> bytes:
    return old[:-1] + bytes([old[-1] ^ 1])


PARQUET_DAMAGE = [
    ("magic", "head.magic", flip, "head.magic", "PAR1 is expected"),
    ("magic", "tail.magic", flip, "tail.magic", "PAR1 is expected"),
    ("length", "tail.meta_size", lambda old: b"\xff" * 4, "tail.magic", "the footer length is over the size"),
    ("length", "chunks[0][1].pages[1].header.compressed_page_size", plus(2), "", ""),
    ("length", "meta.row_groups[0].columns[0].meta_data.total_compressed_size", plus(2), "", ""),
    ("length", "meta.row_groups[1].columns[1].meta_data.total_uncompressed_size", plus(2), "", "before compression"),
    ("count", "meta.num_rows", plus(2), "meta.num_rows", "but its row groups have"),
    ("count", "meta.row_groups[1].columns[0].meta_data.num_values", plus(2), "", "but its pages have"),
    ("count", "chunks[1][0].pages[1].header.data_page_header.num_values", plus(2), "", "but its pages have"),
    ("offset", "meta.row_groups[0].columns[1].meta_data.data_page_offset", plus(4), "", ""),
    ("offset", "offset_indexes[0][0].page_locations[1].offset", plus(2), "", "but the page has"),
    ("tag", "chunks[0][0].pages[0].header.type", lambda old: b"\x04", "", ""),
    ("tag", "meta.schema[1].type", lambda old: b"\x20", "meta.schema[1].type", "no physical type 16"),
    ("order", "offset_indexes[1][0].page_locations[1].first_row_index", lambda old: b"\xff\x7f", "", "first_row_index"),
    ("checksum", "chunks[0][1].pages[1].body", flip, "chunks[0][1].pages[1].body", "the checksum of the page"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "path", "change", "where", "rule"), PARQUET_DAMAGE)
def test_damaged_parquet(kind: str, path: str, change: Callable[[bytes], bytes], where: str, rule: str) -> None:
    found = errors(verify(patched(PARQUET, parquet_file.File, path, change), parquet_file.File))
    assert found, kind
    assert any(where in each.path and rule in each.rule for each in found), [str(each) for each in found]
    assert all(each.offset is not None and each.rule for each in found), [str(each) for each in found]


MOSAIC_DAMAGE = [
    ("magic", "footer.magic", flip, "footer.magic", "bad magic bytes"),
    ("tag", "footer.version", flip, "footer.version", "unsupported version"),
    ("tag", "footer.compression", lambda old: b"\x07", "footer.compression", "unsupported compression"),
    ("tag", "schema.body.columns[0].type.type_id", lambda old: b"\x63", "schema.body.columns[0].type", "no alternative"),
    ("offset", "footer.index_offset", flip, "", ""),
    ("offset", "footer.schema_offset", lambda old: b"\xff" * 8, "footer.index_offset", "corrupted footer offsets"),
    ("offset", "index.row_groups[0].buckets[0].start", flip, "", ""),
    ("length", "schema.inflated", flip, "schema.body", "were declared"),
    ("length", "index.row_groups[0].buckets[0].stored", flip, "", ""),
    ("count", "schema.body.num_columns", lambda old: b"\x7f", "schema.body.columns", "do not fit"),
    ("count", "footer.num_buckets", flip, "footer.num_buckets", ""),
    ("count", "index.row_groups[0].stats[0].null_count", lambda old: b"\x63", "null_count", "exceeds num_rows"),
    ("order", "schema.body.order", lambda old: bytes(len(old)), "schema.body.order", "not a valid permutation"),
    ("order", "schema.body.columns[0].name", lambda old: old[:-1] + b"z", "schema.body.columns", "not in the order of"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "path", "change", "where", "rule"), MOSAIC_DAMAGE)
def test_damaged_mosaic(kind: str, path: str, change: Callable[[bytes], bytes], where: str, rule: str) -> None:
    node = explore(MOSAIC).find(path)
    data = MOSAIC
    if node.tree.root.path:  # in the view of a block that is stored as it is
        place = explore(MOSAIC).find(node.tree.root.path).offset + node.offset
        data = data[:place] + change(node.data) + data[place + node.size :]
    else:
        data = patched(data, declared.File, path, change)
    found = errors(verify(data, declared.File))
    assert found, kind
    assert any(where in each.path and rule in each.rule for each in found), [str(each) for each in found]
    assert all(each.offset is not None and each.rule for each in found), [str(each) for each in found]


def test_a_frame_whose_checksum_is_another() -> None:
    ref = explore(ZIPPED).find("buckets[0][0]")
    place = ref.end - 1
    (found,) = errors(verify(ZIPPED[:place] + bytes([ZIPPED[place] ^ 1]) + ZIPPED[place + 1 :]))
    assert (found.path, found.offset) == ("buckets[0][0].data.body", ref.offset)


@pytest.mark.parametrize(("data", "type_"), [(PARQUET, "parquet_file.File"), (MOSAIC, "mosaic.File")])
def test_truncation(data: bytes, type_: str) -> None:
    for size in (0, 3, 11, 40, len(data) // 2, len(data) - 9, len(data) - 1):
        found = errors(verify(data[:size], type_))
        assert found, size
        assert all(each.offset is not None for each in found)


def test_coverage() -> None:
    meta = parquet.read_metadata(PARQUET)
    start = len(PARQUET) - len(parquet.write_metadata(meta))
    for group in meta.row_groups:
        for column in group.columns:
            column.column_index_offset = column.column_index_length = None
            column.offset_index_offset = column.offset_index_length = None
    (gap,) = verify(PARQUET[:start] + parquet.write_metadata(meta))
    assert (gap.kind, gap.is_error, gap.path) == ("gap", False, "")
    column = meta.row_groups[0].columns[1].meta_data
    assert column is not None
    column.data_page_offset -= 100
    column.dictionary_page_offset = (column.dictionary_page_offset or 0) - 100
    found = verify(PARQUET[:start] + parquet.write_metadata(meta))
    (overlap,) = [each for each in found if each.kind == "overlap"]
    assert (overlap.path, overlap.rule) == ("chunks[0][1]", "its first 100 bytes are those of chunks[0][0]")


def test_statistics_against_values(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(TABLE, path)
    assert verify(path, deep=True) == []
    meta = parquet.read_metadata(path)
    data = path.read_bytes()
    start = len(data) - len(parquet.write_metadata(meta))
    statistics = meta.row_groups[0].columns[0].meta_data.statistics  # type: ignore[union-attr]
    statistics.max_value = (5).to_bytes(8, "little")  # type: ignore[union-attr]
    path.write_bytes(data[:start] + parquet.write_metadata(meta))
    assert verify(path) == []
    (found,) = verify(path, deep=True)
    assert found.kind == "values"
    assert "a" in found.rule


def test_mosaic_statistics_against_values(tmp_path: Path) -> None:
    path = tmp_path / "x.mosaic"
    mosaic.write_table(TABLE, path, stats_columns=["a"], compression="none")
    assert verify(path, deep=True) == []
    data = patched(
        path.read_bytes(), declared.File, "index.row_groups[0].stats[0].high", lambda old: bytes(7) + b"\x05"
    )
    path.write_bytes(data)
    (found,) = verify(path, deep=True)
    assert found.kind == "values"


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="is not a table"):
        verify(tmp_path)
    log = tmp_path / "_delta_log"
    log.mkdir()
    pq.write_table(TABLE, tmp_path / "a.parquet")
    types = {"a": "long", "b": "string"}
    fields = [{"name": name, "type": type_, "nullable": True, "metadata": {}} for name, type_ in types.items()]
    actions = [
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {"metaData": {"id": "x", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [], "configuration": {},
                      "schemaString": json.dumps({"type": "struct", "fields": fields})}},
        {"add": {"path": "a.parquet", "partitionValues": {}, "size": (tmp_path / "a.parquet").stat().st_size,
                 "modificationTime": 0, "dataChange": True}},
    ]  # fmt: skip
    (log / f"{0:020}.json").write_text("\n".join(map(json.dumps, actions)))
    assert verify(tmp_path, deep=True) == []
    assert run(["verify", str(tmp_path)]) == 0
    assert run(["verify", str(tmp_path), str(tmp_path / "a.parquet"), str(tmp_path / "a.parquet")]) == 0
    assert capsys.readouterr().out == "1 table checked, no errors\n2 files and 1 table checked, no errors\n"
    (tmp_path / "a.parquet").unlink()
    (found,) = verify(tmp_path)
    assert (found.kind, found.path) == ("table", "a.parquet")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.parquet", tmp_path / "bad.mosaic"
    good.write_bytes(PARQUET)
    bad.write_bytes(MOSAIC[:-1] + b"B")
    assert run(["verify", str(good)]) == 0
    assert capsys.readouterr().out == "1 file checked, no errors\n"
    assert run(["verify", str(good), str(bad)]) == 1
    place = len(MOSAIC) - 4
    assert capsys.readouterr().out == f"{bad}: footer.magic: bad magic bytes (at byte {place})\n"
    assert run(["verify", str(bad), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found == {
        "kind": "rule", "file": str(bad), "path": "footer.magic", "offset": place, "rule": "bad magic bytes", "error": True,
    }  # fmt: skip


@pytest.mark.parametrize("checksum", [True, False])
def test_no_values_are_decoded(checksum: bool) -> None:
    """Nor are pages copied for their checksums."""
    table = pa.table({"a": pa.array(range(3_000_000), pa.int64())})
    data = arrow_file(table, compression="none", use_dictionary=False, write_page_checksum=checksum)
    assert traced(lambda: verify(data)).peak < 1 << 20 < table.nbytes // 20


def test_long_bytes_are_checked_without_copies() -> None:
    """Memory stays far below the size of a file whose data nothing computes with, and damage behind it is found."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in "ab":
            info = tarfile.TarInfo(name)
            info.size = 8 << 20
            archive.addfile(info, io.BytesIO(bytes(info.size)))
    data = bytearray(stream.getvalue())
    assert verify(data) == []
    assert traced(lambda: verify(data)).peak < 1 << 20 or backend() == "pure"
    data[(8 << 20) + 512] ^= 1
    (found,) = verify(data)
    assert (found.path, found.rule) == ("members[1].header.checksum", "the checksum is another")


def test_bytes_behind_a_computed_attribute_and_at_the_end_are_explained() -> None:
    module = compile_idl("record R { u8 a; let z = a; } record S { u8 at_; u8 n; bytes d[n] at at_ if n != 0; }")
    (left,) = verify(b"\5\6", module.R)
    assert (left.rule, left.offset) == ("bytes are left over after the value", 1)
    assert [each.rule for each in explore(b"\5\6", module.R).errors()] == ["bytes are left over after the value"]
    assert verify(b"\5", module.R) == []
    (missing,) = explore(b"\2\1", module.S).errors()
    assert missing.rule == "unexpected end: 1 byte needed, 0 left"
    assert explore(b"\2\0", module.S).errors() == explore(b"\2\1x", module.S).errors() == []


@pytest.mark.parametrize("word", ["", ": gaps"])
@pytest.mark.parametrize(
    "fields",
    [
        "u8 ps[2]; bytes x[i < 2][2] at ps[i] if ps[i] != 255;",
        "u8 ps[2]; X x[i < 2] at ps[i] * 4 if ps[i] != 255;",
        "u8 p; u8 q; bytes x[2] at p if p != 255;",
        "T t at 0 size 2; X x[i < 2] at t.ps[i] * 4 align 4 if t.ps[i] != 255;",
    ],
)
def test_absent_elements_have_no_place(fields: str, word: str) -> None:
    """Tables mark what is absent with numbers that are no place in the file."""
    module = compile_idl(f"record File {word} {{ {fields} }} record T {{ u8 ps[2]; }} record X {{ u8 v; }}")
    data = b"\xff\xff"
    assert verify(data, module.File) == []
    assert explore(data, module.File).errors() == []
    assert module.File.from_bytes(data).to_bytes() == data
    assert load(dump(data, module.File)) == data
