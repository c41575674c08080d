"""Reading and writing of file footers: the FileMetaData struct of parquet.thrift."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..generated.parquet import FileMetaData, RowGroup
from ..runtime.compact.backend import list_length
from ..runtime.errors import DecodeError, EncodeError
from ..runtime.exact import exact_texts
from ..runtime.limits import Limits
from ..runtime.ranges import open_ranges
from ..runtime.source_types import SourceLike, SourcesLike
from ..runtime.urls import located
from .errors import FORMAT, relocated
from .footer import Footer, frame, read_footer
from .schema import choose, dotted_paths, is_leaf
from .sources import Source, expand
from .threads import map_threads

if TYPE_CHECKING:
    from ..runtime.compact.rules import TextPolicy

_CHUNKS = "row_groups.columns"


def read_metadata(
    source: SourceLike,
    *,
    fields: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    limits: Limits | None = None,
    views: bool = False,
    text: TextPolicy = "strict",
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> FileMetaData:
    """Returns the FileMetaData of one Parquet file.

    The last 64 KiB of the file are read, and the rest of the footer with a second read if it is longer. In files with a
    signed plaintext footer (Encryption.md) the signature is ignored and not verified.

    Args:
        source: a path or URL, the bytes of a whole file, a pyarrow or fsspec file, or a seekable binary file object.
        fields: dotted paths of the only fields to decode, as ``["row_groups.columns.meta_data.statistics"]``; None for
            all. Fields that are left out are None. Bytes after the last chosen field are not decoded: ``["num_rows"]``
            takes as long for a footer of any size.
        columns: dotted paths of the only columns to decode; a group stands for all columns below it. The ``columns`` of
            each row group then holds only these column chunks, in file order; the schema stays complete.
        limits: limits on nesting depth and number of elements; None for ``Limits()``.
        views: if True, binary values are memoryviews of the bytes read, not copies.
        text: treatment of strings that are not UTF-8: "strict" raises DecodeError, "replace" replaces the invalid
            bytes, "surrogateescape" keeps them as surrogates, "bytes" returns bytes.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        DecodeError: the file is not a valid Parquet file, its footer is encrypted, or a limit is exceeded.
        KeyError: ``fields`` or ``columns`` has a path that does not exist.
        OSError: the file cannot be read.
        TypeError: ``fields`` or ``columns`` is a single str.
    """
    if storage_options:
        (source,) = located(storage_options, source, filesystem=filesystem)
    ranges = open_ranges(source, filesystem=filesystem)
    try:
        footer = read_footer(ranges)
    finally:
        ranges.close()
    return _decode(footer, fields, columns, limits, views, text)


def read_metadatas(
    sources: SourcesLike,
    *,
    threads: int | None = None,
    fields: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    limits: Limits | None = None,
    views: bool = False,
    text: TextPolicy = "strict",
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> list[FileMetaData]:
    """Returns a list with the FileMetaData of each file, in the order of ``sources``.

    Args:
        sources: a source as in `read_metadata`, a directory, or an iterable of both. Directories are walked in order of
            names; names that begin with "." or "_" are skipped, except partitions (``_key=value``).
        threads: number of threads that read files; None: several per processor if the first files are slow to read,
            else no extra threads.
        fields: as in `read_metadata`.
        columns: as in `read_metadata`.
        limits: as in `read_metadata`.
        views: as in `read_metadata`.
        text: as in `read_metadata`.
        filesystem: as in `read_metadata`.
        storage_options: as in `read_metadata`.

    Raises:
        DecodeError, KeyError, OSError, TypeError: as in `read_metadata`; the error of the first file in the order of
            ``sources`` that fails.
        ValueError: ``threads`` is less than 1.
    """
    (sources,) = located(storage_options, sources, filesystem=filesystem)
    fields, columns = _once(fields, "fields"), _once(columns, "columns")

    def read(source: Source) -> FileMetaData:
        with source.open() as ranges:
            footer = read_footer(ranges)
        return _decode(footer, fields, columns, limits, views, text)

    return map_threads(read, expand(sources, filesystem), threads)


def write_metadata(metadata: FileMetaData) -> bytes:
    """Returns the footer of a Parquet file as bytes: the encoded FileMetaData, its length as a little-endian uint32, "PAR1".

    Raises:
        EncodeError: a field holds a value that its type in parquet.thrift cannot hold, a row group's number of column
            chunks differs from the schema's number of leaf columns (as after ``read_metadata(source, columns=...)``),
            or the length does not fit a uint32.
        TypeError: ``metadata`` is not a `FileMetaData` of this library.
    """
    _check_type(metadata)
    _check_columns(metadata)
    return frame(metadata)


def _check_type(metadata: Any) -> None:
    """Raises TypeError for anything but a `FileMetaData`, including classes of other libraries with the same name."""
    if not isinstance(metadata, FileMetaData):
        kind, own = type(metadata), f"{FileMetaData.__module__}.FileMetaData"
        hint = "; read_metadata(path) gives one" if kind.__name__ == "FileMetaData" else ""
        raise TypeError(f"metadata: a {own} is needed, not a {kind.__module__}.{kind.__qualname__}{hint}")


def _check_columns(metadata: FileMetaData) -> None:
    """Raises EncodeError if a row group does not have one chunk per leaf column; values of wrong types are the encoder's."""
    row_groups: Any = metadata.row_groups
    if not isinstance(row_groups, list):
        return
    found = [list_length(group, "columns") for group in row_groups if isinstance(group, RowGroup)]
    counts = [count for count in found if count is not None]
    # The schema of a table without nested columns has one element more than the table has columns.
    elements = list_length(metadata, "schema")
    if all(count + 1 == elements for count in counts):
        return
    schema: Any = metadata.schema
    if not isinstance(schema, list):
        return
    columns = sum(map(is_leaf, schema))
    for number, count in enumerate(counts):
        if count != columns:
            rule = f"{count} chunks for the {columns} columns of the schema; was the file read with `columns=`?"
            raise EncodeError(rule, format=FORMAT, path=f"row_groups[{number}].columns")


