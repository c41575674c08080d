# Generated from deletion_vector.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:2e3970bae06ce1d93804b90e1d1b676f02bbc4f68984e99c9554da2675ac6b27
"""Deletion vectors of Delta tables: the positions of deleted rows in a data file, as a Roaring bitmap of 64-bit
numbers.

The envelope is that of the Delta protocol, the bitmaps are in the portable form of the Roaring specification.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import write as _out

# Begins a vector: the portable form, the only one that is stored.
MAGIC: int = 1681511377
# The version of files of vectors.
VERSION: int = 1
# Begins a bitmap without runs.
PLAIN_COOKIE: int = 12346
# Begins a bitmap with runs, in the lower half; the upper one counts containers.
RUN_COOKIE: int = 12347
# With runs, places of containers are only stored for at least so many.
FEWEST_PLACES: int = 4
# An array has no more numbers than this; a bitmap has more.
MOST_IN_ARRAY: int = 4096


_Key_upper = _rec.Layout("<", upper="H", others="H")


class Key(_rec.Record):
    """A container: the upper halves of its numbers, and how many there are but one."""

    upper: int = _rec.field("u16")
    others: int = _rec.field("u16")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Key, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.upper, obj.others = _Key_upper.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            data += _Key_upper.pack(self.upper, self.others)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Run_first = _rec.Layout("<", first="H", others="H")


class Run(_rec.Record):
    """Numbers that follow each other."""

    first: int = _rec.field("u16")
    others: int = _rec.field("u16")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Run, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.first, obj.others = _Run_first.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            data += _Run_first.pack(self.first, self.others)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Container(_rec.Variant, on="shape"):
    """The lower halves of a container's numbers."""

    ARRAY: _ClassVar[_rec.Class[Container_ARRAY]]
    BITMAP: _ClassVar[_rec.Class[Container_BITMAP]]
    RUNS: _ClassVar[_rec.Class[Container_RUNS]]
    shape: int = _rec.parameter()
    numbers: int = _rec.parameter()

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container, int]:
        tag: _Any = shape
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"Container has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, shape, numbers)
        return obj, pos


class Container_ARRAY(Container, kind="ARRAY", tags=[0]):
    values: list[int] = _rec.field("u16[numbers]", "u16", count="numbers", smallest=2)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_ARRAY, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "values", None, pos
        obj.shape, obj.numbers = shape, numbers
        try:
            obj.values, pos = _in.numbers(buf, pos, obj.numbers, "<", "H")
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, shape: int, numbers: int) -> None:
        self.shape, self.numbers = shape, numbers
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.shape)
            field = "values"
            _out.put_numbers(data, _out.exactly(self.values, self.numbers), "<", "H")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Container_BITMAP_bits = _rec.Layout("<", bits="8192s")


class Container_BITMAP(Container, kind="BITMAP", tags=[1]):
    bits: bytes = _rec.field("bytes[8192]", "bytes", length=8192)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_BITMAP, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.shape, obj.numbers = shape, numbers
        try:
            (obj.bits,) = _Container_BITMAP_bits.unpack(buf, pos)
            pos += 8192
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, shape: int, numbers: int) -> None:
        self.shape, self.numbers = shape, numbers
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.shape)
            field = "bits"
            data += _out.raw(self.bits, 8192)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Container_RUNS_n = _rec.Layout("<", n="H")


class Container_RUNS(Container, kind="RUNS", tags=[2]):
    n: int = _rec.derived("u16", ("count", "runs"))
    runs: list[Run] = _rec.field("Run[n]", record="Run", count="n", smallest=4)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_RUNS, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.shape, obj.numbers = shape, numbers
        items: list[_Any]
        try:
            (obj.n,) = _Container_RUNS_n.unpack(buf, pos)
            pos += 2
            field, start = "runs", pos
            obj.runs = items = []
            for index in range(_in.bounded(obj.n, 4, buf, pos)):
                start = pos
                item, pos = Run._read(span, pos)
                items.append(item)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, shape: int, numbers: int) -> None:
        self.shape, self.numbers = shape, numbers
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.shape)
            field = "runs"
            self.n = len(_out.exactly(self.runs))
            field = "n"
            _out.put_number(data, self.n, "<H")
            field = "runs"
            for index, item in enumerate(_out.exactly(self.runs)):
                _out.instance(item, Run)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Bitmap_cookie = _rec.Layout("<", cookie="I")


