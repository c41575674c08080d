"""Today's footer, by which all others are measured: Thrift's compact protocol from end to end."""

from __future__ import annotations

from collections.abc import Sequence

from ...generated.parquet import FileMetaData
from ..footer import frame, read_footer
from ..metadata import decode_footer, read_metadata
from .reads import Chunk, Reads

#: The fields that `Chunk` is made of.
PLACES = tuple(f"row_groups.columns.meta_data.{name}" for name in ("data_page_offset", "total_compressed_size"))
FIELDS = (*PLACES, "row_groups.columns.meta_data.statistics")


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a field holds what its type cannot hold.
    """
    return frame(metadata)


def decode(data: bytes) -> FileMetaData:
    """Returns the footer of a file.

    Raises:
        DecodeError: it is not one.
    """
    return read_metadata(data)


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. The whole footer is read, and walked.

    Raises:
        DecodeError: the file has another footer.
        KeyError: there is no column of a path.
    """
    metadata = decode_footer(read_footer(file), fields=FIELDS if statistics else PLACES, columns=map(".".join, columns))
    return [Chunk.of(chunk) for group in metadata.row_groups for chunk in group.columns]