def decode_footer(
    footer: Footer,
    *,
    fields: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
    limits: Limits | None = None,
    views: bool = False,
) -> FileMetaData:
    """Returns the FileMetaData of a footer; errors name the file and give offsets from its start.

    Args:
        footer: the footer as `read_footer` returns it; bytes after the struct (a signature) are ignored.
        fields, columns, limits, views: as in `read_metadata`.

    Raises:
        DecodeError: the bytes are not a valid FileMetaData, or a limit is exceeded.
        KeyError: ``fields`` or ``columns`` has a path that does not exist.
    """
    return _decode(footer, fields, columns, limits, views, "strict")


def _decode(
    footer: Footer,
    fields: Iterable[str] | None,
    columns: Iterable[str] | None,
    limits: Limits | None,
    views: bool,
    text: TextPolicy,
) -> FileMetaData:
    """Returns the FileMetaData of a footer, limited to some fields and columns."""
    file = footer.tail.name
    try:
        if columns is None:
            # A signature may follow the struct.
            return _part(footer, fields, limits, views, text)
        fields, columns = _once(fields, "fields"), exact_texts("columns", columns, "dotted paths")
        schema = _part(footer, ("schema",), limits, False, text).schema
        chosen = choose(dotted_paths(schema, file=file), columns)
        narrowed = _of_columns(_ALL_BUT_SCHEMA if fields is None else fields, chosen)
        metadata = _part(footer, narrowed, limits, views, text)
        if fields is None:
            metadata.schema = schema
        return metadata
    except DecodeError as error:
        raise error if error.format == "parquet" else relocated(error, file=file, start=footer.start) from None


def _part(
    footer: Footer, fields: Iterable[str] | None, limits: Limits | None, views: bool, text: TextPolicy
) -> FileMetaData:
    """Returns the FileMetaData with only the chosen fields; bytes after the last of them are not decoded."""
    return FileMetaData.from_bytes(
        footer.metadata, allow_trailing=True, fields=fields, limits=limits, views=views, text=text
    )


def _of_columns(fields: tuple[str, ...], chosen: list[int]) -> tuple[str, ...]:
    """Returns ``fields`` with the column chunks at the ``chosen`` positions in place of all column chunks."""
    chunks = f"{_CHUNKS}[{','.join(map(str, chosen))}]"
    narrowed: list[str] = []
    for field in fields:
        below_chunks = field == _CHUNKS or field.startswith(f"{_CHUNKS}.")
        if field == "row_groups":
            narrowed += [*_ROW_GROUP_FIELDS, chunks]
        else:
            narrowed.append(chunks + field.removeprefix(_CHUNKS) if below_chunks else field)
    return tuple(narrowed) if chosen else tuple(field for field in narrowed if not field.startswith(_CHUNKS))


def _once(names: Iterable[str] | None, argument: str) -> tuple[str, ...] | None:
    """Returns the names as a tuple, so that an iterator can be used more than once."""
    return None if names is None else exact_texts(argument, names, "dotted paths")


_ALL_BUT_SCHEMA = tuple(field.name for field in FileMetaData.__spec__.fields if field.name != "schema")
_ROW_GROUP_FIELDS = tuple(f"row_groups.{field.name}" for field in RowGroup.__spec__.fields if field.name != "columns")
