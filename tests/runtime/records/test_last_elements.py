"""Lists that end at a marker or have a flag in their last element: written, read, edited and sampled on both backends."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lakecodec import EncodeError, IdlError, compile_idl
from lakecodec.workbench.sampling.sampler import sample_list

from ...oracle.backends import BACKENDS, running

pytestmark = pytest.mark.parametrize("backend", BACKENDS)

#: The number of elements is derived of a list whose elements have fields that are derived of that number.
FLAGS = [
    "record File { u8 n = count(b); B b[i < n] with last = i == n - 1 ? 1 : 0; }",
    "record File { Head head with n = count(b); B b[i < head.n] with last = i == head.n - 1 ? 1 : 0; } record Head { u8 n; }",
    "record File { u8 n = count(b) + 1; B b[i < n - 1] with last = i + 2 == n ? 1 : 0; }",
]


@pytest.mark.parametrize("idl", FLAGS)
def test_a_flag_of_the_last_element_follows_from_their_number(backend: Any, idl: str) -> None:
    module: Any = compile_idl(f"{idl} record B {{ u8 last; u8 v; }}\n")
    heads = {"head": module.Head()} if hasattr(module, "Head") else {}
    with running(backend):
        file = module.File(b=[module.B(v=7), module.B(v=8)], **heads)
        assert file.to_bytes()[1:] == b"\0\7\1\x08"
        read = module.File.from_bytes(file.to_bytes())
        read.b.append(module.B(v=9))
        assert read.to_bytes()[1:] == b"\0\7\0\x08\1\x09"
        read.b.clear()
        assert len(read.to_bytes()) == 1
        assert {0, 1, 2} <= {len(sample.value.b) for sample in sample_list(module.File, 20, 1)}


@pytest.mark.parametrize(
    "number", ["size(b)", "count(p in b where p.last == 0)", "sum(b.last)", "b[0].last + count(b)"]
)
def test_what_depends_on_the_elements_is_still_a_circle(backend: Any, number: str) -> None:
    idl = f"record File {{ u8 n = {number}; B b[i < 2] with last = n; }} record B {{ u8 last; u8 v[last]; }}\n"
    with pytest.raises(IdlError, match=r"depends on it: n -> b\.last -> n"):
        compile_idl(idl)


MARKED = [
    "record R { X x[until peek(1)[0] == 0] if peek(1)[0] != 0; u8 z = 0; } record X { u8 k where k != 0; }\n",
    "record R { Inner inner; } record Inner { X x[until peek(1)[0] == 0] if peek(1)[0] != 0; u8 z = 0; }"
    " record X { u8 k where k != 0; }\n",
]


@pytest.mark.parametrize("idl", MARKED)
def test_an_empty_list_up_to_a_marker_is_none(backend: Any, idl: str) -> None:
    module: Any = compile_idl(idl)

    def made(value: Any) -> Any:
        return module.R(inner=module.Inner(x=value)) if hasattr(module, "Inner") else module.R(x=value)

    with running(backend):
        assert (made(None).to_bytes(), made([module.X(k=5)]).to_bytes()) == (b"\0", b"\5\0")
        with pytest.raises(EncodeError, match=re.escape("an empty list is read as None: set None")) as caught:
            made([]).to_bytes()
        assert caught.value.path.endswith("x")
        lengths = {len(sample.data) for sample in sample_list(module.R, 40, 1)}
        assert {1, 2, 3} <= lengths


def test_what_ends_a_list_too_early_is_to_be_changed(backend: Any) -> None:
    module: Any = compile_idl("record R { X x[until last(x).last == 1]; } record X { u8 last; }\n")
    with (
        running(backend),
        pytest.raises(EncodeError, match="it ends after 1 of its 2 elements: change what ends it there"),
    ):
        module.R(x=[module.X(last=1), module.X(last=1)]).to_bytes()
