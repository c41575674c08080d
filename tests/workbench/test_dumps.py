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

from lakecodec import mosaic
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


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out, back = tmp_path / "x.mosaic", tmp_path / "x.json", tmp_path / "y.mosaic"
    file.write_bytes(bytes.fromhex(examples.PLAIN[2]))
    assert run(["dump", str(file), "-o", str(out)]) == 0
    assert run(["load", str(out), "-o", str(back)]) == 0
    assert back.read_bytes() == file.read_bytes()
    out.write_text("{")
    assert run(["load", str(out), "-o", str(back)]) == 1
    assert capsys.readouterr().err.startswith(f"lakecodec: {out}: not JSON")
