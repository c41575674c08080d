# Generated from deletion_vector.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:3cc88e45a48f9f59ebad0a9e1e75d46fb87b71d45321e82fa5530154dfb97447
"""Deletion vectors of Delta tables: the positions of deleted rows in a data file, as a Roaring bitmap of 64-bit
numbers.

The envelope is that of the Delta protocol, the bitmaps are in the portable form of the Roaring specification.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import fields as _fields
from ..runtime import spec as _spec
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import table as _tab
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
    """A container: the upper halves of its numbers, and how many there are but one.

    Attributes:
        upper: int
        others: int
    """

    __slots__ = ("upper", "others")
    _given = ("upper", "others")
    upper: int
    others: int

    def __init__(
        self,
        *,
        upper: int = _rec.UNSET,
        others: int = _rec.UNSET,
    ) -> None:
        self.upper = upper
        self.others = others

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Key, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.upper, made.others = _Key_upper.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("upper", "u16"),
                _tab.Step("others", "u16"),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Key_upper.pack(made.upper, made.others)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Run_first = _rec.Layout("<", first="H", others="H")


class Run(_rec.Record):
    """Numbers that follow each other.

    Attributes:
        first: int
        others: int
    """

    __slots__ = ("first", "others")
    _given = ("first", "others")
    first: int
    others: int

    def __init__(
        self,
        *,
        first: int = _rec.UNSET,
        others: int = _rec.UNSET,
    ) -> None:
        self.first = first
        self.others = others

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Run, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.first, made.others = _Run_first.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("first", "u16"),
                _tab.Step("others", "u16"),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Run_first.pack(made.first, made.others)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Container(_rec.Variant):
    """The lower halves of a container's numbers."""

    __slots__ = ("shape", "numbers")
    shape: int
    numbers: int
    ARRAY: _ClassVar[_rec.Class[Container_ARRAY]]
    BITMAP: _ClassVar[_rec.Class[Container_BITMAP]]
    RUNS: _ClassVar[_rec.Class[Container_RUNS]]

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container, int]:
        tag: _Any = shape
        found: _Any = _Container_alternatives.get(tag)
        if found is None:
            raise _in.refused(f"Container has no alternative for {tag!r}", pos)
        made, pos = found._read(at, pos, shape, numbers)
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Choice("shape", params=["shape", "numbers"], table=_Container_alternatives)


class Container_ARRAY(Container):
    """Container.ARRAY.

    Attributes:
        values: list[int]
    """

    __slots__ = ("values",)
    _given = ("values",)
    _parameters = ("shape", "numbers")
    kind = "ARRAY"
    tag = 0
    shape: int
    numbers: int
    values: list[int]

    def __init__(
        self,
        *,
        values: list[int] = _rec.UNSET,
    ) -> None:
        self.values = values

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_ARRAY, int]:
        made: _Any = cls.__new__(cls)
        made.shape = shape
        made.numbers = numbers
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "values", pos
            made.values, pos = _in.numbers(buf, pos, made.numbers, "<", "H")
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("values", "u16", dimension="count", count="numbers", smallest=2),
            ],
            params=["shape", "numbers"],
        )

    def _write(self, out: _rec.Writer, shape: int, numbers: int) -> None:
        made: _Any = self
        made.shape = shape
        made.numbers = numbers
        data, step, index = out.data, "", None
        try:
            if made.shape != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.shape!r}")
            step = "values"
            _out.put_numbers(data, _out.exactly(made.values, made.numbers), "<", "H")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Container_BITMAP_bits = _rec.Layout("<", bits="8192s")


