"""Today's footer without the paths of column chunks, which the schema has, in a frame with flags and a checksum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...generated.parquet import FileMetaData
from ...runtime.errors import DecodeError
from ...runtime.ranges import MemoryReader
from ..footer import Footer as Encoded
from ..metadata import decode_footer
from ..schema import leaf_paths
from .layouts import layout, moved, today_of
from .reads import Chunk, Reads
from .today import FIELDS, PLACES

__all__ = ["MAGIC", "decode", "encode", "find"]

_parx: Any = layout("parx")
MAGIC = _parx.MAGIC


def encode(metadata: FileMetaData, start: int) -> bytes:
    """Returns the end of a file.

    Raises:
        EncodeError: a field holds what its type cannot hold.
    """
    bare = moved(metadata, today_of(_parx).FileMetaData)
    for group in bare.row_groups:
        for chunk in group.columns:
            if chunk.meta_data is not None:
                chunk.meta_data.path_in_schema = None
    encoded: bytes = _parx.Footer(meta=bare, flags=_parx.Flag.PATH_IN_SCHEMA_OMITTED).to_bytes()
    return encoded


def decode(data: bytes) -> FileMetaData:
    """Returns the footer of a file, with the paths of its column chunks.

    Raises:
        DecodeError: it is not one, or its checksum is another.
    """
    metadata: FileMetaData = moved(_parx.File.from_bytes(data).footer.meta)
    paths = leaf_paths(metadata.schema)
    for number, group in enumerate(metadata.row_groups):
        if len(group.columns) != len(paths):
            at = f"footer.meta.row_groups[{number}].columns"
            raise DecodeError("other chunks than the schema has columns", format="parquet_parx.File", path=at)
        for path, chunk in zip(paths, group.columns, strict=True):
            if chunk.meta_data is not None:
                chunk.meta_data.path_in_schema = list(path)
    return metadata


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. The whole footer is read, and walked.

    The checksum is not compared.

    Raises:
        DecodeError: the file has another footer.
        KeyError: there is no column of a path.
    """
    opened = _parx.File.open(file)
    start, size = file.size - 16 - opened.metadata_size, opened.metadata_size
    footer = Encoded(file.read(start, size), start, MemoryReader(b"", file.name))
    metadata = decode_footer(footer, fields=FIELDS if statistics else PLACES, columns=map(".".join, columns))
    return [Chunk.of(chunk) for group in metadata.row_groups for chunk in group.columns]
