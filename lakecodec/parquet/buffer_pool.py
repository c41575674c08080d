"""Buffer pool for the file tails of `column_chunks`; a buffer is reused for one batch of files after the other."""

from __future__ import annotations

import contextlib
import mmap
from typing import Any

from ..runtime.ranges import TAIL_SIZE

#: Files whose tails one room holds.
FILES = 64


class TailRoom:
    """A buffer for the tails of `FILES` files, `TAIL_SIZE` bytes each.

    Newly allocated memory costs a page fault for each of its memory pages, more than the read itself; so buffers are
    kept.
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
        """Returns a view of ``count * TAIL_SIZE`` bytes: the space of ``count`` files from number ``number`` on."""
        return self._view[number * TAIL_SIZE : (number + count) * TAIL_SIZE]


def take_room() -> TailRoom:
    """Returns an unused buffer of the pool, or a new one if there is none; safe to call from several threads."""
    try:
        return _kept.pop()
    except IndexError:
        return TailRoom()


def give_room(room: TailRoom) -> None:
    """Returns a buffer to the pool, which keeps at most 4; nothing may refer to the tails in ``room`` any more."""
    if len(_kept) < _MOST_KEPT:
        _kept.append(room)


#: As many as one call has in use on few processors.
_MOST_KEPT = 4
_kept: list[TailRoom] = []
