"""What `with` computes is in a record with places after it was written, as it is in others; the given objects stay."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

HEAD = "record H { u8 n; u8 at_; }"
WORDS = ["", ": gaps", ": overlaps"]
#: Records with a list and a header, which holds the list's place in some.
RECORDS = [
    "H h with n = count(a); u8 a[h.n];",
    "H h with n = count(a); u8 a[h.n] at h.at_;",
    "H h with n = count(a); u8 a[h.n] at 2;",
    "u8 p; H h at p with n = count(a); u8 a[h.n] at h.at_;",
    "u8 p; H h at p with n = count(a); u8 a[h.n] at p + 2;",
    "W h with inner.n = count(a); u8 a[h.inner.n] at 2;",
    "H h[i < 1] with n = count(a); u8 a[h[0].n] at 2;",
]


def holder(record: Any) -> Any:
    found = record.h[0] if isinstance(record.h, list) else record.h
    return getattr(found, "inner", found)


def made(module: Any, declared: str, values: list[int]) -> Any:
    head = module.H(at_=3 if declared.startswith("u8 p") else 2)
    head = module.W(inner=head) if declared.startswith("W") else [head] if "[i < 1]" in declared else head
    return module.R(h=head, a=values, **({"p": 1} if declared.startswith("u8 p") else {}))


@pytest.mark.parametrize(("word", "declared"), [*itertools.product(WORDS, RECORDS)])
@pytest.mark.parametrize("around", ["", "record F { R r; }"])
def test_the_field_holds_what_was_written(word: str, declared: str, around: str) -> None:
    module = compile_idl(f"record R {word} {{ {declared} }} {HEAD} record W {{ H inner; }} {around}")
    value = made(module, declared, [1, 2])
    cls, outer = (module.F, module.F(r=value)) if around else (module.R, value)
    outer.to_bytes()
    assert holder(value).n == 2
    read = cls.from_bytes(outer.to_bytes())
    value = read.r if around else read
    before, place = holder(value), holder(value).at_
    value.a.append(3)
    data = read.to_bytes()
    assert (holder(value).n, holder(value).at_) == (3, place)
    assert before.n == 2
    assert cls.from_bytes(data) == read
    same = holder(value)
    assert read.to_bytes() == data
    assert holder(value) is same


PARTS = "record R %s { T t[i < 1] with n = size(x[i]); bytes x[i < 1] at t[i].p size t[i].n; u8 y; } record T { u8 n; u8 p; }"
REFUSED = [
    ("record File%s { u8 p; R r at p; } " + PARTS % "", "01 03 03 09 616263"),
    ("record File%s { u8 p; R r at p; } " + PARTS % ": gaps", "01 03 03 09 616263"),
    (
        "record File%s { u8 p; R r at p; } record R { T t with n = size(x); bytes x[..] size t.n; } record T { u8 n; }",
        "01 03616263",
    ),
    ("record File%s { R r; } record R { T t with n = size(x); bytes x[t.n]; } record T { u8 n; }", "03616263"),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("word", ["", " : gaps"])
@pytest.mark.parametrize(("idl", "data"), REFUSED)
def test_what_was_set_stays_where_it_is_refused(idl: str, data: str, word: str, backend: str) -> None:
    cls = compile_idl(idl % word).File

    def inner() -> Any:
        found = record.r.t
        return found[0] if isinstance(found, list) else found

    with running(backend):
        data_ = bytes.fromhex(data)
        record = cls.from_bytes(data_)
        before = record.to_dict()
        inner().n = 77
        edited = record.to_dict()
        for _ in range(2):
            with pytest.raises(EncodeError, match="77 was set, but it is computed as"):
                record.to_bytes()
            assert record.to_dict() == edited != before
        inner().n = None
        assert record.to_bytes() == data_
