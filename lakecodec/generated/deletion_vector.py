# Generated from deletion_vector.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:b48adc3e64c3af92a687ead840191c2491668de53eb32421ab3b532af59a7b40
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Deletion vectors of Delta tables: the positions of deleted rows in a data file, as a Roaring bitmap of 64-bit
numbers.

The envelope is that of the Delta protocol, the bitmaps are in the portable form of the Roaring specification.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import record as _rec

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


_DeletionVector_magic = _rec.Layout("<", magic="I", n="Q")
_let_containers_of = _rec.inlined(
    "cookie stated", ("if", ("==", "cookie", PLAIN_COOKIE), "stated", ("+", (">>", "cookie", 16), 1))
)
_let_shape_of = _rec.inlined(
    "cookie with_runs i numbers",
    (
        "if",
        (
            "and", ("!=", "cookie", PLAIN_COOKIE),
            ("==", ("&", (">>", ("item", "with_runs", ("//", "i", 8)), ("%", "i", 8)), 1), 1),
        ),
        2, ("if", (">", "numbers", MOST_IN_ARRAY), 1, 0),
    ),
)  # fmt: skip


class Key(_rec.Record):
    """A container: the upper halves of its numbers, and how many there are but one."""

    upper: int = _rec.field("u16")
    others: int = _rec.field("u16")


class Run(_rec.Record):
    """Numbers that follow each other."""

    first: int = _rec.field("u16")
    others: int = _rec.field("u16")


class Container(_rec.Variant, on="shape"):
    """The lower halves of a container's numbers."""

    ARRAY: _ClassVar[_rec.Class[Container_ARRAY]]
    BITMAP: _ClassVar[_rec.Class[Container_BITMAP]]
    RUNS: _ClassVar[_rec.Class[Container_RUNS]]
    shape: int = _rec.parameter()
    numbers: int = _rec.parameter()


class Container_ARRAY(Container, kind="ARRAY", tags=[0]):
    values: list[int] = _rec.field("u16[numbers]", "u16", count="numbers", smallest=2)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.values = r.numbers("values", self.numbers, "<H")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.shape)
        w.numbers("values", self.values, "<H", self.numbers)


class Container_BITMAP(Container, kind="BITMAP", tags=[1]):
    bits: bytes = _rec.field("bytes[8192]", "bytes", length=8192)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.bits = r.bytes("bits", 8192)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.shape)
        w.bytes("bits", self.bits, 8192)


class Container_RUNS(Container, kind="RUNS", tags=[2]):
    n: int = _rec.derived("u16", ("count", "runs"))
    runs: list[Run] = _rec.field("Run[n]", record="Run", count="n", smallest=4)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._n_ = r.u16("n")
        self.runs = r.records("runs", self._n_, 4, Run)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.shape)
        self._n_ = w.count("runs", self.runs)
        w.u16("n", self._n_)
        w.records("runs", Run, self.runs)


