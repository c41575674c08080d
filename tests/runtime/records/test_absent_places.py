"""What other fields say of a placed field that is absent: readers compare it, as with fields that follow each other."""

from __future__ import annotations

import pytest

from lakecodec import DecodeError, compile_idl

from ...oracle.backends import BACKENDS, running

#: Declarations, bytes that contradict them, the message, and bytes without and with the field.
CASES = {
    "size": (
        "record R { u8 off; u8 len = size(p); bytes p[len] at off if off != 0; }",
        "0009", "len must be size(p): 9 is not 0", ("0000", "020161"),
    ),
    "set": (
        "record H { u8 off; u8 len; } record R { H h with len = size(p); bytes p[h.len] at h.off if h.off != 0; }",
        "0009", "h.len must be size(p): 9 is not 0", ("0000", "020161"),
    ),
    "count": (
        "record R { u8 off; u8 n = present(x) ? count(x) : 0; u8 x[..] at off size 2 if off != 0; }",
        "0003", "n must be present(x) ? count(x) : 0", ("0000", "02020102"),
    ),
    "gaps": (
        "record R : gaps { u8 off; u8 len = size(p); bytes p[len] at off if off != 0; }",
        "0009", "len must be size(p): 9 is not 0", ("0000", "030100 61"),
    ),
    "two": (
        "record R { u8 f; u8 p; u8 q; u8 sum = size(a) + size(b); A a at p if f == 1; A b at q; } record A { u8 v; }",
        "0000040205", "sum must be size(a) + size(b): 2 is not 1", ("0000040105", "010405020506"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CASES)
def test_sizes_of_absent_fields_are_compared(backend, name):
    idl, bad, rule, good = CASES[name]
    with running(backend):
        cls = compile_idl(idl).R
        with pytest.raises(DecodeError) as caught:
            cls.from_bytes(bytes.fromhex(bad))
        assert caught.value.rule == rule
        for data in map(bytes.fromhex, good):
            assert cls.from_bytes(data).to_bytes() == data
