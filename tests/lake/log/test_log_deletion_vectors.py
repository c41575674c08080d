"""Deletion vectors in bitmaps of CRoaring (by pyroaring 1.2.0, portable serialization, kept here as hexadecimal digits)."""

from __future__ import annotations

import base64
import json
import struct
import uuid
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import DecodeError
from lakecodec.generated.deletion_vector import DeletionVector
from lakecodec.lake.log import Log
from lakecodec.lake.log.deletion_vectors import Z85_TO_B85, deleted_positions
from lakecodec.lake.log.storage import Storage
from lakecodec.pipeline import check, count, open_scan, scan
from tests.spark.lakes import write_lake

#: Rows, and the bitmaps of each upper half as (upper, hexadecimal digits).
VECTORS: dict[str, tuple[list[int], list[tuple[int, str]]]] = {
    "few": (
        [0, 3, 4, 7, 11, 18, 29],
        [
            (0, "3a30000001000000000006001000000000000300040007000b0012001d00"),
        ],
    ),
    "none": ([], []),
    "gaps": (
        list(range(0, 600, 3)),
        [
            (
                0,
                "3a300000010000000000c7001000000000000300060009000c000f001200150018001b001e002100240027002a002d00"
                "30003300360039003c003f004200450048004b004e005100540057005a005d0060006300660069006c006f0072007500"
                "78007b007e008100840087008a008d0090009300960099009c009f00a200a500a800ab00ae00b100b400b700ba00bd00"
                "c000c300c600c900cc00cf00d200d500d800db00de00e100e400e700ea00ed00f000f300f600f900fc00ff0002010501"
                "08010b010e011101140117011a011d0120012301260129012c012f013201350138013b013e014101440147014a014d01"
                "50015301560159015c015f016201650168016b016e017101740177017a017d0180018301860189018c018f0192019501"
                "98019b019e01a101a401a701aa01ad01b001b301b601b901bc01bf01c201c501c801cb01ce01d101d401d701da01dd01"
                "e001e301e601e901ec01ef01f201f501f801fb01fe010102040207020a020d0210021302160219021c021f0222022502"
                "28022b022e023102340237023a023d0240024302460249024c024f0252025502",
            ),
        ],
    ),
    "runs": (
        [*range(5, 4000), *range(131079, 191072)],
        [
            (0, "3b3001000300009a0f020058ea010005009a0f0100070058ea"),
        ],
    ),
    "many containers": (
        [k * 65536 + j for k in range(6) for j in (1, 2, 3, 5000)],
        [
            (
                0,
                "3a3000000600000000000300010003000200030003000300040003000500030038000000400000004800000050000000"
                "580000006000000001000200030088130100020003008813010002000300881301000200030088130100020003008813"
                "0100020003008813",
            ),
        ],
    ),
    "runs in many": (
        [k * 65536 + j for k in range(5) for j in range(10 * k, 300)],
        [
            (
                0,
                "3b3004001f00002b01010021010200170103000d01040003012d00000033000000390000003f00000045000000010000"
                "002b0101000a00210101001400170101001e000d01010028000301",
            ),
        ],
    ),
    "beyond 32 bits": (
        [1, 2**32 + 5, 2**32 * 3 + 70000],
        [
            (0, "3a3000000100000000000000100000000100"),
            (1, "3a3000000100000000000000100000000500"),
            (3, "3a3000000100000001000000100000007011"),
        ],
    ),
}
BITMAP = [i for i in range(65536) if i % 3 or i % 7 == 0]


def serialized(bitmaps: list[tuple[int, str]]) -> bytes:
    data = struct.pack("<IQ", 1681511377, len(bitmaps))
    return data + b"".join(struct.pack("<I", upper) + bytes.fromhex(text) for upper, text in bitmaps)


def z85(data: bytes) -> str:
    back = {after: before for before, after in Z85_TO_B85.items()}
    return base64.b85encode(data + bytes(-len(data) % 4)).decode().translate(back)


def inline(rows: list[int], data: bytes) -> dict[str, Any]:
    return {"storageType": "i", "pathOrInlineDv": z85(data), "sizeInBytes": len(data), "cardinality": len(rows)}


@pytest.mark.parametrize("name", VECTORS)
def test_bitmaps_of_croaring(tmp_path: Path, name: str) -> None:
    rows, bitmaps = VECTORS[name]
    data = serialized(bitmaps)
    assert DeletionVector.from_bytes(data).to_bytes() == data
    found = deleted_positions(Storage(tmp_path), json.dumps(inline(rows, data)))
    assert found.tolist() == rows
    with pytest.raises(DecodeError):
        deleted_positions(Storage(tmp_path), json.dumps(inline(rows, data[:-1])))
    with pytest.raises(DecodeError, match="the log says"):
        deleted_positions(Storage(tmp_path), json.dumps(inline([*rows, 2**40], data)))


def test_bits() -> None:
    """The layout of a container of more than 4,096 numbers, as the specification has it."""
    bits = np.packbits(np.isin(np.arange(65536), BITMAP), bitorder="little").tobytes()
    header = struct.pack("<IIHHI", 12346, 1, 0, len(BITMAP) - 1, 16)
    data = serialized([(0, (header + bits).hex())])
    assert deleted_positions(Storage("/"), json.dumps(inline(BITMAP, data))).tolist() == BITMAP


@pytest.mark.parametrize("stored", ["i", "u", "p"])
def test_tables_with_deleted_rows(tmp_path: Path, stored: str) -> None:
    """Rows are gone from scans, counts and skipping, with vectors in the log and in files."""
    root = tmp_path / "t"
    write_lake(root, pa.table({"id": range(100), "name": [f"n{i}" for i in range(100)]}), file_rows=60, group_rows=7)
    rows, bitmaps = VECTORS["few"]
    data = serialized(bitmaps)
    vector = inline(rows, data)
    if stored != "i":
        name = uuid.UUID(int=12345)
        path = root / "ab" / f"deletion_vector_{name}.bin"
        path.parent.mkdir()
        path.write_bytes(b"\x01" + struct.pack(">I", len(data)) + data + struct.pack(">I", zlib.crc32(data)))
        where = f"ab{z85(name.bytes)}" if stored == "u" else path.as_uri()
        vector = {
            "storageType": stored,
            "pathOrInlineDv": where,
            "offset": 1,
            "sizeInBytes": len(data),
            "cardinality": len(rows),
        }
    first = Log(root).snapshot().files[0]
    features = {"minReaderVersion": 3, "minWriterVersion": 7}
    features |= {name: ["deletionVectors"] for name in ("readerFeatures", "writerFeatures")}  # type: ignore[dict-item]
    lines: list[dict[str, Any]] = [
        {"protocol": features},
        {"remove": {"path": first.path, "dataChange": True, "deletionTimestamp": 0}},
        {"add": {**first.to_json(), "deletionVector": vector}},
    ]
    (root / "_delta_log" / f"{1:020d}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    left = [i for i in range(100) if i not in rows]
    assert sorted(scan(root).read_all()["id"].to_pylist()) == left
    assert scan(root, columns=["name"], where="id BETWEEN 5 AND 20").read_all()["name"].to_pylist() == [
        f"n{i}" for i in left if 5 <= i <= 20
    ]
    assert count(root) == len(left)
    assert count(root, where="id < 60") == 60 - len(rows)
    assert open_scan(root, where="id > 70").reader().read_all().num_rows == 29
    assert check(root, deep=True) == []
    assert scan(root, version=0).read_all().num_rows == 100
    if stored == "u":
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        with pytest.raises(DecodeError, match="checksum"):
            scan(root).read_all()
