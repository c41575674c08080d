"""Chains of records at places are read and written to the same depth, and no deeper."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.source import Bytes

CHAIN = "u16 next; N child at next from source if next != 0;"
NEAR = "u16 next; N child at 2 if next != 0;"
#: Records, how many levels each element of the chain takes, and how many of these the last one takes.
CHAINS = [
    pytest.param(f"record N : gaps {{ {CHAIN} }}", 1, 1, id="gaps"),
    pytest.param(f"record N {{ {CHAIN} }}", 1, 1, id="no gaps"),
    pytest.param(f"record N {{ {NEAR} }}", 1, 1, id="near"),
    pytest.param(f"record N : overlaps {{ {NEAR} }}", 1, 1, id="near overlaps"),
    pytest.param("record N { u16 next; N child[i < (next != 0 ? 1 : 0)] at next from source; }", 1, 1, id="elements"),
    pytest.param(f"record N : gaps {{ W w; }} record W : gaps {{ {CHAIN} }}", 2, 2, id="inside of another"),
    pytest.param(
        f"record N : gaps {{ V w; }} record V {{ W w; }} record W : gaps {{ {CHAIN} }}", 3, 3, id="inside of two"
    ),
    pytest.param(
        "record N : gaps { u16 next; W w at next from source if next != 0; } record W { N n; }", 2, 1, id="around"
    ),
]


def chain(length: int) -> bytes:
    return struct.pack(f"<{length}H", *(2 * at if at < length else 0 for at in range(1, length + 1)))


@pytest.mark.parametrize(("idl", "levels", "last"), CHAINS)
@pytest.mark.parametrize("head", ["", "record F : gaps { N n; }"])
def test_the_same_limit_to_read_and_to_write(idl: str, levels: int, last: int, head: str) -> None:
    module = compile_idl(f"{idl} {head}")
    cls: Any = module.F if head else module.N
    most = (192 - bool(head) - last) // levels + 1
    data = chain(most)
    found = cls.from_bytes(data)
    assert found.to_bytes() == data
    assert cls.open(Bytes(data)).to_bytes() == data
    assert cls.from_dict(found.to_dict()).to_bytes() == data
    with pytest.raises(DecodeError, match="nested more than 192 deep") as caught:
        cls.from_bytes(chain(most + 1))
    assert caught.value.offset == 2 * most


@pytest.mark.parametrize("head", ["", "record F : gaps { N n; }"])
def test_a_chain_that_was_made_too_long_is_refused(head: str) -> None:
    module = compile_idl(f"record N : gaps {{ {CHAIN} }} {head}")
    value = module.N(next=0)
    for at in range(192, 0, -1):
        value = module.N(next=2 * at, child=value)
    with pytest.raises(EncodeError, match="nested more than 192 deep"):
        (module.F(n=value) if head else value).to_bytes()
