"""The end of a record with gaps: new fields, and the fields that move when others are put there."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence

from .coverage import is_of_whole
from .declared_spans import SEQUENTIAL, Key
from .encoded_fields import EncodedFields


class MovingEnds(EncodedFields):
    """The order in which the fields of a record are placed, and where the record ends.

    Fields that count from the end of the record do not bound those that are put there: they move behind them. So do fields whose
    places are computed from the offsets of new ones.
    """

    _original: bytes
    #: The fields that count from the end of the record, and those that follow new ones.
    _moving: set[Key]
    _following: set[Key]

    def _in_turn(self) -> Iterator[tuple[Key, bool]]:
        """Yields (key, is late) of the fields with places, in the order of placing; late ones get the next place that is free."""
        keys = [key for key in self._keys if key != SEQUENTIAL]
        late = dict.fromkeys(key for key in keys if self._is_late(key))
        settled = [key for key in keys if key not in late]
        has_gaps = self.record._gaps
        self._moving = self._counting_from_end(settled) if has_gaps else set()
        self._following = self._computed_from(late, settled) if has_gaps and late else set()
        yield from ((key, False) for key in settled if key not in self._following)
        yield from ((key, True) for key in late)
        yield from ((key, False) for key in settled if key in self._following)

    def _computed_from(self, late: Iterable[Key], settled: Iterable[Key]) -> set[Key]:
        """Returns the settled fields whose places are computed from the offsets of late ones."""
        held = {key: self._pointer(key) for key in late if self._has_pointer(key)}
        dirty, behind = set(self._dirty), self._first + len(self._original) + self.record._size
        found: list[dict[Key, int | None]] = []
        for place in (behind + 1, behind + 2) if held else ():
            for key in held:
                self._point(key, place)
            found.append({key: self._declared(key) for key in settled})
        for key, value in held.items():
            self._hold(key, value)
        self._dirty = dirty
        return {key for key in settled if found and found[0][key] != found[1][key]}

    def _counting_from_end(self, settled: Iterable[Key]) -> set[Key]:
        """Returns the settled fields whose places move with the end of the record."""
        cls = type(self.record)
        names = {name for name, row in self.record._placed.items() if not row.origin and is_of_whole(cls, name)}
        if not names:
            return set()
        longer = copy.copy(self.record)
        longer._size += 1
        return {key for key in settled if key[0] in names and self._declared(key) != self._declared(key, longer)}

    def _next_free(self, spans: Iterable[tuple[Key, int, int]]) -> int:
        """Returns the end of the bytes that were read and of fields at (key, start, stop), without those that move."""
        end, read, begin = len(self._original), self._edited._spans, self._edited._begin
        moving = () if self.record._overlaps else self._moving | self._following
        for offset, size, _ in sorted((read[key] for key in moving if key in read), reverse=True):
            if size and offset + size == begin + end:
                end -= size
        return max([self._first + end, *(stop for key, _, stop in spans if key not in self._moving)])

    def _end_of_all(self, spans: Sequence[tuple[Key, int, int]]) -> int:
        """Returns the size of the record for fields at (key, start, stop). What counts from the end moves behind the others."""
        end: int = max([self._first + len(self._original), *(stop for _, _, stop in spans)])
        first = min((start for key, start, _ in spans if key in self._moving), default=end)
        reached = max((stop for key, start, stop in spans if start <= first < stop and self._pushes(key)), default=None)
        return end if reached is None else max(end, reached + self.record._size - first)

    def _pushes(self, key: Key) -> bool:
        """Returns whether fields that count from the end move behind another one, since they were not read from bytes of it."""
        if key in self._moving:
            return False
        read, edited = self._edited._spans, self._edited
        if key == SEQUENTIAL and edited._source is not None:
            end = edited._begin + edited._taken
        elif key in read:
            end = read[key][0] + read[key][1]
        else:
            return True
        first = min((read[each][0] for each in self._moving if each in read), default=None)
        return first is None or end <= first
