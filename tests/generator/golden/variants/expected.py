# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:7dced0ae20d1f1ab22e42224c3ee15dcdd6192744512e159c6cc7df665f57ede
"""Codecs of input.idl."""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any
from typing import ClassVar as _ClassVar

from lakecodec.runtime import arrow_maps as _arrows
from lakecodec.runtime import columns as _columns
from lakecodec.runtime import declaration as _decl
from lakecodec.runtime import fields as _fields
from lakecodec.runtime import spec as _spec
from lakecodec.runtime.records import functions as _fn
from lakecodec.runtime.records import packed as _col
from lakecodec.runtime.records import read as _in
from lakecodec.runtime.records import record as _rec
from lakecodec.runtime.records import table as _tab
from lakecodec.runtime.records import write as _out

# A small archive: names that share prefixes, entries of several kinds.
MAGIC: str = "ARC1"


class Method(_enum.IntEnum):
    """How an entry is stored."""

    EMPTY = 0
    STORED = 1
    NUMBERS = 2


class _FrontCoded(_rec.Record):
    """The fields of codec front_coded, and the value they stand for.

    Attributes:
        shared: int
        added: int
        suffix: bytes
    """

    __slots__ = ("value", "prev", "shared", "added", "suffix")
    _given = ("value",)
    _parameters = ("prev",)
    prev: bytes
    shared: int
    added: int
    suffix: bytes
    value: bytes

    def __init__(self, value: bytes) -> None:
        self.value = value

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, prev: bytes) -> tuple[_FrontCoded, int]:
        made: _Any = cls.__new__(cls)
        made.prev = prev
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "shared", pos
            made.shared, pos = _in.uvarint(buf, pos, 32)
            if not (made.shared <= len(made.prev)):
                raise _in.refused("shares too much", start)
            step, start = "added", pos
            made.added, pos = _in.uvarint(buf, pos, 32)
            step, start = "suffix", pos
            made.suffix, pos = _in.take(buf, pos, made.added)
            step = ""
            made.value = made.prev[: made.shared] + made.suffix
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "shared",
                    "uvarint32",
                    derived=("call", _fn.common_prefix, "prev", "value"),
                    checks=[("<=", "shared", ("count", "prev"))],
                ),
                _tab.Step("added", "uvarint32", derived=("-", ("count", "value"), "shared")),
                _tab.Step("suffix", "bytes", length="added", derived=("slice", "value", "shared", None)),
            ],
            params=["prev"],
            value=("+", ("slice", "prev", None, "shared"), "suffix"),
        )

    def _write(self, out: _rec.Writer, prev: bytes) -> None:
        made: _Any = self
        made.prev = prev
        data, step, index = out.data, "", None
        try:
            step = "shared"
            made.shared = _fn.common_prefix(made.prev, made.value)
            _out.put_uvarint(data, made.shared, 32)
            if not (made.shared <= len(made.prev)):
                raise _out.unfit("shares too much")
            step = "added"
            made.added = len(made.value) - made.shared
            _out.put_uvarint(data, made.added, 32)
            step = "suffix"
            made.suffix = made.value[made.shared :]
            data += _out.raw(made.suffix, made.added)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Archive_magic = _rec.Layout(">", magic="4s", version="H", count="H")
_Archive_size = _rec.Layout(">", size="I")


