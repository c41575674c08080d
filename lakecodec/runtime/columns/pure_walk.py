"""Values with a length prefix, found one by one in Python."""

from __future__ import annotations

from .buffers import Buffer
from .layout import MAX_LENGTH, ValueLayout
from .rules import Rule, broken


def walk(layout: ValueLayout, data: Buffer, start: int, end: int, count: int) -> tuple[list[int], list[int], int]:
    """Returns the begin and end of each of ``count`` values, length prefixes excluded, and the position after the last one."""
    starts, ends = [], []
    least, most = layout.least, layout.most
    pos = start
    for _ in range(count):
        first = pos
        size = data[pos] if pos < end else 128
        pos += 1
        if size >= 128:
            size, pos = _long_prefix(data, first, end)
        if not least <= size <= most:
            raise broken(Rule.BOUNDS, first, layout.rule)
        if size > end - pos:
            raise broken(Rule.TRUNCATED, first)
        starts.append(pos)
        pos += size
        ends.append(pos)
    return starts, ends, pos


def _long_prefix(data: Buffer, first: int, end: int) -> tuple[int, int]:
    """Returns the value of a length prefix of any size, and the position after it."""
    size = 0
    for k, pos in enumerate(range(first, first + 5)):
        if pos >= end:
            raise broken(Rule.TRUNCATED, first)
        byte = data[pos]
        size |= (byte & 127) << 7 * k
        if byte < 128:
            if size > MAX_LENGTH:
                break
            return size, pos + 1
    raise broken(Rule.PREFIX, first)
