"""The two native readers of records: what an offset scan accepts, the record reader accepts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generated import mosaic, parquet_file
from lakecodec.runtime.columns import backend as kernels
from lakecodec.runtime.columns.table_scan import TableScan
from lakecodec.workbench.sampling.sampler import sample_list

from ...paths import SPECS

native_only = pytest.mark.skipif(kernels.offset_scans is None, reason="the pure backend has no offset scans")
CLAUSES = """
enum Kind { RED = 1, GREEN = 2 }
record Numbers : big { u24 a; i40 b; u48 c; vlq32 d; svarint64 e; uvarint16 f; f16 g; bool8 h; }
record Bytes {
  bytes magic[4] = "MAGC";  uvarint32 size = size(text);  utf8 text[size];  u8 count = count(data);  bytes data[count];
  bytes rest[..];
}
record Rules(i32 most) : little {
  u8 low where low > 3 else "low";  u16 high where high >= low and high - low <= 40 or high == 9;
  u8 both where both * 2 < max(low, 9) + min(high, 3) or not (both == 7);  u8 kind via enum(Kind);
  i32 if_low if low == 5;  u8 bits where bit_length(bits) <= 6;
}
record Lists : little {
  u8 n = count(items);  Item(n) items[n] where unique(items.id) else "twice";  u16 pairs[3];
  u8 flags[i < count(items)] if items[i].id > 5;
  Item(n) more[..];
}
record Item(u8 n) { u8 id; uvarint32 value where value < 300; }
variant Shape(u8 kind) on kind { 1: ROUND { u16 radius where radius > 0; }; 2: BOX { i8 width; f32 height; }; }
record Shapes { u8 n = count(shapes); Tagged shapes[n]; }
record Tagged { u8 kind; Shape(kind) shape; }
"""


def modules(path: Path) -> list[Any]:
    (path / "clauses.idl").write_text(CLAUSES)
    gallery = sorted((SPECS / "gallery").glob("*.idl"))
    clauses = compile_idl(path / "clauses.idl", allow_extern=["tests.oracle.turned"])
    return [mosaic, parquet_file, clauses, *map(compile_idl, gallery)]


def broken(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    if changed:
        changed[rng.randrange(len(changed))] = rng.choice((0, 1, 2, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    cut = rng.randrange(-2, len(changed) + 1)
    return bytes(changed[:cut]) if rng.random() < 0.2 else bytes(changed)


@native_only
def test_scans_accept_nothing_that_records_refuse(tmp_path: Path) -> None:
    rng = random.Random(7)
    scanned, accepted, refused = set(), 0, 0
    for module in modules(tmp_path):
        for spec in module.__spec__.values():
            scan = TableScan.of(spec.cls, []) if spec.kind == "record" else None
            if scan is None:
                continue
            try:
                found = sample_list(spec.cls, 30, 1)
            except ValueError:  # rules that values made at random hardly meet
                continue
            scanned.add(spec.cls.__name__)
            for _, data, parameters in found:
                accepted += scan.read(data, parameters, []) is not None
                for bad in (broken(data, rng) for _ in range(20)):
                    if scan.read(bad, parameters, []) is None:
                        refused += 1
                    else:
                        spec.cls.from_bytes(bad, *parameters)
    assert scanned >= {"Numbers", "Bytes", "Rules", "Lists", "Shapes"}
    assert accepted > 15 * len(scanned)
    assert refused > 500
