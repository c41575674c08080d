"""Checks of files that their declaration does not say, one object for each format that has some."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader
from .finding import Finding, of_error
from .regions import Region, region_value
from .tracking import Track


def decoded_regions(record: Any, regions: list[Region], reader: RangeReader, track: Track) -> Iterator[Finding]:
    """Yields the rules that the parts of a file break."""
    for region in track(regions, "parts verified"):
        try:
            region_value(record, region)
        except DecodeError as error:
            # The offset may be in a decoded block, so the offset of the region in the file is reported.
            yield of_error(error, reader.name, region.offset)


@dataclass(frozen=True, slots=True)
class FileChecks:
    """Checks of the files of a format.

    Attributes:
        regions: yields the parts of a file, given as its record, that its metadata points to.
        values: yields (path of the field, rule) of statistics that the values of the file at a path contradict.
        contents: yields the findings of these parts.
    """

    regions: Callable[[Any], Iterable[Region]]
    values: Callable[[str], Iterator[tuple[str, str]]]
    contents: Callable[[Any, list[Region], RangeReader, Track], Iterator[Finding]] = decoded_regions

    def regions_of(self, record: Any) -> list[Region]:
        """Returns the parts by their offsets.

        Raises:
            DecodeError: the metadata cannot be read.
        """
        return sorted(self.regions(record), key=lambda each: (each.offset, each.size))
