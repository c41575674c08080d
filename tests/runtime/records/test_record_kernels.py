"""Functions of lakecodec's own that native writers call: they give what Python gives, or leave it to Python."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.nodes import _OWN, OPERATIONS

from .test_record_native_write import _generated, _natively

pytestmark = pytest.mark.skipif(record_backend.native is None, reason="no native writer was built")

NUMBERS = (
    -(2**63),
    -129,
    -128,
    -1,
    0,
    1,
    2,
    7,
    8,
    9,
    16,
    35,
    36,
    37,
    64,
    65,
    255,
    256,
    2**31,
    2**32,
    2**63 - 1,
    2**64 - 1,
)
TEXTS = (
    "",
    "0",
    "7",
    "17",
    "1F",
    "ff",
    "zZ",
    " 17\0",
    "\0\0",
    "  ",
    "1 7",
    "+1",
    "-1",
    "0x1F",
    "1_0",
    "é",
    "٣",
    "9" * 20,
    "1" * 65,
)
BYTES = (b"", b"\0", b"a", b"ab", b"abcd", b"\xff" * 8, bytes(range(16)), bytes(range(17)), b"\x80" * 9)

d: Any = compile_idl(
    """
    fn digits_of(i64 n, i64 base, i64 count) -> utf8 = extern "runtime.texts:digits_of";
    fn number_of(utf8 digits, i64 base) -> i64 = extern "runtime.texts:number_of";
    fn padded_number(utf8 digits, i64 base) -> i64 = extern "runtime.texts:padded_number";
    fn bits_of(binary data, i64 width, bool is_big) -> list<i64> = extern "runtime.texts:bits_of";
    fn crossed_sums(binary data, i64 width, bool is_big, u64 before) -> u64 = extern "runtime.checksums:crossed_sums";
    record Digits(i64 a, i64 b, i64 c) { utf8 found[..] = digits_of(a, b, c); }
    record Number(utf8 a, i64 b) { i64 found = number_of(a, b); }
    record Padded(utf8 a, i64 b) { i64 found = padded_number(a, b); }
    record Words(binary a, i64 b, bool c) { u64 found[..] = bits_of(a, b, c); }
    record Sums(binary a, i64 b, bool c, u64 d) { u64 found = crossed_sums(a, b, c, d); }
    record Position(binary a, i64 b) { i64 found = position(a, b); }
    record Big(i64 a, i64 b) { bytes found[..] = big_bytes(a, b); }
    record Little(i64 a, i64 b) { bytes found[..] = little_bytes(a, b); }
    record BigNumber(binary a) { u64 found = big_number(a); }
    record LittleNumber(binary a) { u64 found = little_number(a); }
    record Sum(binary a) { i64 found = sum(a); }
    """,
    name="kernels",
)

SIZES = (*NUMBERS[:16], 1024, 1025)
CALLS: dict[Any, tuple[tuple[Any, ...], ...]] = {
    d.Digits: (NUMBERS, SIZES, SIZES),
    d.Number: (TEXTS, NUMBERS),
    d.Padded: (TEXTS, NUMBERS),
    d.Words: (BYTES, NUMBERS, (True, False)),
    d.Sums: (BYTES, (*NUMBERS, 32), (True, False), (*NUMBERS[3:], 2**16, 2**63)),
    d.Position: (BYTES, NUMBERS),
    d.Big: (NUMBERS, SIZES),
    d.Little: (NUMBERS, SIZES),
    d.BigNumber: (BYTES,),
    d.LittleNumber: (BYTES,),
    d.Sum: (BYTES,),
}


@pytest.mark.parametrize("cls", CALLS, ids=lambda cls: str(cls.__name__))
def test_what_native_writers_compute(cls: Any) -> None:
    values = CALLS[cls]
    written = 0
    for arguments in itertools.product(*values):
        natively, generated = _natively(cls(), arguments), _generated(cls(), arguments)
        assert natively == generated, arguments
        written += natively is not None
    assert written > 3


def test_all_of_them_are_operations() -> None:
    assert set(_OWN.values()) <= set(OPERATIONS)
    assert set(_OWN.values()) == set(OPERATIONS[OPERATIONS.index("digits_of") :])
