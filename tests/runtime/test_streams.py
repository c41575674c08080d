"""Values in bytes that arrive in parts: any split gives what one buffer gives."""

from __future__ import annotations

import bisect
import gc
import importlib
import io
import itertools
import random
import socket
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, Feeder, Gap, backend
from lakecodec.formats import formats
from lakecodec.generated import parquet
from lakecodec.runtime.compact import wire

from ..compiled import compiled
from ..gallery.test_samples import WITHOUT

IDL = """
record Packet : big {
  bytes magic[2]  where magic == b"PK" else "not a packet";
  u16   n  = count(items);
  Item  items[n];
  bytes name until b"\\0";
  uvarint32 size = size(body);
  Body  body size size;
}
record Item : little { u8 kind; u32 value if kind == 1; }
record Body { u8 first; bytes rest_of_it[..]; }
record Open { u8 a; bytes left[..]; }
record Ends { u8 a; u8 b if not at_end; }
record Holds { u8 a; Open open; }
record Placed : little { u8 where_to; u8 value at where_to; }
record Scaled(i32 n) { u8 values[n]; }
struct S { 1: required i32 a  2: optional string b  3: list<i64> c }
"""


@pytest.fixture(scope="module")
def module() -> Any:
    return lakecodec.compile_idl(IDL)


def packets(module: Any, count: int) -> list[Any]:
    def items(i: int) -> list[Any]:
        return [module.Item(kind=k % 2, value=k if k % 2 else None) for k in range(i % 5)]

    return [
        module.Packet(
            magic=b"PK",
            items=items(i),
            name=b"n" * (i % 7),
            body=module.Body(first=i, rest_of_it=b"x" * (i * 50 % 300)),
        )
        for i in range(count)
    ]


def splits(data: bytes, seed: int) -> Iterator[bytes]:
    chosen, at = random.Random(seed), 0
    largest = chosen.choice([1, 2, 7, 64, len(data) + 1])
    while at < len(data):
        size = chosen.randint(0, largest) or 1
        yield data[at : at + size]
        at += size


def types() -> list[Any]:
    """All records, variants and structs of the formats that can be streamed, and have no parameters."""
    found = []
    for idl in [*(each.idl for each in formats()), Path(lakecodec.__file__).parent / "idl" / "parquet.idl"]:
        module: Any = compiled(Path(idl))
        for name, spec in module.__spec__.items():
            if (
                spec.kind in ("enum", "oneof")
                or getattr(spec.cls, "_parameters", ())
                or not hasattr(spec.cls, "feeder")
                or (Path(idl).stem, name) in WITHOUT
            ):
                continue
            try:
                spec.cls.feeder()
            except ValueError:
                continue
            found.append(pytest.param(spec.cls, id=f"{module.__name__.rpartition('.')[2]}.{name}"))
    return found


@pytest.mark.parametrize("cls", types())
def test_any_split_gives_what_one_buffer_gives(cls: Any) -> None:
    data = b"".join(each.to_bytes() for each in lakecodec.samples(cls, 6, seed=3))
    expected, ends, pos = [], [], 0
    while pos < len(data):
        value, end = cls.read(data, pos)
        if end == pos:
            return
        expected.append(value)
        ends.append(end)
        pos = end
    for seed in range(6):
        assert list(cls.stream(splits(data, seed))) == expected
        feeder = cls.feeder()
        found, taken = [], 0
        for part in splits(data, seed + 100):
            short = feeder.needed
            values = feeder.feed(part)
            # `needed` is a lower bound.
            assert not values or len(part) >= short
            found += values
            taken += len(part)
            whole = bisect.bisect_right(ends, taken)
            # Each value is there as soon as its bytes are, and no sooner than `needed` says.
            assert len(found) == whole
            assert whole == len(ends) or feeder.needed <= ends[whole] - taken
        feeder.finish()
        assert found == expected


