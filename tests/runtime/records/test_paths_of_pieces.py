"""Errors of fields at places in the source: they have whole paths, and name the offsets that can be changed."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

ELEMENTS = "u8 n = count(s); S s[n]; } record S { u32 p; u8 n = count(x); bytes x[n] at p from source; }"


@pytest.fixture(params=BACKENDS)
def backend(request):
    with running(request.param):
        yield request.param


@pytest.mark.parametrize(
    ("head", "places", "path", "rule"),
    [
        (
            "record File { ",
            (11, 14),
            "s[1].x",
            r"1 bytes before it, at 13, belong to no field.*follow 's\[0\]\.x'.*s\[1\]\.p is 14",
        ),
        ("record File { ", (11, 12), "s[1].x", r"begin before the end of 's\[0\]\.x' at 13.*s\[1\]\.p is 12"),
        (
            "record File : gaps { ",
            (11, 2**31),
            "s[1].x",
            r"leaves more than 67108864 bytes empty \(s\[1\]\.p is 2147483648",
        ),
    ],
)
def test_fields_in_elements_are_named_whole(backend, head, places, path, rule):
    module = compile_idl(head + ELEMENTS)
    record = module.File(s=[module.S(p=place, x=b"ab") for place in places])
    with pytest.raises(EncodeError, match=rule) as caught:
        record.to_bytes()
    assert caught.value.path == path
