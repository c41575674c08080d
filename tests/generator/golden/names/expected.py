# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:3de4ae0ab33c6f06f423f5c5e8ccfd889a1c96c9e6fb463336efb3a9db166a4d
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields


class str_(_enum.IntEnum):
    """str."""

    __idl_name__ = "str"
    name_ = 0
    import_ = 1
    mro_ = 2
    PLAIN = 3


class class_(_rt.Struct):
    """Names that Python or the generated classes have for themselves."""

    __idl_name__ = "class"
    from_: int | None = _rt.field(1, _rt.I32, default=None, name="from")
    None_: int | None = _rt.field(2, _rt.I32, default=None, name="None")
    read_: int | None = _rt.field(3, _rt.I32, default=None, name="read")
    to_bytes_: int | None = _rt.field(4, _rt.I32, default=None, name="to_bytes")
    type: int | None = _rt.field(5, _rt.I32, default=None)
    id: int | None = _rt.field(6, _rt.I32, default=None)
    self_: int | None = _rt.field(7, _rt.I32, default=None)
    list: list[int] | None = _rt.field(8, _rt.list_(_rt.I32), default=None)
    cls: int | None = _rt.field(9, _rt.I32, default=None)


class dict_(_rt.Union):
    """dict."""

    __idl_name__ = "dict"
    kind_: _rt.Member[int] = _rt.member(1, _rt.I32, name="kind")
    value_: _rt.Member[int] = _rt.member(2, _rt.I32, name="value")
    pass_: _rt.Member[int] = _rt.member(3, _rt.I32, name="pass")
    item: _rt.Member[int] = _rt.member(4, _rt.I32)


__spec__ = _fields.describe(globals(), "input.idl", {
    "str_": 16, "class_": 2, "dict_": 14,
})  # fmt: skip
_rt.register(__name__, __spec__)
