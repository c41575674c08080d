"""Single random edits: of fields, to other values, those of other samples or objects of the same value, and of lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from lakecodec import EncodeError
from lakecodec.runtime.objects import Value
from lakecodec.runtime.records.values import Fields

from .round_trips import _at, _other, _owner

Undo = Callable[[], None]
#: Fields in a value, by their paths, with the types of what they hold.
Places = Mapping[str, type]


class Refused(Exception):
    """The value cannot be set: nothing was changed."""


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
    return {path: type(getattr(holder, name)) for holder, name, path in fields_of(value, "")}


def _rebuilt(value: Any) -> Any:
    """Returns an equal object that was not read."""
    try:
        return _owner(type(value)).from_dict(value.to_dict())
    except EncodeError as error:
        raise Refused(str(error)) from error


def fields_of(value: Any, path: str) -> Any:
    """Yields the fields in a value, with their paths."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from fields_of(each, f"{path}[{index}]")
    elif isinstance(value, Value):
        for name in value.to_dict():
            if hasattr(value, name):
                yield value, name, f"{path}.{name}"
                yield from fields_of(getattr(value, name), f"{path}.{name}")


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