class Bitmap(_rec.Record):
    """Numbers of 32 bits."""

    cookie: int = _rec.field(
        "u32", checks=[("or", ("==", "cookie", PLAIN_COOKIE), ("==", ("%", "cookie", 65536), RUN_COOKIE))]
    )
    stated: int | None = _rec.field("u32", present=("==", "cookie", PLAIN_COOKIE), default=None)
    """Containers of a bitmap without runs."""
    with_runs: list[int] | None = _rec.field(
        "u8[((cookie >> 16) + 8) / 8]", "u8", count=("//", ("+", (">>", "cookie", 16), 8), 8), smallest=1,
        present=("!=", "cookie", PLAIN_COOKIE), default=None,
    )  # fmt: skip
    """A bit a container: whether it has runs."""
    keys: list[Key] = _rec.field(
        "Key[containers_of(cookie, stated)]", record="Key", count=_let_containers_of("cookie", "stated"), smallest=4,
        checks=[("<=", ("count", "keys"), 65536)],
    )  # fmt: skip
    places: list[int] | None = _rec.field(
        "u32[count(keys)]", "u32", count=("count", "keys"), smallest=4,
        present=("or", ("==", "cookie", PLAIN_COOKIE), (">=", ("count", "keys"), FEWEST_PLACES)), default=None,
    )  # fmt: skip
    """Where containers begin."""
    containers: list[Container] = _rec.field(
        "Container[i < count(keys)]", record="Container",
        arguments=[
            _let_shape_of("cookie", "with_runs", ("index",), ("+", ("get", ("item", "keys", ("index",)), "others"), 1)),
            ("+", ("get", ("item", "keys", ("index",)), "others"), 1),
        ],
        dimension="index", count=("count", "keys"),
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.cookie = r.u32("cookie")
        if not (self.cookie == PLAIN_COOKIE or self.cookie % 65536 == RUN_COOKIE):
            r.refuse("cookie", "not a Roaring bitmap")
        self.stated = r.u32("stated") if self.cookie == PLAIN_COOKIE else None
        self.with_runs = None
        if self.cookie != PLAIN_COOKIE:
            self.with_runs = r.numbers("with_runs", ((self.cookie >> 16) + 8) // 8, "<B")
        r.about("keys")
        self.keys = r.records("keys", containers_of(self.cookie, self.stated), 4, Key)
        if not (len(self.keys) <= 65536):
            r.refuse("keys", "more containers than there can be")
        self.places = None
        if self.cookie == PLAIN_COOKIE or len(self.keys) >= FEWEST_PLACES:
            self.places = r.numbers("places", len(self.keys), "<I")
        self.containers = [
            r.record(
                at, Container, shape_of(self.cookie, self.with_runs, at.index, self.keys[at.index].others + 1),
                self.keys[at.index].others + 1,
            )
            for at in r.each("containers", len(self.keys), None)
        ]  # fmt: skip

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.u32("cookie", self.cookie)
        if not (self.cookie == PLAIN_COOKIE or self.cookie % 65536 == RUN_COOKIE):
            w.refuse("cookie", "not a Roaring bitmap")
        if w.given("stated", self.stated, self.cookie == PLAIN_COOKIE):
            w.u32("stated", self.stated)
        if w.given("with_runs", self.with_runs, self.cookie != PLAIN_COOKIE):
            w.numbers("with_runs", self.with_runs, "<B", ((self.cookie >> 16) + 8) // 8)
        w.about("keys")
        w.records("keys", Key, self.keys, containers_of(self.cookie, self.stated))
        if not (len(self.keys) <= 65536):
            w.refuse("keys", "more containers than there can be")
        w.about("places")
        if w.given("places", self.places, self.cookie == PLAIN_COOKIE or len(self.keys) >= FEWEST_PLACES):
            w.numbers("places", self.places, "<I", len(self.keys))
        w.about("containers")
        for at, item in w.each("containers", self.containers, len(self.keys)):
            w.record(
                at, Container, item, shape_of(self.cookie, self.with_runs, at.index, self.keys[at.index].others + 1),
                self.keys[at.index].others + 1,
            )  # fmt: skip


class Bucket(_rec.Record):
    """The numbers of one upper half."""

    upper: int = _rec.field("u32")
    lower: Bitmap = _rec.field("Bitmap", record="Bitmap")


class DeletionVector(_rec.Record):
    """The positions of deleted rows."""

    magic: int = _rec.derived("u32", MAGIC)
    n: int = _rec.derived("u64", ("count", "buckets"), verifies=["magic"])
    buckets: list[Bucket] = _rec.field("Bucket[n]", record="Bucket", count="n", smallest=8)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._magic_, self._n_ = r.run(_DeletionVector_magic)
        if self._magic_ != MAGIC:
            r.refuse("magic", "not a deletion vector in the portable form")
        self.buckets = r.records("buckets", self._n_, 8, Bucket)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._magic_ = MAGIC
        self._n_ = w.count("buckets", self.buckets)
        w.run(_DeletionVector_magic, self._magic_, self._n_)
        w.records("buckets", Bucket, self.buckets)


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

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._length_ = r.u32_be("length")
        vector_at = r.tell()
        with r.within("vector", self._length_) as inner:
            self.vector = inner.record("vector", DeletionVector)
        vector_size = r.tell() - vector_at
        self._checksum_ = r.u32_be("checksum")
        if self._checksum_ != _fn.crc32(r.between(vector_at, vector_at + vector_size)):
            r.refuse("checksum", "the checksum is another")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("vector") as vector_part:
            vector_part.record("vector", DeletionVector, self.vector)
        self._length_ = len(vector_part)
        w.u32_be("length", self._length_)
        w.put(vector_part)
        w.about("checksum")
        self._checksum_ = _fn.crc32(b"".join((bytes(vector_part),)))
        w.u32_be("checksum", self._checksum_)


class VectorFile(_rec.Record):
    """A file of vectors; tables name the places of those that they need."""

    version: int = _rec.derived("u8", VERSION, verifies=["version"])
    vectors: list[StoredVector] = _rec.field("StoredVector[..]", record="StoredVector", dimension="rest")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._version_ = r.u8("version")
        if self._version_ != VERSION:
            r.refuse("version", "version must be VERSION")
        self.vectors = [r.record(at, StoredVector) for at in r.rest("vectors")]

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._version_ = VERSION
        w.u8("version", self._version_)
        w.records("vectors", StoredVector, self.vectors)


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
    "Key": 25, "Run": 31, "Container": [37, 38, 39, 40], "Bitmap": 44, "Bucket": 61, "DeletionVector": 67,
    "StoredVector": 74, "VectorFile": 81,
})  # fmt: skip