class Archive(_rec.Record):
    """Archive.

    Attributes:
        magic: bytes
        version: int
        count: int
        names: list[Name]
        methods: list[int]
        entries: list[Entry]
        size: int
        comment: str
        stamp: int | None
    """

    __slots__ = ("magic", "version", "count", "names", "methods", "entries", "size", "comment", "stamp")
    _given = ("version", "names", "entries", "comment", "stamp")
    magic: bytes
    version: int
    count: int
    names: list[Name]
    methods: list[int]
    entries: list[Entry]
    size: int
    comment: str
    stamp: int | None

    def __init__(
        self,
        *,
        version: int = _rec.UNSET,
        names: list[Name] = _rec.UNSET,
        entries: list[Entry] = _rec.UNSET,
        comment: str = _rec.UNSET,
        stamp: int | None = _rec.UNSET,
    ) -> None:
        self.magic = _rec.UNSET
        self.version = version
        self.count = _rec.UNSET
        self.names = names
        self.methods = _rec.UNSET
        self.entries = entries
        self.size = _rec.UNSET
        self.comment = comment
        self.stamp = stamp

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Archive, int]:
        made: _Any = cls.__new__(cls)
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.magic, made.version, made.count = _Archive_magic.unpack(buf, pos)
            pos += 8
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("not an archive", start)
            step = "version"
            if not (made.version <= 2):
                raise _in.refused("unknown version", start + 4)
            start_count = start + 6
            step, start = "names", pos
            state = Name._state()
            made.names = items = []
            begin = pos
            for index in range(_in.bounded(made.count, 2, buf, pos)):
                start = pos
                item, pos = Name._read(at, pos, state=state)
                items.append(item)
            index, start = None, begin
            step = "count"
            if made.count != len(made.names):
                raise _in.refused("count must be count(names)", start_count)
            if not (_fn.ascending([each.text for each in made.names])):
                raise _in.refused("names are not in order", start)
            step, start = "methods", pos
            made.methods = items = []
            begin = pos
            for index in range(_in.bounded(made.count, 1, buf, pos)):
                start = pos
                item = buf[pos]
                pos += 1
                items.append(item)
            index, start = None, begin
            start_methods = start
            step, start = "entries", pos
            made.entries = items = []
            begin = pos
            for index in range(_in.bounded(made.count, 0, buf, pos)):
                start = pos
                item, pos = Entry._read(at, pos, made.methods[index], 2 * made.version)
                items.append(item)
            index, start = None, begin
            step = "methods"
            for index in range(len(made.methods)):
                if made.methods[index] != made.entries[index].tag:
                    raise _in.refused("methods must be tag(entries[i])", start_methods)
            index = None
            step, start = "", pos
            (made.size,) = _Archive_size.unpack(buf, pos)
            pos += 4
            start_size = start
            step, start = "comment", pos
            outer, at = at, at.within(pos, made.size)
            buf = at.buf
            made.comment, pos = _in.text(buf, pos, len(buf) - pos)
            at.finish(pos)
            at = outer
            buf = at.buf
            size_comment = pos - start
            step = "size"
            if made.size != size_comment:
                raise _in.refused("size must be size(comment)", start_size)
            step, start = "stamp", pos
            if made.version > 1:
                made.stamp, pos = _in.number(buf, pos, ">q")
            else:
                made.stamp = None
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("magic", "bytes", length=4, derived=MAGIC.encode()),
                _tab.Step("version", "u16", big=True),
                _tab.Step(
                    "count",
                    "u16",
                    big=True,
                    derived=("count", "names"),
                    checks=[("==", "magic", MAGIC.encode()), ("<=", "version", 2)],
                ),
                _tab.Step(
                    "names",
                    "record",
                    target=Name,
                    siblings=True,
                    dimension="count",
                    count="count",
                    smallest=2,
                    checks=[("==", "count", ("count", "names")), ("ascending", ("each", "names", "text"))],
                ),
                _tab.Step(
                    "methods",
                    "u8",
                    dimension="index",
                    count="count",
                    smallest=1,
                    derived=("get", ("item", "entries", ("index",)), "tag"),
                ),
                _tab.Step(
                    "entries",
                    "record",
                    target=Entry,
                    arguments=[("item", "methods", ("index",)), ("*", 2, "version")],
                    dimension="index",
                    count="count",
                    smallest=0,
                    checks=[
                        (
                            "every",
                            "methods",
                            ("==", ("item", "methods", ("index",)), ("get", ("item", "entries", ("index",)), "tag")),
                        )
                    ],
                ),
                _tab.Step("size", "u32", big=True, derived=("noted", "size", "comment")),
                _tab.Step(
                    "comment",
                    "utf8",
                    size="size",
                    notes=["size"],
                    checks=[("==", "size", ("noted", "size", "comment"))],
                ),
                _tab.Step("stamp", "i64", big=True, present=(">", "version", 1)),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "magic"
            made.magic = MAGIC.encode()
            step = "count"
            made.count = len(made.names)
            step = ""
            data += _Archive_magic.pack(made.magic, made.version, made.count)
            step = "version"
            if not (made.version <= 2):
                raise _out.unfit("unknown version")
            step = "names"
            state = Name._state(out)
            for index, item in enumerate(made.names):
                _out.instance(item, Name)._write(out, state=state)
            index = None
            if not (_fn.ascending([each.text for each in made.names])):
                raise _out.unfit("names are not in order")
            step = "methods"
            made.methods = [made.entries[index].tag for index in range(made.count)]
            _out.put_numbers(data, _out.exactly(made.methods, made.count), ">", "B")
            step = "entries"
            for index, item in enumerate(_out.exactly(made.entries, made.count)):
                _out.instance(item, Entry)._write(out, made.methods[index], 2 * made.version)
            index = None
            outer, out = out, out.part()
            data = out.data
            step = "comment"
            data += _out.utf8(made.comment)
            part_comment, out = data, outer
            data = out.data
            step = "size"
            made.size = len(part_comment)
            step = ""
            data += _Archive_size.pack(made.size)
            data += part_comment
            step = "stamp"
            if made.version > 1:
                data += _out.pack(">q", made.stamp)
            else:
                _out.absent(made.stamp)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Name(_rec.Record):
    """Name.

    Attributes:
        text: str
    """

    __slots__ = ("text",)
    _given = ("text",)
    text: str

    def __init__(
        self,
        *,
        text: str = _rec.UNSET,
    ) -> None:
        self.text = text

    @classmethod
    def _state(cls, out: _rec.Writer | None = None) -> list[_Any]:
        return [b""]

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, state: list[_Any] | None = None) -> tuple[Name, int]:
        made: _Any = cls.__new__(cls)
        if state is None:
            state = cls._state()
        step, index, start = "", None, pos
        try:
            step, start = "text", pos
            coded, pos = _FrontCoded._read(at, pos, state[0])
            made.text = state[0] = coded.value
            made.text = _in.as_text(made.text, start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("text", "utf8", target=_FrontCoded, coded=True, state=0),
            ],
            states=[b""],
        )

    def _write(self, out: _rec.Writer, state: list[_Any] | None = None) -> None:
        made: _Any = self
        if state is None:
            state = self._state(out)
        step, index = "", None
        try:
            step = "text"
            coded = _FrontCoded(_out.utf8(made.text))
            coded._write(out, state[0])
            state[0] = coded.value
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Entry(_rec.Variant):
    """What an entry holds."""

    __slots__ = ("method", "limit")
    method: Method | int
    limit: int
    EMPTY: _ClassVar[_rec.Class[Entry_EMPTY]]
    STORED: _ClassVar[_rec.Class[Entry_STORED]]
    NUMBERS: _ClassVar[_rec.Class[Entry_NUMBERS]]

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry, int]:
        tag: _Any = method
        found: _Any = _Entry_alternatives.get(tag)
        if found is None:
            raise _in.refused(f"Entry has no alternative for {tag!r}", pos)
        made, pos = found._read(at, pos, method, limit)
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Choice("method", params=["method", "limit"], table=_Entry_alternatives)


