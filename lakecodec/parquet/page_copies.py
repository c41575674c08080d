"""Pages of a column chunk on their way into another file: where they go, and their headers with checksums."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

from ..generated.parquet import PageLocation
from ..runtime.ranges import RangeReader
from .chunk import Located
from .pages import places


class PageCopy(NamedTuple):
    """A page that is copied with another header.

    Attributes:
        start: offset of the old header.
        body: offset of the body, which stays as it is.
        end: offset after the body.
        header: bytes of the new header.
    """

    start: int
    body: int
    end: int
    header: bytes


class Move:
    """The places of a column chunk's pages in the old file and in the new one.

    Attributes:
        start: offset of the first page in the old file.
        end: offset after the last page in the old file.
        size: bytes of the pages in the new file.
        is_stretched: True if pages change their size.
    """

    __slots__ = ("_by", "_targets", "end", "is_stretched", "size", "start")

    def __init__(self, start: int, end: int, target: int, copies: Sequence[PageCopy] = ()) -> None:
        self.start = start
        self.end = end
        self.size = end - start
        self._by = target - start
        self.is_stretched = False
        if copies:
            self.is_stretched = True
            self._targets: dict[int, int] = {}
            begin = target
            for copy in copies:
                self._targets[copy.start] = target
                target += len(copy.header) + copy.end - copy.body
            self._targets[end] = target
            self.size = target - begin

    def target(self, offset: int) -> int | None:
        """Returns the new offset for an old one, None where no page of the column chunk can begin or end."""
        if self.is_stretched:
            return self._targets.get(offset)
        return offset + self._by if self.start <= offset <= self.end else None

    def relocate(self, page: PageLocation) -> bool:
        """Sets the place of a page to that in the new file; returns False if the column chunk has no such page."""
        offset = page.offset
        if not self.is_stretched:
            # Pages that keep their size keep the size in the index, too.
            page.offset = offset + self._by
            return self.start <= offset <= self.end
        target, after = self.target(offset), self.target(offset + page.compressed_page_size)
        if target is None or after is None:
            return False
        page.offset, page.compressed_page_size = target, after - target
        return True


def with_checksums(located: Located, ranges: RangeReader) -> list[PageCopy]:
    """Returns the pages of a column chunk with checksums in their headers; none if all have one.

    Checksums that are there are kept. One body is in memory at a time.

    Raises:
        DecodeError: as `places`.
    """
    copies, changed = [], False
    for header, start, body in places(located):
        end = body + header.compressed_page_size
        if header.crc is None:
            found = zlib.crc32(ranges.read(body, end - body))
            # The field is signed, with the same 32 bits.
            header.crc = found - (found >> 31 << 32)
            changed = True
            encoded = header.to_bytes()
        else:
            encoded = bytes(ranges.read(start, body - start))
        copies.append(PageCopy(start, body, end, encoded))
    return copies if changed else []
