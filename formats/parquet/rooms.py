"""Memory that the tails of many files are read into, one batch of files after the other."""

from __future__ import annotations

import contextlib
import mmap

from ..runtime.ranges import TAIL_SIZE


class TailRoom:
    """Room for the tails of a batch of files.

    A buffer for each tail would be fresh memory, and cost a page fault for each of its pages: more than the read itself.
    """

    def __init__(self, files: int) -> None:
        flags = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
        memory = mmap.mmap(-1, files * TAIL_SIZE, **flags)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # the kernel may be built without huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
        self._view = memoryview(memory)

    def part(self, number: int, count: int = 1) -> memoryview:
        """TAIL_SIZE bytes for each of ``count`` files."""
        return self._view[number * TAIL_SIZE : (number + count) * TAIL_SIZE]


class TailRooms:
    """Rooms for batches of ``files`` files, used again when a batch is done. Threads may take and give them."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._free: list[TailRoom] = []

    def take(self) -> TailRoom:
        try:
            return self._free.pop()
        except IndexError:
            return TailRoom(self._files)

    def give(self, room: TailRoom) -> None:
        """Nothing may refer to the tails in ``room`` any more."""
        self._free.append(room)
