# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:63c409ee2f6fc7a6f209016a81dca3204665588dc6247399f6f432756e598634
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum
import uuid as _uuid

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields


class Color(_enum.IntEnum):
    """Color."""

    RED = 1
    BLUE = 2


class Bag(_rt.Struct):
    """Bag."""

    numbers: list[int] = _rt.field(1, _rt.list_(_rt.I32), factory=lambda: [1, 2])
    rows: list[list[str]] | None = _rt.field(2, _rt.list_(_rt.list_(_rt.STRING)), default=None)
    colors: set[Color | int] | None = _rt.field(3, _rt.set_("Color"), default=None)
    bags: dict[str, Bag] | None = _rt.field(4, _rt.map_(_rt.STRING, "Bag"), default=None)
    color: Color | int = _rt.field(5, "Color", default=Color.BLUE)
    sizes: dict[str, int] = _rt.field(6, _rt.map_(_rt.STRING, _rt.I32), factory=lambda: {"a": 1})
    key: _uuid.UUID | None = _rt.field(7, _rt.UUID, default=None)


__spec__ = _fields.describe(globals(), "input.idl", {
    "Color": 1, "Bag": 3,
})  # fmt: skip
_rt.register(__name__, __spec__)
