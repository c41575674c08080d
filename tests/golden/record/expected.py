# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:8531e4cec219960a80032f61dc002f030c568ed7ca21092d8fd5ae4ee9e76c3f
"""Codecs of input.idl."""

from __future__ import annotations

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import record as _rec
from lakecodec.runtime import spec as _spec

MAGIC: str = "GLD1"


class Header(_rt.Struct):
    """Header.

    Attributes:
        rows: int
    """

    __slots__ = ("rows",)
    rows: int

    def __init__(
        self,
        *,
        rows: int = _rt.UNSET,
    ) -> None:
        self.rows = rows


class Envelope(_rec.Record):
    """Sizes are written from what they measure.

    Attributes:
        magic: bytes
        header_size: int
        header: Header
        name_size: int
        name: str
        flags: int
        extra: int | None
        rest: bytes
    """

    __slots__ = ("magic", "header_size", "header", "name_size", "name", "flags", "extra", "rest")
    _given = ("header", "name", "flags", "extra", "rest")
    magic: bytes
    header_size: int
    header: Header
    name_size: int
    name: str
    flags: int
    extra: int | None
    rest: bytes

    def __init__(
        self,
        *,
        header: Header = _rt.UNSET,
        name: str = _rt.UNSET,
        flags: int = _rt.UNSET,
        extra: int | None = _rt.UNSET,
        rest: bytes = _rt.UNSET,
    ) -> None:
        self.magic = _rt.UNSET
        self.header_size = _rt.UNSET
        self.header = header
        self.name_size = _rt.UNSET
        self.name = name
        self.flags = flags
        self.extra = extra
        self.rest = rest

    @classmethod
    def _read(cls, at: _rec.Cursor) -> Envelope:
        self = cls()
        at.step, start = "magic", at.pos
        self.magic = at.take(4)
        at.done("magic", start)
        at.check("magic", self.magic == MAGIC.encode(), "magic must be MAGIC")
        at.step, start = "header_size", at.pos
        self.header_size = at.fixed(_rec.FIXED["u16_little"])
        at.done("header_size", start)
        at.step, start = "header", at.pos
        self.header = at.within(self.header_size, lambda at: at.struct(Header))
        at.done("header", start)
        at.check("header_size", self.header_size == at.size_of("header"), "header_size must be size(header)")
        at.step, start = "name_size", at.pos
        self.name_size = at.uvarint(32)
        at.done("name_size", start)
        at.step, start = "name", at.pos
        self.name = at.text(self.name_size)
        at.done("name", start)
        at.check("name_size", self.name_size == at.size_of("name"), "name_size must be size(name)")
        at.step, start = "flags", at.pos
        self.flags = at.fixed(_rec.FIXED["u8_little"])
        at.done("flags", start)
        at.check("flags", self.flags < 4, "two flags only")
        at.step, start = "extra", at.pos
        if self.flags > 1:
            self.extra = at.fixed(_rec.FIXED["u32_little"])
        at.done("extra", start)
        at.step, start = "rest", at.pos
        self.rest = at.take(at.rest)
        at.done("rest", start)
        return self

    def _write(self, out: _rec.Writer) -> bytes:
        magic = out.derive("magic", lambda: MAGIC.encode())
        out.put("magic", magic, lambda value: _rec.raw(value, 4))
        out.put("header", self.header, lambda value: _rec.nested(value, Header))
        header_size = out.derive("header_size", lambda: out.size("header"))
        out.put("header_size", header_size, lambda value: _rec.FIXED["u16_little"].pack(value))
        out.put("name", self.name, lambda value: _rec.text(value, None))
        name_size = out.derive("name_size", lambda: out.size("name"))
        out.put("name_size", name_size, lambda value: _rec.uvarint(value, 32))
        out.put("flags", self.flags, lambda value: _rec.FIXED["u8_little"].pack(value))
        out.check("flags", lambda: self.flags < 4, "two flags only")
        out.put_optional("extra", self.flags > 1, self.extra, lambda value: _rec.FIXED["u32_little"].pack(value))
        out.put("rest", self.rest, lambda value: _rec.raw(value, None))
        return out.join("magic", "header_size", "header", "name_size", "name", "flags", "extra", "rest")


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Header",
            "struct",
            Header,
            [
                _spec.FieldSpec("rows", 1, _spec.I32, "required", None, ""),
            ],
            ("input.idl", 3),
            "",
        ),
        _spec.Spec(
            "Envelope",
            "record",
            Envelope,
            [
                _spec.FieldSpec("magic", 1, "bytes[4]", "required", None, ""),
                _spec.FieldSpec("header_size", 2, "u16", "required", None, ""),
                _spec.FieldSpec("header", 3, "Header", "required", None, ""),
                _spec.FieldSpec("name_size", 4, "uvarint32", "required", None, ""),
                _spec.FieldSpec("name", 5, "utf8[name_size]", "required", None, ""),
                _spec.FieldSpec("flags", 6, "u8", "required", None, ""),
                _spec.FieldSpec("extra", 7, "u32", "required", None, ""),
                _spec.FieldSpec("rest", 8, "bytes[..]", "required", None, ""),
            ],
            ("input.idl", 6),
            "Sizes are written from what they measure.",
        ),
    ],
)
_rt.register(__name__, __spec__)
