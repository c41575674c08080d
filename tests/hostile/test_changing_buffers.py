"""Buffers that another thread changes while columns are decoded: wrong values or DecodeError, never a crash."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import random, sys, threading, time
import pyarrow as pa
from lakecodec.runtime.columns import Bits, ColumnDecode, Kind, ValueLayout, Values, decode_columns
from lakecodec.runtime.errors import DecodeError

sys.setswitchinterval(1e-5)
data, codes, nulls = bytearray(b"\\x01a" + b"\\x64" + b"b" * 100), bytearray(2500), bytearray(5000)
text = ValueLayout(Kind.TEXT, 0)
values = Values(text, data, 0, len(data), 2)
stop = time.monotonic() + 3
def write():
    rng = random.Random(1)
    while time.monotonic() < stop:
        codes[:] = b"\\xff" * 2500
        nulls[:] = b"\\xff" * 2500 + bytes(2500)
        data[0] ^= rng.randrange(2)
        codes[:] = bytes(2500)
        nulls[:] = bytes(2500) + b"\\xff" * 2500
thread = threading.Thread(target=write)
thread.start()
while time.monotonic() < stop:
    for request in (
        ColumnDecode(text, pa.string(), 40000, Bits(nulls, 0, 40000, 1), values, Bits(codes, 0, 20000, 1)),
        ColumnDecode(text, pa.string(), 20000, None, values, Bits(codes, 0, 20000, 1)),
    ):
        try:
            decode_columns([request])[0].validate(full=True)
        except DecodeError:
            pass
thread.join()
"""


def test_a_writer_thread_does_no_harm() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