def test_sources(module: Any, tmp_path: Path) -> None:
    expected = packets(module, 40)
    data = b"".join(each.to_bytes() for each in expected)
    (tmp_path / "packets").write_bytes(data)
    with open(tmp_path / "packets", "rb") as file:
        assert list(module.Packet.stream(file)) == expected
    assert list(module.Packet.stream(io.BytesIO(data))) == expected
    assert list(module.Packet.stream([data[:100], memoryview(data)[100:]])) == expected
    left, right = socket.socketpair()
    with left, right:
        values = module.Packet.stream(right)
        left.sendall(expected[0].to_bytes())
        # A value is there as soon as its bytes are.
        assert next(values) == expected[0]
        left.sendall(data[len(expected[0].to_bytes()) :])
        left.shutdown(socket.SHUT_WR)
        assert list(values) == expected[1:]
    with pytest.raises(TypeError, match="source"):
        module.Packet.stream(data)
    with pytest.raises(TypeError, match="source"):
        module.Packet.stream(7)


def test_every_cut_is_an_error_at_the_end(module: Any) -> None:
    value = packets(module, 4)[3]
    data = value.to_bytes()
    for size in range(1, len(data)):
        feeder = module.Packet.feeder()
        assert feeder.feed(data[:size]) == []
        with pytest.raises(DecodeError) as caught:
            feeder.finish()
        assert caught.value.offset is not None
        assert feeder.needed <= len(data) - size
        assert feeder.feed(data[size:]) == [value]
        feeder.finish()


def test_damage(module: Any) -> None:
    good = packets(module, 6)
    parts = [each.to_bytes() for each in good]
    damaged = [*parts[:2], b"XX garbage P", parts[2], b"PK\0\1", *parts[3:5], b"PK\xff"]
    data = b"".join(damaged)
    with pytest.raises(DecodeError, match="not a packet") as caught:
        list(module.Packet.stream([data]))
    assert caught.value.offset == len(parts[0] + parts[1])
    feeder = module.Packet.feeder()
    assert feeder.feed(data) == good[:2]
    with pytest.raises(DecodeError, match="not a packet"):
        feeder.feed(parts[0])
    values = []
    with pytest.raises(DecodeError):
        values.extend(module.Packet.stream([data]))
    for seed in range(8):
        found = list(module.Packet.stream(splits(data, seed), resync=b"PK"))
        gaps = [each for each in found if isinstance(each, Gap)]
        values = [each for each in found if not isinstance(each, Gap)]
        assert all(value in values for value in (*good[:3], good[4])), seed
        start = len(parts[0] + parts[1])
        assert (gaps[0].start, gaps[0].size) == (start, len(damaged[2]))
        assert "not a packet" in str(gaps[0].error)
        assert (gaps[-1].start, gaps[-1].size) == (len(data) - 3, 3)
        covered = sum(each.size for each in gaps) + sum(len(each.to_bytes()) for each in values)
        assert covered == len(data)
    with pytest.raises(TypeError, match="resync"):
        module.Packet.feeder(resync="PK")


def test_the_declared_marker(module: Any) -> None:
    good = [each.to_bytes() for each in packets(module, 5)]
    data = good[0] + b"damage" + b"".join(good[1:])
    for seed in range(4):
        told = list(module.Packet.stream(splits(data, seed), resync=True))
        assert [each.to_bytes() for each in told if not isinstance(each, Gap)] == good
        assert [(each.start, each.size) for each in told if isinstance(each, Gap)] == [(len(good[0]), 6)]
    either = lakecodec.compile_idl(
        "record R : big, streams { u16 mark where mark == 0xCAFE or mark == 0xBABE; u8 n = count(x); bytes x[n]; }"
    ).R
    parts = [either(mark=mark, x=b"x" * n).to_bytes() for n, mark in enumerate((0xCAFE, 0xBABE, 0xCAFE))]
    for seed in range(4):
        told = list(either.stream(splits(b"--".join(parts), seed), resync=True))
        assert [each.size if isinstance(each, Gap) else each.x for each in told] == [b"", 2, b"x", 2, b"xx"]
    for cls in (module.Item, module.S):
        with pytest.raises(ValueError, match="does not fix its first bytes: give those that values begin with"):
            cls.feeder(resync=True)


