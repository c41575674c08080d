"""Random edits of values that were read: of fields and lists, several at once, undone, and of copies.

`verify_edits` calls sound: both backends write the edited value alike, as bytes that hold what was set, or refuse it.
Copies are written alike, and a value whose edits were undone is written as it was. So are values that were opened, whether
their placed fields were read before or not.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from random import Random
from typing import Any

from lakecodec import CodecError, DecodeError, EncodeError
from lakecodec.runtime.objects import Value
from lakecodec.runtime.records.depths import holds_places
from lakecodec.runtime.records.record import Record
from lakecodec.runtime.records.values import Fields
from lakecodec.workbench.sampling.sampler import Sample

from .oracle.backends import BACKENDS, running
from .round_trips import PYTHONS_WORDS, _at, _has_forms, _kept, _other, _owner, _written

Undo = Callable[[], None]
#: Fields in a value, by their paths, with the types of what they hold.
Places = Mapping[str, type]


class Refused(Exception):
    """The value cannot be set: nothing was changed."""


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
        assert all(other == outcomes[0] for other in outcomes), ("differ", ways, BACKENDS, sample, said, outcomes)
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
    for holder, name, _ in _places(value, ""):
        held = getattr(holder, name)
        if isinstance(held, list):
            yield from held


def edit(value: Any, other: Any, random: Random, places: Places) -> tuple[str, Undo]:
    """Changes something in a value, and returns what, and how to change it back.

    Args:
        places: the fields in the value, so that of an opened one only what is changed is read.
    """
    if not places:
        raise Refused("nothing")
    path, type_ = random.choice(list(places.items()))
    holder, name = _holder(value, path)
    if type_ is list and random.random() < 0.75:
        return _edit_list(path, value, random, places)
    draw = random.random()
    if draw < 0.35 and other is not None and path in places_of(other):
        new = _at(other, path)
        return f"{path} = that of another value: {new!r}", _set(holder, name, new, value, path)
    alike = [each for each, of in places.items() if of is type_ and not path.startswith(each)]
    if draw < 0.5 and issubclass(type_, Value) and alike:
        there = random.choice(alike)
        return f"{path} = the object of {there}", _set(holder, name, _at(value, there), value, path)
    if draw < 0.7 and issubclass(type_, Value):
        own = getattr(holder, name)
        new = deepcopy(own) if random.random() < 0.5 else _rebuilt(own)
        return f"{path} = an equal object", _set(holder, name, new, value, path)
    new = _other(getattr(holder, name), random)
    if new is None and not isinstance(holder, Fields):
        raise Refused("None is the default in messages and structs")
    return f"{path} = {new!r}", _set(holder, name, new, value, path)


def places_of(value: Any) -> Places:
    """Returns the paths of the fields in a value, with the types of what they hold."""
    return {path: type(getattr(holder, name)) for holder, name, path in _places(value, "")}


def _rebuilt(value: Any) -> Any:
    """Returns an equal object that was not read."""
    try:
        return _owner(type(value)).from_dict(value.to_dict())
    except EncodeError as error:
        raise Refused(str(error)) from error


def _places(value: Any, path: str) -> Any:
    """Yields the fields in a value, with their paths."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _places(each, f"{path}[{index}]")
    elif isinstance(value, Value):
        for name in value.to_dict():
            if hasattr(value, name):
                yield value, name, f"{path}.{name}"
                yield from _places(getattr(value, name), f"{path}.{name}")


def _holder(value: Any, path: str) -> tuple[Any, str]:
    before, _, name = path.rpartition(".")
    return _at(value, before), name


def _set(holder: Any, name: str, new: Any, whole: Any, path: str) -> Undo:
    """Sets a field; it is set back in what stands at the path then, since writers replace what they compute by copies."""
    own = getattr(holder, name)
    try:
        setattr(holder, name, new)
    except (AttributeError, TypeError, EncodeError) as error:
        raise Refused(f"{name}: {type(error).__name__}") from error
    return lambda: setattr(_at(whole, path[: path.rfind(".")]), name, own)


def _edit_list(path: str, whole: Any, random: Random, places: Places) -> tuple[str, Undo]:
    own = _at(whole, path)
    before, alike = list(own), []
    for at, type_ in places.items():
        is_apart = not f"{at}[".startswith(f"{path}[") and not f"{path}[".startswith(f"{at}[")
        if is_apart and type_ is list:
            alike.append(at)

    def back() -> None:
        _at(whole, path)[:] = before

    try:
        match random.randrange(9):
            case 0 if own:
                own.append(deepcopy(random.choice(own)))
                return f"{path}.append(a copy)", back
            case 1 if own:
                own.append(random.choice(own))
                return f"{path}.append(the same object)", back
            case 2 if own:
                own.pop(random.randrange(len(own)))
                return f"{path}.pop", back
            case 3 if own:
                own[: random.randrange(len(own) + 1)] = deepcopy(own[random.randrange(len(own)) :])
                return f"{path}[:] = a slice", back
            case 4 if len(own) > 1:
                own.reverse()
                return f"{path}.reverse()", back
            case 5 if alike:
                at = random.choice(alike)
                theirs = _at(whole, at)
                kept = list(theirs)
                if not own or not theirs or type(own[0]) is not type(theirs[0]):
                    raise Refused(f"{path}: {at} is of other elements")
                own[0], theirs[-1] = theirs[-1], own[0]

                def both() -> None:
                    back()
                    _at(whole, at)[:] = kept

                return f"{path}[0] swapped with another list's last", both
            case 6:
                own.clear()
                return f"{path}.clear()", back
            case _ if own:
                index = random.randrange(len(own))
                own[index] = new = (
                    _other(own[index], random) if not isinstance(own[index], Value) else deepcopy(random.choice(own))
                )
                return f"{path}[{index}] = {new!r}", back
    except (AttributeError, TypeError, EncodeError) as error:
        raise Refused(f"{path}: {type(error).__name__}") from error
    raise Refused(path)
