"""What is written of values with a lie in them: every generated class that has samples, on both backends."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from lakecodec import compile_idl
from lakecodec.generated import deletion_vector, mosaic, parquet, parquet_file
from lakecodec.runtime.objects import Value
from lakecodec.workbench.sampling.sampler import sample_list

from ..oracle import backends as records
from ..paths import SPECS
from ..runtime.compact import backends as compact
from ..runtime.protobuf import backends as protobuf
from . import values
from .places import Path as Place
from .places import places, put, step

TESTS = Path(__file__).parent.parent
MODULES: dict[str, Any] = {
    "kitchen": compact.kitchen,
    "kinds": lambda: protobuf.kinds,
    "clauses": cache(lambda: compile_idl(TESTS / "oracle" / "clauses.idl", allow_extern=["tests.oracle.turned"])),
    "constructs": cache(lambda: compile_idl(TESTS / "mutation" / "constructs.idl")),
    "zip": cache(lambda: compile_idl(SPECS / "gallery" / "zip.idl")),
    "parquet": lambda: parquet,
    "parquet_file": lambda: parquet_file,
    "mosaic": lambda: mosaic,
    "deletion_vector": lambda: deletion_vector,
}


@contextmanager
def running(name: str) -> Iterator[None]:
    """Reads and writes all formats on one backend."""
    with ExitStack() as stack:
        stack.enter_context(compact.running(name))
        stack.enter_context(protobuf.running(name))
        stack.enter_context(records.running(name))
        yield


@dataclass
class Sample:
    """A value's bytes and the parameters that it is read with; ``places`` are those in it."""

    cls: Any
    data: bytes
    parameters: tuple[Any, ...]

    @cached_property
    def places(self) -> list[Place]:
        return places(self.read())

    def read(self) -> Any:
        return self.cls.from_bytes(self.data, *self.parameters)


def classes(name: str) -> list[Any]:
    """Returns the classes of a module that have bytes of their own."""
    specs = MODULES[name]().__spec__.values()
    return [
        spec.cls
        for spec in specs
        if isinstance(spec.cls, type) and issubclass(spec.cls, Value) and hasattr(spec.cls, "to_bytes")
    ]


@cache
def samples(name: str, number: int) -> list[Sample]:
    """Returns samples of a module's class; none where rules are hard to meet."""
    cls = classes(name)[number]
    try:
        found = sample_list(cls, 4, number)
    except ValueError:
        return []
    made = [Sample(cls, each.data, each.parameters) for each in found]
    # An alternative of a variant may be that of another tag where it is read alone.
    return [each for each in made if written(each, each.read())[0] == "bytes"]


Outcome = tuple[str, Any]


def written(
    sample: Sample, root: Any, container: Any = None, key: Any = None, item: Any = None, deletes: bool = False
) -> Outcome:
    """What writing comes to of a value that has an item in a place: its bytes, or the kind of error."""
    try:
        if container is not None:
            put(container, key, item)
        return "bytes", root.to_bytes(*sample.parameters)
    except (TypeError, ValueError, values.OwnError) as error:
        return "error", error
    except AttributeError as error:
        if deletes:
            return "error", error
        return "raised", repr(error)
    except Exception as error:
        return "raised", repr(error)


def wrong(sample: Sample, place: Place, number: int, act: int) -> str | None:
    """Returns what is wrong with how a value is written that has the lie of a number in a place; None if nothing is."""
    outcomes: dict[str, Outcome] = {}
    lie = None
    for backend in compact.BACKENDS:
        with running(backend):
            lie, found, honest = _lie_written(sample, place, number, act)
            outcomes[backend] = found
            if found[0] == "raised":
                return f"{backend}: {lie.name}: {found[1]}"
            if found[0] == "bytes" and honest is not None and found[1] not in honest:
                return f"{backend}: {lie.name}: {found[1].hex()} is none of {[each.hex() for each in honest]}"
            if found[0] == "bytes" and honest is None and (unread := _unreadable(sample, found[1])) is not None:
                return f"{backend}: {lie.name}: what was written cannot be read: {unread}"
    kinds = {kind for kind, _ in outcomes.values()}
    if lie is not None and not lie.timed and len(kinds) > 1:
        return f"{lie.name}: backends differ: {outcomes}"
    if lie is not None and not lie.timed and kinds == {"bytes"} and len({data for _, data in outcomes.values()}) > 1:
        return f"{lie.name}: backends differ: {outcomes}"
    return None


def _lie_written(sample: Sample, place: Place, number: int, act: int) -> tuple[values.Lie, Outcome, list[bytes] | None]:
    root = sample.read()
    container = root
    for key in place[:-1]:
        container = step(container, key)
    plain = step(container, place[-1])
    _name, does = values.acts(container, place[-1], root, lambda: root.to_bytes(*sample.parameters))[act % 5]
    calls = [0]

    def acting() -> None:
        calls[0] += 1
        if calls[0] < 5:
            does()

    told = values.lies(plain, acting)
    lie = told[number % len(told)]
    honest = None if lie.honest is None else _honest(sample, place, (plain, *lie.honest))
    return lie, written(sample, root, container, place[-1], lie.value, lie.timed), honest


def _honest(sample: Sample, place: Place, items: tuple[Any, ...]) -> list[bytes]:
    found = []
    for item in items:
        root = sample.read()
        container = root
        for key in place[:-1]:
            container = step(container, key)
        kind, data = written(sample, root, container, place[-1], item)
        if kind == "bytes":
            found.append(data)
    return found


def _unreadable(sample: Sample, data: bytes) -> str | None:
    try:
        sample.cls.from_bytes(data, *sample.parameters)
    except Exception as error:
        return repr(error)
    return None


def cases(seed: int) -> Iterator[tuple[Sample, Place, int, int]]:
    """Yields random cases without an end."""
    rng = random.Random(seed)
    every = [(name, number) for name in MODULES for number in range(len(classes(name)))]
    while True:
        found = samples(*rng.choice(every))
        places_found = [(sample, place) for sample in found for place in sample.places]
        if places_found:
            sample, place = rng.choice(places_found)
            yield sample, place, rng.randrange(10**6), rng.randrange(5)
