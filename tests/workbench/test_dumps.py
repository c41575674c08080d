"""Files as JSON, and back to the same bytes."""

from __future__ import annotations

import base64
import io
import json
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import compile_idl, mosaic
from lakecodec.cli.app import run
from lakecodec.generated import parquet
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.workbench import dump, dumps, load, verify

from ..gallery import test_zip
from ..generator import goldens
from ..mosaic import examples
from ..parquet.files import arrow_file, flat_table
from ..paths import SPECS
from .test_tree import EXAMPLES


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_mosaic_files_come_back(number: int) -> None:
    data = bytes.fromhex(EXAMPLES[number][2])
    assert load(dumps(data)) == data


@pytest.mark.parametrize("options", [{}, {"compression": "none", "write_page_index": True, "row_group_size": 500}])
def test_parquet_files_come_back(options: dict[str, object]) -> None:
    data = arrow_file(flat_table(), **options)
    found = dump(data)
    assert load(json.loads(json.dumps(found))) == data
    assert {part["path"] for part in found["parts"] if "bytes" in part} == set()


@pytest.mark.parametrize("case", goldens.CASES)
def test_golden_samples_come_back(case: str) -> None:
    for sample in goldens.samples(case):
        cls: Any = goldens.module(case).__spec__[sample["type"]].cls
        assert load(dumps(bytes.fromhex(sample["hex"]), cls)).hex() == sample["hex"]


def test_the_json_of_another_idl_needs_no_idl() -> None:
    data = test_zip.archive()
    assert load(dumps(data, "File", idl=SPECS / "gallery" / "zip.idl")) == data


def test_bytes_between_fields_are_kept() -> None:
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, pa.schema([("a", pa.int64())])) as writer:
        writer.write(pa.record_batch({"a": [1, 2, 3]}))
    found = dump(stream.getvalue())
    assert (found["format"], "bytes" in found) == ("arrow_ipc.File", True)
    assert load(json.dumps(found)) == stream.getvalue()


def test_what_a_value_does_not_say_is_kept() -> None:
    known = parquet.SchemaElement(name="x").to_bytes()
    data = known[:-1] + b"\x05\xc8\x01\x02" + b"\x00"  # an unknown field 100
    found = dump(data, parquet.SchemaElement)
    assert base64.b64decode(found["bytes"]) == data
    assert load(found) == data
    found["value"]["name"] = "y"
    assert load(found) == parquet.SchemaElement(name="y").to_bytes()


def test_an_edited_value_is_written() -> None:
    data = arrow_file(pa.table({"a": [1, 2, 3]}), compression="none")
    found = dump(data)
    meta = next(part for part in found["parts"] if part["path"] == "meta")
    meta["value"]["created_by"] = meta["value"]["created_by"][::-1]
    made = load(found)
    assert len(made) == len(data)
    assert pq.read_metadata(pa.BufferReader(made)).created_by == meta["value"]["created_by"]


def part_of(found: dict[str, Any], path: str) -> dict[str, Any]:
    part: dict[str, Any] = next(part for part in found["parts"] if part["path"] == path)
    return part


INDEXED = pa.table({"a": list(range(900)), "b": [f"text {n}" for n in range(900)]})


def test_what_is_behind_an_edited_part_moves() -> None:
    options = {"write_page_index": True, "bloom_filter_options": {"b": True}, "row_group_size": 300}
    data = arrow_file(INDEXED, compression="none", use_dictionary=["b"], **options)
    found = dump(data)
    part_of(found, "meta")["value"]["created_by"] += " and then edited " * 20
    made = load(json.dumps(found))
    assert verify(made) == []
    assert pq.read_table(pa.BufferReader(made)).equals(INDEXED)
    # A page's header gets longer: all that follows is further on.
    pages = part_of(found, "chunks[0][0]")["value"]["pages"]
    pages[0]["header"]["crc"] = zlib.crc32(base64.b64decode(pages[0]["body"]))
    made = load(json.dumps(found))
    assert len(made) > len(data) + 300
    assert [each for each in verify(made) if each.is_error and "before compression" not in each.rule] == []
    assert pq.read_table(pa.BufferReader(made), page_checksum_verification=True).equals(INDEXED)
    first = parquet.FileMetaData.from_json(json.dumps(part_of(dump(made), "meta")["value"])).row_groups[0]
    assert first.columns[0].offset_index_offset != part_of(found, "offset_indexes[0][0]")["offset"]


