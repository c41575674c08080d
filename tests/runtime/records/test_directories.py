"""Directories in front of what they list: records of any size with the offsets and sizes of what stands behind them."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from lakecodec import EncodeError, IdlError, compile_idl

from ...oracle.backends import BACKENDS, running

PARTS = """
record E { u8 at_; u8 k = count(name); utf8 name[k]; }
record X { u8 n = count(v); bytes v[n]; }
record A { bytes pad[padding(4)] = 0; u8 v; }
"""


@pytest.fixture(params=BACKENDS, autouse=True)
def each_backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ("u8 n = count(x); E e[i < n] with at_ = offset(x[i]); X x[n];", "02 08 02 6162 0a 01 63 01 31 02 3232"),
        (
            "u8 n = count(x); E e[i < n] with at_ = size(e) + size(x[i]); X x[n];",
            "02 09 02 6162 0a 01 63 01 31 02 3232",
        ),
        ("u8 n = count(x); E e[i < n] with at_ = offset(x[i]); A x[n];", "02 08 02 6162 09 01 63 01 000000 02"),
        ("u8 sum = crc32(encoded(e)) & 255; E e with at_ = offset(x); X x;", "d2 05 02 6162 01 31"),
        ("u8 f = 1; E e with at_ = offset(x) if f == 1; X x;", "01 05 02 6162 01 31"),
        ("u8 p; E e with at_ = offset(y); u8 y; X x at p;", "06 05 02 6162 07 01 31"),
    ],
)
def test_a_directory_of_names(fields: str, data: str) -> None:
    module: Any = compile_idl(f"record File {{ {fields} }} {PARTS}")
    wanted = bytes.fromhex(data)
    read = module.File.from_bytes(wanted)
    before = entries(read)
    assert read.to_bytes() == wanted
    # Values that stay the same leave the objects as they are.
    assert all(map(operator.is_, before, entries(read)))
    for each in entries(read):
        each.at_ = None
    assert read.to_bytes() == wanted
    entries(read)[0].name = "a long name"
    names = [each.name for each in entries(read)]
    written = read.to_bytes()
    assert len(written) >= len(wanted) + 9
    assert [each.name for each in entries(module.File.from_bytes(written))] == names
    entries(read)[0].at_ = 77
    with pytest.raises(EncodeError, match="77 was set, but it is computed as"):
        read.to_bytes()


def entries(file: Any) -> list[Any]:
    return file.e if isinstance(file.e, list) else [file.e]


@pytest.mark.parametrize(
    "parts",
    [
        "E e with at_ = crc32(encoded(e)) & 255; X x; record E { u8 at_; }",
        "E e with at_ = offset(x); X x; record E { u8 at_; bytes more[at_]; }",
        "E e with at_ = offset(x); X x; record E { u8 at_; u8 more if at_ > 3; }",
        "E e with at_ = offset(x); X x; record E { uvarint32 at_; }",
        "E e with at_ = offset(x); X x; record E { u8 at_; let z = at_; bytes more[z]; }",
        "E e with at_ = offset(x); X x; record E { u8 at_; Y(at_) y; } record Y(u8 n) { bytes y[n]; }",
        "E e with at_ = offset(x); X x; record E { u8 at_ where at_ > 3; utf8 t until '\\0'; }",
    ],
)
def test_a_number_on_which_the_size_may_depend_is_refused(parts: str) -> None:
    fields, records = parts.split(" record", 1)
    with pytest.raises(IdlError, match=r"what 'e.at_' is derived from depends on it: e.at_ -> e.at_"):
        compile_idl(f"record File {{ {fields} }} record{records} record X {{ u8 n; }}\n")


def test_what_padding_is_counted_before_it_is_written() -> None:
    for fields in ("u8 at_ = offset(x);", "u8 s = size(x) + count(gap);"):
        text = f"record File {{ u8 n = count(x); {fields} bytes gap[padding(4)] = 0; u8 x[n]; }}"
        with pytest.raises(IdlError, match="put 'gap' into a record of its own"):
            compile_idl(text)
    for fields in ("u8 at_ = offset(x);", "u8 at_ = 2 + size(gap);", "u8 at_ = 2 + count(gap.gap);"):
        module: Any = compile_idl(
            f"record File {{ u8 n = count(x); {fields} G gap; u8 x[n]; }} record G {{ bytes gap[padding(4)] = 0; }}"
        )
        made = module.File(x=[7, 8], gap=module.G())
        assert made.to_bytes() == bytes([2, 4, 0, 0, 7, 8])
        assert module.File.from_bytes(made.to_bytes()) == made
