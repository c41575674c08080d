"""Tables: columns decoded without objects, compared with a walk over the objects, on both backends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.generated.parquet import FileMetaData
from lakecodec.generated.parquet_file import column_chunks
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits

from ..parquet.files import ARROW_FILES, footer_of
from .compact.backends import load, outcome, outcomes
from .compact.damage import damaged
from .compact.fixtures import each_backend  # noqa: F401

NAMES = (
    "nested page index",
    "no statistics",
    "no rows",
    "many row groups",
    "no columns",
    "encodings",
    "sorting columns",
)
FOOTERS = [footer_of(ARROW_FILES[name]()) for name in NAMES]

both = pytest.mark.usefixtures("each_backend")

SHOP = """
    enum Kind { SMALL = 1; LARGE = 2; }
    struct Detail { 1: optional double weight; 2: optional bool fragile; 3: optional list<i32> codes; 4: optional string note; }
    struct Item { 1: required string name; 2: optional i64 price; 3: optional Detail detail; 4: optional Kind kind; }
    struct Order { 1: required i32 number; 2: optional list<Item> items; 3: optional list<string> path; }
    struct Shop { 1: optional list<Order> orders; 2: optional string city; }
    table items from Shop {
      for order, order_index in orders
      for item, item_index in order.items
      i32 source = source();
      i32 order_index = order_index;
      i32 item_index = item_index;
      i32 number = order.number;
      string path = join(order.path, "/");
      string name = item.name;
      i64 price = item.price;
      double weight = item.detail.weight;
      bool fragile = item.detail.fragile;
      string kind = name_of(item.kind);
      bool priced = present(item.price);
      i64 gross = item.price * 2 + 1;
      string label = item.price > 100 ? "dear" : "cheap";
    }
