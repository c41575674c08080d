"""Edits of one field of real files that others contradict: writing keeps what was set, or names both places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.records.values import Fields

from ..oracle.backends import BACKENDS, running
from ..paths import SPECS
from ..round_trips import is_named, text_of_path
from .real_files import file_of, names
from .test_wrong_values import Path, at


def paths(value: Any, before: Path = ()) -> Iterator[Path]:
    """Yields the paths of all fields, and of those in the first, middle and last element of each list."""
    if isinstance(value, Fields):
        for name in value._settable():
            yield (*before, name)
            yield from paths(getattr(value, name), (*before, name))
    elif isinstance(value, list) and value:
        for index in sorted({0, len(value) // 2, len(value) - 1}):
            yield from paths(value[index], (*before, index))


def _others(own: Any) -> list[Any]:
    match own:
        case bool():
            return [not own]
        case int():
            return [own + 1, own - 1 if own else 2, 0]
        case bytes():
            return [own + b"x", own[:-1]]
        case str():
            return [own + "x", own[:-1]]
        case list():
            return [own[:-1], own + own[:1]]
    return [None] if own is not None else []


def _told(value: Any) -> bytes | EncodeError:
    try:
        found: bytes = value.to_bytes()
        return found
    except EncodeError as error:
        return error


def verify(name: str, step: int) -> int:
    """Returns how many edits were refused: of fields with other shapes, every ``step``-th one."""
    cls, data, refused = compile_idl(SPECS / "gallery" / f"{name}.idl").File, file_of(name), 0
    shapes = {
        tuple(0 if isinstance(part, int) else part for part in path): path for path in paths(cls.from_bytes(data))
    }
    for *holder, last in list(shapes.values())[::step]:
        for other in _others(at(cls.from_bytes(data), (*holder, last))):
            told = list[bytes | EncodeError]()
            for backend in BACKENDS:
                with running(backend):
                    value = cls.from_bytes(data)
                    setattr(at(value, tuple(holder)), str(last), other)
                    told.append(_told(value))
            path = text_of_path((*holder, last))
            assert len({str(each) for each in told}) == 1, told
            assert not isinstance(told[0], EncodeError) or is_named(path, told[0]), (path, other, told[0])
            refused += isinstance(told[0], EncodeError)
    return refused


@pytest.mark.parametrize("name", list(names()))
def test_contradictions(name: str) -> None:
    assert verify(name, 7) >= 0


@pytest.mark.fuzz
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", list(names()))
def test_all_contradictions(name: str) -> None:
    assert verify(name, 1) > 0
