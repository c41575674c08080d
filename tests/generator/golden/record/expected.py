# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:1b9d4ef9ab685eda33c5fcf3b544efb6397595550672f10c0f13171672a16b67
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Codecs of input.idl."""

from __future__ import annotations

from typing import Any as _Any

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields
from lakecodec.runtime.records import record as _rec

MAGIC: str = "GLD1"


class Header(_rt.Struct):
    """Header."""

    rows: int = _rt.field(1, _rt.I32)


_Envelope_magic = _rec.Layout("<", magic="4s", header_size="H")


class Envelope(_rec.Record):
    """Sizes are written from what they measure."""

    magic: bytes = _rec.derived("bytes[4]", MAGIC.encode(), "bytes", length=4)
    header_size: int = _rec.derived(
        "u16", ("captured", "size", "header"), before=[("aside", "header")], verifies=["magic"]
    )
    header: Header = _rec.field(
        "Header", struct="Header", size="header_size", captures=["size"], open=["size"], verifies=["header_size"]
    )
    name_size: int = _rec.derived("uvarint32", ("captured", "size", "name"), before=[("aside", "name")])
    name: str = _rec.field("utf8[name_size]", "utf8", length="name_size", open=["length"])
    flags: int = _rec.field("u8", checks=[("<", "flags", 4)])
    extra: int | None = _rec.field("u32", present=(">", "flags", 1), default=None)
    rest: bytes = _rec.field("bytes[..]", "bytes")
    wide: bool = _rec.computed("bool", lambda self: self.flags > 1, "flags > 1")
    """Whether `extra` may follow."""

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._magic_, self._header_size_ = r.run(_Envelope_magic)
        r.about("magic")
        if self._magic_ != MAGIC.encode():
            r.refuse("magic", "magic must be MAGIC")
        header_size_at = r.tell() - 2
        header_at = r.tell()
        with r.within("header", self._header_size_, loose=True) as inner:
            self.header = inner.struct("header", Header)
        header_size = r.tell() - header_at
        if self._header_size_ != header_size:
            r.refuse(
                "header_size", _rec.unequal("header_size must be size(header)", self._header_size_, header_size),
                header_size_at,
            )  # fmt: skip
        self._name_size_ = r.uvarint("name_size", 32)
        self.name = r.text("name", self._name_size_)
        self.flags = r.u8("flags")
        if not (self.flags < 4):
            r.refuse("flags", "two flags only")
        self.extra = r.u32("extra") if self.flags > 1 else None
        self.rest = r.bytes("rest", r.left)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("magic")
        self._magic_ = MAGIC.encode()
        with w.part("header") as header_part:
            header_part.struct("header", Header, self.header)
        self._header_size_ = len(header_part)
        w.run(_Envelope_magic, self._magic_, self._header_size_)
        w.put(header_part)
        name_part = w.utf8("name", self.name)
        self._name_size_ = len(name_part)
        w.uvarint("name_size", self._name_size_, 32)
        w.put(name_part)
        w.u8("flags", self.flags)
        if not (self.flags < 4):
            w.refuse("flags", "two flags only")
        if w.given("extra", self.extra, self.flags > 1):
            w.u32("extra", self.extra)
        w.bytes("rest", self.rest)


class Lines(_rec.Record):
    """Ended by what follows them."""

    n: int = _rec.derived("u8", ("count", "lines"))
    lines: list[str] = _rec.field('utf8[n] until "\\n"', "utf8", terminator=b"\n", count="n", smallest=1)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._n_ = r.u8("n")
        self.lines = [r.text_until(at, b"\n") for at in r.each("lines", self._n_, 1)]

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._n_ = w.count("lines", self.lines)
        w.u8("n", self._n_)
        for at, item in w.each("lines", self.lines):
            w.text_until(at, item, b"\n")


__spec__ = _fields.describe(globals(), "input.idl", {
    "Header": 3, "Envelope": 6, "Lines": 20,
})  # fmt: skip
_rt.register(__name__, __spec__)