"""
shop = load(SHOP, name="shop")


def shops() -> list[Any]:
    detail = shop.Detail(weight=1.5, fragile=True, codes=[1, 2], note="n")
    items = [
        shop.Item(name="a", price=100, detail=detail, kind=shop.Kind.LARGE),
        shop.Item(name="b", detail=shop.Detail(fragile=False), kind=77),
        shop.Item(name="", price=2**40),
    ]
    orders = [
        shop.Order(number=1, items=items, path=["x", "y"]),
        shop.Order(number=2, items=[]),
        shop.Order(number=3),
        shop.Order(number=4, items=items[:1], path=[]),
    ]
    return [shop.Shop(orders=orders, city="c"), shop.Shop(), shop.Shop(orders=orders[1:])]


def walk(values: list[Any]) -> Iterator[dict[str, Any]]:
    for source, value in enumerate(values):
        for order_index, order in enumerate(value.orders or ()):
            for item_index, item in enumerate(order.items or ()):
                detail = item.detail or shop.Detail()
                yield {
                    "source": source,
                    "order_index": order_index,
                    "item_index": item_index,
                    "number": order.number,
                    "path": None if order.path is None else "/".join(order.path),
                    "name": item.name,
                    "price": item.price,
                    "weight": detail.weight,
                    "fragile": detail.fragile,
                    "kind": None if item.kind is None else getattr(item.kind, "name", str(item.kind)),
                    "priced": item.price is not None,
                    "gross": None if item.price is None else item.price * 2 + 1,
                    "label": None if item.price is None else "dear" if item.price > 100 else "cheap",
                }


@both
def test_every_kind_of_column() -> None:
    values = shops()
    table, errors = shop.items.decode([value.to_bytes() for value in values])
    assert errors == []
    assert table.schema == shop.items.schema
    assert table.to_pylist() == list(walk(values))
    table.validate(full=True)


@both
def test_no_buffers() -> None:
    table, errors = shop.items.decode([])
    assert (table.num_rows, table.schema, errors) == (0, shop.items.schema, [])


def chunk_rows(footers: list[bytes]) -> Iterator[dict[str, Any]]:
    """A selection of the columns, from objects."""
    for source, footer in enumerate(footers):
        for row_group, group in enumerate(FileMetaData.from_bytes(footer).row_groups):
            for column, chunk in enumerate(group.columns):
                meta = chunk.meta_data
                statistics = meta.statistics
                yield {
                    "source": source,
                    "row_group": row_group,
                    "column": column,
                    "path": ".".join(meta.path_in_schema),
                    "codec": meta.codec.name,
                    "encodings": [encoding.name for encoding in meta.encodings],
                    "num_values": meta.num_values,
                    "null_count": statistics.null_count if statistics else None,
                    "dictionary_page_offset": meta.dictionary_page_offset,
                    "min": statistics.min_value if statistics else None,
                    "max": statistics.max_value if statistics else None,
                    "num_rows": group.num_rows,
                }


@both
def test_column_chunks() -> None:
    expected = list(chunk_rows(FOOTERS))
    table, errors = column_chunks.decode(FOOTERS, columns=list(expected[0]))
    assert errors == []
    assert table.to_pylist() == expected


@both
def test_columns_in_the_order_asked_for() -> None:
    table, _ = column_chunks.decode(FOOTERS, columns=["num_values", "path"])
    assert table.column_names == ["num_values", "path"]
    with pytest.raises(KeyError, match="columns"):
        column_chunks.decode(FOOTERS, columns=["nothing"])


@both
def test_rows_kept_by_value() -> None:
    whole = column_chunks.decode(FOOTERS)[0].to_pylist()
    wanted = {"plain", "int32"}
    kept, _ = column_chunks.decode(FOOTERS, keep={"path": wanted})
    assert kept.to_pylist() == [row for row in whole if row["path"] in wanted]
    assert column_chunks.decode(FOOTERS, keep={"path": []})[0].num_rows == 0
    sizes, _ = column_chunks.decode(FOOTERS, columns=["path"], keep={"num_values": [1200]})
    assert sizes.to_pylist() == [{"path": row["path"]} for row in whole if row["num_values"] == 1200]
    with pytest.raises(KeyError, match="columns"):
        column_chunks.decode(FOOTERS, keep={"nothing": [1]})
    for wrong in ({}, {"path": [], "num_values": []}, {"num_rows": [1]}, {"row_group": [1]}):
        with pytest.raises(ValueError, match="keep"):
            column_chunks.decode(FOOTERS, keep=wrong)


@both
def test_broken_buffers() -> None:
    buffers = [FOOTERS[0], FOOTERS[1][:-40], FOOTERS[2], b"", b"\x15"]
    with pytest.raises(DecodeError) as caught:
        column_chunks.decode(buffers)
    assert caught.value.format == "parquet.FileMetaData"
    table, errors = column_chunks.decode(buffers, on_error="collect")
    assert [number for number, _ in errors] == [1, 3, 4]
    assert all(isinstance(error, DecodeError) for _, error in errors)
    sound = column_chunks.decode([buffers[0], buffers[2]])[0]
    assert table.drop_columns(["source"]).equals(sound.drop_columns(["source"]))
    assert set(table["source"].to_pylist()) <= {0, 2}


@both
def test_limits() -> None:
    with pytest.raises(DecodeError, match="max_elements"):
        column_chunks.decode(FOOTERS, limits=Limits(max_elements=3))
    with pytest.raises(DecodeError, match="max_depth"):
        column_chunks.decode(FOOTERS, limits=Limits(max_depth=3))


@both
def test_inputs_of_any_kind() -> None:
    expected = column_chunks.decode(FOOTERS[:1])[0]
    padded = b"####" + FOOTERS[0]
    for data in (bytearray(FOOTERS[0]), memoryview(padded)[4:], pa.py_buffer(FOOTERS[0])):
        assert column_chunks.decode([data])[0].equals(expected)


def test_backends_agree_on_damage() -> None:
    """The same rows, or the same error, for each of many broken footers."""
    chance = Random("tables")
    footer = footer_of(ARROW_FILES["no rows"]())[:3000]
    order = shops()[0].to_bytes()
    for table, original, times in ((column_chunks, footer, 60), (shop.items, order, 400)):
        for _ in range(times):
            data = damaged(original, chance)
            first, *others = outcomes(lambda table, data: table.decode([data])[0].to_pylist(), table, data)
            assert others == [first] * len(others), data.hex()


def many_items(chance: Random) -> bytes:
    """Orders of 40 items that mostly look alike, but for values of other lengths."""
    items = []
    for number in range(40):
        codes = [1] * chance.choice((2, 2, 2, 16))
        detail = shop.Detail(
            weight=1.5, fragile=chance.random() < 0.5, codes=codes, note="n" * chance.choice((1, 1, 200))
        )
        price = chance.choice((1, 100, -(2**40)))
        items.append(shop.Item(name=f"item {number}", price=price, detail=detail, kind=chance.choice((1, 2, 77))))
    if chance.random() < 0.3:
        items[chance.randrange(40)].detail = None
    data: bytes = shop.Shop(orders=[shop.Order(number=n, items=items) for n in range(3)]).to_bytes()
    return data


FEW = (["price"], ["fragile", "kind"], ["order_index", "name", "weight", "priced"])


@both
@pytest.mark.parametrize("columns", FEW, ids=len)
def test_few_columns_of_rows_that_look_alike(columns: list[str]) -> None:
    sources = [many_items(Random(seed)) for seed in range(20)]
    found, _ = shop.items.decode(sources, columns=columns)
    rows = list(walk([shop.Shop.from_bytes(source) for source in sources]))
    assert found.to_pylist() == [{name: row[name] for name in columns} for row in rows]
    kept, _ = shop.items.decode(sources, columns=columns, keep={"name": ["item 7", "item 30"]})
    assert kept.to_pylist() == [{n: row[n] for n in columns} for row in rows if row["name"] in ("item 7", "item 30")]


def test_numbers_that_do_not_fit_have_the_same_errors_in_rows_that_look_alike() -> None:
    """What is skipped may be any number; what is read must fit its type."""
    wide = load(
        SHOP.replace("4: optional Kind kind", "4: optional i64 kind").replace("name_of(item.kind)", "item.name")
    )
    items = [wide.Item(name=f"item {n}", kind=2**40 if n == 25 else 2) for n in range(40)]
    data = wide.Shop(orders=[wide.Order(number=1, items=items)]).to_bytes()
    data = data.replace(b"\x36\x04", b"\x35\x04").replace(b"\x36\x80", b"\x35\x80")  # i64 as i32

    def decode(columns: list[str]) -> Any:
        return shop.items.decode([data], columns=columns)[0].to_pylist()

    assert decode(["name"])[25] == {"name": "item 25"}
    first, *others = outcomes(decode, ["name", "kind"])
    assert first[2] == "orders[0].items[25].kind"
    assert others == [first] * len(others)


@pytest.mark.parametrize("columns", FEW, ids=len)
def test_backends_agree_on_damage_to_rows_that_look_alike(columns: list[str]) -> None:
    chance = Random(f"alike {columns}")

    def decode(data: bytes) -> list[Any]:
        rows: list[Any] = shop.items.decode([data, data], columns=columns)[0].to_pylist()
        return rows

    for _ in range(150):
        data = damaged(many_items(chance), chance)
        first, *others = outcomes(decode, data)
        assert others == [first] * len(others), data.hex()


def test_rows_agree_with_objects_on_damage() -> None:
    """Where objects can be made, the rows are those of the objects."""
    chance = Random("objects")
    original = shops()[0].to_bytes()
    for _ in range(300):
        data = damaged(original, chance)
        whole = outcome(shop.Shop.from_bytes, data, allow_trailing=True, text="replace")
        if whole[0] == "value":
            table, _ = shop.items.decode([data])
            rows = list(walk([whole[1]]))
            compared = ("order_index", "item_index", "number", "price", "priced", "kind")
            assert [{n: r[n] for n in compared} for r in table.select(compared).to_pylist()] == [
                {n: r[n] for n in compared} for r in rows
            ]