class Container_BITMAP(Container):
    """Container.BITMAP.

    Attributes:
        bits: bytes
    """

    __slots__ = ("bits",)
    _given = ("bits",)
    _parameters = ("shape", "numbers")
    kind = "BITMAP"
    tag = 1
    shape: int
    numbers: int
    bits: bytes

    def __init__(
        self,
        *,
        bits: bytes = _rec.UNSET,
    ) -> None:
        self.bits = bits

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_BITMAP, int]:
        made: _Any = cls.__new__(cls)
        made.shape = shape
        made.numbers = numbers
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.bits,) = _Container_BITMAP_bits.unpack(buf, pos)
            pos += 8192
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("bits", "bytes", length=8192),
            ],
            params=["shape", "numbers"],
        )

    def _write(self, out: _rec.Writer, shape: int, numbers: int) -> None:
        made: _Any = self
        made.shape = shape
        made.numbers = numbers
        data, step, index = out.data, "", None
        try:
            if made.shape != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.shape!r}")
            step = ""
            data += _Container_BITMAP_bits.pack(made.bits)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Container_RUNS_n = _rec.Layout("<", n="H")


class Container_RUNS(Container):
    """Container.RUNS.

    Attributes:
        n: int
        runs: list[Run]
    """

    __slots__ = ("n", "runs")
    _given = ("runs",)
    _parameters = ("shape", "numbers")
    kind = "RUNS"
    tag = 2
    shape: int
    numbers: int
    n: int
    runs: list[Run]

    def __init__(
        self,
        *,
        runs: list[Run] = _rec.UNSET,
    ) -> None:
        self.n = _rec.UNSET
        self.runs = runs

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, shape: int, numbers: int) -> tuple[Container_RUNS, int]:
        made: _Any = cls.__new__(cls)
        made.shape = shape
        made.numbers = numbers
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.n,) = _Container_RUNS_n.unpack(buf, pos)
            pos += 2
            start_n = start
            step, start = "runs", pos
            made.runs = items = []
            begin = pos
            for index in range(_in.bounded(made.n, 4, buf, pos)):
                start = pos
                item, pos = Run._read(at, pos)
                items.append(item)
            index, start = None, begin
            step = "n"
            if made.n != len(made.runs):
                raise _in.refused("n must be count(runs)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("n", "u16", derived=("count", "runs")),
                _tab.Step(
                    "runs",
                    "record",
                    target=Run,
                    dimension="count",
                    count="n",
                    smallest=4,
                    checks=[("==", "n", ("count", "runs"))],
                ),
            ],
            params=["shape", "numbers"],
        )

    def _write(self, out: _rec.Writer, shape: int, numbers: int) -> None:
        made: _Any = self
        made.shape = shape
        made.numbers = numbers
        data, step, index = out.data, "", None
        try:
            if made.shape != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.shape!r}")
            step = "n"
            made.n = len(made.runs)
            step = ""
            data += _Container_RUNS_n.pack(made.n)
            step = "runs"
            for index, item in enumerate(made.runs):
                _out.instance(item, Run)._write(out)
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


Container.ARRAY = Container_ARRAY
Container.BITMAP = Container_BITMAP
Container.RUNS = Container_RUNS
_Container_alternatives: dict[_Any, _Any] = {
    0: Container_ARRAY,
    1: Container_BITMAP,
    2: Container_RUNS,
}


_Bitmap_cookie = _rec.Layout("<", cookie="I")


