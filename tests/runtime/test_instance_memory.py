"""What instances cost the process beyond their bytes: the cyclic collector's work, and the stack that freeing takes.

Each check runs in a process of its own: the collector's counts belong to all of a process, and a crash must be a failed test.
"""

from __future__ import annotations

import subprocess
import sys

IDL = """
struct Point { 1: required i64 x; 2: optional binary b; 3: optional i32 n; }
struct Points { 1: required list<Point> all; 2: optional Point one; }
struct Tree { 1: optional Tree below; 2: optional i32 n; }
union Choice { 1: Choice below; 2: i32 n; }
exception Failure { 1: optional binary b; }
message Place { 1: i64 x; 2: string name; }
oneof Which { 11: Place place; 12: string name; }
message Places { 1: list<Place> all; 2: Place one; Which which; }
record Cell { u32 x; u32 y; }
record Cells { u16 n = count(all); Cell all[n]; }
record Scaled(i64 k) { u8 x; u8 y[k]; }
record Scales { u8 n = count(all); Scaled(2) all[n]; }
record Tagged { u8 kind; Kinds(kind) x; }
variant Kinds(u8 kind) on kind { 1: ONE { u8 x; }; 2: MANY { u8 n = count(x); u8 x[n]; }; }
"""

START = """
import gc, sys
import lakecodec
m = lakecodec.compile_idl({idl!r}, name="memory_of_instances")
"""

LOOP = """
class C:
    pass

gc.set_threshold(700, 10, 10)  # 3.13 has another, under which these few steps say little

def collections(step, times):
    gc.collect()
    before = sum(s["collections"] for s in gc.get_stats())
    most = 0
    for _ in range(times):
        step()
        for _ in range(20):
            c = C()
            c.c = c
        if _ % 50 == 0:
            most = max(most, sum(type(o) is C for o in gc.get_objects()))
    return sum(s["collections"] for s in gc.get_stats()) - before, most

plain, left_plain = collections(lambda: None, 600)
{setup}
lazy, left_lazy = collections(step, 600)
assert plain >= 10, plain
assert lazy >= 0.7 * plain, (plain, lazy)
assert left_lazy <= 3 * left_plain + 100, (left_plain, left_lazy)
"""

#: What is read in one step of the loop; a step drops all that it made.
READS = {
    "a list of structs": """
raw = m.Points(all=[m.Point(x=i, b=b"ab", n=i) for i in range(60)]).to_bytes()
def step():
    for p in m.Points.from_bytes(raw).all:
        p.b, p.n
""",
    "structs that are kept": """
raw = m.Points(all=[m.Point(x=i, b=b"ab", n=i) for i in range(60)], one=m.Point(x=3)).to_bytes()
def step():
    read = m.Points.from_bytes(raw)
    kept = [(p, p.b, p.b, p.x) for p in read.all]
    read.one.n, read.one.n
    read.to_bytes()
""",
    "structs that are set": """
raw = m.Points(all=[m.Point(x=i, b=b"ab", n=i) for i in range(60)]).to_bytes()
def step():
    read = m.Points.from_bytes(raw)
    for p in read.all:
        p.b = [p.x]
    read.all = None
""",
    "messages": """
raw = m.Places(all=[m.Place(x=i, name="ab") for i in range(60)], one=m.Place(x=3)).to_bytes()
def step():
    read = m.Places.from_bytes(raw)
    [p.name for p in read.all], read.one.x
""",
    "records": """
raw = m.Cells(all=[m.Cell(x=i, y=i) for i in range(60)]).to_bytes()
def step():
    [c.x for c in m.Cells.from_bytes(raw).all]
""",
    "records with parameters": """
raw = m.Scales(all=[m.Scaled(x=i, y=b"ab") for i in range(60)]).to_bytes()
def step():
    [c.y for c in m.Scales.from_bytes(raw).all]
""",
    "footers": """
import io, pyarrow as pa, pyarrow.parquet as pq
from lakecodec import parquet
out = io.BytesIO()
pq.write_table(pa.table({f"c{i}": [1, 2] for i in range(30)}), out)
raw = out.getvalue()
def step():
    meta = parquet.read_metadata(raw)
    [s.name for s in meta.schema], [c.meta_data.statistics.null_count for g in meta.row_groups for c in g.columns]
""",
}

#: Makes one link of a chain that holds the link before; of classes that are made by hand, and those that were read.
LINKS = {
    "structs": "m.Point(x=1, b=s)",
    "structs that hold themselves": "m.Tree(below=s)",
    "unions": "choice(s)",
    "exceptions": "m.Failure(b=s)",
    "messages": "m.Place(x=s)",
    "records": "m.Cell(x=s)",
    "records with parameters": "m.Scaled(x=s)",
    "lists between structs": "m.Points(all=[s])",
    "lists between records": "m.Cells(all=[s])",
    "tuples and dicts between structs": "m.Point(x={1: (s,)})",
    "structs and records in turn": "m.Cell(x=m.Point(x=m.Place(x=s)))",
    "subclasses of structs": "Sub(x=s)",
    "structs that were read": "linked(m.Point.from_bytes(point), s)",
    "structs that were read in a list": "linked(m.Points.from_bytes(points).all[40], s)",
    "messages that were read": "linked(m.Place.from_bytes(place), s)",
    "records that were read": "linked(m.Cells.from_bytes(cells).all[1], s)",
    "records that were read and asked": "linked(asked(m.Cells.from_bytes(cells).all[1]), s)",
    "records with parameters that were read": "linked(m.Scales.from_bytes(scales).all[1], s)",
    "variants": "m.Kinds.ONE(x=s)",
    "variants that were read": "linked(m.Tagged.from_bytes(tagged).x, s)",
    "oneofs": "m.Places(which=m.Which.place(m.Place(x=s)))",
    "oneofs that were read": "reset(m.Places.from_bytes(places).which, m.Place(x=s))",
    "unions that were read": "reset(m.Choice.from_bytes(union), s)",
    "exceptions that were read": "linked(m.Failure.from_bytes(point), s, 'b')",
    "lists between structs that were read": "linked(m.Points.from_bytes(points), [s], 'all')",
    "lists between records that were read": "linked(m.Cells.from_bytes(cells), [s], 'all')",
    "lists between messages that were read": "linked(m.Places.from_bytes(places), [s], 'all')",
}

