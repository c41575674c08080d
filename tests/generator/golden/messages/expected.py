# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:02d62be2fe99ce36ae9b9769483375543f46a715337c42d2611386052b1ba853
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields
from lakecodec.runtime import protobuf as _pb
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import write as _out


class Kind(_enum.IntEnum):
    """Messages of protobuf."""

    NONE = 0
    DATA = 1


class Stripe(_pb.Message):
    """A piece of a file."""

    offset: int = _pb.field(1, _pb.UINT64, default=0)
    """Where it begins."""
    length: int = _pb.field(2, _pb.UINT64, default=7)
    deltas: list[int] = _pb.field(3, _pb.list_(_pb.SINT32, packed=False), factory=list)


class Place(_pb.Oneof):
    """Where the bytes are."""

    path: _pb.Member[str] = _pb.member(10, _pb.STRING)
    inline: _pb.Member[Stripe] = _pb.member(11, "Stripe")


class Footer(_pb.Message):
    """Footer."""

    rows: int = _pb.field(1, _pb.UINT64)
    stripes: list[Stripe] = _pb.field(2, _pb.list_("Stripe"), factory=list)
    metadata: dict[str, bytes] = _pb.field(3, _pb.map_(_pb.STRING, _pb.BINARY), factory=dict)
    kind: Kind | int | None = _pb.field(4, "Kind", default=None, implied=Kind.DATA)
    from_: Kind | int = _pb.field(5, "Kind", default=Kind.NONE, name="from")
    unknown_fields_: int = _pb.field(6, _pb.FIXED32, default=0, name="unknown_fields")
    place: Place | None = _pb.field(-7, "Place", default=None)


class Old(_rt.Struct):
    """Old."""

    id: int = _rt.field(1, _rt.I32)


class File(_rec.Record):
    old: Old = _rec.field("Old", struct="Old")
    length: int = _rec.derived("u8", ("captured", "size", "footer"), before=[("aside", "footer")])
    footer: Footer = _rec.field(
        "Footer", struct="Footer", size="length", captures=["size"], open=["size"], verifies=["length"]
    )

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[File, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "old", None, pos
        try:
            obj.old, pos = _in.read_struct(Old, span, pos)
            field, start = "length", pos
            obj.length = buf[pos]
            pos += 1
            start_length = start
            field, start = "footer", pos
            outer, span = span, span.within(pos, obj.length)
            buf = span.buf
            obj.footer, pos = _in.read_struct(Footer, span, pos)
            pos = len(buf)
            span, buf = outer, outer.buf
            size_footer = pos - start
            field = "length"
            if obj.length != size_footer:
                raise _in.refused("length must be size(footer)", start_length)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "old", None
        try:
            data += _out.instance(self.old, Old).to_bytes()
            outer, out = out, out.part()
            data = out.data
            field = "footer"
            data += _out.instance(self.footer, Footer).to_bytes()
            part_footer, out, data = data, outer, outer.data
            field = "length"
            self.length = len(part_footer)
            _out.put_number(data, self.length, "<B")
            data += part_footer
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


__spec__ = _fields.describe(globals(), "input.idl", {
    "Kind": 3, "Stripe": 6, "Place": 14, "Footer": 16, "Old": 26, "File": 28,
})  # fmt: skip
_rt.register(__name__, __spec__)
_pb.register(__name__, __spec__)
