# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:47a5b6ee367b0155e1b4b8dfe348205c7c7ccde8b7b096099f1cd1971001e62f
"""Codecs of input.idl."""

from __future__ import annotations

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields
from lakecodec.runtime import table as _table
from lakecodec.runtime.compact.program import Leaf as _Leaf


class Item(_rt.Struct):
    """Item."""

    name: str = _rt.field(1, _rt.STRING)
    price: int | None = _rt.field(2, _rt.I64, default=None)


class Order(_rt.Struct):
    """Order."""

    number: int = _rt.field(1, _rt.I32)
    items: list[Item] | None = _rt.field(2, _rt.list_("Item"), default=None)


class Shop(_rt.Struct):
    """Shop."""

    orders: list[Order] = _rt.field(1, _rt.list_("Order"))


__spec__ = _fields.describe(globals(), "input.idl", {
    "Item": 1, "Order": 3, "Shop": 5,
})  # fmt: skip
_rt.register(__name__, __spec__)

items = _table.TableCodec(
    name="items",
    root=Shop,
    levels=(
        ("orders",),
        ("items",),
    ),
    leaves=(
        _Leaf(1, ("number",), "int"),
        _Leaf(2, ("name",), "string"),
        _Leaf(2, ("price",), "int"),
    ),
    columns=(
        _table.TableColumn("order_index", "int32", (), lambda c: c.ordinal(1)),
        _table.TableColumn("number", "int32", (0,), lambda c: c.leaf(0)),
        _table.TableColumn("name", "string", (1,), lambda c: c.leaf(1)),
        _table.TableColumn("price", "int64", (2,), lambda c: c.leaf(2), "Null where none is known."),
    ),
)
"""One row an item."""
