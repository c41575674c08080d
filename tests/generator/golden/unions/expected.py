# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:d0d083ba96ae0e4d3447d874ad6bde736dc3a12426ef6368eaa2c9ec7b6bf4c5
"""Codecs of input.idl."""

from __future__ import annotations

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields


class Nothing(_rt.Marker):
    """Nothing."""

    __slots__ = ()


class Pair(_rt.Struct):
    """Pair."""

    left: int = _rt.field(1, _rt.I32)
    right: int = _rt.field(2, _rt.I32)


class Choice(_rt.Union):
    """One of these."""

    NONE: _rt.Empty[Nothing] = _rt.member(1, "Nothing")
    """Without content."""
    PAIR: _rt.Member[Pair] = _rt.member(2, "Pair")
    TEXT: _rt.Member[str] = _rt.member(3, _rt.STRING)
    FLAG: _rt.Member[bool] = _rt.member(20, _rt.BOOL)


class Holder(_rt.Struct):
    """Holder."""

    choice: Choice = _rt.field(1, "Choice")
    more: list[Choice] | None = _rt.field(2, _rt.list_("Choice"), default=None)


__spec__ = _fields.describe(globals(), "input.idl", {
    "Nothing": 1, "Pair": 3, "Choice": 6, "Holder": 14,
})  # fmt: skip
_rt.register(__name__, __spec__)
