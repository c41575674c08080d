# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:7dced0ae20d1f1ab22e42224c3ee15dcdd6192744512e159c6cc7df665f57ede
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any
from typing import ClassVar as _ClassVar

from lakecodec.runtime import arrow_maps as _arrows
from lakecodec.runtime import columns as _columns
from lakecodec.runtime import fields as _fields
from lakecodec.runtime.records import functions as _fn
from lakecodec.runtime.records import packed as _col
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import write as _out

# A small archive: names that share prefixes, entries of several kinds.
MAGIC: str = "ARC1"


class Method(_enum.IntEnum):
    """How an entry is stored."""

    EMPTY = 0
    STORED = 1
    NUMBERS = 2


class _FrontCoded(_rec.FieldCodec):
    """The fields of codec front_coded, and the value they stand for."""

    value: bytes
    _body = {"value": ("+", ("slice", "prev", None, "shared"), "suffix"), "shape": "front_coded"}
    prev: bytes = _rec.parameter()
    shared: int = _rec.derived(
        "uvarint32", ("call", _fn.common_prefix, "prev", "value"), checks=[("<=", "shared", ("count", "prev"))]
    )
    added: int = _rec.derived("uvarint32", ("-", ("count", "value"), "shared"))
    suffix: bytes = _rec.derived("bytes[added]", ("slice", "value", "shared", None), "bytes", length="added")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, prev: bytes) -> tuple[_FrontCoded, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "shared", None, pos
        obj.prev = prev
        try:
            obj.shared, pos = _in.uvarint(buf, pos, 32)
            if not (obj.shared <= len(obj.prev)):
                raise _in.refused("shares too much", start)
            field, start = "added", pos
            obj.added, pos = _in.uvarint(buf, pos, 32)
            field, start = "suffix", pos
            obj.suffix, pos = _in.take(buf, pos, obj.added)
            field = ""
            obj.value = obj.prev[: obj.shared] + obj.suffix
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, prev: bytes) -> None:
        self.prev = prev
        data, field, index = out.data, "shared", None
        try:
            self.shared = _fn.common_prefix(self.prev, self.value)
            _out.put_uvarint(data, self.shared, 32)
            if not (self.shared <= len(self.prev)):
                raise _out.unfit("shares too much")
            field = "added"
            self.added = len(self.value) - self.shared
            _out.put_uvarint(data, self.added, 32)
            field = "suffix"
            self.suffix = self.value[self.shared :]
            data += _out.raw(self.suffix, self.added)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Archive_magic = _rec.Layout(">", magic="4s", version="H", count="H")
_Archive_size = _rec.Layout(">", size="I")