#: The bytes that the codec `Looked` was given.
_looked: Counter[bytes] = Counter()


@lakecodec.extern_codec
class Looked:
    """A codec that notes what it decodes."""

    def decode(self, data: Any) -> bytes:
        _looked[bytes(data)] += 1
        return bytes(data)

    def encode(self, data: Any) -> bytes:
        return bytes(data)


@pytest.mark.skipif(backend() == "pure", reason="without compiled modules a value is read anew")
@pytest.mark.parametrize("size", [1, 7, 100, 4096, 65536])
def test_no_byte_is_looked_at_more_than_twice(size: int) -> None:
    """Elements are counted by the codec that is given their bytes, at each depth of values larger than the parts."""
    module = lakecodec.compile_idl(
        f"""
        codec looked -> bytes = extern "{__name__}:Looked";
        record Large : little {{ u32 n = count(groups); Group groups[n]; bytes tail[4] via looked; }}
        record Group {{ u16 n = count(items); Item items[n]; Note notes[until last(notes).m == 0]; }}
        record Item {{ bytes name[8] via looked; u8 wide; u16 x if wide; }}
        record Note {{ u8 m = size(text); bytes text[m] via looked; }}
        """,
        allow_extern=[__name__],
    )
    numbers = itertools.count()

    def name() -> bytes:
        return b"%08d" % next(numbers)

    def group(count: int) -> Any:
        items = [module.Item(name=name(), wide=i % 2, x=i if i % 2 else None) for i in range(count)]
        return module.Group(items=items, notes=[*(module.Note(text=name()) for _ in range(5)), module.Note(text=b"")])

    count = 4 if size < 100 else 60
    expected = [
        module.Large(groups=[group(count) for _ in range(groups)], tail=b"%04d" % groups) for groups in (count, 0, 9, 1)
    ]
    data = b"".join(each.to_bytes() for each in expected)
    _looked.clear()
    feeder = module.Large.feeder()
    found = [each for at in range(0, len(data), size) for each in feeder.feed(data[at : at + size])]
    feeder.finish()
    looked = Counter(_looked)
    assert found == expected
    assert len(looked) >= next(numbers)
    del looked[b""]
    assert max(looked.values()) <= 2


@pytest.mark.skipif(backend() == "pure", reason="without compiled modules a value is read anew")
@pytest.mark.parametrize("size", [1000, 4096, 65536])
def test_values_in_parts_wait_unread(size: int) -> None:
    """Of a value in parts of which nobody asks a field no objects are made: it takes its bytes, and little more."""
    module = lakecodec.compile_idl("""
        record Lines : little { u32 n = count(lines); Line lines[n]; }
        record Line { u8 m = size(text); utf8 text[m]; u8 k = count(marks); Mark marks[k]; }
        record Mark { u8 kind; u8 more[kind]; }
    """)
    marks = [module.Mark(kind=n, more=[n] * n) for n in range(3)]
    expected = module.Lines(lines=[module.Line(text=f"line {n}", marks=marks[: n % 4]) for n in range(20_000)])
    data = expected.to_bytes()
    feeder = module.Lines.feeder()
    tracemalloc.start()
    try:
        found = [each for at in range(0, len(data), size) for each in feeder.feed(data[at : at + size])]
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    feeder.finish()
    # The entries of the tape take 8 bytes per record; an object takes 50 or more.
    assert held < len(data) + 16 * 2 * (20_000 + 30_000)
    assert found == [expected]


