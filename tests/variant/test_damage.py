"""Damage in shredded columns and their files: values, or errors that say where, the same on both backends, in bounded time."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import DecodeError, lake, parquet, variant
from lakecodec.variant import columns, pure_locate

from ..bounds import within

KINDS = pa.struct(
    {
        "a": pa.struct({"b": pa.int64(), "t": pa.string()}),
        "list": pa.list_(pa.struct({"x": pa.float64()})),
        "price": pa.decimal128(9, 2),
    }
)
ROWS: list[Any] = [
    {"a": {"b": 7, "t": "text"}, "list": [{"x": 0.5}, {"x": "y"}, 3], "price": 5, "rest": [1, {"c": "d"}]},
    {"a": {"b": "seven", "more": {"n": None}}, "list": [], "price": "much"},
    {"a": 5, "list": {"x": 1}, "other": "z" * 70},
    None,
    "text",
    {"a": {"t": 9}},
]
PATHS = {
    "$.a.b": pa.int64(), "$.a.t": pa.string(), "$.list[0].x": pa.float64(), "$.rest[1].c": pa.string(),
    "$.a": variant.STORAGE, "$.price": pa.decimal128(12, 2),
}  # fmt: skip


def damaged(value: Any, dice: random.Random, found: list[bytes]) -> Any:
    """A row of a shredded column with some of its parts changed, left out, or taken from another place."""
    if isinstance(value, dict):
        return {name: damaged(part, dice, found) for name, part in value.items()}
    if isinstance(value, list):
        return [damaged(part, dice, found) for part in value]
    if dice.random() > 0.12:
        return value
    if not isinstance(value, bytes) or not value:
        return dice.choice(found) if value is None and dice.random() < 0.2 else value
    choice = dice.randrange(5)
    if choice == 0:
        return dice.choice(found)
    if choice == 1:
        return None
    if choice == 2:
        return value[: dice.randrange(len(value))]
    changed = bytearray(value)
    for _ in range(dice.randrange(1, 4)):
        changed[dice.randrange(len(changed))] = dice.choice([0, 1, 2, 3, 127, 128, 255, dice.randrange(256)])
    return bytes(changed)


def all_bytes(value: Any) -> list[bytes]:
    if isinstance(value, dict | list):
        return [each for part in (value.values() if isinstance(value, dict) else value) for each in all_bytes(part)]
    return [value] if isinstance(value, bytes) else []


def outcome(call: Any) -> Any:
    """What a call gives, or its error's name; every error has a place."""
    try:
        with within(2):
            return call()
    except DecodeError as error:
        check(error)
        return "DecodeError"


def check(error: DecodeError) -> None:
    assert error.format
    assert error.path or error.offset is not None, error


@pytest.mark.parametrize("seed", range(6))
def test_damaged_columns(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(seed)
    column = variant.shred(variant.array(ROWS), KINDS)
    found = all_bytes(column.to_pylist())
    refused = 0
    for _ in range(25):
        rows = [damaged(row, dice, found) for row in column.to_pylist()]
        try:
            array = pa.array(rows, column.type)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            continue  # bytes where numbers are
        whole = outcome(lambda: variant.unshred(array).to_pylist())  # noqa: B023
        if whole != "DecodeError":
            for row in whole:
                if row is not None:
                    outcome(variant.Variant(row["metadata"], row["value"]).to_python)
        refused += whole == "DecodeError"
        for path, kind in PATHS.items():
            both = []
            for locate in (columns._locate, pure_locate.locate):
                with monkeypatch.context() as patch:
                    patch.setattr(columns, "_locate", locate)
                    both.append(outcome(lambda: variant.to_columns(array, {path: kind})[path].to_pylist()))  # noqa: B023
            # The twin reads more of a value before it gives a part of it.
            if "DecodeError" not in both:
                assert repr(both[0]) == repr(both[1]), path
    assert refused > 3


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files(seed: int, tmp_path: Path) -> None:
    """Searches in files whose footer is damaged; what is not refused has the error's file, path or offset."""
    dice = random.Random(seed)
    path = tmp_path / "v.parquet"
    table = pa.table({"v": variant.shred(variant.array(ROWS * 20), KINDS)})
    variant.write_table(table, path, columns=["v"], row_group_size=40, write_page_index=True)
    good = path.read_bytes()
    footer = len(good) - 8 - int.from_bytes(good[-8:-4], "little")
    refused = 0
    for _ in range(50):
        data = bytearray(good)
        for _ in range(dice.randrange(1, 4)):
            data[dice.randrange(footer, len(data) - 8)] = dice.choice([0, 1, 2, 12, 21, 255, dice.randrange(256)])
        for part in ("v.a.b", "v.list[0].x", "v"):
            try:
                with within(2):
                    parquet.row_groups_with(bytes(data), part, 7)
            except DecodeError as error:
                check(error)
                refused += 1
            except (KeyError, ValueError) as error:
                if not str(error).strip("\"'").startswith(("column", "value_or_values")):
                    raise
    assert refused > 5


@pytest.mark.parametrize("seed", range(2))
def test_damaged_files_of_tables(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    fields = [variant.field("v")]
    table = pa.Table.from_arrays([variant.array(ROWS * 20)], schema=pa.schema(fields))
    lake.write(table, tmp_path, properties={"delta.enableVariantShredding": True}, progress=False)
    (file,) = tmp_path.rglob("*.parquet")
    good = file.read_bytes()
    for _ in range(25):
        data = bytearray(good)
        for _ in range(dice.randrange(1, 3)):
            data[dice.randrange(4, len(data) - 8)] ^= 1 << dice.randrange(8)
        file.write_bytes(data)
        for where in ("v.a.b = 7", "v.a IS NULL", None):
            try:
                with within(5):
                    lake.scan(tmp_path, where=where).read_all()
            except DecodeError as error:
                check(error)