class Archive(_rec.Record):
    magic: bytes = _rec.derived("bytes[4]", MAGIC.encode(), "bytes", length=4)
    version: int = _rec.field("u16", big=True)
    count: int = _rec.derived("u16", ("count", "names"), big=True, checks=[("<=", "version", 2)], verifies=["magic"])
    names: list[Name] = _rec.field(
        "Name[count]", record="Name", siblings=True, count="count", smallest=2,
        checks=[("ascending", ("each", "names", "text"))],
    )  # fmt: skip
    methods: list[int] = _rec.derived(
        "u8[i < count]", ("get", ("item", "entries", ("index",)), "tag"), "u8", dimension="index", count="count",
        smallest=1,
    )  # fmt: skip
    entries: list[Entry] = _rec.field(
        "Entry[i < count]", record="Entry", arguments=[("item", "methods", ("index",)), ("*", 2, "version")],
        dimension="index", count="count", smallest=0, verifies=["methods"],
    )  # fmt: skip
    size: int = _rec.derived("u32", ("captured", "size", "comment"), big=True, before=[("aside", "comment")])
    comment: str = _rec.field("utf8[..]", "utf8", size="size", captures=["size"], open=["size"], verifies=["size"])
    stamp: int | None = _rec.field("i64", big=True, present=(">", "version", 1), default=None)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Archive, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        item: _Any
        items: list[_Any]
        try:
            obj.magic, obj.version, obj.count = _Archive_magic.unpack(buf, pos)
            pos += 8
            field = "magic"
            if obj.magic != MAGIC.encode():
                raise _in.refused("not an archive", start)
            field = "version"
            if not (obj.version <= 2):
                raise _in.refused("unknown version", start + 4)
            field, start = "names", pos
            state = Name._state()
            obj.names = items = []
            begin = start
            for index in range(_in.bounded(obj.count, 2, buf, pos)):
                start = pos
                item, pos = Name._read(span, pos, state=state)
                items.append(item)
            index, start = None, begin
            if not (_fn.ascending([each.text for each in obj.names])):
                raise _in.refused("names are not in order", start)
            field, start = "methods", pos
            obj.methods = items = []
            begin = start
            for index in range(_in.bounded(obj.count, 1, buf, pos)):
                start = pos
                item = buf[pos]
                pos += 1
                items.append(item)
            index, start = None, begin
            start_methods = start
            field, start = "entries", pos
            obj.entries = items = []
            begin = start
            for index in range(_in.bounded(obj.count, 0, buf, pos)):
                start = pos
                item, pos = Entry._read(span, pos, obj.methods[index], 2 * obj.version)
                items.append(item)
                span.passed(start, pos)
            index, start = None, begin
            field = "methods"
            for index in range(len(obj.methods)):
                if obj.methods[index] != obj.entries[index].tag:
                    raise _in.refused("methods must be tag(entries[i])", start_methods)
            index = None
            field, start = "", pos
            (obj.size,) = _Archive_size.unpack(buf, pos)
            pos += 4
            start_size = start
            field, start = "comment", pos
            outer, span = span, span.within(pos, obj.size)
            buf = span.buf
            obj.comment, pos = _in.text(buf, pos, len(buf) - pos)
            span.finish(pos)
            span, buf = outer, outer.buf
            size_comment = pos - start
            field = "size"
            if obj.size != size_comment:
                raise _in.refused("size must be size(comment)", start_size)
            field, start = "stamp", pos
            if obj.version > 1:
                obj.stamp, pos = _in.number(buf, pos, ">q")
            else:
                obj.stamp = None
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "names", None
        try:
            self.magic = MAGIC.encode()
            self.count = len(_out.exactly(self.names))
            field = ""
            data += _Archive_magic.pack(self.magic, self.version, self.count)
            field = "version"
            if not (self.version <= 2):
                raise _out.unfit("unknown version")
            field = "names"
            state = Name._state(out)
            for index, item in enumerate(_out.exactly(self.names)):
                _out.instance(item, Name)._write(out, state=state)
            index = None
            if not (_fn.ascending([each.text for each in self.names])):
                raise _out.unfit("names are not in order")
            field = "methods"
            self.methods = [self.entries[index].tag for index in range(self.count)]
            _out.put_numbers(data, _out.exactly(self.methods, self.count), ">", "B")
            field = "entries"
            for index, item in enumerate(_out.exactly(self.entries, self.count)):
                _out.instance(item, Entry)._write(out, self.methods[index], 2 * self.version)
            index = None
            outer, out = out, out.part()
            data = out.data
            field = "comment"
            data += _out.utf8(self.comment)
            part_comment, out, data = data, outer, outer.data
            field = "size"
            self.size = len(part_comment)
            _out.put_number(data, self.size, ">I")
            data += part_comment
            field = "stamp"
            if self.version > 1:
                _out.put_number(data, self.stamp, ">q")
            else:
                _out.absent(self.stamp)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Name(_rec.Record):
    _body = {"states": [b""]}
    text: str = _rec.field("utf8", coder="_FrontCoded", state=0)

    @classmethod
    def _state(cls, out: _rec.Writer | None = None) -> list[_Any]:
        return [b""]

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, state: list[_Any] | None = None) -> tuple[Name, int]:
        obj, field, index, start = _rec.new(cls), "text", None, pos
        if state is None:
            state = cls._state()
        try:
            coded, pos = _FrontCoded._read(span, pos, state[0])
            obj.text = state[0] = coded.value
            span.repeats(len(coded.value) - (pos - start), start)
            obj.text = _in.as_text(obj.text, start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, state: list[_Any] | None = None) -> None:
        if state is None:
            state = self._state(out)
        field, index = "text", None
        try:
            coded = _rec.new(_FrontCoded)
            coded.value = _out.utf8(self.text)
            coded._write(out, state[0])
            state[0] = coded.value
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Entry(_rec.Variant, on="method"):
    """What an entry holds."""

    EMPTY: _ClassVar[_rec.Class[Entry_EMPTY]]
    STORED: _ClassVar[_rec.Class[Entry_STORED]]
    NUMBERS: _ClassVar[_rec.Class[Entry_NUMBERS]]
    method: Method | int = _rec.parameter()
    limit: int = _rec.parameter()

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry, int]:
        tag: _Any = method
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"Entry has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, method, limit)
        return obj, pos


