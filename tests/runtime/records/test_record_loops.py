"""Search in lists, lists of what elements give, and folds."""

from __future__ import annotations

import struct
from typing import Any

import pytest
import xxhash

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.runtime.errors import DecodeError, EncodeError

from ...oracle.backends import BACKENDS, running
from ...oracle.both import Format

IDL = """
fn xxh(bytes data) -> i64 = extern "tests.oracle.turned:xxh32";
fn width(list<Pair> pairs) -> i64 = first(p in pairs where p.key == 7).v;
fn paired(i64 low, i64 high) -> i64 = (high + low) % 255 << 8 | low;
record Pair { u8 key; u8 v; }
record Settings { u8 n = count(pairs); Pair pairs[n]; bytes data[width(pairs)]; }
record Found {
  u8   least;
  u8   n = count(pairs);
  Pair pairs[n];
  u8   above = count(p in pairs where p.v > least);
  u16  products = sum(p in pairs where p.key < 10 : p.key * p.v);
  u8   largest = max(p in pairs : p.v - (p.v > 100 ? 100 : 0));
}
/** Fletcher's sum of all before it, and a sum of bytes. */
record Summed : big {
  u8    n = count(data);
  bytes data[n];
  u16   check = fold(b in encoded(n, data), sums = 0 : paired((sums % 256 + b) % 255, sums >> 8));
  u8    xors  = fold(b in data where b != 7, x = 0 : x ^ b);
  u8    total = sum(encoded(n, data)) & 0xFF;
  u32   hash  = xxh(encoded(n, total));
}
record Running { u8 n; u8 v[i < n] where v[i] == 1 + sum(x in v[:i] where x < 200); }
record Large { u8 n; u64 v[n]; u64 product = fold(x in v, all = 1 : all * x); }
record Inner { u8 n; Pair pairs[n]; }
record Nested { u8 n; Inner all[n]; u8 pairs = sum(a in all : count(p in a.pairs where p.key == a.n)); }
"""


@pytest.fixture(scope="module")
def f(tmp_path_factory: pytest.TempPathFactory) -> Format:
    path = tmp_path_factory.mktemp("loops") / "loops.idl"
    path.write_text(IDL)
    return Format(path)


def same(f: Format, record: Any) -> bytes:
    """The bytes that both backends write, and that they and the oracle read."""
    found = []
    for backend in BACKENDS:
        with running(backend):
            found.append(record.to_bytes())
    assert len(set(found)) == 1
    assert f.read(type(record).__name__, found[0]) == record
    return bytes(found[0])


def test_search(f: Format) -> None:
    m = f.module
    P = m.Pair
    assert same(f, m.Settings(pairs=[P(key=1, v=9), P(key=7, v=2), P(key=7, v=3)], data=b"ab"))[-2:] == b"ab"
    assert f.refuses("Settings", b"\1\1\2ab")
    with pytest.raises(EncodeError):
        m.Settings(pairs=[P(key=1, v=9)], data=b"ab").to_bytes()


def test_lists_of_what_elements_give(f: Format) -> None:
    m = f.module
    made = m.Found(least=4, pairs=[m.Pair(key=k, v=v) for k, v in ((3, 5), (20, 9), (2, 104), (9, 4))])
    same(f, made)
    assert (made.above, made.products, made.largest) == (3, 15 + 208 + 36, 9)
    assert f.refuses("Found", b"\4\1\3\5\2\x0f\0\5")
    pair = m.Pair(key=1, v=2)
    same(f, m.Nested(n=2, all=[m.Inner(n=1, pairs=[pair]), m.Inner(n=2, pairs=[pair, pair])]))


def fletcher(data: bytes) -> int:
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    return high << 8 | low


def test_checksums(f: Format) -> None:
    for data in (b"", b"abcde", bytes(range(250))):
        made = f.module.Summed(data=data)
        written = same(f, made)
        head = bytes([len(data)]) + data
        xors = 0
        for byte in data.replace(b"\7", b""):
            xors ^= byte
        assert (made.total, made.xors) == (sum(head) & 255, xors)
        assert written[len(head) : len(head) + 2] == struct.pack(">H", made.check)
        assert made.hash == xxhash.xxh32_intdigest(written[:-4])
        assert f.refuses("Summed", bytes([*written[:-1], written[-1] ^ 1]))
    assert f.module.Summed.from_bytes(f.module.Summed(data=b"").to_bytes()).data == b""


def test_earlier_elements(f: Format) -> None:
    same(f, f.module.Running(n=4, v=[1, 2, 4, 8]))
    assert f.refuses("Running", b"\3\1\2\5")


def test_folds_are_bounded(f: Format) -> None:
    same(f, f.module.Large(n=2, v=[1 << 31, 1 << 30]))
    data = struct.pack("<B3Q", 2, 1 << 40, 1 << 40, 0)
    assert f.refuses("Large", data)
    for backend in BACKENDS:
        with running(backend), pytest.raises(DecodeError, match="does not fit 64 bits"):
            f.module.Large.from_bytes(data)


@pytest.mark.parametrize(
    ("expression", "rule"),
    [
        ("count(n in xs)", "'n' is already defined"),
        ("count(end in xs)", "'end' is already defined"),
        ("count(x in n)", "has no elements"),
        ("count(x in xs where y)", "unknown name 'y'"),
        ("count(x in xs, t = 0 : t + x)", "a fold is"),
        ("fold(x in xs : x)", "a fold is"),
        ("(x in xs, t = 0 : t)", "a fold is"),
        ("sum(p in ps : p.v)", "has no field 'v'"),
        ("first(n)", "'first' takes a list"),
    ],
)
def test_refused(expression: str, rule: str) -> None:
    with pytest.raises(IdlError, match=rule):
        compile_idl(f"record P {{ u8 k; }} record R {{ u8 n; u8 xs[n]; P ps[n]; u8 v = {expression}; }}")


def test_columns_of_tables() -> None:
    m: Any = compile_idl(
        """
        record Batch { u8 n = count(rows); Row rows[n]; }
        record Row { u8 k = count(items); Item items[k]; }
        record Item { u8 kind; u8 v; }
        table totals from Batch {
          for r, i in rows
          i64 total = sum(x in r.items where x.kind == 1 : x.v);
          i64 alike = count(x in r.items where x.kind == i);
          i64 hash = fold(x in r.items, h = 7 : h * 31 + x.v);
        }
        table values from Batch {
          for r in rows
          for x in (y in r.items where y.kind == 1)
          i64 v = x.v;
        }
        """
    )
    items = [m.Item(kind=kind, v=v) for kind, v in ((1, 5), (0, 2), (1, 9))]
    batch = m.Batch(rows=[m.Row(items=items), m.Row(items=[])])
    for table, wanted in (
        (m.totals, {"total": [14, 0], "alike": [1, 0], "hash": [((7 * 31 + 5) * 31 + 2) * 31 + 9, 7]}),
        (m.values, {"v": [5, 9]}),
    ):
        assert table.of(batch).to_pydict() == table.decode([batch.to_bytes()])[0].to_pydict() == wanted
    with pytest.raises(IdlError, match="'sum' is not a function that tables know"):
        compile_idl(
            "struct S { 1: list<T> ts } struct T { 1: list<i32> v }\n"
            "table t from S { for x in ts i64 n = sum(y in x.v : y * 2); }"
        )


def test_folds_as_arguments() -> None:
    made = compile_idl("fn k(i64 n) -> i64 = n - 1; record R { u8 xs[3]; u8 l = k(fold(e in xs, t = 0 : t + e)); }")
    assert made.R(xs=[1, 2, 3]).to_bytes() == b"\1\2\3\5"
