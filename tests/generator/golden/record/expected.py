# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:8d772dfd8ad60ddc3f1cf2e5e53171cbccd01460ab02a0372ce2d04ca2a6d6b5
"""Codecs of input.idl."""

from __future__ import annotations

from typing import Any as _Any

from lakecodec.runtime import compact as _rt
from lakecodec.runtime import fields as _fields
from lakecodec.runtime import spec as _spec
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import table as _tab
from lakecodec.runtime.records import write as _out

MAGIC: str = "GLD1"


class Header(_rt.Struct):
    """Header."""

    rows: int = _rt.field(1, _rt.I32)


_Envelope_magic = _rec.Layout("<", magic="4s", header_size="H")


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
        header: Header = _rec.UNSET,
        name: str = _rec.UNSET,
        flags: int = _rec.UNSET,
        extra: int | None = _rec.UNSET,
        rest: bytes = _rec.UNSET,
    ) -> None:
        self.magic = _rec.UNSET
        self.header_size = _rec.UNSET
        self.header = header
        self.name_size = _rec.UNSET
        self.name = name
        self.flags = flags
        self.extra = extra
        self.rest = rest

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Envelope, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.magic, made.header_size = _Envelope_magic.unpack(buf, pos)
            pos += 6
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("magic must be MAGIC", start)
            start_header_size = start + 4
            step, start = "header", pos
            outer, at = at, at.within(pos, made.header_size)
            buf = at.buf
            made.header, pos = _in.compact(Header, at, pos)
            pos = len(buf)
            at = outer
            buf = at.buf
            size_header = pos - start
            step = "header_size"
            if made.header_size != size_header:
                raise _in.refused("header_size must be size(header)", start_header_size)
            step, start = "name_size", pos
            made.name_size, pos = _in.uvarint(buf, pos, 32)
            start_name_size = start
            step, start = "name", pos
            made.name, pos = _in.text(buf, pos, made.name_size)
            size_name = pos - start
            step = "name_size"
            if made.name_size != size_name:
                raise _in.refused("name_size must be size(name)", start_name_size)
            step, start = "flags", pos
            made.flags = buf[pos]
            pos += 1
            if not (made.flags < 4):
                raise _in.refused("two flags only", start)
            step, start = "extra", pos
            if made.flags > 1:
                made.extra, pos = _in.number(buf, pos, "<I")
            else:
                made.extra = None
            step, start = "rest", pos
            made.rest, pos = _in.take(buf, pos, len(buf) - pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("magic", "bytes", length=4, derived=MAGIC.encode()),
                _tab.Step(
                    "header_size", "u16", derived=("noted", "size", "header"), checks=[("==", "magic", MAGIC.encode())]
                ),
                _tab.Step(
                    "header",
                    "struct",
                    target=Header,
                    size="header_size",
                    notes=["size"],
                    checks=[("==", "header_size", ("noted", "size", "header"))],
                ),
                _tab.Step("name_size", "uvarint32", derived=("noted", "size", "name")),
                _tab.Step(
                    "name",
                    "utf8",
                    length="name_size",
                    notes=["size"],
                    checks=[("==", "name_size", ("noted", "size", "name"))],
                ),
                _tab.Step("flags", "u8", checks=[("<", "flags", 4)]),
                _tab.Step("extra", "u32", present=(">", "flags", 1)),
                _tab.Step("rest", "bytes"),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "magic"
            made.magic = MAGIC.encode()
            outer, out = out, out.part()
            data = out.data
            step = "header"
            data += _out.instance(made.header, Header).to_bytes()
            part_header, out = data, outer
            data = out.data
            step = "header_size"
            made.header_size = len(part_header)
            step = ""
            data += _Envelope_magic.pack(made.magic, made.header_size)
            data += part_header
            outer, out = out, out.part()
            data = out.data
            step = "name"
            data += _out.utf8(made.name)
            part_name, out = data, outer
            data = out.data
            step = "name_size"
            made.name_size = len(part_name)
            _out.put_uvarint(data, made.name_size, 32)
            data += part_name
            step = "flags"
            data.append(made.flags)
            if not (made.flags < 4):
                raise _out.unfit("two flags only")
            step = "extra"
            if made.flags > 1:
                data += _out.pack("<I", made.extra)
            else:
                _out.absent(made.extra)
            step = "rest"
            data += _out.raw(made.rest)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Lines(_rec.Record):
    """Ended by what follows them.

    Attributes:
        n: int
        lines: list[str]
    """

    __slots__ = ("n", "lines")
    _given = ("lines",)
    n: int
    lines: list[str]

    def __init__(
        self,
        *,
        lines: list[str] = _rec.UNSET,
    ) -> None:
        self.n = _rec.UNSET
        self.lines = lines

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Lines, int]:
        made: _Any = cls.__new__(cls)
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "n", pos
            made.n = buf[pos]
            pos += 1
            start_n = start
            step, start = "lines", pos
            made.lines = items = []
            begin = pos
            for index in range(_in.bounded(made.n, 1, buf, pos)):
                start = pos
                item, pos = _in.text(buf, pos, _in.until(buf, pos, b"\n"))
                pos += 1
                items.append(item)
            index, start = None, begin
            step = "n"
            if made.n != len(made.lines):
                raise _in.refused("n must be count(lines)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "n"
            made.n = len(made.lines)
            data.append(made.n)
            step = "lines"
            for index, item in enumerate(made.lines):
                data += _out.ended(_out.utf8(item), b"\n")
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


__spec__ = _fields.describe(globals(), "input.idl", {
    "Header": 3,
})  # fmt: skip
__spec__.add(
    [
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
        _spec.Spec(
            "Lines",
            "record",
            Lines,
            [
                _spec.FieldSpec("n", 1, "u8", "required", None, ""),
                _spec.FieldSpec("lines", 2, 'utf8[n] until "\\n"', "required", None, ""),
            ],
            ("input.idl", 18),
            "Ended by what follows them.",
        ),
    ]
)
_rt.register(__name__, __spec__)