def test_a_schema_of_another_size_moves_the_index() -> None:
    data = bytes.fromhex(examples.PLAIN[2])
    found = dump(data)
    columns = part_of(found, "schema")["value"]["body"]["columns"]
    columns[-1]["name"] += "_longer"
    schema = part_of(found, "schema")["value"]
    made = load(json.dumps(found))
    assert len(made) != len(data)
    assert verify(made) == []
    assert schema["body"]["columns"][-1]["name"] in {field.name for field in mosaic.read_schema(made)}


def test_parts_that_cannot_move() -> None:
    found = dump(bytes.fromhex(examples.PLAIN[2]))
    bucket = part_of(found, "buckets[0][0]")
    bucket["value"]["data"]["MONOLITHIC"] = None
    with pytest.raises((EncodeError, ValueError)):
        load(json.dumps(found))


def test_bad_json() -> None:
    with pytest.raises(DecodeError, match="not JSON"):
        load("{")
    with pytest.raises(ValueError, match="not the JSON of a file"):
        load("{}")
    found = dump(parquet.SchemaElement(name="x").to_bytes(), parquet.SchemaElement)
    found["value"]["nam"] = 1
    with pytest.raises(EncodeError, match="no field 'nam'; did you mean 'name'"):
        load(found)
    with pytest.raises(DecodeError):
        dump(b"PAR1" + bytes(4) + b"PAR1")


@pytest.mark.parametrize(
    ("idl", "data", "edit", "told"),
    [
        ("record File { u8 n; }", b"\5", {"n": 300}, "n: the value does not fit its type: 300 is not from 0 to 255"),
        ("record File { u8 n { a : 4; b : 4; } }", b"\5", {"b": 16}, "b: .* fit its type: 16 is not from 0 to 15"),
        (
            "record File { Part parts[..]; } record Part { u8 n; }", b"\5\6", {"parts": [{"n": 1}, {"n": -1}]},
            r"parts\[1\].n: .* -1 is not",
        ),
        # A varint in more bytes than it needs is kept as it is.
        ("record File : normalizes { uvarint32 n where n < 9; }", b"\x85\0", {"n": 10}, "n: .*"),
    ],
)  # fmt: skip
def test_an_edit_that_cannot_be_written_is_told(idl: str, data: bytes, edit: dict[str, Any], told: str) -> None:
    found = json.loads(dumps(data, "File", idl=idl))
    assert load(found) == data
    found["value"].update(edit)
    with pytest.raises(EncodeError, match=told):
        load(found)


def test_an_edit_is_told_where_the_value_could_not_be_written_before() -> None:
    # A block that its compressor stored: that of zlib is smaller, and does not fit the size.
    idl = """
    codec deflate -> bytes = extern "runtime.compress:Deflate";
    record File { bytes text[5] size 10 via deflate; }
    """
    data = b"\1\5\0\xfa\xffhello"
    found = json.loads(dumps(data, "File", idl=idl))
    assert (base64.b64decode(found["bytes"]), load(found)) == (data, data)
    found["value"]["text"] = base64.b64encode(b"hallo").decode()
    with pytest.raises(EncodeError, match="text: its encoded size"):
        load(found)


@pytest.mark.parametrize(
    ("path", "value"), [("schema", {"body": 5}), ("buckets[0][0]", {"data": {"MONOLITHIC": {"body": {"consts": 5}}}})]
)
def test_the_error_of_a_part_has_its_path(path: str, value: dict[str, Any]) -> None:
    found = dump(bytes.fromhex(EXAMPLES[0][2]))
    part_of(found, path)["value"] = value
    with pytest.raises(EncodeError) as caught:
        load(json.dumps(found))
    assert caught.value.path.startswith(f"{path}."), caught.value


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out, back = tmp_path / "x.mosaic", tmp_path / "x.json", tmp_path / "y.mosaic"
    file.write_bytes(bytes.fromhex(examples.PLAIN[2]))
    assert run(["dump", str(file), "-o", str(out)]) == 0
    assert run(["load", str(out), "-o", str(back)]) == 0
    assert back.read_bytes() == file.read_bytes()
    out.write_text("{")
    assert run(["load", str(out), "-o", str(back)]) == 1
    assert capsys.readouterr().err.startswith(f"lakecodec: {out}: not JSON")


def test_a_wrong_edit_ends_the_command_as_bad_data_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    idl, file, out = tmp_path / "one.idl", tmp_path / "x.bin", tmp_path / "x.json"
    idl.write_text("record File { u8 n; }")
    file.write_bytes(b"\5")
    assert run(["dump", str(file), "--idl", str(idl), "-o", str(out)]) == 0
    out.write_text(out.read_text().replace('"n": 5', '"n": 300'))
    assert run(["load", str(out), "-o", str(file)]) == 1
    told = f"lakecodec: one.File: {out}: n: the value does not fit its type: 300 is not from 0 to 255\n"
    assert capsys.readouterr().err == told
    assert file.read_bytes() == b"\5"