class Entry_EMPTY(Entry):
    """Entry.EMPTY."""

    __slots__ = ()
    _given = ()
    _parameters = ("method", "limit")
    kind = "EMPTY"
    tag = Method.EMPTY
    method: Method | int
    limit: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry_EMPTY, int]:
        made: _Any = cls.__new__(cls)
        made.method = method
        made.limit = limit
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["method", "limit"])

    def _write(self, out: _rec.Writer, method: Method | int, limit: int) -> None:
        made: _Any = self
        made.method = method
        made.limit = limit
        step, index = "", None
        try:
            if made.method != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.method!r}")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Entry_STORED(Entry):
    """At most `limit` bytes.

    Attributes:
        n: int
        data: bytes
    """

    __slots__ = ("n", "data")
    _given = ("data",)
    _parameters = ("method", "limit")
    kind = "STORED"
    tag = Method.STORED
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda made: ()),)
    method: Method | int
    limit: int
    n: int
    data: bytes

    def __init__(
        self,
        *,
        data: bytes = _rec.UNSET,
    ) -> None:
        self.n = _rec.UNSET
        self.data = data

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry_STORED, int]:
        made: _Any = cls.__new__(cls)
        made.method = method
        made.limit = limit
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "n", pos
            made.n, pos = _in.uvarint(buf, pos, 32)
            start_n = start
            if not (made.n <= made.limit):
                raise _in.refused("too long", start)
            step, start = "data", pos
            made.data, pos = _in.take(buf, pos, made.n)
            step = "n"
            if made.n != len(made.data):
                raise _in.refused("n must be count(data)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("n", "uvarint32", derived=("count", "data"), checks=[("<=", "n", "limit")]),
                _tab.Step("data", "bytes", length="n", checks=[("==", "n", ("count", "data"))]),
            ],
            params=["method", "limit"],
        )

    def _write(self, out: _rec.Writer, method: Method | int, limit: int) -> None:
        made: _Any = self
        made.method = method
        made.limit = limit
        data, step, index = out.data, "", None
        try:
            if made.method != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.method!r}")
            step = "n"
            made.n = len(made.data)
            _out.put_uvarint(data, made.n, 32)
            if not (made.n <= made.limit):
                raise _out.unfit("too long")
            step = "data"
            data += _out.raw(made.data)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Entry_NUMBERS_n = _rec.Layout(">", n="B", largest="H")