class Bitmap(_rec.Record):
    """Numbers of 32 bits."""

    cookie: int = _rec.field(
        "u32", checks=[("or", ("==", "cookie", PLAIN_COOKIE), ("==", ("%", "cookie", 65536), RUN_COOKIE))]
    )
    stated: int | None = _rec.field("u32", present=("==", "cookie", PLAIN_COOKIE), default=None)
    """Containers of a bitmap without runs."""
    with_runs: list[int] | None = _rec.field(
        "u8[(cookie >> 16 + 8) / 8]", "u8", count=("//", ("+", (">>", "cookie", 16), 8), 8), smallest=1,
        present=("!=", "cookie", PLAIN_COOKIE), default=None,
    )  # fmt: skip
    """A bit a container: whether it has runs."""
    keys: list[Key] = _rec.field(
        "Key[containers_of(cookie, stated)]", record="Key",
        count=(
            "let", (("cookie", "cookie"), ("stated", "stated")),
            ("if", ("==", "cookie", PLAIN_COOKIE), "stated", ("+", (">>", "cookie", 16), 1)),
        ),
        smallest=4, checks=[("<=", ("count", "keys"), 65536)],
    )  # fmt: skip
    places: list[int] | None = _rec.field(
        "u32[count(keys)]", "u32", count=("count", "keys"), smallest=4,
        present=("or", ("==", "cookie", PLAIN_COOKIE), (">=", ("count", "keys"), FEWEST_PLACES)), default=None,
    )  # fmt: skip
    """Where containers begin."""
    containers: list[Container] = _rec.field(
        "Container[i < count(keys)]", record="Container",
        arguments=[
            (
                "let",
                (
                    ("cookie", "cookie"), ("with_runs", "with_runs"), ("i", ("index",)),
                    ("numbers", ("+", ("get", ("item", "keys", ("index",)), "others"), 1)),
                ),
                (
                    "if",
                    (
                        "and", ("!=", "cookie", PLAIN_COOKIE),
                        ("==", ("&", (">>", ("item", "with_runs", ("//", "i", 8)), ("%", "i", 8)), 1), 1),
                    ),
                    2, ("if", (">", "numbers", MOST_IN_ARRAY), 1, 0),
                ),
            ),
            ("+", ("get", ("item", "keys", ("index",)), "others"), 1),
        ],
        dimension="index", count=("count", "keys"),
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Bitmap, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        item: _Any
        items: list[_Any]
        try:
            (obj.cookie,) = _Bitmap_cookie.unpack(buf, pos)
            pos += 4
            field = "cookie"
            if not (obj.cookie == PLAIN_COOKIE or obj.cookie % 65536 == RUN_COOKIE):
                raise _in.refused("not a Roaring bitmap", start)
            field, start = "stated", pos
            if obj.cookie == PLAIN_COOKIE:
                obj.stated, pos = _in.number(buf, pos, "<I")
            else:
                obj.stated = None
            field, start = "with_runs", pos
            if obj.cookie != PLAIN_COOKIE:
                obj.with_runs, pos = _in.numbers(buf, pos, ((obj.cookie >> 16) + 8) // 8, "<", "B")
            else:
                obj.with_runs = None
            field, start = "keys", pos
            obj.keys = items = []
            begin = start
            for index in range(_in.bounded(containers_of(obj.cookie, obj.stated), 4, buf, pos)):
                start = pos
                item, pos = Key._read(span, pos)
                items.append(item)
            index, start = None, begin
            if not (len(obj.keys) <= 65536):
                raise _in.refused("more containers than there can be", start)
            field, start = "places", pos
            if obj.cookie == PLAIN_COOKIE or len(obj.keys) >= FEWEST_PLACES:
                obj.places, pos = _in.numbers(buf, pos, len(obj.keys), "<", "I")
            else:
                obj.places = None
            field, start = "containers", pos
            obj.containers = items = []
            for index in range(len(obj.keys)):
                start = pos
                item, pos = Container._read(
                    span, pos, shape_of(obj.cookie, obj.with_runs, index, obj.keys[index].others + 1),
                    obj.keys[index].others + 1,
                )  # fmt: skip
                items.append(item)
                span.passed(start, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "cookie", None
        try:
            _out.put_number(data, self.cookie, "<I")
            if not (self.cookie == PLAIN_COOKIE or self.cookie % 65536 == RUN_COOKIE):
                raise _out.unfit("not a Roaring bitmap")
            field = "stated"
            if self.cookie == PLAIN_COOKIE:
                _out.put_number(data, self.stated, "<I")
            else:
                _out.absent(self.stated)
            field = "with_runs"
            if self.cookie != PLAIN_COOKIE:
                _out.put_numbers(data, _out.exactly(self.with_runs, ((self.cookie >> 16) + 8) // 8), "<", "B")
            else:
                _out.absent(self.with_runs)
            field = "keys"
            for index, item in enumerate(_out.exactly(self.keys, containers_of(self.cookie, self.stated))):
                _out.instance(item, Key)._write(out)
            index = None
            if not (len(self.keys) <= 65536):
                raise _out.unfit("more containers than there can be")
            field = "places"
            if self.cookie == PLAIN_COOKIE or len(self.keys) >= FEWEST_PLACES:
                _out.put_numbers(data, _out.exactly(self.places, len(self.keys)), "<", "I")
            else:
                _out.absent(self.places)
            field = "containers"
            for index, item in enumerate(_out.exactly(self.containers, len(self.keys))):
                _out.instance(item, Container)._write(
                    out, shape_of(self.cookie, self.with_runs, index, self.keys[index].others + 1),
                    self.keys[index].others + 1,
                )  # fmt: skip
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Bucket_upper = _rec.Layout("<", upper="I")


class Bucket(_rec.Record):
    """The numbers of one upper half."""

    upper: int = _rec.field("u32")
    lower: Bitmap = _rec.field("Bitmap", record="Bitmap")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Bucket, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.upper,) = _Bucket_upper.unpack(buf, pos)
            pos += 4
            field, start = "lower", pos
            obj.lower, pos = Bitmap._read(span, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "upper", None
        try:
            _out.put_number(data, self.upper, "<I")
            field = "lower"
            _out.instance(self.lower, Bitmap)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_DeletionVector_magic = _rec.Layout("<", magic="I", n="Q")


class DeletionVector(_rec.Record):
    """The positions of deleted rows."""

    magic: int = _rec.derived("u32", MAGIC)
    n: int = _rec.derived("u64", ("count", "buckets"), verifies=["magic"])
    buckets: list[Bucket] = _rec.field("Bucket[n]", record="Bucket", count="n", smallest=8)

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[DeletionVector, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        items: list[_Any]
        try:
            obj.magic, obj.n = _DeletionVector_magic.unpack(buf, pos)
            pos += 12
            field = "magic"
            if obj.magic != MAGIC:
                raise _in.refused("not a deletion vector in the portable form", start)
            field, start = "buckets", pos
            obj.buckets = items = []
            for index in range(_in.bounded(obj.n, 8, buf, pos)):
                start = pos
                item, pos = Bucket._read(span, pos)
                items.append(item)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "buckets", None
        try:
            self.magic = MAGIC
            self.n = len(_out.exactly(self.buckets))
            field = ""
            data += _DeletionVector_magic.pack(self.magic, self.n)
            field = "buckets"
            for index, item in enumerate(_out.exactly(self.buckets)):
                _out.instance(item, Bucket)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_StoredVector_length = _rec.Layout(">", length="I")
_StoredVector_checksum = _rec.Layout(">", checksum="I")


class StoredVector(_rec.Record):
    """A vector in a file of vectors."""

    length: int = _rec.derived("u32", ("captured", "size", "vector"), big=True, before=[("aside", "vector")])
    vector: DeletionVector = _rec.field(
        "DeletionVector", record="DeletionVector", size="length", captures=["size", "start"], open=["size"]
    )
    checksum: int = _rec.derived(
        "u32", ("call", _fn.crc32, ("encoded", "vector")), big=True,
        verifies=[
            (
                "==", "checksum",
                (
                    "call", _fn.crc32,
                    (
                        "bytes", ("captured", "start", "vector"),
                        ("+", ("captured", "start", "vector"), ("captured", "size", "vector")),
                    ),
                ),
            )
        ],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[StoredVector, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.length,) = _StoredVector_length.unpack(buf, pos)
            pos += 4
            field, start = "vector", pos
            outer, span = span, span.within(pos, obj.length)
            buf = span.buf
            obj.vector, pos = DeletionVector._read(span, pos)
            span.finish(pos)
            span, buf = outer, outer.buf
            size_vector = pos - start
            start_vector = start
            field, start = "", pos
            (obj.checksum,) = _StoredVector_checksum.unpack(buf, pos)
            pos += 4
            field = "checksum"
            if obj.checksum != _fn.crc32(bytes(buf[start_vector : start_vector + size_vector])):
                raise _in.refused("the checksum is another", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            outer, out = out, out.part()
            data = out.data
            field = "vector"
            _out.instance(self.vector, DeletionVector)._write(out)
            part_vector, out, data = data, outer, outer.data
            field = "length"
            self.length = len(part_vector)
            _out.put_number(data, self.length, ">I")
            data += part_vector
            field = "checksum"
            self.checksum = _fn.crc32(b"".join((part_vector,)))
            _out.put_number(data, self.checksum, ">I")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class VectorFile(_rec.Record):
    """A file of vectors; tables name the places of those that they need."""

    version: int = _rec.derived("u8", VERSION, verifies=["version"])
    vectors: list[StoredVector] = _rec.field("StoredVector[..]", record="StoredVector", dimension="rest")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[VectorFile, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "version", None, pos
        items: list[_Any]
        try:
            obj.version = buf[pos]
            pos += 1
            if obj.version != VERSION:
                raise _in.refused("version must be VERSION", start)
            field, start = "vectors", pos
            obj.vectors = items = []
            while pos < len(buf):
                index = len(items)
                start = pos
                item, pos = StoredVector._read(span, pos)
                items.append(item)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "version", None
        try:
            self.version = VERSION
            _out.put_number(data, self.version, "<B")
            field = "vectors"
            for index, item in enumerate(_out.exactly(self.vectors)):
                _out.instance(item, StoredVector)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


# Declarations are tables: one row a field, whatever its width.
# fmt: off


def containers_of(cookie: _Any, stated: _Any) -> _Any:
    """How many containers a bitmap has."""
    return stated if cookie == PLAIN_COOKIE else (cookie >> 16) + 1


def shape_of(cookie: _Any, with_runs: _Any, i: _Any, numbers: _Any) -> _Any:
    """Which container it is: runs where its bit says so, else by the count of its numbers."""
    return 2 if cookie != PLAIN_COOKIE and with_runs[i // 8] >> i % 8 & 1 == 1 else (1 if numbers > MOST_IN_ARRAY else 0)
# fmt: on


__spec__ = _fields.describe(globals(), "deletion_vector.idl", {
    "Key": 25, "Run": 31, "Container": 37, "Container_ARRAY": 38, "Container_BITMAP": 39, "Container_RUNS": 40,
    "Bitmap": 44, "Bucket": 61, "DeletionVector": 67, "StoredVector": 74, "VectorFile": 81,
})  # fmt: skip