class Bitmap(_rec.Record):
    """Numbers of 32 bits.

    Attributes:
        cookie: int
        stated: Containers of a bitmap without runs.
        with_runs: A bit a container: whether it has runs.
        keys: list[Key]
        places: Where containers begin.
        containers: list[Container]
    """

    __slots__ = ("cookie", "stated", "with_runs", "keys", "places", "containers")
    _given = ("cookie", "stated", "with_runs", "keys", "places", "containers")
    cookie: int
    stated: int | None
    with_runs: list[int] | None
    keys: list[Key]
    places: list[int] | None
    containers: list[Container]

    def __init__(
        self,
        *,
        cookie: int = _rec.UNSET,
        stated: int | None = _rec.UNSET,
        with_runs: list[int] | None = _rec.UNSET,
        keys: list[Key] = _rec.UNSET,
        places: list[int] | None = _rec.UNSET,
        containers: list[Container] = _rec.UNSET,
    ) -> None:
        self.cookie = cookie
        self.stated = stated
        self.with_runs = with_runs
        self.keys = keys
        self.places = places
        self.containers = containers

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Bitmap, int]:
        made: _Any = cls.__new__(cls)
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.cookie,) = _Bitmap_cookie.unpack(buf, pos)
            pos += 4
            step = "cookie"
            if not (made.cookie == PLAIN_COOKIE or made.cookie % 65536 == RUN_COOKIE):
                raise _in.refused("not a Roaring bitmap", start)
            step, start = "stated", pos
            if made.cookie == PLAIN_COOKIE:
                made.stated, pos = _in.number(buf, pos, "<I")
            else:
                made.stated = None
            step, start = "with_runs", pos
            if made.cookie != PLAIN_COOKIE:
                made.with_runs, pos = _in.numbers(buf, pos, ((made.cookie >> 16) + 8) // 8, "<", "B")
            else:
                made.with_runs = None
            step, start = "keys", pos
            made.keys = items = []
            begin = pos
            for index in range(_in.bounded(containers_of(made.cookie, made.stated), 4, buf, pos)):
                start = pos
                item, pos = Key._read(at, pos)
                items.append(item)
            index, start = None, begin
            if not (len(made.keys) <= 65536):
                raise _in.refused("more containers than there can be", start)
            step, start = "places", pos
            if made.cookie == PLAIN_COOKIE or len(made.keys) >= FEWEST_PLACES:
                made.places, pos = _in.numbers(buf, pos, len(made.keys), "<", "I")
            else:
                made.places = None
            step, start = "containers", pos
            made.containers = items = []
            begin = pos
            for index in range(len(made.keys)):
                start = pos
                item, pos = Container._read(
                    at,
                    pos,
                    shape_of(made.cookie, made.with_runs, index, made.keys[index].others + 1),
                    made.keys[index].others + 1,
                )
                items.append(item)
            index, start = None, begin
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "cookie",
                    "u32",
                    checks=[("or", ("==", "cookie", PLAIN_COOKIE), ("==", ("%", "cookie", 65536), RUN_COOKIE))],
                ),
                _tab.Step("stated", "u32", present=("==", "cookie", PLAIN_COOKIE)),
                _tab.Step(
                    "with_runs",
                    "u8",
                    dimension="count",
                    count=("//", ("+", (">>", "cookie", 16), 8), 8),
                    smallest=1,
                    present=("!=", "cookie", PLAIN_COOKIE),
                ),
                _tab.Step(
                    "keys",
                    "record",
                    target=Key,
                    dimension="count",
                    count=(
                        "let",
                        (("cookie", "cookie"), ("stated", "stated")),
                        ("if", ("==", "cookie", PLAIN_COOKIE), "stated", ("+", (">>", "cookie", 16), 1)),
                    ),
                    smallest=4,
                    checks=[("<=", ("count", "keys"), 65536)],
                ),
                _tab.Step(
                    "places",
                    "u32",
                    dimension="count",
                    count=("count", "keys"),
                    smallest=4,
                    present=("or", ("==", "cookie", PLAIN_COOKIE), (">=", ("count", "keys"), FEWEST_PLACES)),
                ),
                _tab.Step(
                    "containers",
                    "record",
                    target=Container,
                    arguments=[
                        (
                            "let",
                            (
                                ("cookie", "cookie"),
                                ("with_runs", "with_runs"),
                                ("i", ("index",)),
                                ("numbers", ("+", ("get", ("item", "keys", ("index",)), "others"), 1)),
                            ),
                            (
                                "if",
                                (
                                    "and",
                                    ("!=", "cookie", PLAIN_COOKIE),
                                    ("==", ("&", (">>", ("item", "with_runs", ("//", "i", 8)), ("%", "i", 8)), 1), 1),
                                ),
                                2,
                                ("if", (">", "numbers", MOST_IN_ARRAY), 1, 0),
                            ),
                        ),
                        ("+", ("get", ("item", "keys", ("index",)), "others"), 1),
                    ],
                    dimension="index",
                    count=("count", "keys"),
                ),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Bitmap_cookie.pack(made.cookie)
            step = "cookie"
            if not (made.cookie == PLAIN_COOKIE or made.cookie % 65536 == RUN_COOKIE):
                raise _out.unfit("not a Roaring bitmap")
            step = "stated"
            if made.cookie == PLAIN_COOKIE:
                data += _out.pack("<I", made.stated)
            else:
                _out.absent(made.stated)
            step = "with_runs"
            if made.cookie != PLAIN_COOKIE:
                _out.put_numbers(data, _out.exactly(made.with_runs, ((made.cookie >> 16) + 8) // 8), "<", "B")
            else:
                _out.absent(made.with_runs)
            step = "keys"
            for index, item in enumerate(_out.exactly(made.keys, containers_of(made.cookie, made.stated))):
                _out.instance(item, Key)._write(out)
            index = None
            if not (len(made.keys) <= 65536):
                raise _out.unfit("more containers than there can be")
            step = "places"
            if made.cookie == PLAIN_COOKIE or len(made.keys) >= FEWEST_PLACES:
                _out.put_numbers(data, _out.exactly(made.places, len(made.keys)), "<", "I")
            else:
                _out.absent(made.places)
            step = "containers"
            for index, item in enumerate(_out.exactly(made.containers, len(made.keys))):
                _out.instance(item, Container)._write(
                    out,
                    shape_of(made.cookie, made.with_runs, index, made.keys[index].others + 1),
                    made.keys[index].others + 1,
                )
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Bucket_upper = _rec.Layout("<", upper="I")


class Bucket(_rec.Record):
    """The numbers of one upper half.

    Attributes:
        upper: int
        lower: Bitmap
    """

    __slots__ = ("upper", "lower")
    _given = ("upper", "lower")
    upper: int
    lower: Bitmap

    def __init__(
        self,
        *,
        upper: int = _rec.UNSET,
        lower: Bitmap = _rec.UNSET,
    ) -> None:
        self.upper = upper
        self.lower = lower

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Bucket, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.upper,) = _Bucket_upper.unpack(buf, pos)
            pos += 4
            step, start = "lower", pos
            made.lower, pos = Bitmap._read(at, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("upper", "u32"),
                _tab.Step("lower", "record", target=Bitmap),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Bucket_upper.pack(made.upper)
            step = "lower"
            _out.instance(made.lower, Bitmap)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_DeletionVector_magic = _rec.Layout("<", magic="I", n="Q")


class DeletionVector(_rec.Record):
    """The positions of deleted rows.

    Attributes:
        magic: int
        n: int
        buckets: list[Bucket]
    """

    __slots__ = ("magic", "n", "buckets")
    _given = ("buckets",)
    magic: int
    n: int
    buckets: list[Bucket]

    def __init__(
        self,
        *,
        buckets: list[Bucket] = _rec.UNSET,
    ) -> None:
        self.magic = _rec.UNSET
        self.n = _rec.UNSET
        self.buckets = buckets

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[DeletionVector, int]:
        made: _Any = cls.__new__(cls)
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.magic, made.n = _DeletionVector_magic.unpack(buf, pos)
            pos += 12
            step = "magic"
            if made.magic != MAGIC:
                raise _in.refused("not a deletion vector in the portable form", start)
            start_n = start + 4
            step, start = "buckets", pos
            made.buckets = items = []
            begin = pos
            for index in range(_in.bounded(made.n, 8, buf, pos)):
                start = pos
                item, pos = Bucket._read(at, pos)
                items.append(item)
            index, start = None, begin
            step = "n"
            if made.n != len(made.buckets):
                raise _in.refused("n must be count(buckets)", start_n)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("magic", "u32", derived=MAGIC),
                _tab.Step("n", "u64", derived=("count", "buckets"), checks=[("==", "magic", MAGIC)]),
                _tab.Step(
                    "buckets",
                    "record",
                    target=Bucket,
                    dimension="count",
                    count="n",
                    smallest=8,
                    checks=[("==", "n", ("count", "buckets"))],
                ),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "magic"
            made.magic = MAGIC
            step = "n"
            made.n = len(made.buckets)
            step = ""
            data += _DeletionVector_magic.pack(made.magic, made.n)
            step = "buckets"
            for index, item in enumerate(made.buckets):
                _out.instance(item, Bucket)._write(out)
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_StoredVector_length = _rec.Layout(">", length="I")
_StoredVector_checksum = _rec.Layout(">", checksum="I")


class StoredVector(_rec.Record):
    """A vector in a file of vectors.

    Attributes:
        length: int
        vector: DeletionVector
        checksum: int
    """

    __slots__ = ("length", "vector", "checksum")
    _given = ("vector", "checksum")
    length: int
    vector: DeletionVector
    checksum: int

    def __init__(
        self,
        *,
        vector: DeletionVector = _rec.UNSET,
        checksum: int = _rec.UNSET,
    ) -> None:
        self.length = _rec.UNSET
        self.vector = vector
        self.checksum = checksum

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[StoredVector, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.length,) = _StoredVector_length.unpack(buf, pos)
            pos += 4
            start_length = start
            step, start = "vector", pos
            outer, at = at, at.within(pos, made.length)
            buf = at.buf
            made.vector, pos = DeletionVector._read(at, pos)
            at.finish(pos)
            at = outer
            buf = at.buf
            size_vector = pos - start
            step = "length"
            if made.length != size_vector:
                raise _in.refused("length must be size(vector)", start_length)
            step, start = "", pos
            (made.checksum,) = _StoredVector_checksum.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("length", "u32", big=True, derived=("noted", "size", "vector")),
                _tab.Step(
                    "vector",
                    "record",
                    target=DeletionVector,
                    size="length",
                    notes=["size"],
                    checks=[("==", "length", ("noted", "size", "vector"))],
                ),
                _tab.Step("checksum", "u32", big=True),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            outer, out = out, out.part()
            data = out.data
            step = "vector"
            _out.instance(made.vector, DeletionVector)._write(out)
            part_vector, out = data, outer
            data = out.data
            step = "length"
            made.length = len(part_vector)
            step = ""
            data += _StoredVector_length.pack(made.length)
            data += part_vector
            data += _StoredVector_checksum.pack(made.checksum)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


# Declarations are tables: one row a field, whatever its width.
# fmt: off


def containers_of(cookie: _Any, stated: _Any) -> _Any:
    """How many containers a bitmap has."""
    return stated if cookie == PLAIN_COOKIE else (cookie >> 16) + 1


def shape_of(cookie: _Any, with_runs: _Any, i: _Any, numbers: _Any) -> _Any:
    """Which container it is: runs where its bit says so, else by the count of its numbers."""
    return 2 if cookie != PLAIN_COOKIE and with_runs[i // 8] >> i % 8 & 1 == 1 else (1 if numbers > MOST_IN_ARRAY else 0)
# fmt: on


__spec__ = _fields.describe(globals(), "deletion_vector.idl", {})
__spec__.add(
    [
        _spec.Spec(
            "Key",
            "record",
            Key,
            [
                _spec.FieldSpec("upper", 1, "u16", "required", None, ""),
                _spec.FieldSpec("others", 2, "u16", "required", None, ""),
            ],
            ("deletion_vector.idl", 25),
            "A container: the upper halves of its numbers, and how many there are but one.",
        ),
        _spec.Spec(
            "Run",
            "record",
            Run,
            [
                _spec.FieldSpec("first", 1, "u16", "required", None, ""),
                _spec.FieldSpec("others", 2, "u16", "required", None, ""),
            ],
            ("deletion_vector.idl", 31),
            "Numbers that follow each other.",
        ),
        _spec.Spec(
            "Container",
            "variant",
            Container,
            [
                _spec.FieldSpec("ARRAY", 1, Container_ARRAY, "optional", None, "Container.ARRAY."),
                _spec.FieldSpec("BITMAP", 2, Container_BITMAP, "optional", None, "Container.BITMAP."),
                _spec.FieldSpec("RUNS", 3, Container_RUNS, "optional", None, "Container.RUNS."),
            ],
            ("deletion_vector.idl", 37),
            "The lower halves of a container's numbers.",
        ),
        _spec.Spec(
            "Container.ARRAY",
            "variant",
            Container_ARRAY,
            [
                _spec.FieldSpec("values", 1, "u16[numbers]", "required", None, ""),
            ],
            ("deletion_vector.idl", 38),
            "Container.ARRAY.",
        ),
        _spec.Spec(
            "Container.BITMAP",
            "variant",
            Container_BITMAP,
            [
                _spec.FieldSpec("bits", 1, "bytes[8192]", "required", None, ""),
            ],
            ("deletion_vector.idl", 39),
            "Container.BITMAP.",
        ),
        _spec.Spec(
            "Container.RUNS",
            "variant",
            Container_RUNS,
            [
                _spec.FieldSpec("n", 1, "u16", "required", None, ""),
                _spec.FieldSpec("runs", 2, "Run[n]", "required", None, ""),
            ],
            ("deletion_vector.idl", 40),
            "Container.RUNS.",
        ),
        _spec.Spec(
            "Bitmap",
            "record",
            Bitmap,
            [
                _spec.FieldSpec("cookie", 1, "u32", "required", None, ""),
                _spec.FieldSpec("stated", 2, "u32", "required", None, "Containers of a bitmap without runs."),
                _spec.FieldSpec(
                    "with_runs",
                    3,
                    "u8[(cookie >> 16 + 8) / 8]",
                    "required",
                    None,
                    "A bit a container: whether it has runs.",
                ),
                _spec.FieldSpec("keys", 4, "Key[containers_of(cookie, stated)]", "required", None, ""),
                _spec.FieldSpec("places", 5, "u32[count(keys)]", "required", None, "Where containers begin."),
                _spec.FieldSpec("containers", 6, "Container[i < count(keys)]", "required", None, ""),
            ],
            ("deletion_vector.idl", 44),
            "Numbers of 32 bits.",
        ),
        _spec.Spec(
            "Bucket",
            "record",
            Bucket,
            [
                _spec.FieldSpec("upper", 1, "u32", "required", None, ""),
                _spec.FieldSpec("lower", 2, "Bitmap", "required", None, ""),
            ],
            ("deletion_vector.idl", 61),
            "The numbers of one upper half.",
        ),
        _spec.Spec(
            "DeletionVector",
            "record",
            DeletionVector,
            [
                _spec.FieldSpec("magic", 1, "u32", "required", None, ""),
                _spec.FieldSpec("n", 2, "u64", "required", None, ""),
                _spec.FieldSpec("buckets", 3, "Bucket[n]", "required", None, ""),
            ],
            ("deletion_vector.idl", 67),
            "The positions of deleted rows.",
        ),
        _spec.Spec(
            "StoredVector",
            "record",
            StoredVector,
            [
                _spec.FieldSpec("length", 1, "u32", "required", None, ""),
                _spec.FieldSpec("vector", 2, "DeletionVector", "required", None, ""),
                _spec.FieldSpec("checksum", 3, "u32", "required", None, ""),
            ],
            ("deletion_vector.idl", 74),
            "A vector in a file of vectors.",
        ),
    ]
)
