"""One column chunk of a file: its metadata and checks of its byte ranges."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..generated.parquet import ColumnChunk, ColumnMetaData
from ..runtime.limits import Limits
from ..runtime.suggest import no_such
from .errors import broken
from .footer import DATA_START, Footer, read_footer
from .metadata import decode_footer
from .schema import dotted_paths
from .sources import Source


class Located(NamedTuple):
    """A column chunk of a file whose footer was read.

    Attributes:
        chunk: the ColumnChunk of parquet.thrift.
        row_group, column: its position in the FileMetaData.
        source: the file.
        footer: the file's footer.
    """

    chunk: ColumnChunk
    row_group: int
    column: int
    source: Source
    footer: Footer

    @property
    def path(self) -> str:
        """Its path in the FileMetaData, for errors."""
        return f"row_groups[{self.row_group}].columns[{self.column}]"

    @property
    def file(self) -> str:
        """Path or URL of the file, ``""`` if it has none."""
        return self.footer.tail.name

    def check_range(self, offset: int, length: int, what: str) -> None:
        """Raises DecodeError if ``length`` bytes from ``offset`` on are not between the leading magic and the footer."""
        if length < 0 or offset < DATA_START or offset + length > self.footer.start:
            raise broken(
                f"{what}: {length} bytes from {offset} on are outside the file's data",
                file=self.file,
                path=self.path,
            )

    def metadata(self) -> ColumnMetaData:
        """Returns the ColumnMetaData of the chunk.

        Raises:
            DecodeError: the column is encrypted (Encryption.md), or the chunk has no ``meta_data``.
        """
        if self.chunk.crypto_metadata is not None:
            raise broken("the column is encrypted", file=self.file, path=self.path)
        if self.chunk.meta_data is None:
            raise broken("the column chunk has no metadata", file=self.file, path=self.path)
        return self.chunk.meta_data


def locate(source: Any, row_group: int, column: int | str, limits: Limits | None, filesystem: Any) -> Located:
    """Returns the column chunk of ``column`` in ``row_group``; reads the footer.

    Args:
        source: as in `read_metadata`.
        row_group: position of the row group.
        column: position among the leaf columns, or dotted path of a leaf column.
        limits: limits on nesting depth and number of elements of the footer; None for ``Limits()``.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.

    Raises:
        ValueError: the file has no such row group or column position.
        KeyError: the file has no column with this path.
        TypeError: ``row_group`` is not an int, or ``column`` neither an int nor a str.
        DecodeError: the file is invalid, or the chunk's ``file_path`` refers to another file.
    """
    _check_number("row_group", row_group)
    opened = Source(source, None, filesystem)
    with opened.open() as ranges:
        footer = read_footer(ranges)
    number = _position(footer, column, limits)
    fields = (f"row_groups[{row_group}].columns[{number}]",)
    groups = decode_footer(footer, fields=fields, limits=limits).row_groups
    if not groups:
        raise ValueError(f"row_group: the file has no row group {row_group}")
    if not groups[0].columns:
        raise ValueError(f"column: row group {row_group} has no column {number}")
    located = Located(groups[0].columns[0], row_group, number, opened, footer)
    if located.chunk.file_path is not None:
        raise broken(
            f"the column chunk's data is in another file: {located.chunk.file_path}",
            file=located.file,
            path=located.path,
        )
    return located


def _position(footer: Footer, column: int | str, limits: Limits | None) -> int:
    """Returns the position of a column among the leaf columns."""
    if not isinstance(column, str):
        _check_number("column", column)
        return column
    schema = decode_footer(footer, fields=("schema",), limits=limits).schema
    paths = dotted_paths(schema, file=footer.tail.name)
    if column not in paths:
        raise KeyError(f"column: {no_such(column, paths)}")
    return paths.index(column)


def _check_number(name: str, value: Any) -> None:
    """Raises TypeError for anything but an int, ValueError for a negative one."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an int is needed, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name}: {value} is negative")
