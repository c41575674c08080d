"""Values that lie, as arguments of all that takes values but ``to_bytes``: ``main(seed, count)`` returns the number of faults.

A lie stands in for one value inside of a call's arguments. The call may return, or raise an error that says that values are
not what is needed; the process must live. Where a lie can be taken for plain values, what is returned must be theirs.
``told(seed, count)`` prints what each call comes to, which must be the same on both backends.
"""

from __future__ import annotations

import copy
import faulthandler
import json
import random
import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa

from lakecodec.lake import LogError
from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.objects import Value

from ..memory import few_gigabytes
from . import table_targets, values
from . import targets as format_targets
from .places import Path as Place
from .targets import Target

#: What a call may raise of arguments that lie; AttributeError only of those whose own attributes are missing.
REFUSED = (
    CodecError,
    TypeError,
    ValueError,
    KeyError,
    OverflowError,
    FileNotFoundError,
    LogError,
    values.OwnError,
    pa.ArrowException,
)


@cache
def targets() -> list[Target]:
    """Returns the calls that are tried."""
    return [*format_targets.targets(), *table_targets.targets()]


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yields the ways to all values inside of arguments, themselves included."""
    if path:
        yield path
    if isinstance(value, list | tuple):
        for at, item in enumerate(value):
            yield from places(item, (*path, at))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))


def with_item(value: Any, path: Place, item: Any) -> Any:
    """Returns arguments with another value in a place."""
    if not path:
        return item
    if isinstance(value, tuple):
        items = list(value)
        items[path[0]] = with_item(items[path[0]], path[1:], item)
        return tuple(items)
    value[path[0]] = with_item(value[path[0]], path[1:], item)
    return value


def _at(value: Any, path: Place) -> Any:
    for key in path:
        value = value[key]
    return value


def _outcome(target: Target, place: Place, item: Any) -> tuple[str, Any]:
    try:
        return "returned", target.call(*with_item(copy.deepcopy(target.arguments()), place, item))
    except REFUSED as error:
        return "refused", error
    except Exception as error:
        return "raised", error


def _shown(result: Any) -> str:
    try:
        return re.sub(r"0x[0-9a-f]+", "0x", repr(result))
    except Exception as error:  # what holds a lie
        return f"{type(error).__name__}: {error}"


def wrong(target: Target, place: Place, number: int) -> str | None:
    """Returns what is wrong with a call of which one argument lies; None if nothing is."""
    plain = _at(target.arguments(), place)
    if isinstance(plain, Value) or plain is None:
        return None
    told = values.lies(plain, lambda: None)
    lie = told[number % len(told)]
    kind, found = _outcome(target, place, lie.value)
    if kind == "raised":
        return f"{lie.name}: {type(found).__name__}: {found}"
    if kind == "returned" and lie.honest and not lie.timed:
        allowed = [_outcome(target, place, honest)[1] for honest in (plain, *lie.honest)]
        if not any(found == each or _shown(found) == _shown(each) for each in allowed):
            return f"{lie.name}: {_shown(found):.200} is none of {allowed!r:.600}"
    return None


def cases(seed: int, count: int) -> Iterator[tuple[Target, Place, int]]:
    """Yields random calls, each with the place and the number of its lie."""
    rng = random.Random(seed)
    every = [(target, found) for target in targets() if (found := list(places(target.arguments())))]
    for _ in range(count):
        target, found = rng.choice(every)
        yield target, rng.choice(found), rng.randrange(10**6)


def main(seed: int, count: int) -> int:
    _prepare()
    faults: dict[str, str] = {}
    for target in targets():
        kind, found = _outcome(target, (0,), target.arguments()[0])
        assert kind == "returned", (target.name, found)
    for target, place, number in cases(seed, count):
        with few_gigabytes():  # less than what trusts a length of a billion takes
            told = wrong(target, place, number)
        if told is not None and (key := f"{target.name} {place} {told}"[:90]) not in faults:
            faults[key] = f"{target.name} {place} {number}: {told}"
            print(faults[key], flush=True)
    return len(faults)


def told(seed: int, count: int) -> None:
    """Prints what calls come to, by their number: what they return, or the kind of their error."""
    _prepare()
    found = {}
    for at, (target, place, number) in enumerate(cases(seed, count)):
        told = values.lies(_at(target.arguments(), place), lambda: None)
        if not (lie := told[number % len(told)]).timed:
            kind, result = _outcome(target, place, lie.value)
            said = _shown(result) if kind == "returned" else type(result).__name__
            found[f"{at} {target.name} {place} {lie.name}"] = said
    json.dump(found, sys.stdout)


def _prepare() -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")
