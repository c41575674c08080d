"""Generated classes as Python objects: construction, equality, copies, unions, enums, reflection."""

from __future__ import annotations

import copy
import enum
import inspect
import pickle
from typing import Any

import pytest

from lakecodec.generated import parquet
from lakecodec.runtime.compact.base import Marker, Struct, Union

from ..paths import TESTS
from ..runtime.compact.backends import kitchen, load
from ..runtime.compact.fixtures import each_backend  # noqa: F401
from ..runtime.compact.plain import plain

pytestmark = pytest.mark.usefixtures("each_backend")

k = kitchen()
KITCHEN_LINES = (TESTS / "runtime" / "compact" / "kitchen.idl").read_text(encoding="utf-8").splitlines()

META = parquet.FileMetaData(
    version=2,
    schema=[parquet.SchemaElement(name="root", logicalType=parquet.LogicalType.STRING())],
    num_rows=1,
    row_groups=[],
    key_value_metadata=[parquet.KeyValue(key="k")],
)


def test_construction() -> None:
    point = k.Point(x=1)
    assert (point.x, point.y) == (1, None)
    assert k.Point().x is None
    with pytest.raises(TypeError):
        k.Point(1)
    with pytest.raises(TypeError):
        k.Point(z=1)
    with pytest.raises(AttributeError):
        point.z = 1
    assert not hasattr(point, "__dict__")


def test_defaults() -> None:
    """Filled for required and unmarked fields, never for optional ones; each object has its own."""
    made = k.Defaults()
    assert (made.number, made.text, made.maybe, made.color, made.given) == (7, "a", None, k.Color.BLUE, 2.5)
    assert (made.numbers, made.counts, made.bare, made.words) == ([1, 2], {"a": 1}, None, {"a", "b"})
    made.numbers.append(3)
    assert k.Defaults().numbers == [1, 2]
    read = k.Defaults.from_bytes(b"\x15\x02\x87" + bytes(8) + b"\0")
    assert (read.number, read.maybe, read.numbers, read.color) == (7, None, [1, 2], k.Color.BLUE)
    read.numbers.append(3)
    assert k.Defaults.from_bytes(b"\x15\x02\x87" + bytes(8) + b"\0").numbers == [1, 2]


def test_defaults_that_name_classes_are_made_anew() -> None:
    module = load(
        """
        enum Color { RED = 1; BLUE = 2; }
        struct Point { 1: i32 x = 3; }
        struct Named {
          1: Color color = Color.BLUE; 2: Point point = {"x": 4}; 3: list<Color> colors = [Color.RED];
          4: uuid key = "00000000-0000-0000-0000-000000000001"; 5: map<i32, Point> points = {1: {"x": 9}};
          6: list<list<i32>> rows = [[1]];
        }
        """,
        name="named",
    )
    for make in (module.Named, lambda: module.Named.from_bytes(b"\0")):
        first, second = make(), make()
        assert plain(first) == plain(second) == plain(module.Named())
        first.point.x, first.points[1].x = 0, 0
        first.colors.append(5)
        first.rows[0].append(5)
        assert plain(second) == plain(make())


def test_absent_is_not_default() -> None:
    header = parquet.DataPageHeaderV2.__spec__
    (field,) = (field for field in header.fields if field.name == "is_compressed")
    assert (field.requiredness, field.default) == ("optional", True)
    assert parquet.DataPageHeaderV2().is_compressed is None


def test_equality_and_repr() -> None:
    assert k.Point(x=1, y=2.0) == k.Point(x=1, y=2.0) != k.Point(x=1)
    assert k.Point(x=1) != (1, None)
    assert k.Empty() != k.Nothing()
    assert repr(k.Point(x=1)) == "Point(x=1)"
    assert repr(k.Scalars(color=k.Color.RED, choice=k.Choice.POINT(k.Point(x=1)))) == (
        "Scalars(color=<Color.RED: 0>, choice=Choice.POINT(Point(x=1)))"
    )
    assert repr(k.Choice.EMPTY()) == "Choice.EMPTY()"
    with pytest.raises(TypeError):
        hash(k.Point(x=1))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol: int) -> None:
    """Generated modules can be imported by name, so their objects can travel."""
    for value in (META, parquet.LogicalType.STRING(), parquet.LogicalType.from_bytes(b"\x98\x01x\0")):
        found = pickle.loads(pickle.dumps(value, protocol))
        assert plain(found) == plain(value)
        assert found.to_bytes() == value.to_bytes()
    assert pickle.loads(pickle.dumps(parquet.StringType(), protocol)) is parquet.StringType()
    assert pickle.loads(pickle.dumps(parquet.LogicalType.STRING(), protocol)) is parquet.LogicalType.STRING()
    read = parquet.FileMetaData.from_bytes(META.to_bytes())
    assert pickle.loads(pickle.dumps(read, protocol)) == read


