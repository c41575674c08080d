# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:3de4ae0ab33c6f06f423f5c5e8ccfd889a1c96c9e6fb463336efb3a9db166a4d
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import spec as _spec


class str_(_enum.IntEnum):
    """str."""

    name_ = 0
    import_ = 1
    mro_ = 2
    PLAIN = 3


class class_(_rt.Struct):
    """Names that Python or the generated classes have for themselves.

    Attributes:
        from_: int
        None_: int
        read_: int
        to_bytes_: int
        type: int
        id: int
        self_: int
        list: list[int]
        cls: int
    """

    __slots__ = ("from_", "None_", "read_", "to_bytes_", "type", "id", "self_", "list", "cls")
    from_: int | None
    None_: int | None
    read_: int | None
    to_bytes_: int | None
    type: int | None
    id: int | None
    self_: int | None
    list: list[int] | None
    cls: int | None

    def __init__(
        self,
        *,
        from_: int | None = None,
        None_: int | None = None,
        read_: int | None = None,
        to_bytes_: int | None = None,
        type: int | None = None,
        id: int | None = None,
        self_: int | None = None,
        list: list[int] | None = None,
        cls: int | None = None,
    ) -> None:
        self.from_ = from_
        self.None_ = None_
        self.read_ = read_
        self.to_bytes_ = to_bytes_
        self.type = type
        self.id = id
        self.self_ = self_
        self.list = list
        self.cls = cls


class dict_(_rt.Union):
    """dict.

    Attributes:
        kind_: int
        value_: int
        pass_: int
        item: int
    """

    __slots__ = ()

    @classmethod
    def kind_(cls, value: int) -> dict_:
        return cls._member("kind", 1, value)

    @classmethod
    def value_(cls, value: int) -> dict_:
        return cls._member("value", 2, value)

    @classmethod
    def pass_(cls, value: int) -> dict_:
        return cls._member("pass", 3, value)

    @classmethod
    def item(cls, value: int) -> dict_:
        return cls._member("item", 4, value)


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "str",
            "enum",
            str_,
            [],
            ("input.idl", 16),
            "",
        ),
        _spec.Spec(
            "class",
            "struct",
            class_,
            [
                _spec.FieldSpec("from", 1, _spec.I32, "optional", None, "", "from_"),
                _spec.FieldSpec("None", 2, _spec.I32, "optional", None, "", "None_"),
                _spec.FieldSpec("read", 3, _spec.I32, "optional", None, "", "read_"),
                _spec.FieldSpec("to_bytes", 4, _spec.I32, "optional", None, "", "to_bytes_"),
                _spec.FieldSpec("type", 5, _spec.I32, "optional", None, ""),
                _spec.FieldSpec("id", 6, _spec.I32, "optional", None, ""),
                _spec.FieldSpec("self_", 7, _spec.I32, "optional", None, ""),
                _spec.FieldSpec("list", 8, _spec.list_(_spec.I32), "optional", None, ""),
                _spec.FieldSpec("cls", 9, _spec.I32, "optional", None, ""),
            ],
            ("input.idl", 2),
            "Names that Python or the generated classes have for themselves.",
        ),
        _spec.Spec(
            "dict",
            "union",
            dict_,
            [
                _spec.FieldSpec("kind", 1, _spec.I32, "default", None, "", "kind_"),
                _spec.FieldSpec("value", 2, _spec.I32, "default", None, "", "value_"),
                _spec.FieldSpec("pass", 3, _spec.I32, "default", None, "", "pass_"),
                _spec.FieldSpec("item", 4, _spec.I32, "default", None, ""),
            ],
            ("input.idl", 14),
            "",
        ),
    ],
)
_rt.register(__name__, __spec__)