def test_a_large_value_that_is_cut_or_damaged() -> None:
    module = lakecodec.compile_idl("""
        record Lines { u16 n = count(lines); Line lines[n] where n < 60000; }
        record Line { u8 m = count(text); utf8 text[m]; u8 kind where kind < 2 else "an unknown kind"; }
    """)
    data = module.Lines(lines=[module.Line(text="x" * (i % 90), kind=i % 2) for i in range(2000)]).to_bytes()
    feeder = module.Lines.feeder()
    assert feeder.feed(data[:2]) == []
    # Elements have two bytes at least.
    assert feeder.needed == 4000
    assert feeder.feed(data[2:-1]) == []
    assert feeder.needed == 1
    with pytest.raises(DecodeError, match="1 byte needed, 0 left") as caught:
        feeder.finish()
    assert caught.value.path == "lines[1999].kind"
    damaged = data[:50_000] + b"\xff" * 300 + data[50_300:]
    with pytest.raises(DecodeError) as caught:
        module.Lines.from_bytes(damaged)
    for size in (7, 1000, 60_000):
        with pytest.raises(DecodeError) as told:
            list(module.Lines.stream(damaged[at : at + size] for at in range(0, len(damaged), size)))
        assert (told.value.path, told.value.offset) == (caught.value.path, caught.value.offset)


@pytest.mark.parametrize("name", ["Open", "Ends", "Holds", "Placed"])
def test_the_compiler_says_what_cannot_be_streamed(name: str) -> None:
    text = IDL.replace(f"record {name} ", f"record {name} : streams ").replace(
        ": streams : little", ": streams, little"
    )
    with pytest.raises(lakecodec.IdlError, match=rf"'{name}' cannot be streamed: "):
        lakecodec.compile_idl(text)
    lakecodec.compile_idl(IDL.replace("record Packet : big", "record Packet : big, streams"))
    variant = "variant V(u8 tag) on tag : streams { 1: A { u8 x[..]; }; }"
    with pytest.raises(lakecodec.IdlError, match=r"'V' cannot be streamed: .*goes on to the end"):
        lakecodec.compile_idl(variant)


def test_a_part_that_is_too_short_is_damage(module: Any) -> None:
    # More bytes behind the packet do not make its body longer.
    bad = b"PK\0\0\0\0"
    with pytest.raises(DecodeError, match="body"):
        module.Packet.feeder().feed(bad)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Open", "Open.left goes on to the end of the bytes"),
        ("Ends", "Ends.b needs `at_end`: where the bytes end"),
        ("Holds", "Open.left goes on"),
        ("Placed", "Placed.value is placed with `at`"),
    ],
)
def test_what_cannot_be_streamed_says_so(module: Any, name: str, reason: str) -> None:
    cls = getattr(module, name)
    with pytest.raises(ValueError, match="cannot be streamed") as caught:
        cls.feeder()
    assert reason in str(caught.value)
    with pytest.raises(ValueError, match="cannot be streamed"):
        cls.stream([])


def test_parameters_and_structs(module: Any) -> None:
    assert [each.values for each in module.Scaled.stream([b"abc", b"def1"[:3]], 2)] == [[97, 98], [99, 100], [101, 102]]
    with pytest.raises(TypeError):
        module.Scaled.stream([b"abc"])
    expected = [module.S(a=i, b="x" * i, c=list(range(i))) for i in range(20)]
    data = b"".join(each.to_bytes() for each in expected)
    assert list(module.S.stream(splits(data, 1))) == expected
    assert isinstance(module.S.feeder(), Feeder)


def test_memory_is_bounded_by_one_value(module: Any) -> None:
    one = packets(module, 6)[5].to_bytes()
    feeder = module.Packet.feeder()
    for _ in range(2000):
        assert len(feeder.feed(one[:50])) <= 1
        assert len(feeder.feed(one[50:])) == 1
        assert feeder._kept.size <= len(one)
        assert len(feeder._kept.bytes) <= len(one)


