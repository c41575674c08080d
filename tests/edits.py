"""Random edits of values that were read: of fields and lists, several at once, undone, and of copies.

`verify_edits` calls sound: both backends write the edited value alike, as bytes that hold what was set, or refuse it.
Copies are written alike, and a value whose edits were undone is written as it was.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from random import Random
from typing import Any

from lakecodec import DecodeError, EncodeError
from lakecodec.runtime.objects import Value
from lakecodec.runtime.records.values import Fields
from lakecodec.workbench.sampling.sampler import Sample

from .oracle.backends import BACKENDS, running
from .round_trips import PYTHONS_WORDS, _at, _has_forms, _kept, _other, _owner, _written

Undo = Callable[[], None]


class Refused(Exception):
    """The value cannot be set: nothing was changed."""


def verify_edits(sample: Sample, others: Sequence[Sample], cls: Any, random: Random, count: int, text: str) -> int:
    """Fails unless random edits of a sample are written, undone and copied as said above; returns how many were written.

    Args:
        others: samples of the same type, from which fields are taken.
        text: the IDL, which says what writers compute.
    """
    cls, written = _owner(cls), 0
    for _ in range(count):
        seed, outcomes, said = random.random(), list[Any](), list[str]()
        for backend in BACKENDS:
            with running(backend):
                said, outcome = _edited_outcome(sample, others, cls, Random(seed), text)
                outcomes.append(outcome)
        assert all(other == outcomes[0] for other in outcomes), ("backends differ", sample, said, outcomes)
        written += isinstance(outcomes[0], bytes)
    return written


def _edited_outcome(
    sample: Sample, others: Sequence[Sample], cls: Any, random: Random, text: str
) -> tuple[list[str], bytes | str]:
    value = cls.from_bytes(sample.data, *sample.parameters)
    is_read_first = random.random() < 0.3
    if is_read_first:
        _written(value, sample.parameters)
    other = cls.from_bytes(random.choice(others).data, *sample.parameters) if not sample.parameters else None
    said, undo = list[str](), list[Undo]()
    for _ in range(random.choice((1, 1, 2, 3))):
        try:
            path, back = edit(value, other, random)
        except Refused as refused:
            said.append(f"refused: {refused}")
            continue
        said.append(path)
        undo.append(back)
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


def edit(value: Any, other: Any, random: Random) -> tuple[str, Undo]:
    """Changes something in a value, and returns what, and how to change it back."""
    places = list(_places(value, ""))
    if not places:
        raise Refused("nothing")
    holder, name, path = random.choice(places)
    own = getattr(holder, name)
    if isinstance(own, list) and random.random() < 0.75:
        return _edit_list(own, path, value, random)
    draw = random.random()
    candidates = [] if other is None else [(h, n) for h, n, p in _places(other, "") if p == path]
    if candidates and draw < 0.35:
        new = getattr(*candidates[0])
        return f"{path} = that of another value: {new!r}", _set(holder, name, new, value, path)
    alike = [getattr(h, n) for h, n, p in places if type(getattr(h, n)) is type(own) and not path.startswith(p)]
    if draw < 0.5 and isinstance(own, Value) and alike:
        return f"{path} = an object in two places", _set(holder, name, random.choice(alike), value, path)
    new = _other(own, random)
    if new is None and not isinstance(holder, Fields):
        raise Refused("None is the default in messages and structs")
    return f"{path} = {new!r}", _set(holder, name, new, value, path)


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


def _set(holder: Any, name: str, new: Any, whole: Any, path: str) -> Undo:
    """Sets a field; it is set back in what stands at the path then, since writers replace what they compute by copies."""
    own = getattr(holder, name)
    try:
        setattr(holder, name, new)
    except (AttributeError, TypeError, EncodeError) as error:
        raise Refused(f"{name}: {type(error).__name__}") from error
    return lambda: setattr(_at(whole, path[: path.rfind(".")]), name, own)


def _edit_list(own: list[Any], path: str, whole: Any, random: Random) -> tuple[str, Undo]:
    before, alike = list(own), []
    for holder, name, at in _places(whole, ""):
        held = getattr(holder, name)
        is_apart = not f"{at}[".startswith(f"{path}[") and not f"{path}[".startswith(f"{at}[")
        if is_apart and isinstance(held, list) and held and own and type(held[0]) is type(own[0]):
            alike.append((at, held))

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
                at, theirs = random.choice(alike)
                kept = list(theirs)
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
