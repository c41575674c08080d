# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:d0d083ba96ae0e4d3447d874ad6bde736dc3a12426ef6368eaa2c9ec7b6bf4c5
"""Codecs of input.idl."""

from __future__ import annotations

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import spec as _spec


class Nothing(_rt.Marker):
    """Nothing."""

    __slots__ = ()


class Pair(_rt.Struct):
    """Pair.

    Attributes:
        left: int
        right: int
    """

    __slots__ = ("left", "right")
    left: int
    right: int

    def __init__(
        self,
        *,
        left: int = _rt.UNSET,
        right: int = _rt.UNSET,
    ) -> None:
        self.left = left
        self.right = right


class Choice(_rt.Union):
    """One of these.

    Attributes:
        NONE: Without content.
        PAIR: Pair
        TEXT: str
        FLAG: bool
    """

    __slots__ = ()

    @classmethod
    def NONE(cls, value: Nothing | None = None) -> Choice:
        return cls._member("NONE", 1, value)

    @classmethod
    def PAIR(cls, value: Pair) -> Choice:
        return cls._member("PAIR", 2, value)

    @classmethod
    def TEXT(cls, value: str) -> Choice:
        return cls._member("TEXT", 3, value)

    @classmethod
    def FLAG(cls, value: bool) -> Choice:
        return cls._member("FLAG", 20, value)


class Holder(_rt.Struct):
    """Holder.

    Attributes:
        choice: Choice
        more: list[Choice]
    """

    __slots__ = ("choice", "more")
    choice: Choice
    more: list[Choice] | None

    def __init__(
        self,
        *,
        choice: Choice = _rt.UNSET,
        more: list[Choice] | None = None,
    ) -> None:
        self.choice = choice
        self.more = more


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Nothing",
            "struct",
            Nothing,
            [],
            ("input.idl", 1),
            "",
        ),
        _spec.Spec(
            "Pair",
            "struct",
            Pair,
            [
                _spec.FieldSpec("left", 1, _spec.I32, "required", None, ""),
                _spec.FieldSpec("right", 2, _spec.I32, "required", None, ""),
            ],
            ("input.idl", 3),
            "",
        ),
        _spec.Spec(
            "Choice",
            "union",
            Choice,
            [
                _spec.FieldSpec("NONE", 1, _spec.struct_(Nothing), "default", None, "Without content."),
                _spec.FieldSpec("PAIR", 2, _spec.struct_(Pair), "default", None, ""),
                _spec.FieldSpec("TEXT", 3, _spec.STRING, "default", None, ""),
                _spec.FieldSpec("FLAG", 20, _spec.BOOL, "default", None, ""),
            ],
            ("input.idl", 6),
            "One of these.",
        ),
        _spec.Spec(
            "Holder",
            "struct",
            Holder,
            [
                _spec.FieldSpec("choice", 1, _spec.struct_(Choice), "required", None, ""),
                _spec.FieldSpec("more", 2, _spec.list_(_spec.struct_(Choice)), "optional", None, ""),
            ],
            ("input.idl", 14),
            "",
        ),
    ],
)
_rt.register(__name__, __spec__)
