"""Footers to FileMetaData and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..generated.parquet import FileMetaData, RowGroup
from ..runtime.errors import DecodeError, EncodeError
from ..runtime.limits import Limits
from ..runtime.source_types import SourceLike, SourcesLike
from .errors import FORMAT, relocated
from .footer import Footer, frame, read_footer
from .schema import choose, is_leaf, leaves
from .sources import Source, expand
from .threads import map_threads

if TYPE_CHECKING:
    from ..runtime.compact.text_policy import TextPolicy

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
) -> FileMetaData:
    """The metadata of a Parquet file, from one read of 64 KiB at its end and a second one for longer footers.

    Args:
        source: a path or URL, the bytes of a whole file, a pyarrow or fsspec file, or a seekable binary file object.
        fields: dotted paths of the only fields to decode, as ``["row_groups.columns.meta_data.statistics"]``. What
            follows the last of them is not looked at: ``["num_rows"]`` takes as long for a footer of any size.
        columns: dotted paths of the only columns to decode; a group stands for all columns below it. Each row group's
            ``columns`` then holds these chunks alone, in file order; the schema stays whole.
        limits: bounds on depth and number of elements.
        views: binary values as memoryviews of what was read instead of copies.
        text: what to do with strings that are not UTF-8.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.

    Raises:
        DecodeError: the file is broken, or its footer is encrypted.
        KeyError: ``fields`` or ``columns`` names what is not there.
    """
    with Source(source, None, filesystem).open() as ranges:
        footer = read_footer(ranges)
    return _decode(footer, _once(fields), _once(columns), limits, views, text)


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
) -> list[FileMetaData]:
    """The metadata of many files, in the order of ``sources``: a list of sources, a directory, or a list of both.

    ``threads`` read at the same time; None: some for each processor where storage is slow, else one. The other
    arguments are those of `read_metadata`.
    """
    fields, columns = _once(fields), _once(columns)

    def read(source: Source) -> FileMetaData:
        with source.open() as ranges:
            footer = read_footer(ranges)
        return _decode(footer, fields, columns, limits, views, text)

    return map_threads(read, expand(sources, filesystem), threads)


def write_metadata(metadata: FileMetaData) -> bytes:
    """The footer of a file: encoded metadata, its length and the magic "PAR1".

    Raises:
        EncodeError: a field holds a value that its type cannot, or a row group has not the columns of the schema, as
            after ``read_metadata(source, columns=...)``.
    """
    _check_type(metadata)
    _check_columns(metadata)
    return frame(metadata)


def _check_type(metadata: Any) -> None:
    """Refuses objects of other libraries, whose classes have the same name."""
    if not isinstance(metadata, FileMetaData):
        kind, own = type(metadata), f"{FileMetaData.__module__}.FileMetaData"
        hint = "; read_metadata(path) gives one" if kind.__name__ == "FileMetaData" else ""
        raise TypeError(f"metadata: a {own} is needed, not a {kind.__module__}.{kind.__qualname__}{hint}")


def _check_columns(metadata: FileMetaData) -> None:
    """Refuses row groups without a chunk for each leaf of the schema; values of wrong types are the encoder's."""
    schema: Any = metadata.schema
    row_groups: Any = metadata.row_groups
    if not isinstance(schema, list) or not isinstance(row_groups, list):
        return
    counts = [len(group.columns or ()) for group in row_groups if isinstance(group, RowGroup)]
    # The schema of a table without nested columns has one element more.
    if all(count + 1 == len(schema) for count in counts):
        return
    columns = sum(map(is_leaf, schema))
    for number, count in enumerate(counts):
        if count != columns:
            rule = f"{count} chunks for the {columns} columns of the schema; was the file read with `columns=`?"
            raise EncodeError(rule, format=FORMAT, path=f"row_groups[{number}].columns")


def decode_footer(
    footer: Footer, *, fields: Iterable[str] | None = None, limits: Limits | None = None, views: bool = False
) -> FileMetaData:
    """The metadata in ``footer``; errors name the file and count bytes from its start."""
    return _decode(footer, _once(fields), None, limits, views, "strict")


def _decode(
    footer: Footer,
    fields: tuple[str, ...] | None,
    columns: tuple[str, ...] | None,
    limits: Limits | None,
    views: bool,
    text: TextPolicy,
) -> FileMetaData:
    file = footer.tail.name
    try:
        if columns is None:
            # A signature may follow the struct.
            return _part(footer, fields, limits, views, text)
        schema = _part(footer, ("schema",), limits, False, text).schema
        chosen = choose([path for path, _ in leaves(schema, file=file)], columns)
        narrowed = _of_columns(_ALL_BUT_SCHEMA if fields is None else fields, chosen)
        metadata = _part(footer, narrowed, limits, views, text)
        if fields is None:
            metadata.schema = schema
        return metadata
    except DecodeError as error:
        raise error if error.format == "parquet" else relocated(error, file=file, start=footer.start) from None


def _part(
    footer: Footer, fields: tuple[str, ...] | None, limits: Limits | None, views: bool, text: TextPolicy
) -> FileMetaData:
    """The chosen fields; what follows the last of them is not read."""
    return FileMetaData.from_bytes(
        footer.metadata, allow_trailing=True, fields=fields, limits=limits, views=views, text=text
    )


def _of_columns(fields: tuple[str, ...], chosen: list[int]) -> tuple[str, ...]:
    """``fields`` with the chunks at the ``chosen`` positions in place of all chunks."""
    chunks = f"{_CHUNKS}[{','.join(map(str, chosen))}]"
    narrowed: list[str] = []
    for field in fields:
        below_chunks = field == _CHUNKS or field.startswith(f"{_CHUNKS}.")
        if field == "row_groups":
            narrowed += [*_ROW_GROUP_FIELDS, chunks]
        else:
            narrowed.append(chunks + field.removeprefix(_CHUNKS) if below_chunks else field)
    return tuple(narrowed) if chosen else tuple(field for field in narrowed if not field.startswith(_CHUNKS))


def _once(names: Iterable[str] | None) -> tuple[str, ...] | None:
    if isinstance(names, str):
        raise TypeError("fields, columns: an iterable of dotted paths is needed, not one str")
    return None if names is None else tuple(names)


_ALL_BUT_SCHEMA = tuple(field.name for field in FileMetaData.__spec__.fields if field.name != "schema")
_ROW_GROUP_FIELDS = tuple(f"row_groups.{field.name}" for field in RowGroup.__spec__.fields if field.name != "columns")
