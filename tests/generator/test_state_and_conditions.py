"""States of codecs at places of their own, and conditions that name the field whose value they derive."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError, compile_idl

from ..oracle.backends import BACKENDS, running

FRONT_CODED = """
codec front -> bytes with bytes prev = b"" {
  u8 shared = common_prefix(prev, value) where shared <= count(prev);
  u8 added = count(value) - shared;
  bytes suffix[added] = value[shared:];
} value = prev[:shared] + suffix;
record Name { bytes text via front; }
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_elements_at_places_of_their_own_begin_with_new_states(backend: str) -> None:
    module = compile_idl(FRONT_CODED + "record R { u8 places[2]; Name names[i < 2] at places[i]; }")
    with running(backend):
        data = module.R(places=[2, 6], names=[module.Name(text=b"ab"), module.Name(text=b"ac")]).to_bytes()
        assert data == b"\x02\x06\x00\x02ab\x00\x02ac"
        assert [name.text for name in module.R.from_bytes(data).names] == [b"ab", b"ac"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_elements_at_one_place_share_their_state(backend: str) -> None:
    module = compile_idl(FRONT_CODED + "record R { u8 place; Name names[2] at place; }")
    with running(backend):
        data = module.R(names=[module.Name(text=b"ab"), module.Name(text=b"ac")]).to_bytes()
        assert data == b"\x01\x00\x02ab\x01\x01c"
        assert [name.text for name in module.R.from_bytes(data).names] == [b"ab", b"ac"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("condition", ["n < 9", "9 > n", "n + 1 != 10", "n != 9 and not n > 9"])
def test_a_value_that_is_not_given_is_derived(backend: str, condition: str) -> None:
    module = compile_idl(f"record R {{ u8 n = count(xs) when {condition}; u8 xs[n % 9]; }}")
    with running(backend):
        assert module.R(xs=[7]).to_bytes() == b"\x01\x07"
        assert module.R(n=9, xs=[]).to_bytes() == b"\x09"
        assert module.R.from_bytes(b"\x09").n == 9
        with pytest.raises(EncodeError):
            module.R(n=9, xs=[1]).to_bytes()
