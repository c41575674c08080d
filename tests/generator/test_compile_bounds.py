"""Compiling is bounded whatever an IDL says: 1 s of processor time and 256 MB per 10 kB, each construct repeated and nested."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice

import pytest

from lakecodec import IdlError, compile_idl

from . import large_idls

# A table of 200 loops was once reported to take 13 s. With a counted list for each loop it took 6 s: "side by side, a list each".
SIZE = 10_000
MOST_SECONDS = 1.0
MOST_MEGABYTES = 256
#: Of the short run: what went wrong once, at its full size, in the order of how wrong it went.
SHORT = [
    "many shifts", "record loops, indexes", "many many bit fields", "many record conditions", "many counts",
    "many records with lists", "many derived fields", "many derived of all", "many sums of 100", "loops through many records",
    "side by side, a list each",
]  # fmt: skip

MEASURE = """
import json, resource, signal, sys, time
from lakecodec import IdlError, compile_idl

def of(status, word):
    return next(int(line.split()[1]) for line in status if line.startswith(word)) / 1024

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
compile_idl("struct A { 1: i32 x } record B { u8 n; u8 x[n]; } table t from B { for y in x i32 c = y + 1; }")
for line in sys.stdin:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    with open("/proc/self/status") as file:
        before = of(file, "VmRSS")
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 20)
    try:
        compile_idl(json.loads(line))
        error = None
    except IdlError:
        error = None
    except Exception as other:
        error = repr(other)[:200]
    seconds = time.process_time() - start
    signal.setitimer(signal.ITIMER_PROF, 0)
    with open("/proc/self/status") as file:
        peak = of(file, "VmHWM") - before
    print(json.dumps([seconds, peak, error]), flush=True)
"""


def measured(texts: list[str]) -> list[tuple[float, float, str | None]]:
    """Returns the seconds, megabytes and error of compiling each text, in one process that did nothing before."""
    lines = "".join(f"{json.dumps(text + chr(10))}\n" for text in texts)
    done = subprocess.run([sys.executable, "-c", MEASURE], input=lines, capture_output=True, text=True, check=False)
    found = [tuple(json.loads(line)) for line in done.stdout.splitlines()]
    assert len(found) == len(texts), f"{done.stderr[-500:]} after {texts[len(found)][:300]}"
    return found


def check(named: list[tuple[str, str]], most: float = MOST_SECONDS) -> None:
    found = measured([text for _, text in named])
    for (name, text), (seconds, megabytes, error) in zip(named, found, strict=True):
        said = f"{name}: {len(text)} characters take {seconds:.2f} s and {megabytes:.0f} MB: {text[:200]}"
        assert error is None, f"{said}: {error}"
        assert seconds < most, said
        assert megabytes < MOST_MEGABYTES, said


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc to measure memory")


@linux
def test_what_was_unbounded_once_is_bounded() -> None:
    # Other tests share the processors with this one: a factor of three is left to them, none is to the long form.
    check([(name, large_idls.sized(large_idls.ALL[name], SIZE)) for name in SHORT], 3 * MOST_SECONDS)


@linux
@pytest.mark.fuzz
@pytest.mark.parametrize("name", large_idls.ALL)
def test_every_construct_is_bounded(name: str) -> None:
    check([(name, text) for text in large_idls.sizes(large_idls.ALL[name], SIZE)])


@linux
@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(4))
def test_mixtures_are_bounded(seed: int) -> None:
    names = f"mixtures of seed {seed}"
    check([(names, text) for text in islice(large_idls.mixtures(SIZE, seed), 25)])


@pytest.mark.parametrize("bits", [65, 4_000_000_000, -1])
def test_a_shift_that_no_reader_accepts_is_an_error(bits: int) -> None:
    with pytest.raises(IdlError, match=rf"a shift by {bits} bits is not from 0 to 64"):
        compile_idl(f"record R {{ u8 a; u8 b if (a << {bits}) > 3; }}")
    assert compile_idl("record R { u8 a; u8 b if (a << 64) > 3; }").R.from_bytes(b"\1\2").b == 2


def test_ranges_of_a_file_count_together() -> None:
    many = "".join(f"const list<i32> A{number} = [0..9999] " for number in range(20))
    with pytest.raises(IdlError, match="the ranges of a file have more than 131072 values"):
        compile_idl(many + "struct S {}")
    assert len(compile_idl("const list<i32> A = [0..99999] struct S {}").A) == 100_000
