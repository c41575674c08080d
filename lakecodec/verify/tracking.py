"""Progress of long work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """A function that yields items, and tells how many of them were done so far: the command line's draws a bar."""

    def __call__(self, items: Sequence[T], done: str, /) -> Iterable[T]: ...


def no_progress(items: Sequence[T], done: str, /) -> Iterable[T]:
    """Returns the items: nothing is told."""
    return items