@pytest.mark.parametrize("size", [1, 3, 50, 1000])
def test_the_bytes_of_structs_are_passed_once(size: int) -> None:
    """Without compiled modules, a scanner goes on where it stood, but for the bytes of one number or header."""
    for value in lakecodec.samples(parquet.FileMetaData, 4, seed=1):
        data = value.to_bytes()
        at, state = 0, None
        for end in range(size, len(data) + size, size):
            told = wire.scan(data[:end], at, state, 64)
            assert told is not None
            now, state, missing = told
            assert at <= now <= end
            assert bool(state) == (end < len(data)) == bool(missing)
            assert missing <= len(data) - end or not state
            at = now
        assert at == len(data)
    assert wire.scan(b"\x1f", 0, None, 64) is None
    assert wire.scan(b"\x1c" * 100, 0, None, 64) is None


STRUCTS = """
struct Leaf { 1: required i32 x  2: required i64 y  3: optional string name }
union Either { 1: Leaf leaf  2: list<Leaf> leaves  3: Empty none  4: string text }
struct Empty {}
struct Tree {
  1: required i32 n
  2: list<Leaf> leaves
  3: list<Tree> below
  4: map<string, list<i64>> numbers
  5: set<string> names
  6: list<Either> choices
  7: map<i32, Tree> by_number
  8: optional Empty marker
  9: double weight
}
"""


@pytest.fixture(scope="module")
def structs() -> Any:
    return lakecodec.compile_idl(STRUCTS)


