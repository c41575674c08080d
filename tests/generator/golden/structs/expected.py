# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:1326769ed1056be11836793b8d4ab27a4fa76b07d2b576cd19e078cad9bdbcd5
"""Fields of every requiredness, with ids that need each form of header."""

from __future__ import annotations

import enum as _enum

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields


class Level(_enum.IntEnum):
    """How loud."""

    QUIET = 0
    LOUD = 9
    """As loud as it gets."""


class Point(_rt.Struct):
    """A place.

    - x to the right
    - y upwards
    """

    x: int = _rt.field(1, _rt.I32)
    """Columns from the left."""
    y: int = _rt.field(2, _rt.I32)
    weight: float | None = _rt.field(3, _rt.DOUBLE, default=None, implied=0.5)


class Message(_rt.Struct):
    """Message."""

    text: str = _rt.field(1, _rt.STRING)
    payload: bytes | None = _rt.field(2, _rt.BINARY, default=None)
    urgent: bool | None = _rt.field(3, _rt.BOOL, default=None)
    count: int = _rt.field(4, _rt.I64, default=3)
    level: Level | int | None = _rt.field(5, "Level", default=None)
    place: Point | None = _rt.field(21, "Point", default=None)
    last: int = _rt.field(40, _rt.I16)


__spec__ = _fields.describe(globals(), "input.idl", {
    "Level": 5, "Point": 16, "Message": 23,
})  # fmt: skip
_rt.register(__name__, __spec__)