CHAIN = """
point = m.Point(x=1, b=b"ab").to_bytes()
points = m.Points(all=[m.Point(x=i, b=b"ab") for i in range(60)]).to_bytes()
place = m.Place(x=1, name="ab").to_bytes()
cells = m.Cells(all=[m.Cell(x=1, y=2)] * 3).to_bytes()
scales = m.Scales(all=[m.Scaled(x=1, y=b"ab")] * 3).to_bytes()
tagged = bytes([1, 7])
places = m.Places(all=[m.Place(x=1, name="ab")], which=m.Which.place(m.Place(x=3))).to_bytes()
union = m.Choice.n(1).to_bytes()

class Sub(m.Point):
    __slots__ = ()

def choice(s):
    return m.Choice.n(1) if s is None else m.Choice.below(s)

def linked(made, s, name="x"):
    setattr(made, name, s)
    return made

def reset(made, s):
    object.__setattr__(made, "value", s)
    return made

def asked(made):
    made.y
    return made

s = None
for i in range({count}):
    s = {link}
del s
"""


#: Reads values one at a time, all others of their bytes being gone; each is given another class.
CLASSES = """
import os
class Points(m.Points):
    __slots__ = ()
class Point(m.Point):
    __slots__ = ()
class Place(m.Place):
    __slots__ = ()
class Cell(m.Cell):
    __slots__ = ()

points = m.Points(all=[m.Point(x=i, b=bytes(10_000)) for i in range(10)], one=m.Point(x=3, b=bytes(10_000))).to_bytes()
places = m.Places(all=[m.Place(x=i, name="a" * 10_000) for i in range(10)]).to_bytes()
cells = m.Cells(all=[m.Cell(x=i, y=i) for i in range(20_000)]).to_bytes()
reads = [
    (Points, lambda: m.Points.from_bytes(bytearray(points))),
    (Point, lambda: m.Points.from_bytes(bytearray(points)).one),
    (Point, lambda: m.Points.from_bytes(bytearray(points)).all[3]),
    (Place, lambda: m.Places.from_bytes(bytearray(places)).all[3]),
    (Cell, lambda: m.Cells.from_bytes(bytearray(cells)).all[3]),
]

def held():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

for cls, read in reads:
    for times in (100, 300):
        before = held()
        for _ in range(times):
            value, plain = read(), read()
            value.__class__ = cls
            assert type(value) is value.__class__ is cls
            assert value.to_bytes() == plain.to_bytes() and value.replace() == value, cls
            del value, plain
    assert held() - before < 5 << 20, (cls, held() - before)
"""


DEEP = r"""
import threading
from lakecodec import DecodeError, EncodeError, Limits

chain = m.Tree(n=1)
for _ in range(600):
    chain = m.Tree(below=chain)
raw = chain.to_bytes()
assert m.Tree.from_bytes(raw, limits=Limits(max_depth=2000)).to_bytes() == raw
raws = [b"\x1c" * n + b"\x00" * n for n in (100, 300, 1990)] + [raw, b"\x4c" + b"\x1c" * 1990 + b"\x00" * 1992]

def use():
    for data in raws:
        try:
            m.Tree.from_bytes(data, limits=Limits(max_depth=2000))
        except DecodeError:
            pass
    loop = m.Tree()
    loop.below = loop
    try:
        loop.to_bytes()
    except EncodeError:
        done.append(1)

done = []
threading.stack_size(256 << 10)
thread = threading.Thread(target=use)
thread.start()
thread.join()
assert done
"""


def run(code: str) -> None:
    """Runs Python code in another process, after compiling the IDL; its crash is the test's failure."""
    done = subprocess.run(
        [sys.executable, "-c", START.format(idl=IDL) + code], capture_output=True, text=True, timeout=250, check=False
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-2000:]}"


def test_cycles_are_collected_as_without_reading() -> None:
    run("".join(f"print({kind!r}, file=sys.stderr)\n" + LOOP.format(setup=setup) for kind, setup in READS.items()))


def test_long_chains_are_freed() -> None:
    # The interpreters that check are slow.
    checked = sys.flags.dev_mode or hasattr(sys, "gettotalrefcount")
    count = 50_000 if checked else 300_000
    run(
        "".join(
            f"print({kind!r}, file=sys.stderr)\n" + CHAIN.format(count=count, link=link) for kind, link in LINKS.items()
        )
    )


def test_nesting_is_bounded_by_the_stack_of_the_thread() -> None:
    run(DEEP)


def test_what_is_given_another_class_is_freed_whole() -> None:
    run(CLASSES)
