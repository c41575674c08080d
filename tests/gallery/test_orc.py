"""The tail of an ORC file that pyarrow writes: read, written back, changed, and read by pyarrow again."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest

from .gallery import Gallery

orc = pytest.importorskip("pyarrow.orc")

ORC = Gallery("orc")
c = ORC.module

TABLE = pa.table(
    {
        "id": pa.array(range(-5, 5000), pa.int64()),
        "price": pa.array([i / 4 for i in range(5005)], pa.float64()),
        "name": pa.array([None if i % 7 == 0 else f"n{i:04}" for i in range(5005)]),
    }
)


@pytest.fixture(scope="module")
def data() -> bytes:
    out = io.BytesIO()
    orc.write_table(TABLE, out, compression="uncompressed", stripe_size=1 << 15)
    return out.getvalue()


def test_tail(data: bytes) -> None:
    file = ORC.round_trip(data)
    footer, theirs = file.footer, orc.ORCFile(io.BytesIO(data))
    assert (file.postscript.magic, file.postscript.compression) == ("ORC", c.Compression.NONE)
    assert (footer.number_of_rows, len(footer.stripes)) == (theirs.nrows, theirs.nstripes)
    assert sum(stripe.number_of_rows for stripe in footer.stripes) == 5005
    assert footer.types[0].field_names == TABLE.column_names
    assert [kind.kind.name for kind in footer.types] == ["STRUCT", "LONG", "DOUBLE", "STRING"]
    ids, prices, names = footer.statistics[1:]
    assert (ids.integers.minimum, ids.integers.maximum, ids.integers.sum) == (-5, 4999, sum(range(-5, 5000)))
    assert (prices.doubles.minimum, prices.doubles.maximum) == (0.0, 1251.0)
    assert (names.strings.minimum, names.strings.maximum, names.has_null) == ("n0001", "n5004", True)
    assert not footer.unknown_fields


def test_changed_tail_is_read_by_pyarrow(data: bytes) -> None:
    file = ORC.round_trip(data)
    file.footer.metadata.append(c.UserMetadata(name="owner", value=b"tests"))
    file.footer.types[0].field_names[1] = "cost"
    size = len(file.footer.to_bytes())
    postscript = file.postscript.replace(footer_length=size)
    changed = file.replace(footer=file.footer, postscript=postscript, last=file.last.replace())
    changed.last.size = len(postscript.to_bytes())
    found = orc.ORCFile(io.BytesIO(ORC.write(changed)))
    assert found.read().rename_columns(TABLE.column_names).equals(TABLE)
    assert found.schema.names[1] == "cost"
    assert found.schema.metadata == {b"owner": b"tests"} or found.metadata == {"owner": b"tests"}


def test_damage(data: bytes) -> None:
    assert ORC.damage(data, rounds=90) > 30
