"""idl/parquet.idl against the inventory of the official definition, and against the older copy that fastparquet ships."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from lakecodec.generated import parquet

from ..paths import DATA, SPECS

thriftpy2 = pytest.importorskip("thriftpy2")

IDL = SPECS / "parquet.idl"
INVENTORY = DATA / "parquet-inventory.csv"


@cache
def parsed_by_thriftpy2() -> Any:
    """Our IDL through a parser of plain Thrift: nothing in it is an extension."""
    with IDL.open() as file:
        return thriftpy2.load_fp(file, "parquet_idl_thrift")


#: What became of fields after the inventory was made: arrow-rs 59 can leave the paths of columns to the schema.
CHANGED = {("ColumnMetaData", "path_in_schema"): "optional"}


@cache
def inventory() -> dict[tuple[str, str], list[dict[str, str]]]:
    types: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with INVENTORY.open(newline="") as file:
        file.readline()
        for row in csv.DictReader(file):
            types[row["kind"], row["type"]].append(row)
    return types


def test_inventory_is_complete() -> None:
    kinds = [kind for kind, _ in inventory()]
    assert (kinds.count("struct"), kinds.count("union"), kinds.count("enum")) == (53, 8, 8)
    fields = [row for (kind, _), rows in inventory().items() if kind != "enum" for row in rows if row["id"]]
    assert len(fields) == 176


def test_same_types() -> None:
    meta = parsed_by_thriftpy2().__thrift_meta__
    ours = {(kind, cls.__name__) for kind in ("struct", "union", "enum") for cls in meta[f"{kind}s"]}
    assert ours == set(inventory())
    assert {(spec.kind, name) for name, spec in parquet.__spec__.items()} == ours


@pytest.mark.parametrize("key", [key for key in inventory() if key[0] != "enum"], ids=lambda key: key[1])
def test_fields(key: tuple[str, str]) -> None:
    """Generated fields have the inventory's ids, names, types, requiredness and defaults, in its order."""
    defaults = {"": None, "true": True, "0": 0}
    expected = [
        (
            int(row["id"]),
            row["field"],
            row["idl_type"],
            CHANGED.get((key[1], row["field"]), row["presence"]),
            defaults[row["default"]],
        )
        for row in inventory()[key]
        if row["id"]
    ]
    spec = parquet.__spec__[key[1]]
    # A union's members are declared without a presence, which says nothing about them.
    found = [
        (field.id, field.name, str(field.type), "member" if key[0] == "union" else field.requiredness, field.default)
        for field in spec.fields
    ]
    assert found == expected


@pytest.mark.parametrize("key", [key for key in inventory() if key[0] == "enum"], ids=lambda key: key[1])
def test_enum_members(key: tuple[str, str]) -> None:
    expected = [(row["field"], int(row["id"])) for row in inventory()[key]]
    assert [(member.name, member.value) for member in getattr(parquet, key[1])] == expected


def test_everything_is_documented() -> None:
    for spec in parquet.__spec__.values():
        assert spec.doc, spec.name
        assert [field.name for field in spec.fields if not field.doc] == [], spec.name


@cache
def shipped_by_fastparquet() -> Any:
    package = find_spec("fastparquet")
    if package is None or package.origin is None:
        pytest.skip("fastparquet is not installed")
    return thriftpy2.load(str(Path(package.origin).parent / "parquet.thrift"), module_name="shipped_parquet_thrift")


def described(field: Any) -> list[Any]:
    """A field of a thriftpy2 specification, its types by name instead of by class."""
    return [
        part.__name__ if isinstance(part, type) else described(part) if isinstance(part, tuple) else part
        for part in field
    ]


def test_holds_all_of_the_older_copy() -> None:
    ours, older = parsed_by_thriftpy2(), shipped_by_fastparquet()
    meta = older.__thrift_meta__
    for cls in meta["structs"] + meta["unions"]:
        mine = getattr(ours, cls.__name__).thrift_spec
        for number, field in cls.thrift_spec.items():
            found, expected = described(mine[number]), described(field)
            if (cls.__name__, field[1]) in CHANGED:
                found[-1] = expected[-1]
            assert found == expected, f"{cls.__name__}, field {number}"
    for cls in meta["enums"]:
        mine = getattr(ours, cls.__name__)._VALUES_TO_NAMES
        assert cls._VALUES_TO_NAMES.items() <= mine.items(), cls.__name__