@pytest.mark.parametrize(
    "body",
    [
        "A a at 0 size end - 8; T tl with n = size(a) at end - 8;",
        "A a at 0 size tl.n; C c at tl.n; T tl at end - 8;",
    ],
)
def test_tails_that_tell_of_what_precedes_them(body: str) -> None:
    idl = f"record R {{ {body} }} record A {{ bytes x[..]; }} record C {{ u8 n = count(x); u8 x[n]; }} "
    m: Any = compile_idl(idl + "record T : size(8) { u8 n; u8 k; bytes m[6] = 7; }")
    data = b"abc" + (b"\1\5" if "C c" in body else b"") + b"\3\1" + bytes([7] * 6)
    found = dump(data, m.R)
    assert load(found) == data
    found["value"]["a"]["x"] = base64.b64encode(b"abcde").decode()
    assert load(found) == b"abcde" + (b"\1\5" if "C c" in body else b"") + b"\5\1" + bytes([7] * 6)


KEPT = {
    "bytes between fields": (
        "record F : gaps { u8 at_; u8 x; bytes name[3] at at_; }", "03 05 3f 616263 3f3f", {"x": 1}, "03 01 3f 616263 3f3f"
    ),
    "bytes of the former place": (
        "record F : gaps { u8 at_; bytes name[3] at at_ + 0; }", "01 616263", {"at_": 4}, "04 616263 616263"
    ),
    "unknown fields of messages": (
        "message M { 1: int32 a; 2: M inner; 3: list<M> l; } record F { u8 n = size(m); M m size n via protobuf; u8 z; }",
        "16 0801 1205 0802 3a0158 1a05 0803 3a0159 1a04 08043801 05",
        {"z": 6, "m": {"a": 1, "inner": {"a": 9}, "l": [{"a": 3}, {"a": 7}]}},
        "16 0801 1205 0809 3a0158 1a05 0803 3a0159 1a04 08073801 06",
    ),
    "elements of lists": (
        "message M { 1: int32 a; } record F { u8 c = count(e); E e[c]; } record E { u8 n = size(m); M m size n via protobuf; }",
        "03 05 08013a0158 05 08023a0159 05 08033a015a",
        {"e": [{"m": {"a": 1}}, {"m": {"a": 5}}, {"m": {"a": 6}}, {"m": {"a": 3}}]},
        "04 05 08013a0158 05 08053a0159 02 0806 05 08033a015a",
    ),
    "lengths that follow": (
        "record F { u8 n = count(v) when n != 255; u32 wide = count(v) if n == 255; bytes v[n == 255 ? wide : n]; }",
        "03 616263", {"n": 3, "v": "YWJjZA=="}, "04 61626364",
    ),
    "offsets that follow": (
        "record F { u8 n = count(c); u8 p[n]; C c[i < n] at p[i]; } record C { u8 c = count(t); bytes t[c]; }",
        "02 03 05 0161 0162", {"p": [3, 5], "c": [{"t": "YWE="}, {"t": "Yg=="}]}, "02 03 06 026161 0162",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", KEPT)
def test_edits_keep_what_json_does_not_show(form: str) -> None:
    idl, before, value, after = KEPT[form]
    found = dump(bytes.fromhex(before), compile_idl(idl).F)
    assert load(found) == bytes.fromhex(before)
    found["value"].update(value)
    assert load(json.dumps(found)) == bytes.fromhex(after)


CONTRADICTED = {
    "when": (
        "record F { u8 n = count(v) when n != 255; bytes v[n]; }", "03 616263", {"n": 7}, "7 was set, but it is computed as 3"
    ),
    "with": (
        "record F { bytes v[3]; Head head with size = count(v); } record Head { u8 size; }",
        "616263 03", {"head": {"size": 9}}, "9 was set, but it is computed as 3",
    ),
    "offsets": (
        "record F { u8 n = count(c); u8 p[n]; C c[i < n] at p[i]; } record C { u8 a; }",
        "02 03 04 07 08", {"p": [4, 3]}, "4 was set, but c.0. is written at 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", CONTRADICTED)
def test_edits_that_contradict_the_rest_are_refused(form: str) -> None:
    idl, before, value, rule = CONTRADICTED[form]
    found = dump(bytes.fromhex(before), compile_idl(idl).F)
    found["value"].update(value)
    with pytest.raises(EncodeError, match=rule):
        load(json.dumps(found))