class Entry_EMPTY(Entry, kind="EMPTY", tags=[Method.EMPTY]):
    __slots__ = ()


class Entry_STORED(Entry, kind="STORED", tags=[Method.STORED]):
    """At most `limit` bytes."""

    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda obj: ()),)
    n: int = _rec.derived("uvarint32", ("count", "data"), checks=[("<=", "n", "limit")])
    data: bytes = _rec.field("bytes[n]", "bytes", length="n")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry_STORED, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "n", None, pos
        obj.method, obj.limit = method, limit
        try:
            obj.n, pos = _in.uvarint(buf, pos, 32)
            if not (obj.n <= obj.limit):
                raise _in.refused("too long", start)
            field, start = "data", pos
            obj.data, pos = _in.take(buf, pos, obj.n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, method: Method | int, limit: int) -> None:
        self.method, self.limit = method, limit
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.method)
            field = "data"
            self.n = len(_out.raw(self.data))
            field = "n"
            _out.put_uvarint(data, self.n, 32)
            if not (self.n <= self.limit):
                raise _out.unfit("too long")
            field = "data"
            data += _out.raw(self.data)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Entry_NUMBERS_n = _rec.Layout(">", n="B", largest="H")


class Entry_NUMBERS(Entry, kind="NUMBERS", tags=[Method.NUMBERS]):
    n: int = _rec.derived("u8", ("count", "values"))
    largest: int = _rec.field("u16", big=True)
    values: _columns.Bits = _rec.field(
        "bits[n]", "bits",
        width=("let", (("largest", "largest"),), ("if", (">", "largest", 0), ("bit_length", "largest"), 0)), length="n",
        verifies=["n"],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry_NUMBERS, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.method, obj.limit = method, limit
        try:
            obj.n, obj.largest = _Entry_NUMBERS_n.unpack(buf, pos)
            pos += 3
            start_n = start
            field, start = "values", pos
            obj.values, pos = _col.read_bits(span, pos, obj.n, width_of(obj.largest))
            field = "n"
            if obj.n != len(obj.values):
                raise _in.refused("n must be count(values)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, method: Method | int, limit: int) -> None:
        self.method, self.limit = method, limit
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.method)
            field = "values"
            self.n = len(_out.exactly(self.values))
            field = ""
            data += _Entry_NUMBERS_n.pack(self.n, self.largest)
            field = "values"
            self.values = _col.packed(self.values, self.n, width_of(self.largest))
            data += self.values.to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


# Declarations are tables: one row a field, whatever its width.
# fmt: off


def width_of(largest: _Any) -> _Any:
    """Bits of the numbers."""
    return largest.bit_length() if largest > 0 else 0
# fmt: on


__spec__ = _fields.describe(globals(), "input.idl", {
    "Method": 5, "Archive": 17, "Name": 29, "Entry": 32, "Entry_EMPTY": 33, "Entry_STORED": 35,
    "Entry_NUMBERS": 37,
})  # fmt: skip