class Entry_NUMBERS(Entry):
    """Entry.NUMBERS.

    Attributes:
        n: int
        largest: int
        values: _columns.Bits
    """

    __slots__ = ("n", "largest", "values")
    _given = ("largest", "values")
    _parameters = ("method", "limit")
    kind = "NUMBERS"
    tag = Method.NUMBERS
    method: Method | int
    limit: int
    n: int
    largest: int
    values: _columns.Bits

    def __init__(
        self,
        *,
        largest: int = _rec.UNSET,
        values: _columns.Bits = _rec.UNSET,
    ) -> None:
        self.n = _rec.UNSET
        self.largest = largest
        self.values = values

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, method: Method | int, limit: int) -> tuple[Entry_NUMBERS, int]:
        made: _Any = cls.__new__(cls)
        made.method = method
        made.limit = limit
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.n, made.largest = _Entry_NUMBERS_n.unpack(buf, pos)
            pos += 3
            start_n = start
            step, start = "values", pos
            made.values, pos = _col.read_bits(buf, pos, made.n, width_of(made.largest))
            step = "n"
            if made.n != len(made.values):
                raise _in.refused("n must be count(values)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("n", "u8", derived=("count", "values")),
                _tab.Step("largest", "u16", big=True),
                _tab.Step(
                    "values",
                    "bits",
                    width=("let", (("largest", "largest"),), ("if", (">", "largest", 0), ("bit_length", "largest"), 0)),
                    length="n",
                    checks=[("==", "n", ("count", "values"))],
                ),
            ],
            params=["method", "limit"],
        )

    def _write(self, out: _rec.Writer, method: Method | int, limit: int) -> None:
        made: _Any = self
        made.method = method
        made.limit = limit
        data, step, index = out.data, "", None
        try:
            if made.method != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.method!r}")
            step = "n"
            made.n = len(made.values)
            step = ""
            data += _Entry_NUMBERS_n.pack(made.n, made.largest)
            step = "values"
            made.values = _col.packed(made.values, made.n, width_of(made.largest))
            data += made.values.to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


