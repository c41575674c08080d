"""Lists that end with an element, `[until e]`: what is written is read back as it was, or refused, on both backends."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.record import Record
from lakecodec.workbench.sampling.choices import SeededChoices
from lakecodec.workbench.sampling.sampler import Sampler

from ...random_idls import random_idl
from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

s: Any = compile_idl("""
record Last { u8 u[until last(u) == 0]; }
record Sum { u8 u[until sum(u) > 300]; }
record Count { u8 n; u8 u[until count(u) == n]; u8 v[..]; }
record Part { u8 a; }
record Parts { Part u[until last(u).a == 0]; u8 z; }
record Optional { u8 n; u8 u[until last(u) == n] if n > 0; }
record Sized { u8 size_ = size(u); Last u size size_; }
record Holder { u8 n = count(all); Parts all[n]; }
variant Any(u8 tag) on tag { 0: NONE; 1: SOME { u8 u[until last(u) == 0]; }; }
record Tagged { u8 tag_ = tag(one); Any(tag_) one; }
""")
OPEN, LATE = "it has no element after which it ends", "it ends after 1 of its 2 elements"


@pytest.mark.parametrize(
    ("value", "rule", "path"),
    [
        (s.Last(u=[1]), OPEN, "u"),
        (s.Last(u=[]), OPEN, "u"),
        (s.Last(u=[0, 0]), LATE, "u"),
        (s.Sum(u=[200]), OPEN, "u"),
        (s.Count(n=1, u=[1, 2], v=[]), LATE, "u"),
        (s.Parts(u=[s.Part(a=1)], z=0), OPEN, "u"),
        (s.Parts(u=[s.Part(a=0), s.Part(a=0)], z=0), LATE, "u"),
        (s.Optional(n=2, u=[1]), OPEN, "u"),
        (s.Sized(u=s.Last(u=[1])), OPEN, "u.u"),
        (s.Holder(all=[s.Parts(u=[s.Part(a=0)], z=0), s.Parts(u=[], z=0)]), OPEN, "all[1].u"),
        (s.Tagged(one=s.Any_SOME(u=[3])), OPEN, "one.u"),
    ],
)
def test_a_list_that_a_reader_ends_elsewhere_is_refused(value: Any, rule: str, path: str) -> None:
    with pytest.raises(EncodeError, match=rule) as caught:
        value.to_bytes()
    assert caught.value.path == path


def test_a_list_that_ends_where_its_reader_ends_it_is_written() -> None:
    assert s.Last(u=[1, 0]).to_bytes() == b"\1\0"
    assert s.Sum(u=[200, 101]).to_bytes() == b"\xc8\x65"
    assert s.Optional(n=0).to_bytes() == b"\0"
    assert s.Holder(all=[s.Parts(u=[s.Part(a=1), s.Part(a=0)], z=7)]).to_bytes() == b"\1\1\0\7"


def _modules(number: int) -> Iterator[Any]:
    """Yields random modules that have such lists."""
    for seed in count():
        text = random_idl(Random(seed))
        if "[until" in text:
            with suppress(IdlError):
                yield compile_idl(text)
                number -= 1
        if not number:
            return


def _lists(value: Any) -> Iterator[list[Any]]:
    """Yields the lists in a value that an element ends."""
    if isinstance(value, Record):
        for name, row in type(value).__rows__.items():
            held = getattr(value, name, None)
            if isinstance(held, list) and "[until" in str(row.type):
                yield held
            yield from _lists(held)
    elif isinstance(value, list):
        for each in value:
            yield from _lists(each)


def test_what_is_written_is_read_back() -> None:
    """Lists of samples lose elements and get others: they are refused, or the reader finds the same."""
    random, seen = Random(3), {"written": 0, "refused": 0}
    for module in _modules(4):
        for spec in module.__spec__.values():
            if not issubclass(spec.cls, Record) or "[until" not in repr(
                [row.type for row in spec.cls.__rows__.values()]
            ):
                continue
            with suppress(ValueError):  # Its rules may be too narrow for samples.
                sampler = Sampler(spec.cls, SeededChoices(1))
                for _ in range(10):
                    _change_and_compare(sampler, random, seen)
    assert min(seen.values()) > 10, seen


def _change_and_compare(sampler: Sampler, random: Random, seen: dict[str, int]) -> None:
    sample = sampler.sample()
    for held in _lists(sample.value):
        place = random.randrange(len(held) + 1)
        held[place : place + random.randrange(2)] = held[: random.randrange(2)]
    try:
        data = sample.value.to_bytes(*sample.parameters)
    except EncodeError:
        seen["refused"] += 1
        return
    seen["written"] += 1
    try:
        again = sampler.reading_class(type(sample.value)).from_bytes(data, *sample.parameters)
    except DecodeError as error:
        raise AssertionError(f"{sample.value!r} is written as {data.hex()}, which is refused: {error}") from error
    assert [*_lists(again)] == [*_lists(sample.value)]


def test_values_that_others_are_made_of_are_named() -> None:
    module: Any = compile_idl(
        "record D { u8 n = a + 1; u8 f; u8 a if f > 0; } record L { u8 n = count(a); u8 f; u8 a[2] if f > 0; }"
    )
    for value in (module.D(f=0), module.L(f=0)):
        with pytest.raises(EncodeError, match="a value that it is made of is None; set that one") as caught:
            value.to_bytes()
        assert caught.value.path == "n"
        assert "NoneType" not in str(caught.value)


@pytest.mark.parametrize("word", ["at_end", "rest > 1"])
@pytest.mark.parametrize(
    "field", ["u8 x at o if not ({})", "u8 x[i < 2] at o + i if not ({})", "bytes x at o size ({} ? 1 : 2)"]
)
def test_places_know_nothing_of_what_was_read(word: str, field: str) -> None:
    with pytest.raises(IdlError, match="is not known when a place is computed: use 'end'"):
        compile_idl(f"record R {{ u8 o; {field.format(word)}; }}")


@pytest.mark.parametrize(
    "elements",
    [
        "u8 z[until count(z) == 2 or at_end]",
        "K(count(z) > 0 ? last(z).v : 7) z[..]",
        "u8 z[..]; u8 o if z[0] == z[0]",
    ],
)
def test_elements_behind_codecs_of_the_whole_list(elements: str) -> None:
    """The codec's input is kept once, for the list, however its elements are read."""
    list_, *more = elements.split("; ")
    codec = 'codec zlib -> bytes = extern "runtime.codecs:Zlib"; record K(u8 k) { u8 v where v != k; }'
    module = compile_idl(f"{codec} record R {{ u8 s = size(z); {'; '.join([f'{list_} size s via zlib', *more])}; }}")
    for level in (1, 9):
        stored = zlib.compress(b"\1\2", level)
        data = bytes([len(stored)]) + stored + b"\5" * len(more)
        value = module.R.from_bytes(data)
        assert len(value.z) == 2
        assert value.to_bytes() == data
