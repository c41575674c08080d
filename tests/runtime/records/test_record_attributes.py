"""Attributes of many records, on both backends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lakecodec.generated import mosaic as m
from lakecodec.runtime.records import attributes as record_attributes
from lakecodec.runtime.records import backend as record_backend

BACKENDS = [record_attributes.pure_attributes]
if record_backend.native is not None:
    BACKENDS.append(record_backend.native.attributes)

ALIKE = [record_attributes.pure_by_structural_key]
if record_backend.native is not None:
    ALIKE.append(record_backend.native.by_structural_key)

each_backend = pytest.mark.parametrize("attributes", BACKENDS, ids=["pure", "native"][: len(BACKENDS)])

Attributes = Callable[..., list[Any]]

COLUMNS = [
    m.Column(name="a", type=m.TypeDescriptor(nullable=1, params=m.TypeParams.INTEGER())),
    m.Column(name="b", type=m.TypeDescriptor(nullable=2**70, params=m.TypeParams.CHAR(length=7))),
    m.Column(name="c", type=m.TypeDescriptor(nullable=0, params=m.TypeParams.INTEGER())),
]


class Odd:
    """Has no slots, and asks itself."""

    def __init__(self) -> None:
        self.name = "odd"

    def __getattr__(self, name: str) -> Any:
        if name == "tag":
            return 2.5
        raise AttributeError(name)


@each_backend
def test_slots_constants_and_all_else(attributes: Attributes) -> None:
    assert attributes(COLUMNS, "name") == ["a", "b", "c"]
    assert attributes(COLUMNS, "type.nullable") == [1, 2**70, 0]
    assert attributes(COLUMNS, "type.params.tag") == [3, 8, 3]
    assert attributes(COLUMNS, "type.params.kind") == ["INTEGER", "CHAR", "INTEGER"]
    params = [column.type.params for column in COLUMNS]
    assert attributes([Odd(), *params], "tag") == [2.5, 3, 8, 3]
    assert all(found is known for found, known in zip(attributes(COLUMNS, "type.params"), params, strict=True))
    assert attributes([], "name") == []


@each_backend
def test_records_at_positions(attributes: Attributes) -> None:
    assert attributes(COLUMNS, "name", [2, 0, 2]) == ["c", "a", "c"]
    assert attributes(COLUMNS * 2, "type.nullable", range(3, 5)) == [1, 2**70]
    assert attributes(COLUMNS, "name", []) == []
    with pytest.raises(IndexError):
        attributes(COLUMNS, "name", [3])
    with pytest.raises(TypeError):
        attributes(COLUMNS, "name", ["0"])


@each_backend
def test_values_are_not_remembered(attributes: Attributes) -> None:
    column = m.Column(name="before", type=COLUMNS[0].type)
    assert attributes([column], "name") == ["before"]
    column.name = "after"
    assert attributes([column], "name") == ["after"]


@each_backend
@pytest.mark.parametrize("path", ["other", "type.other", "type.nullable.other"])
def test_no_such_attribute(attributes: Attributes, path: str) -> None:
    with pytest.raises(AttributeError, match="other"):
        attributes(COLUMNS, path)


@each_backend
def test_attribute_that_is_not_set(attributes: Attributes) -> None:
    column = m.Column(name="a", type=COLUMNS[0].type)
    del column.name
    with pytest.raises(AttributeError, match="name"):
        attributes([COLUMNS[0], column], "name")


@pytest.mark.parametrize("by_structural_key", ALIKE, ids=["pure", "native"][: len(ALIKE)])
def test_what_is_known_of_records_that_are_equal(
    by_structural_key: Callable[[list[Any], dict[Any, Any], Callable[[Any], Any]], list[Any]],
) -> None:
    types = m.TypeParams
    known = {
        record_attributes.structural_key(type): number
        for number, type in enumerate([types.CHAR(length=3), types.DATE()])
    }
    zone = types.TIMESTAMP_LTZ(precision=3, zone="UTC")
    known[record_attributes.structural_key(zone)] = "zone"
    nested = types.ARRAY(element=m.NamedType(name="x", type=COLUMNS[0].type))
    records: list[Any] = [
        types.CHAR(length=3), types.CHAR(length=4), types.VARCHAR(length=3), types.DATE(), types.INTEGER(), nested,
        types.TIMESTAMP_LTZ(precision=3, zone="UTC"), types.TIMESTAMP_LTZ(precision=6, zone="UTC"), types.CHAR(),
    ]  # fmt: skip
    found = by_structural_key(records, known, records.index)
    assert found == [0, 1, 2, 1, 4, 5, "zone", 7, 8]
    assert record_attributes.structural_key(nested) is None
    assert by_structural_key([], known, records.index) == []
    with pytest.raises(AttributeError, match="_given"):
        by_structural_key([object()], known, records.index)
    with pytest.raises(ZeroDivisionError):
        by_structural_key(records, known, lambda record: 1 // 0)
