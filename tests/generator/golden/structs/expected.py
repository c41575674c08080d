# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:1326769ed1056be11836793b8d4ab27a4fa76b07d2b576cd19e078cad9bdbcd5
"""Fields of every requiredness, with ids that need each form of header."""

from __future__ import annotations

import enum as _enum

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import spec as _spec


class Level(_enum.IntEnum):
    """How loud."""

    QUIET = 0
    # As loud as it gets.
    LOUD = 9


class Point(_rt.Struct):
    """A place.

    - x to the right
    - y upwards

    Attributes:
        x: Columns from the left.
        y: int
        weight: float
    """

    __slots__ = ("x", "y", "weight")
    x: int
    y: int
    weight: float | None

    def __init__(
        self,
        *,
        x: int = _rt.UNSET,
        y: int = _rt.UNSET,
        weight: float | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.weight = weight


class Message(_rt.Struct):
    """Message.

    Attributes:
        text: str
        payload: bytes
        urgent: bool
        count: int
        level: Level | int
        place: Point
        last: int
    """

    __slots__ = ("text", "payload", "urgent", "count", "level", "place", "last")
    text: str
    payload: bytes | None
    urgent: bool | None
    count: int
    level: Level | int | None
    place: Point | None
    last: int

    def __init__(
        self,
        *,
        text: str = _rt.UNSET,
        payload: bytes | None = None,
        urgent: bool | None = None,
        count: int = 3,
        level: Level | int | None = None,
        place: Point | None = None,
        last: int = _rt.UNSET,
    ) -> None:
        self.text = text
        self.payload = payload
        self.urgent = urgent
        self.count = count
        self.level = level
        self.place = place
        self.last = last


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Level",
            "enum",
            Level,
            [],
            ("input.idl", 5),
            "How loud.",
        ),
        _spec.Spec(
            "Point",
            "struct",
            Point,
            [
                _spec.FieldSpec("x", 1, _spec.I32, "required", None, "Columns from the left."),
                _spec.FieldSpec("y", 2, _spec.I32, "required", None, ""),
                _spec.FieldSpec("weight", 3, _spec.DOUBLE, "optional", 0.5, ""),
            ],
            ("input.idl", 16),
            "A place.\n\n- x to the right\n- y upwards",
        ),
        _spec.Spec(
            "Message",
            "struct",
            Message,
            [
                _spec.FieldSpec("text", 1, _spec.STRING, "required", None, ""),
                _spec.FieldSpec("payload", 2, _spec.BINARY, "optional", None, ""),
                _spec.FieldSpec("urgent", 3, _spec.BOOL, "optional", None, ""),
                _spec.FieldSpec("count", 4, _spec.I64, "default", 3, ""),
                _spec.FieldSpec("level", 5, _spec.enum_(Level), "optional", None, ""),
                _spec.FieldSpec("place", 21, _spec.struct_(Point), "optional", None, ""),
                _spec.FieldSpec("last", 40, _spec.I16, "required", None, ""),
            ],
            ("input.idl", 23),
            "",
        ),
    ],
)
_rt.register(__name__, __spec__)