def tree(module: Any, depth: int, width: int) -> Any:
    leaves = [module.Leaf(x=i, y=(i << 20) - 1, name="n" * (i % 3) if i % 5 else None) for i in range(width)]
    choices = [
        module.Either.leaf(leaves[0]), module.Either.leaves(leaves[: width // 2]), module.Either.none(module.Empty()),
        module.Either.text("x" * width),
    ]  # fmt: skip
    below = [tree(module, depth - 1, width // 2) for _ in range(3)] if depth else []
    return module.Tree(
        n=width, leaves=leaves, below=below, numbers={str(i): list(range(0, i * 9999, 999)) for i in range(5)},
        names={f"name {i}" for i in range(width % 9)}, choices=choices, by_number=dict(enumerate(below)),
        marker=module.Empty(), weight=0.5,
    )  # fmt: skip


@pytest.mark.parametrize("fields", ["", "1 2 3 4 5 6 7 8 9", "2 3", "4 5 6", "7 9"])
@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_structs_in_parts(structs: Any, size: int, fields: str) -> None:
    """Structs go on where they stood, in whatever they hold, and in fields and members that they do not know."""
    lines = [line for line in STRUCTS.split("\n") if not any(line.startswith(f"  {n}:") for n in fields.split())]
    text = "\n".join(lines)
    module = lakecodec.compile_idl(text.replace("2: list<Leaf> leaves  3: Empty none", "") if fields else text)
    trees = [tree(structs, depth, width) for depth, width in ((2, 40), (0, 8), (1, 300), (0, 1))]
    if fields == "1 2 3 4 5 6 7 8 9":
        trees[2] = structs.Tree(n=-1, below=trees[:1] * 20)
    data = b"".join(each.to_bytes() for each in trees)
    expected, pos = [], 0
    while pos < len(data):
        value, pos = module.Tree.read(data, pos)
        expected.append(value)
    feeder, found = module.Tree.feeder(), []
    native = importlib.import_module("lakecodec.runtime.compact.backend").native
    before = 0 if native is None else sum(native._compact.touched())
    for at in range(0, len(data), size):
        found += feeder.feed(data[at : at + size])
        assert feeder.needed <= len(data) - at - size or at + size >= len(data)
    feeder.finish()
    assert found == expected
    assert b"".join(each.to_bytes() for each in found) == b"".join(each.to_bytes() for each in expected)
    if native is not None:
        # A number that parts cut is looked at anew by each of them.
        looks = (sum(native._compact.touched()) - before) / len(data)
        assert looks < (2 if size > 10 else 3)


def test_a_struct_that_is_cut_or_damaged(structs: Any) -> None:
    data = tree(structs, 1, 60).to_bytes()
    for size in (len(data) // 3, len(data) - 1):
        feeder = structs.Tree.feeder()
        assert feeder.feed(data[:100]) + feeder.feed(data[100:size]) == []
        with pytest.raises(DecodeError) as caught:
            structs.Tree.from_bytes(data[:size])
        with pytest.raises(DecodeError) as told:
            feeder.finish()
        assert (told.value.path, str(told.value)) == (caught.value.path, str(caught.value))
    choose = random.Random(1)
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(choose.randrange(1, 4)):
            damaged[choose.randrange(len(data))] = choose.choice([0, 1, 8, 12, 255, choose.randrange(256)])
        errors = []
        for parts in ([bytes(damaged)], splits(bytes(damaged), choose.randrange(99))):
            try:
                errors.append(repr(list(structs.Tree.stream(parts))))
            except DecodeError as error:
                errors.append(str(error))
        assert errors[0] == errors[1]


@pytest.mark.parametrize("tail", [b"x", b"garbage", b"garbageP", b"garbagePK", b"P", b"PK\0", b"xPK\0\1"])
def test_damage_at_the_end_is_a_gap(module: Any, tail: bytes) -> None:
    (good,) = packets(module, 1)
    start = len(good.to_bytes())
    for parts in ([good.to_bytes() + tail], [good.to_bytes(), tail], [good.to_bytes(), tail[:3], tail[3:]]):
        found, gap = module.Packet.stream(parts, resync=True)
        assert (found, gap.start, gap.size) == (good, start, len(tail))


def test_values_before_damage_are_returned_and_the_error_comes_next(module: Any) -> None:
    good = packets(module, 2)
    whole = b"".join(each.to_bytes() for each in good)
    data = whole + b"XXXXXXXX"
    for go_on in (lambda feeder: feeder.feed(b""), lambda feeder: feeder.feed(b"more"), lambda feeder: feeder.finish()):
        feeder = module.Packet.feeder()
        assert feeder.feed(data) == good
        for _ in range(2):
            with pytest.raises(DecodeError, match="not a packet") as error:
                go_on(feeder)
            assert error.value.offset == len(whole)

    def parts() -> Iterator[bytes]:
        yield data
        pytest.fail("the stream went on behind the damage")

    read = module.Packet.stream(parts())
    assert [next(read), next(read)] == good
    with pytest.raises(DecodeError, match="not a packet"):
        next(read)


@pytest.mark.parametrize(
    ("idl", "data"),
    [
        ("record R { u8 w where w <= 64; u8 n = count(x); bits<w> x[n]; u8 q; }", "02020c03"),
        (
            "encoding Value over Type { case I { i32 v; } case T { uvarint32 n = count(v); utf8 v[n]; } case B { bool8 v; } }"
            "variant Type(u8 id) on id { 1: I; 2: T; 3: B; }"
            "record R { u8 k = tag(t); Type(k) t; uvarint32 n = count(es); Value(t) es[n]; u8 z; }",
            "0202016100ff",
        ),
    ],
)
def test_packed_numbers_and_columns_byte_by_byte(idl: str, data: str) -> None:
    module: Any = lakecodec.compile_idl(idl)
    feeder, whole = module.R.feeder(), bytes.fromhex(data) * 2
    found = [value for byte in whole for value in feeder.feed(bytes((byte,)))]
    feeder.finish()
    assert [each.to_bytes() for each in found] == [whole[: len(whole) // 2]] * 2


def test_elements_with_codecs_that_have_not_arrived_are_dropped() -> None:
    """What siblings share is dropped with a list that is not whole."""
    codec = 'codec xor(i64 k) -> bytes = extern "runtime.codecs:Xor"; '
    element = "record T { u8 s = size(x); bytes x[..] size s via xor(7); }"
    module = lakecodec.compile_idl(f"{codec} record R {{ u8 n = count(e); T e[n]; }} {element}")
    for _ in range(60):
        feeder = module.R.feeder()  # type: ignore[attr-defined]
        for byte in b"\2\1\7\2\7":
            assert feeder.feed(bytes([byte])) == []
        del feeder
        gc.collect()
