# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:8d772dfd8ad60ddc3f1cf2e5e53171cbccd01460ab02a0372ce2d04ca2a6d6b5
"""Codecs of input.idl."""

from __future__ import annotations

from typing import Any as _Any

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import write as _out

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
    name: str = _rec.field(
        "utf8[name_size]", "utf8", length="name_size", captures=["size"], open=["length"], verifies=["name_size"]
    )
    flags: int = _rec.field("u8", checks=[("<", "flags", 4)])
    extra: int | None = _rec.field("u32", present=(">", "flags", 1), default=None)
    rest: bytes = _rec.field("bytes[..]", "bytes")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Envelope, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.magic, obj.header_size = _Envelope_magic.unpack(buf, pos)
            pos += 6
            field = "magic"
            if obj.magic != MAGIC.encode():
                raise _in.refused("magic must be MAGIC", start)
            start_header_size = start + 4
            field, start = "header", pos
            outer, span = span, span.within(pos, obj.header_size)
            buf = span.buf
            obj.header, pos = _in.read_struct(Header, span, pos)
            pos = len(buf)
            span, buf = outer, outer.buf
            size_header = pos - start
            field = "header_size"
            if obj.header_size != size_header:
                raise _in.refused("header_size must be size(header)", start_header_size)
            field, start = "name_size", pos
            obj.name_size, pos = _in.uvarint(buf, pos, 32)
            start_name_size = start
            field, start = "name", pos
            obj.name, pos = _in.text(buf, pos, obj.name_size)
            size_name = pos - start
            field = "name_size"
            if obj.name_size != size_name:
                raise _in.refused("name_size must be size(name)", start_name_size)
            field, start = "flags", pos
            obj.flags = buf[pos]
            pos += 1
            if not (obj.flags < 4):
                raise _in.refused("two flags only", start)
            field, start = "extra", pos
            if obj.flags > 1:
                obj.extra, pos = _in.number(buf, pos, "<I")
            else:
                obj.extra = None
            field, start = "rest", pos
            obj.rest, pos = _in.take(buf, pos, len(buf) - pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            self.magic = MAGIC.encode()
            outer, out = out, out.part()
            data = out.data
            field = "header"
            data += _out.instance(self.header, Header).to_bytes()
            part_header, out, data = data, outer, outer.data
            field = "header_size"
            self.header_size = len(part_header)
            field = ""
            data += _Envelope_magic.pack(self.magic, self.header_size)
            data += part_header
            outer, out = out, out.part()
            data = out.data
            field = "name"
            data += _out.utf8(self.name)
            part_name, out, data = data, outer, outer.data
            field = "name_size"
            self.name_size = len(part_name)
            _out.put_uvarint(data, self.name_size, 32)
            data += part_name
            field = "flags"
            _out.put_number(data, self.flags, "<B")
            if not (self.flags < 4):
                raise _out.unfit("two flags only")
            field = "extra"
            if self.flags > 1:
                _out.put_number(data, self.extra, "<I")
            else:
                _out.absent(self.extra)
            field = "rest"
            data += _out.raw(self.rest)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Lines(_rec.Record):
    """Ended by what follows them."""

    n: int = _rec.derived("u8", ("count", "lines"))
    lines: list[str] = _rec.field('utf8[n] until "\\n"', "utf8", terminator=b"\n", count="n", smallest=1)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Lines, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "n", None, pos
        items: list[_Any]
        try:
            obj.n = buf[pos]
            pos += 1
            field, start = "lines", pos
            obj.lines = items = []
            for index in range(_in.bounded(obj.n, 1, buf, pos)):
                start = pos
                item, pos = _in.text(buf, pos, _in.until(buf, pos, b"\n"))
                pos += 1
                items.append(item)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "lines", None
        try:
            self.n = len(_out.exactly(self.lines))
            field = "n"
            _out.put_number(data, self.n, "<B")
            field = "lines"
            for index, item in enumerate(_out.exactly(self.lines)):
                data += _out.ended(_out.utf8(item), b"\n")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


__spec__ = _fields.describe(globals(), "input.idl", {
    "Header": 3, "Envelope": 6, "Lines": 18,
})  # fmt: skip
_rt.register(__name__, __spec__)
