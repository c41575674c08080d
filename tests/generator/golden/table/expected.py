# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:47a5b6ee367b0155e1b4b8dfe348205c7c7ccde8b7b096099f1cd1971001e62f
"""Codecs of input.idl."""

from __future__ import annotations

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import spec as _spec
from lakecodec.runtime import table as _table
from lakecodec.runtime.compact.program import Leaf as _Leaf


class Item(_rt.Struct):
    """Item.

    Attributes:
        name: str
        price: int
    """

    __slots__ = ("name", "price")
    name: str
    price: int | None

    def __init__(
        self,
        *,
        name: str = _rt.UNSET,
        price: int | None = None,
    ) -> None:
        self.name = name
        self.price = price


class Order(_rt.Struct):
    """Order.

    Attributes:
        number: int
        items: list[Item]
    """

    __slots__ = ("number", "items")
    number: int
    items: list[Item] | None

    def __init__(
        self,
        *,
        number: int = _rt.UNSET,
        items: list[Item] | None = None,
    ) -> None:
        self.number = number
        self.items = items


class Shop(_rt.Struct):
    """Shop.

    Attributes:
        orders: list[Order]
    """

    __slots__ = ("orders",)
    orders: list[Order]

    def __init__(
        self,
        *,
        orders: list[Order] = _rt.UNSET,
    ) -> None:
        self.orders = orders


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Item",
            "struct",
            Item,
            [
                _spec.FieldSpec("name", 1, _spec.STRING, "required", None, ""),
                _spec.FieldSpec("price", 2, _spec.I64, "optional", None, ""),
            ],
            ("input.idl", 1),
            "",
        ),
        _spec.Spec(
            "Order",
            "struct",
            Order,
            [
                _spec.FieldSpec("number", 1, _spec.I32, "required", None, ""),
                _spec.FieldSpec("items", 2, _spec.list_(_spec.struct_(Item)), "optional", None, ""),
            ],
            ("input.idl", 3),
            "",
        ),
        _spec.Spec(
            "Shop",
            "struct",
            Shop,
            [
                _spec.FieldSpec("orders", 1, _spec.list_(_spec.struct_(Order)), "required", None, ""),
            ],
            ("input.idl", 5),
            "",
        ),
    ],
)
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
