"""The ends of local files, of all by one call."""

from __future__ import annotations

from lakecodec.runtime.file_tails import Tails
from lakecodec.runtime.tail_cache import TAIL_SIZE


def read_tails(paths: list[str], room: memoryview, length: int = TAIL_SIZE) -> Tails:
    """``length`` bytes of each at first; ``room`` has as many for each."""
    found = Tails(paths, room, length)
    found.read(0, len(paths))
    return found
