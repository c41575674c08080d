"""Places of column chunks in an encoded footer: found in one pass, then each chunk is read alone in any order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from ..generated.parquet import ColumnChunk, FileMetaData, RowGroup
from ..runtime.compact.backend import places as named_values
from ..runtime.compact.backend import skip
from ..runtime.compact.rules import RULES
from ..runtime.compact.wire import LIST, STOP, STRUCT, Malformed, read_field_header, read_list_header
from ..runtime.errors import DecodeError, format_name
from ..runtime.limits import DEFAULT_LIMITS
from .footer import Footer
from .metadata import decode_footer
from .schema import choose, dotted_paths


class ChunkPlaces:
    """The column chunks of a footer at random access.

    Args:
        footer: the footer, whose bytes are kept.

    Raises:
        DecodeError: the bytes are not a FileMetaData, or a row group does not have one chunk per column.
    """

    def __init__(self, footer: Footer) -> None:
        self.footer = footer
        data = bytes(footer.metadata)
        self._paths = tuple(dotted_paths(decode_footer(footer, fields=("schema",)).schema, file=footer.tail.name))
        at = array("I")
        for number, group in enumerate(chunk_places(data)):
            if len(group) != len(self._paths) + 1:
                rule = f"{len(group) - 1} chunks for the {len(self._paths)} columns of the schema"
                raise DecodeError(rule, format="parquet.FileMetaData", path=f"row_groups[{number}]")
            at.extend(group[:-1])
        self._places = named_values(ColumnChunk.__codec__, data, self._paths, at, DEFAULT_LIMITS)

    def chunks(self, columns: Iterable[str]) -> list[ColumnChunk]:
        """Returns the chunks of columns, of one row group after the other, new objects on each call.

        Raises:
            KeyError: the file has no column of a name.
        """
        names = columns if type(columns) is list else list(columns)
        found: list[ColumnChunk] | None = self._places.named(names)
        if found is None:
            # The name of a group selects all columns below it.
            found = self._places.numbered([number for name in names for number in choose(self._paths, [name])])
        return found


def chunk_places(data: bytes) -> Iterable[array[int]]:
    """Yields the places of the column chunks of each row group, and where the last one ends."""
    for group in places(FileMetaData, "row_groups", RowGroup, data)[:-1]:
        yield places(RowGroup, "columns", ColumnChunk, data, group)


def places(cls: Any, name: str, element: Any, data: bytes, at: int = 0) -> array[int]:
    """Returns the places of the elements of a struct's list of structs, and where the last one ends.

    Args:
        cls: the struct, which begins at ``at``.
        name: the list's name.
        element: the class of its elements.
    """
    start, count = _list(cls, name, data, at)
    found = array("I", [start])
    for _ in range(count):
        start = element.skip(data, start)
        found.append(start)
    return found


def _list(cls: Any, name: str, data: bytes, at: int) -> tuple[int, int]:
    """Returns the place of the first element of a struct's list of structs, and the number of elements; 0 for an
    absent list."""
    wanted = next(field.id for field in cls.__spec__.fields if field.name == name)
    last = 0
    try:
        while True:
            last, wire, at = read_field_header(data, at, last)
            if wire == STOP:
                return at, 0
            if last == wanted and wire == LIST:
                count, element, start = read_list_header(data, at)
                if element == STRUCT or not count:
                    return start, count
            at = skip(data, at, DEFAULT_LIMITS, format_name(cls), wire)
    except Malformed as malformed:
        raise DecodeError(RULES[malformed.key], format=format_name(cls), offset=malformed.offset) from None
    except IndexError:
        raise DecodeError(RULES["truncated"], format=format_name(cls), offset=len(data)) from None