def test_copies() -> None:
    for value in (META, parquet.FileMetaData.from_bytes(META.to_bytes())):
        shallow, deep = copy.copy(value), copy.deepcopy(value)
        assert shallow == deep == value
        assert shallow.schema is value.schema
        assert deep.schema is not value.schema
        deep.schema[0].name = "changed"
        assert value.schema[0].name == "root"
    assert copy.deepcopy(k.Empty()) is copy.copy(k.Empty()) is k.Empty()
    assert copy.deepcopy(k.Unit.FIRST()) is copy.copy(k.Unit.FIRST()) is k.Unit.FIRST()


def test_unions() -> None:
    choice = k.Choice.NUMBER(5)
    assert (choice.kind, choice.value, choice.id, choice.raw, choice.wire) == ("NUMBER", 5, 3, None, None)
    assert choice == k.Choice.NUMBER(5) != k.Choice.NUMBER(6)
    for name in ("kind", "value", "id", "raw", "wire", "other"):
        with pytest.raises(AttributeError):
            setattr(choice, name, 1)
        with pytest.raises(AttributeError):
            delattr(choice, name)
    with pytest.raises(TypeError, match="made by its members"):
        k.Choice()
    with pytest.raises(TypeError):
        k.Choice.NUMBER(None)
    with pytest.raises(TypeError):
        k.Choice.NUMBER()
    with pytest.raises(TypeError):
        k.Choice.EMPTY(k.Nothing())


def test_unions_of_empty_structs_are_like_enums() -> None:
    first = k.Unit.FIRST()
    assert first is k.Unit.FIRST() is k.Unit.FIRST(k.Empty()) is k.Unit.from_bytes(first.to_bytes())
    assert first != k.Unit.SECOND()
    assert {first: 1, k.Unit.SECOND(): 2}[k.Unit.from_bytes(b"\x1c\0\0")] == 1
    assert len({first, k.Unit.FIRST(), k.Unit.SECOND()}) == 2
    assert k.Unit.from_bytes(first.to_bytes()) in (k.Unit.FIRST(),)


def test_enums() -> None:
    assert issubclass(k.Color, enum.IntEnum)
    assert [(member.name, int(member)) for member in k.Color] == [
        ("RED", 0), ("GREEN", 1), ("BLUE", 7), ("FAR", 100000), ("BELOW", -3),
    ]  # fmt: skip
    read = k.Scalars.from_bytes(k.Scalars(color=1).to_bytes())
    assert read.color is k.Color.GREEN


def test_specs() -> None:
    specs: Any = k.__spec__
    assert {spec.kind for spec in specs.values()} == {"struct", "union", "enum"}
    for name, spec in specs.items():
        assert spec.name == name
        assert spec.cls is getattr(k, name)
        assert spec.source[0] == "kitchen.idl"
        assert f" {name} {{" in KITCHEN_LINES[spec.source[1] - 1]
    fields = {field.name: field for field in specs["Strict"].fields}
    assert [field.id for field in specs["Strict"].fields] == list(range(1, 8))
    assert (fields["class"].attr, fields["from"].attr, fields["type"].attr, fields["id"].attr) == (
        "class_", "from_", "type", "id",
    )  # fmt: skip
    assert str(specs["Lists"].fields[-1].type) == "list<set<i16>>"
    assert specs["Choice"].doc.startswith("Members with and without content")


def test_bases_and_docs() -> None:
    assert issubclass(parquet.FileMetaData, Struct)
    assert issubclass(parquet.StringType, Marker)
    assert issubclass(parquet.LogicalType, Union)
    assert "Attributes:" in (parquet.FileMetaData.__doc__ or "")
    assert list(inspect.signature(k.Point).parameters) == ["x", "y"]
