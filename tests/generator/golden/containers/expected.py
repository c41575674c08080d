# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:63c409ee2f6fc7a6f209016a81dca3204665588dc6247399f6f432756e598634
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum
import uuid as _uuid

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import spec as _spec


class Color(_enum.IntEnum):
    """Color."""

    RED = 1
    BLUE = 2


class Bag(_rt.Struct):
    """Bag.

    Attributes:
        numbers: list[int]
        rows: list[list[str]]
        colors: set[Color | int]
        bags: dict[str, Bag]
        color: Color | int
        sizes: dict[str, int]
        key: _uuid.UUID
    """

    __slots__ = ("numbers", "rows", "colors", "bags", "color", "sizes", "key")
    numbers: list[int]
    rows: list[list[str]] | None
    colors: set[Color | int] | None
    bags: dict[str, Bag] | None
    color: Color | int
    sizes: dict[str, int]
    key: _uuid.UUID | None

    def __init__(
        self,
        *,
        numbers: list[int] = _rt.UNSET,
        rows: list[list[str]] | None = None,
        colors: set[Color | int] | None = None,
        bags: dict[str, Bag] | None = None,
        color: Color | int = Color.BLUE,
        sizes: dict[str, int] = _rt.UNSET,
        key: _uuid.UUID | None = None,
    ) -> None:
        self.numbers = [1, 2] if numbers is _rt.UNSET else numbers
        self.rows = rows
        self.colors = colors
        self.bags = bags
        self.color = color
        self.sizes = {"a": 1} if sizes is _rt.UNSET else sizes
        self.key = key


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Color",
            "enum",
            Color,
            [],
            ("input.idl", 1),
            "",
        ),
        _spec.Spec(
            "Bag",
            "struct",
            Bag,
            [
                _spec.FieldSpec("numbers", 1, _spec.list_(_spec.I32), "default", [1, 2], ""),
                _spec.FieldSpec("rows", 2, _spec.list_(_spec.list_(_spec.STRING)), "optional", None, ""),
                _spec.FieldSpec("colors", 3, _spec.set_(_spec.enum_(Color)), "optional", None, ""),
                _spec.FieldSpec("bags", 4, _spec.map_(_spec.STRING, _spec.struct_(Bag)), "optional", None, ""),
                _spec.FieldSpec("color", 5, _spec.enum_(Color), "default", Color.BLUE, ""),
                _spec.FieldSpec("sizes", 6, _spec.map_(_spec.STRING, _spec.I32), "default", {"a": 1}, ""),
                _spec.FieldSpec("key", 7, _spec.UUID, "optional", None, ""),
            ],
            ("input.idl", 3),
            "",
        ),
    ],
)
_rt.register(__name__, __spec__)
