"""The official samples: every primitive type, objects and arrays, shredded columns and those that must be refused."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError, variant
from lakecodec.generated.variant import Metadata, Value
from lakecodec.variant import Variant

DATA = Path(__file__).parent / "data"
CASES = [case for case in json.loads((DATA / "shredded_variant/cases.json").read_text()) if "parquet_file" in case]
SOUND = [case for case in CASES if "error_message" not in case]
#: What the dictionary of samples says in words, or not at all.
VALUES: dict[str, Any] = {
    "primitive_binary": bytes.fromhex("031337deadbeefcafe"),
    "primitive_date": date(2025, 4, 16),
    "primitive_decimal4": Decimal("12.34"),
    "primitive_decimal8": Decimal("12345678.90"),
    "primitive_decimal16": Decimal("12345678912345678.90"),
    "primitive_double": 1234567890.1234,
    "long_string": (DATA / "variant/long_string.value").read_bytes()[5:].decode(),
    "primitive_float": 1234567936.0,
    "primitive_time": time(12, 33, 54, 123456),
    "primitive_timestamp": datetime(2025, 4, 16, 16, 34, 56, 780000, UTC),
    "primitive_timestampntz": datetime(2025, 4, 16, 12, 34, 56, 780000),
    "primitive_timestamp_nanos": np.datetime64("2024-11-07T12:33:54.123456789"),
    "primitive_timestampntz_nanos": np.datetime64("2024-11-07T12:33:54.123456789"),
    "primitive_uuid": UUID("f24f9b64-81fa-49d1-b74e-8c09a6e31c56"),
}


def sample(name: str) -> Variant:
    folder = DATA / "variant"
    return Variant((folder / f"{name}.metadata").read_bytes(), (folder / f"{name}.value").read_bytes())


NAMES = sorted(path.stem for path in (DATA / "variant").glob("*.value"))


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    # The file has a comma behind its last entry.
    text = (DATA / "variant/data_dictionary.json").read_text()
    expected = json.loads(re.sub(r",\s*}\s*$", "}", text), parse_float=Decimal)
    value = sample(name).to_python()
    assert value == (VALUES[name] if name in VALUES else expected[name])
    assert sample(name).type in name.replace("long_", "").replace("timestampntz", "timestamp_ntz")


@pytest.mark.parametrize("name", NAMES)
def test_the_declaration_writes_the_bytes_again(name: str) -> None:
    given = sample(name)
    assert Metadata.from_bytes(given.metadata).to_bytes() == given.metadata
    value, end = Value.read(given.value, 0)
    assert value.to_bytes() == given.value[:end]


@pytest.mark.parametrize("name", NAMES)
def test_values_of_python_are_values_again(name: str) -> None:
    value = sample(name).to_python()
    again = variant.from_python(value)
    assert again.to_python() == value


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["case_number"]))
def test_shredded(case: dict[str, Any]) -> None:
    folder = DATA / "shredded_variant"
    column = pq.read_table(folder / case["parquet_file"])["var"]
    if "error_message" in case:
        with pytest.raises((DecodeError, TypeError)):
            variant.unshred(column)
        return
    files = case["variant_files"] if "variant_files" in case else [case["variant_file"]]
    rows = variant.unshred(column).to_pylist()
    assert len(rows) == len(files)
    for row, file in zip(rows, files, strict=True):
        if file is None:
            assert row is None
            continue
        stored = (folder / file).read_bytes()
        assert stored.startswith(row["metadata"])
        expected = Variant(row["metadata"], stored.removeprefix(row["metadata"]))
        got = Variant(row["metadata"], row["value"])
        assert got.type == expected.type
        assert repr(got.to_python()) == repr(expected.to_python())


@pytest.mark.parametrize("case", SOUND, ids=lambda case: str(case["case_number"]))
def test_shredded_again(case: dict[str, Any]) -> None:
    column = pq.read_table(DATA / "shredded_variant" / case["parquet_file"])["var"]
    plain = variant.unshred(column)
    values = [row and Variant(row["metadata"], row["value"]).to_python() for row in plain.to_pylist()]
    typed = column.type.field("typed_value").type if column.type.get_field_index("typed_value") >= 0 else None
    if typed is None:
        return
    again = variant.unshred(variant.shred(plain, schema_of(typed)))
    assert repr([row and Variant(row["metadata"], row["value"]).to_python() for row in again.to_pylist()]) == repr(
        values
    )


def schema_of(typed: Any) -> Any:
    """The type of the values that a typed column holds; what is not typed is a string."""
    import pyarrow as pa

    def inner(group: Any) -> Any:
        at = group.get_field_index("typed_value")
        return pa.string() if at < 0 else schema_of(group.field(at).type)

    if pa.types.is_struct(typed):
        return pa.struct([pa.field(each.name, inner(each.type)) for each in typed])
    if pa.types.is_list(typed):
        return pa.list_(inner(typed.value_type))
    return typed