Entry.EMPTY = Entry_EMPTY
Entry.STORED = Entry_STORED
Entry.NUMBERS = Entry_NUMBERS
_Entry_alternatives: dict[_Any, _Any] = {
    Method.EMPTY: Entry_EMPTY,
    Method.STORED: Entry_STORED,
    Method.NUMBERS: Entry_NUMBERS,
}


# Declarations are tables: one row a field, whatever its width.
# fmt: off

# A value is the length it shares with the one before, then its new suffix.
front_coded = _decl.Codec(
    "front_coded",
    (),
    "bytes",
    fields=lambda: [
        _decl.Field(
            "shared",
            "uvarint32",
            derived=lambda value, prev: _fn.common_prefix(prev, value),
            conditions=[(lambda shared, prev: shared <= _fn.count(prev), "shares too much")],
        ),
        _decl.Field("added", "uvarint32", derived=lambda value, shared: _fn.count(value) - shared),
        _decl.Field(
            "suffix",
            "bytes",
            count=_decl.Symbol("added"),
            derived=lambda value, shared: value[shared:],
        ),
    ],
    value=lambda: lambda shared, added, suffix, prev: prev[:shared] + suffix,
)


def width_of(largest: _Any) -> _Any:
    """Bits of the numbers."""
    return largest.bit_length() if largest > 0 else 0
# fmt: on


__spec__ = _fields.describe(globals(), "input.idl", {
    "Method": 5,
})  # fmt: skip
__spec__.add(
    [
        _spec.Spec(
            "Archive",
            "record",
            Archive,
            [
                _spec.FieldSpec("magic", 1, "bytes[4]", "required", None, ""),
                _spec.FieldSpec("version", 2, "u16", "required", None, ""),
                _spec.FieldSpec("count", 3, "u16", "required", None, ""),
                _spec.FieldSpec("names", 4, "Name[count]", "required", None, ""),
                _spec.FieldSpec("methods", 5, "u8[i < count]", "required", None, ""),
                _spec.FieldSpec("entries", 6, "Entry[i < count]", "required", None, ""),
                _spec.FieldSpec("size", 7, "u32", "required", None, ""),
                _spec.FieldSpec("comment", 8, "utf8[..]", "required", None, ""),
                _spec.FieldSpec("stamp", 9, "i64", "required", None, ""),
            ],
            ("input.idl", 17),
            "Archive.",
        ),
        _spec.Spec(
            "Name",
            "record",
            Name,
            [
                _spec.FieldSpec("text", 1, "utf8", "required", None, ""),
            ],
            ("input.idl", 29),
            "Name.",
        ),
        _spec.Spec(
            "Entry",
            "variant",
            Entry,
            [
                _spec.FieldSpec("EMPTY", 1, Entry_EMPTY, "optional", None, "Entry.EMPTY."),
                _spec.FieldSpec("STORED", 2, Entry_STORED, "optional", None, "At most `limit` bytes."),
                _spec.FieldSpec("NUMBERS", 3, Entry_NUMBERS, "optional", None, "Entry.NUMBERS."),
            ],
            ("input.idl", 32),
            "What an entry holds.",
        ),
        _spec.Spec(
            "Entry.EMPTY",
            "variant",
            Entry_EMPTY,
            [],
            ("input.idl", 33),
            "Entry.EMPTY.",
        ),
        _spec.Spec(
            "Entry.STORED",
            "variant",
            Entry_STORED,
            [
                _spec.FieldSpec("n", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("data", 2, "bytes[n]", "required", None, ""),
            ],
            ("input.idl", 35),
            "At most `limit` bytes.",
        ),
        _spec.Spec(
            "Entry.NUMBERS",
            "variant",
            Entry_NUMBERS,
            [
                _spec.FieldSpec("n", 1, "u8", "required", None, ""),
                _spec.FieldSpec("largest", 2, "u16", "required", None, ""),
                _spec.FieldSpec("values", 3, "bits[n]", "required", None, ""),
            ],
            ("input.idl", 37),
            "Entry.NUMBERS.",
        ),
    ]
)
