"""Memory that the tails of many files are read into, one batch of files after the other."""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

from ..runtime.ranges import TAIL_SIZE

#: Files whose tails one room holds.
FILES = 64


class TailRoom:
    """Room for the tails of `FILES` files.

    A buffer for each tail would be fresh memory, and cost a page fault for each of its pages: more than the read itself.
    """

    def __init__(self) -> None:
        flags: dict[str, Any] = (
            {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
        )
        memory = mmap.mmap(-1, FILES * TAIL_SIZE, **flags)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # the kernel may be built without huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = memoryview(memory)

    def part(self, number: int, count: int = 1) -> memoryview:
        """TAIL_SIZE bytes for each of ``count`` files."""
        return self._view[number * TAIL_SIZE : (number + count) * TAIL_SIZE]


def take_room() -> TailRoom:
    """A room that nobody uses."""
    try:
        return _kept.pop()
    except IndexError:
        return TailRoom()


def give_room(room: TailRoom) -> None:
    """Nothing may refer to the tails in ``room`` any more."""
    if len(_kept) < _MOST_KEPT:
        _kept.append(room)


#: As many as one call has in use on few processors.
_MOST_KEPT = 4
_kept: list[TailRoom] = []
