"""Decoding a choice of fields: what is chosen is as in the whole, the rest is None and only walked over."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec.generated.parquet import FileMetaData
from lakecodec.runtime.errors import DecodeError, EncodeError

from ...parquet.files import ARROW_FILES, footer_of
from .backends import kitchen, outcomes
from .fixtures import each_backend  # noqa: F401
from .plain import plain

k = kitchen()
FOOTER = footer_of(ARROW_FILES["nested page index"]())
WHOLE = FileMetaData.from_bytes(FOOTER)

both = pytest.mark.usefixtures("each_backend")


@both
def test_one_path() -> None:
    found = FileMetaData.from_bytes(FOOTER, fields=["row_groups.columns.meta_data.statistics"])
    assert (found.version, found.schema, found.created_by, found.num_rows) == (None, None, None, None)
    for group, other in zip(found.row_groups, WHOLE.row_groups, strict=True):
        assert group.num_rows is None
        for chunk, reference in zip(group.columns, other.columns, strict=True):
            assert chunk.file_offset is None
            assert chunk.meta_data.type is None
            assert plain(chunk.meta_data.statistics) == plain(reference.meta_data.statistics)


@both
def test_several_paths() -> None:
    found = FileMetaData.from_bytes(FOOTER, fields=["num_rows", "schema.name", "schema.type", "row_groups.num_rows"])
    assert found.num_rows == WHOLE.num_rows
    assert [element.name for element in found.schema] == [element.name for element in WHOLE.schema]
    assert [element.type for element in found.schema] == [element.type for element in WHOLE.schema]
    assert all(element.logicalType is None for element in found.schema)
    assert [group.num_rows for group in found.row_groups] == [group.num_rows for group in WHOLE.row_groups]


@both
def test_elements_of_lists() -> None:
    found = FileMetaData.from_bytes(FOOTER, fields=["row_groups[0].columns[5,2].meta_data.codec", "schema[1]"])
    assert plain(found.schema) == plain([WHOLE.schema[1]])
    codecs = [chunk.meta_data.codec for chunk in found.row_groups[0].columns]
    assert codecs == [WHOLE.row_groups[0].columns[n].meta_data.codec for n in (2, 5)]
    assert found.row_groups[0].columns[0].meta_data.type is None
    assert FileMetaData.from_bytes(FOOTER, fields=["schema[100000]"]).schema == []


@both
def test_overlapping_paths() -> None:
    everything = plain(WHOLE.schema)
    for fields in (
        ["schema", "schema.name"],
        ["schema.name", "schema"],
        ["schema[1]", "schema"],
        ["schema", "schema[1]"],
    ):
        assert plain(FileMetaData.from_bytes(FOOTER, fields=fields).schema) == everything
    merged = FileMetaData.from_bytes(FOOTER, fields=["schema[0]", "schema[2]"]).schema
    assert plain(merged) == plain([WHOLE.schema[0], WHOLE.schema[2]])


@both
def test_scalars_and_lists_of_scalars() -> None:
    data = k.Lists(mediums=[1, 2, 3], texts=["a", "b"], flags=[True, False, True], deep=[[[1]], [[2]]]).to_bytes()
    found = k.Lists.from_bytes(data, fields=["mediums[0,2]", "flags[1]", "deep[1]"])
    assert (found.mediums, found.flags, found.deep, found.texts) == ([1, 3], [False], [[[2]]], None)


@both
def test_no_fields_at_all() -> None:
    found = FileMetaData.from_bytes(FOOTER, fields=[])
    assert all(getattr(found, name) is None for name in FileMetaData.__slots__)


@both
def test_options_go_along() -> None:
    found = k.Everything.from_bytes(
        k.Everything(scalars=k.Scalars(data=b"d", text="t", medium=1)).to_bytes(),
        fields=["scalars.data", "scalars.text"],
        views=True,
        text="bytes",
    )
    assert isinstance(found.scalars.data, memoryview)
    assert (bytes(found.scalars.data), found.scalars.text, found.scalars.medium) == (b"d", b"t", None)


@both
def test_only_chosen_fields_are_required() -> None:
    incomplete = bytes.fromhex("16 08 00")
    with pytest.raises(DecodeError, match="required"):
        k.Strict.from_bytes(incomplete)
    assert k.Strict.from_bytes(bytes.fromhex("1100"), fields=["flag"]).flag is True
    with pytest.raises(DecodeError, match="required") as caught:
        k.Strict.from_bytes(bytes.fromhex("1100"), fields=["class"])
    assert caught.value.path == "class"


@both
def test_fields_under_reserved_names() -> None:
    strict = k.Strict(
        flag=True, class_=-3, from_=["a"], read_=k.Choice.NUMBER(1), id={1}, type=k.Point(x=1), None_=_uuid()
    )
    found = k.Strict.from_bytes(strict.to_bytes(), fields=["class", "read", "None", "type.x"])
    assert (found.class_, found.read_, found.None_, found.flag) == (-3, k.Choice.NUMBER(1), _uuid(), None)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        (["nothing"], KeyError), (["schema.nothing"], KeyError), ([""], ValueError), (["schema."], ValueError),
        (["schema..name"], ValueError), (["num_rows.x"], ValueError), (["num_rows[1]"], ValueError),
        (["schema[]"], ValueError), (["schema[-1]"], ValueError), (["schema[x]"], ValueError), (["schema[1"], ValueError),
        (["schema.logicalType.STRING"], ValueError), ("schema", TypeError), (["schema name"], ValueError),
    ],
)  # fmt: skip
@both
def test_wrong_paths(fields: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="fields"):
        FileMetaData.from_bytes(FOOTER, fields=fields)


def test_errors_are_the_same_everywhere() -> None:
    for length in range(0, len(FOOTER), 97):
        for fields in (["row_groups.columns.meta_data.statistics"], ["schema[3].name"], ["num_rows"]):
            found = outcomes(FileMetaData.from_bytes, FOOTER[:length], fields=fields)
            assert found[0][0] == "DecodeError"
            assert len(set(found)) == 1, (length, fields)


@both
def test_a_choice_is_for_reading() -> None:
    from lakecodec.runtime.compact.base import projected

    with pytest.raises((EncodeError, TypeError)):
        projected(FileMetaData, ["version"]).encode(WHOLE, "strict")  # type: ignore[attr-defined]


def _uuid() -> Any:
    import uuid

    return uuid.UUID(int=7)
