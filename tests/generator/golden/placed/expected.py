# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:5831a45f1c67fc7c45d2fc9f56c3efddb45ea9ae378b2605e15ef36b09c8e2f4
"""Codecs of input.idl."""

from __future__ import annotations

from typing import Any as _Any

from lakecodec.runtime import fields as _fields
from lakecodec.runtime.records import lazy as _lazy
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import write as _out


class Cell(_rec.Record):
    """Bytes behind their number."""

    n: int = _rec.derived("u8", ("count", "v"))
    v: bytes = _rec.field("bytes[n]", "bytes", length="n")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Cell, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "n", None, pos
        try:
            obj.n = buf[pos]
            pos += 1
            field, start = "v", pos
            obj.v, pos = _in.take(buf, pos, obj.n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "v", None
        try:
            self.n = len(_out.raw(self.v))
            field = "n"
            _out.put_number(data, self.n, "<B")
            field = "v"
            data += _out.raw(self.v)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Page_n = _rec.Layout(">", n="H")


class Page(_lazy.LazyRecord):
    """Cells anywhere in a page."""

    _gaps = True
    _body = {"generated": True}
    n: int = _rec.derived("u16", ("count", "cells"), big=True)
    pointers: list[int] = _rec.field("u16[n]", "u16", big=True, count="n", smallest=2)
    cells: list[Cell] = _rec.placed("Cell[i < n]", ("pointers", None), each=True)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Page, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.n,) = _Page_n.unpack(buf, pos)
            pos += 2
            field, start = "pointers", pos
            obj.pointers, pos = _in.numbers(buf, pos, obj.n, ">", "H")
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "n", None
        try:
            self.n = len(self.cells)
            _out.put_number(data, self.n, ">H")
            field = "pointers"
            _out.put_numbers(data, _out.exactly(self.pointers, self.n), ">", "H")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_cells(self, index: int) -> tuple[int, int | None]:
        return self.pointers[index], None

    def _count_cells(self) -> int:
        return self.n

    def _read_cells(self: _Any, span: _rec.Span, index: int) -> tuple[_Any, int]:
        field, index, start, pos = "cells", index, 0, 0
        try:
            value, pos = Cell._decode(span, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_cells(self: _Any, out: _rec.Writer, index: int) -> None:
        field, index = "cells", index
        try:
            item = self.cells[index]
            _out.instance(item, Cell)._encode(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Section_body_at = _rec.Layout("<", body_at="H", body_size="H")


class Section(_lazy.LazyRecord):
    """A section that points into the file that holds it."""

    body_at: int = _rec.field("u16")
    body_size: int = _rec.field("u16")
    body: bytes | None = _rec.placed("bytes[body_size]", ("body_at",), optional=True, from_source=True)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Section, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.body_at, obj.body_size = _Section_body_at.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            data += _Section_body_at.pack(self.body_at, self.body_size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_body(self) -> tuple[int, int | None]:
        return self.body_at, None

    def _given_body(self) -> bool:
        return bool(self.body_at != 0)

    def _read_body(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        buf, field, index, start, pos = span.buf, "body", None, 0, 0
        try:
            value, pos = _in.take(buf, pos, self.body_size)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_body(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "body", None
        try:
            if self.body_at != 0:
                data += _out.raw(self.body, self.body_size)
            else:
                _out.absent(self.body)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Archive_cell_at = _rec.Layout("<", cell_at="I", size_of="H", kind="B")


class Archive(_lazy.LazyRecord):
    """Offsets and sizes that are derived from what stands elsewhere."""

    _body = {"generated": True}
    base: int = _rec.parameter()
    cell_at: int = _rec.derived("u32", ("unknown",))
    size_of: int = _rec.derived("u16", ("unknown",))
    kind: int = _rec.field("u8")
    cell: Cell = _rec.placed("Cell")
    entries: list[Entry] = _rec.placed("Entry[i < kind]", ("tail", "at_"), each=True)
    tail: Tail = _rec.placed("Tail", places=True, takes=2)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, base: int) -> tuple[Archive, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.base = base
        try:
            obj.cell_at, obj.size_of, obj.kind = _Archive_cell_at.unpack(buf, pos)
            pos += 7
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, base: int) -> None:
        self.base = base
        data, field, index = out.data, "cell_at", None
        try:
            self.cell_at = self._measured("offset", "cell")
            field = "size_of"
            self.size_of = self._measured("size", "cell")
            field = ""
            data += _Archive_cell_at.pack(self.cell_at, self.size_of, self.kind)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_cell(self) -> tuple[int, int | None]:
        return self.cell_at, None

    def _read_cell(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "cell", None, 0, 0
        try:
            value, pos = Cell._decode(span, pos)
            if not (value.n < 9):
                raise _in.refused("too long", 0)
            field = "size_of"
            if self.size_of != pos:
                raise _in.refused("size_of must be size(cell)", 0)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_cell(self: _Any, out: _rec.Writer) -> None:
        field, index = "cell", None
        try:
            _out.instance(self.cell, Cell)._encode(out)
            if not (self.cell.n < 9):
                raise _out.unfit("too long")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_entries(self, index: int) -> tuple[int, int | None]:
        return self.base + self.tail.at_ + index, None

    def _count_entries(self) -> int:
        return self.kind

    def _pointer_entries(self, place: int, index: int) -> int:
        return place - index - self.base

    def _read_entries(self: _Any, span: _rec.Span, index: int) -> tuple[_Any, int]:
        field, index, start, pos = "entries", index, 0, 0
        try:
            value, pos = Entry._decode(span, pos)
            if not (value.a > 0):
                raise _in.refused("entries[i].a > 0 does not hold", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_entries(self: _Any, out: _rec.Writer, index: int) -> None:
        field, index = "entries", index
        try:
            item = self.entries[index]
            _out.instance(item, Entry)._encode(out)
            if not (self.entries[index].a > 0):
                raise _out.unfit("entries[i].a > 0 does not hold")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_tail(self) -> tuple[int, int | None]:
        return self._size - 2, 2

    def _read_tail(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "tail", None, 0, 0
        try:
            value, pos = Tail._decode(span, pos)
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_tail(self: _Any, out: _rec.Writer) -> None:
        field, index = "tail", None
        try:
            _out.instance(self.tail, Tail)._encode(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Entry(_rec.Record):
    a: int = _rec.field("u8")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Entry, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "a", None, pos
        try:
            obj.a = buf[pos]
            pos += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "a", None
        try:
            _out.put_number(data, self.a, "<B")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Tail_at_ = _rec.Layout("<", at_="H")


class Tail(_rec.Record):
    at_: int = _rec.field("u16")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Tail, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.at_,) = _Tail_at_.unpack(buf, pos)
            pos += 2
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "at_", None
        try:
            _out.put_number(data, self.at_, "<H")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


__spec__ = _fields.describe(globals(), "input.idl", {
    "Cell": 2, "Page": 5, "Section": 8, "Archive": 11, "Entry": 19, "Tail": 20,
})  # fmt: skip
