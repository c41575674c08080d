"""Fields of real files set to values of other types: writing takes them or refuses them, in no words of Python's."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.records.values import Fields

from ..oracle.backends import BACKENDS, running
from ..paths import SPECS
from ..round_trips import PYTHONS_WORDS
from .real_files import file_of, names

WRONG = (None, "text", -1, 2**70, [], [[1]], {}, b"", 1.5)
Path = tuple[str | int, ...]


def paths(value: Any, before: Path = ()) -> Iterator[Path]:
    """Yields the paths of all fields, and of the first element of each list."""
    if isinstance(value, Fields):
        for name in value._settable():
            yield (*before, name)
            yield from paths(getattr(value, name), (*before, name))
    elif isinstance(value, list) and value:
        yield (*before, 0)
        yield from paths(value[0], (*before, 0))


def at(value: Any, path: Path) -> Any:
    for part in path:
        value = value[part] if isinstance(part, int) else getattr(value, part)
    return value


def verify(name: str, count: int, seed: int) -> int:
    """Fails where an error of writing is another one than EncodeError, or has Python's words. Returns how many there were."""
    cls, data, refused = compile_idl(SPECS / "gallery" / f"{name}.idl").File, file_of(name), list[Any]()
    known = list(paths(cls.from_bytes(data)))
    for *holder, last in Random(seed).sample(known, min(count, len(known))):
        for wrong in WRONG:
            for backend in BACKENDS:
                with running(backend):
                    value = cls.from_bytes(data)
                    inside = at(value, tuple(holder))
                    if isinstance(last, int):
                        inside[last] = wrong
                    else:
                        setattr(inside, last, wrong)
                    try:
                        value.to_bytes()
                    except EncodeError as error:
                        refused.append((backend, holder, last, wrong, str(error)))
    assert not [each for each in refused if PYTHONS_WORDS.search(each[-1])]
    return len(refused)


@pytest.mark.parametrize("name", list(names()))
def test_wrong_values(name: str) -> None:
    assert verify(name, 4, 1) > 10


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", list(names()))
def test_all_wrong_values(name: str) -> None:
    assert verify(name, 10_000, 2) > 10
