"""Numbers with a byte order of their own, in records of either order and of one that a parameter chooses."""

from __future__ import annotations

import struct

import pytest

from lakecodec import IdlError, compile_idl

from ..oracle.backends import BACKENDS, running

FIELDS = "u16 a; u16be b; u16le c; i32le d; f64be e; u24be f; i40le g[2]; u64be h[2]; u16be i { j : 4; k : 12; } u8 l;"


@pytest.mark.parametrize(
    ("attributes", "arguments"), [("", ()), (": big", ()), (": big(swapped)", (True,)), (": big(swapped)", (False,))]
)
def test_own_orders_stay(attributes: str, arguments: tuple[bool, ...]) -> None:
    parameters = "(bool swapped)" if arguments else ""
    module = compile_idl(f"record R{parameters} {attributes} {{ {FIELDS} }}")
    own = ">" if attributes == ": big" or arguments == (True,) else "<"
    data = struct.pack(f"{own}H", 258) + b"\1\2" + b"\2\1" + struct.pack("<i", -5) + struct.pack(">d", 1.5) + b"\0\1\2"
    data += b"\2\1\0\0\0" * 2 + b"\0\0\0\0\0\0\1\2" * 2 + b"\x12\x34" + b"\7"
    for backend in BACKENDS:
        with running(backend):
            found = module.R.from_bytes(data, *arguments)
            assert (found.a, found.b, found.c, found.d, found.e, found.f) == (258, 258, 258, -5, 1.5, 258)
            assert (list(found.g), list(found.h), found.j, found.k, found.l) == ([258] * 2, [258] * 2, 1, 0x234, 7)
            assert found.to_bytes(*arguments) == data


def test_codecs_and_encodings_have_one_order() -> None:
    with pytest.raises(IdlError, match="a codec has the byte order of the records that use it"):
        compile_idl("codec c -> i64 { u16be v = value; } value = v;")
