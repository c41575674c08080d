"""Random edits of values that were read: of fields and lists, several at once, undone, and of copies.

`verify_edits` calls sound: both backends write the edited value alike, as bytes that hold what was set, or refuse it.
Copies are written alike, and a value whose edits were undone is written as it was. So are values that were opened, whether
their placed fields were read before or not.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from random import Random
from typing import Any

from lakecodec import CodecError, DecodeError, EncodeError
from lakecodec.runtime.records.depths import holds_places
from lakecodec.runtime.records.record import Record
from lakecodec.workbench.sampling.sampler import Sample

from .oracle.backends import BACKENDS, running
from .round_trips import PYTHONS_WORDS, _at, _has_forms, _kept, _owner, _written
from .single_edits import Places, Refused, Undo, edit, fields_of, places_of


class Source:
    """A source that is not in memory."""

    def __init__(self, data: bytes) -> None:
        self.size, self._data = len(data), data

    def read(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


def verify_edits(sample: Sample, others: Sequence[Sample], cls: Any, random: Random, count: int, text: str) -> int:
    """Fails unless random edits of a sample are written, undone and copied as said above; returns how many were written.

    Args:
        others: samples of the same type, from which fields are taken.
        text: the IDL, which says what writers compute.
    """
    cls, written = _owner(cls), 0
    sample = _usual(sample, cls)
    ways = (_whole, *((_opened, _opened_and_read) if places(cls) else ()))
    for _ in range(count):
        seed, outcomes, said = random.random(), list[Any](), list[str]()
        for backend in BACKENDS:
            steps: list[Places] = []
            for way in ways:
                with running(backend):
                    said, outcome = _edited_outcome(sample, others, cls, way, Random(seed), text, steps)
                    outcomes.append(outcome)
        for number, outcome in enumerate(outcomes):
            same = outcomes[number % len(ways)]
            assert outcome == same, ("backends differ", ways[number % len(ways)], sample, said, outcome, same)
            # What is said of a refusal can depend on what was read.
            assert _in_short(outcome) == _in_short(outcomes[0]), ("ways differ", ways, sample, said, outcomes)
        written += isinstance(outcomes[0], bytes)
    return written


def places(cls: Any) -> bool:
    """Returns whether values of a class can have fields that are read only when they are asked for."""
    return issubclass(cls, Record) and holds_places(cls)


def verify_opened(sample: Sample, cls: Any) -> None:
    """Fails unless a record that was opened is written as one that was read whole, and is equal to it."""
    cls = _owner(cls)
    if not places(cls):
        return
    sample = _usual(sample, cls)
    for backend in BACKENDS:
        with running(backend):
            whole = _whole(sample, cls)
            for way in (_opened, _opened_and_read):
                expected = _written(whole, sample.parameters)
                for made in (lambda each: each, copy, deepcopy, lambda each: pickle.loads(pickle.dumps(each))):
                    value = made(way(sample, cls))
                    assert _written(value, sample.parameters) == expected, ("opened", way, made, sample)
                    assert (value, value.to_dict()) == (whole, whole.to_dict()), ("opened", way, made, sample)
                assert repr(way(sample, cls)) == repr(whole)
                assert way(sample, cls).to_json() == whole.to_json()


def _in_short(outcome: bytes | str) -> bytes | str:
    """Returns the bytes, or the path at which writing was refused."""
    return outcome if isinstance(outcome, bytes) else outcome.partition(": ")[0]


def _usual(sample: Sample, cls: Any) -> Sample:
    """Returns the sample with structs and messages as they are usually written: what was not read keeps other forms."""
    value = _whole(sample, cls)
    if not _has_forms(value):
        return sample
    try:
        data = cls.from_dict(value.to_dict()).to_bytes(*sample.parameters)
        return Sample(cls.from_bytes(data, *sample.parameters), data, sample.parameters)
    except CodecError:
        return sample


def _whole(sample: Sample, cls: Any) -> Any:
    return cls.from_bytes(sample.data, *sample.parameters)


def _opened(sample: Sample, cls: Any) -> Any:
    if hasattr(cls, "open"):
        return cls.open(Source(sample.data), **dict(zip(cls._parameters, sample.parameters, strict=False)))
    return cls.read(sample.data, 0, *sample.parameters)[0]


def _opened_and_read(sample: Sample, cls: Any) -> Any:
    """Returns an opened record of which some fields were read, in any order."""
    value, places = _opened(sample, cls), list(places_of(_whole(sample, cls)))
    for path in Random(len(sample.data)).sample(places, min(len(places), 3)):
        _at(value, path)
    return value


def _edited_outcome(
    sample: Sample,
    others: Sequence[Sample],
    cls: Any,
    way: Callable[..., Any],
    random: Random,
    text: str,
    steps: list[Places],
) -> tuple[list[str], bytes | str]:
    """Returns what was edited, and what is written.

    Args:
        steps: the fields before each edit, which are found in the first value, so that others are not read for that.
    """
    value = way(sample, cls)
    if random.random() < 0.3:
        _written(value, sample.parameters)
    is_written_between = random.random() < 0.1
    other = cls.from_bytes(random.choice(others).data, *sample.parameters) if not sample.parameters else None
    said, undo = list[str](), list[Undo]()
    for number in range(random.choice((1, 1, 2, 3))):
        if number == len(steps):
            steps.append(places_of(value))
        try:
            path, back = edit(value, other, random, steps[number])
        except Refused as refused:
            said.append(f"refused: {refused}")
            continue
        said.append(path)
        undo.append(back)
        if is_written_between:
            said.append(f"written: {_written(value, sample.parameters)!r}")
    copies = {
        "deepcopy": deepcopy(value),
        "pickle": pickle.loads(pickle.dumps(value)),
        "copy": copy(value),
    }
    outcome = _written(value, sample.parameters)
    again = _written(value, sample.parameters)
    assert again == outcome, ("written twice", sample, said, outcome, again)
    for name, each in copies.items():
        copied = _written(each, sample.parameters)
        assert copied == outcome, (name, sample, said, outcome, copied)
    if isinstance(outcome, bytes):
        _verify_written(value, outcome, sample, said, computed_by_with(text))
    else:
        assert not PYTHONS_WORDS.search(outcome), (sample, said, outcome)
    for back in reversed(undo):
        back()
    undone = _written(value, sample.parameters)
    before = _written(cls.from_bytes(sample.data, *sample.parameters), sample.parameters)
    # What is computed under a condition was replaced when the edited value was written, and objects of `with` by copies.
    assert undone == before or " when " in text or " with " in text, ("undone", sample, said, outcome, undone, before)
    return said, outcome


def _verify_written(value: Any, data: bytes, sample: Sample, said: list[str], computed: frozenset[str]) -> None:
    cls, parameters = _owner(type(value)), sample.parameters
    try:
        again = cls.from_bytes(data, *parameters)
    except DecodeError as error:
        raise AssertionError(("cannot be read back", sample, said, data, value, str(error))) from error
    found, expected = _kept(again, computed), _kept(value, computed)
    assert _is_open(expected) or found == expected, ("lost", sample, said, data, value, again)
    twice = _written(again, parameters)
    assert twice == data, ("not the same bytes", sample, said, data, twice)
    if not _has_forms(value) and not _is_open(list(_leaves(value))):
        try:
            plain = cls.from_dict(value.to_dict())
        except EncodeError as error:
            raise AssertionError(("from_dict", sample, said, value.to_dict(), str(error))) from error
        rebuilt = _written(plain, parameters)
        if isinstance(rebuilt, bytes):
            told = cls.from_bytes(rebuilt, *parameters)
            assert _kept(told, computed) == found, ("from_dict", sample, said, data, rebuilt)


def computed_by_with(text: str) -> frozenset[str]:
    """Returns the names of fields that `with` computes: of placed fields the objects in memory keep the former values."""
    paths = re.findall(r"(?:with|,) ([\w.\[\]]+) = ", text)
    return frozenset(path.rpartition(".")[2] for path in paths)


def _is_open(value: Any) -> bool:
    """Returns whether None stands in a value: it can be computed."""
    if isinstance(value, list | tuple):
        return any(map(_is_open, value))
    return value is None


def _leaves(value: Any) -> Any:
    """Yields the elements of the lists in a value."""
    for holder, name, _ in fields_of(value, ""):
        held = getattr(holder, name)
        if isinstance(held, list):
            yield from held
