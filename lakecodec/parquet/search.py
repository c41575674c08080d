"""Search for the row groups and pages that can hold a value."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ..runtime.errors import DecodeError, error_text
from ..runtime.source_types import SourcesLike
from ..runtime.urls import located
from .chunk import Located
from .chunk_search import STAGES, ChunkSearch, Match
from .errors import broken, relocated
from .footer import Footer
from .footer_batches import Errors, FooterBatch, check_errors, read_batches
from .footer_cache import FooterCache
from .metadata import decode_footer
from .search_keys import SearchedValues, search_key
from .searched_column import Searched, SearchedColumn
from .sources import Source, expand
from .statistics_filter import ruled_out, without_values
from .threads import map_threads
from .variant_parts import is_all_null

if TYPE_CHECKING:
    import pyarrow as pa


def row_groups_with(
    sources: SourcesLike,
    column: str,
    value_or_values: Any,
    *,
    errors: Errors = "raise",
    threads: int | None = None,
    filesystem: Any = None,
    cache: FooterCache | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Returns a ``pyarrow.Table`` of the row groups that can hold a value; all others do not hold it.

    Columns: ``file`` (string; null for a source without a name), ``row_group`` (int32), ``pages`` (list of int32: positions
    of the data pages that can hold it; null without a page index), ``rows`` (list of struct<start, stop: int64>: their rows,
    counted in the row group; all rows without a page index), ``decided_by`` (string): the last of "statistics",
    "page index" and "bloom filter" that was asked and did not rule the row group out, null if the file has none of them.
    Bloom filters are asked if the package xxhash is installed.

    Args:
        sources: as in `read_metadatas`.
        column: dotted path of a leaf column, or of a group with one leaf column. A file without it has only nulls there.
            Behind the name of a variant its part follows, as in ``event.at.x`` or ``event.tags[0]``. Where a row group
            has such parts in columns of their own alone, these decide.
        value_or_values: a value of the column's type, or a list, tuple or set of values, one of which is enough; None
            for null. A ``pyarrow.Scalar`` is cast.
        errors: "raise" raises the error of a file that fails. "column" adds the column ``error`` (string) and returns
            one row for each file that fails, in which only ``file`` and ``error`` are set.
        threads: as in `read_metadatas`.
        filesystem: as in `read_metadatas`.
        storage_options: as in `read_metadata`.
        cache: footers that are known already, and to which the others are added.

    Raises:
        DecodeError, OSError: a file is invalid or cannot be read, unless ``errors`` is "column".
        KeyError: no file has the column.
        ValueError: the column's type has no such value, in no file; the column is a group of several; ``errors`` is
            another string; or ``threads`` is less than 1.
        TypeError: ``column`` is not a str.
    """
    (sources,) = located(storage_options, sources, filesystem=filesystem)
    if not isinstance(column, str):
        raise TypeError(f"column: a str is needed, not {type(column).__name__}")
    check_errors(errors)
    several = isinstance(value_or_values, (list, tuple, set, frozenset))
    wanted = SearchedValues(
        value_or_values if several else [value_or_values], partial(search_key, argument="value_or_values")
    )
    table, known = search(expand(sources, filesystem), column, wanted, errors=errors, threads=threads, cache=cache)
    if not known:
        raise KeyError(f"column: no file has a column {column!r}")
    wanted.check()
    return table


def search(
    files: list[Source],
    column: str,
    wanted: SearchedValues,
    *,
    errors: Errors = "raise",
    threads: int | None = None,
    cache: FooterCache | None = None,
) -> tuple[pa.Table, bool]:
    """Returns the table of `row_groups_with`, and False if there are readable files but none has the column."""
    import pyarrow as pa

    found: list[_Found | Exception] = []
    searched = SearchedColumn(column, wanted)
    for batch in read_batches(files, errors, threads, cache):
        found += _search_batch(batch, searched, wanted, errors, threads)
        batch.done()
    known = [each[0] for each in found if not isinstance(each, Exception)]
    rows: list[tuple[Any, ...]] = []
    for file, each in zip(files, found, strict=True):
        if isinstance(each, Exception):
            rows.append((file.name, None, None, None, None, error_text(each)))
            continue
        for group, match in each[1]:
            spans = [{"start": start, "stop": stop} for start, stop in match.rows]
            rows.append((file.name, group, match.pages, spans, match.decided_by, None))
    span = pa.struct([pa.field("start", pa.int64(), False), pa.field("stop", pa.int64(), False)])
    kinds = {
        "file": pa.string(),
        "row_group": pa.int32(),
        "pages": pa.list_(pa.int32()),
        "rows": pa.list_(span),
        "decided_by": pa.string(),
        "error": pa.string(),
    }
    columns = {name: pa.array([row[at] for row in rows], kind) for at, (name, kind) in enumerate(kinds.items())}
    if errors == "raise":
        del columns["error"]
    return pa.table(columns), any(known) or not known


#: Whether a file has the column, and the row groups that can hold a value.
_Found = tuple[bool, list[tuple[int, Match]]]
_NOWHERE: _Found = True, []


def _search_batch(
    batch: FooterBatch, searched: SearchedColumn, wanted: SearchedValues, errors: Errors, threads: int | None
) -> list[_Found | Exception]:
    """Returns the matches of each file of a batch, or its error. Row groups that statistics do not rule out are
    searched one by one."""
    found: list[_Found | Exception | None] = [batch.failed.get(number) for number in range(len(batch.files))]
    columns: dict[int, tuple[Any, Searched]] = {}
    for number, metadata, rest in zip(batch.numbers, batch.metadata, batch.rests, strict=True):
        try:
            column = searched.find(metadata, rest)
        except DecodeError as error:
            footer = batch.footer(number)
            found[number] = relocated(error, file=footer.tail.name, start=footer.start)
            continue
        if column is None:
            found[number] = None if wanted.has_null else (False, [])
        elif not column.keys and not column.is_part:
            found[number] = _NOWHERE
        else:
            columns[number] = metadata, column
    for number in _ruled_out(columns):
        found[number] = _NOWHERE

    def look(number: int) -> _Found | Exception:
        each = found[number]
        if each is not None and not (isinstance(each, Exception) and errors == "raise"):
            return each
        try:
            if each is not None:
                raise each
            return _search_file(batch.files[number], batch.footer(number), columns.get(number, (None, None))[1])
        except (DecodeError, OSError) as error:
            if errors == "raise":
                raise
            return error

    waiting = [number for number, each in enumerate(found) if each is None or isinstance(each, Exception)]
    for number, looked in zip(waiting, map_threads(look, waiting, threads), strict=True):
        found[number] = looked
    return found  # type: ignore[return-value]


def _ruled_out(columns: dict[int, tuple[Any, Searched]]) -> list[int]:
    """Returns the files that statistics rule out."""
    own = {number: each for number, each in columns.items() if each[1].leaf is not None}
    if not own:
        return []
    are_out = ruled_out([metadata for metadata, _ in own.values()], [column for _, column in own.values()])
    out = [number for number, is_out in zip(own, are_out, strict=True) if is_out]
    # The values that a part of a variant has beside its own column may be any values.
    beside = {number: others for number in out if (others := own[number][1].others) is not None}
    empty = without_values([own[number][0] for number in beside], list(beside.values())) if beside else []
    may_hold = {number for number, is_empty in zip(beside, empty, strict=True) if not is_empty}
    return [number for number in out if number not in may_hold]


def _search_file(file: Source, footer: Footer, column: Searched | None) -> _Found:
    """Returns the matches of one file, and whether it has the column; without it, all its rows match null."""
    if column is None:
        groups = decode_footer(footer, fields=("row_groups.num_rows",)).row_groups
        return False, [(at, Match(None, [(0, group.num_rows)], None)) for at, group in enumerate(groups)]
    places = {each.number: each.path for each in (column.leaf, column.others) if each is not None}
    fields = ("row_groups.num_rows", *(f"row_groups.columns[{number}]" for number in places))
    matches: list[tuple[int, Match]] = []
    for at, group in enumerate(decode_footer(footer, fields=fields).row_groups):
        match = _match(column, _located(file, footer, at, group.columns or [], places), group.num_rows)
        if match is not None:
            matches.append((at, match))
    return True, matches


def _match(column: Searched, chunks: dict[int, Located], num_rows: int) -> Match | None:
    """Returns the places of a row group that can hold a value, None if there are none."""
    if column.others is not None:
        meta = chunks[column.others.number].chunk.meta_data
        if not is_all_null(meta):
            known = meta is not None and meta.statistics is not None and meta.statistics.null_count is not None
            return Match(None, [(0, num_rows)], STAGES[0] if known else None)
    if column.leaf is None or column.type is None:
        # The path does not exist, or it has objects, which never equal a searched value.
        return Match(None, [(0, num_rows)], STAGES[0]) if None in column.keys else None
    return ChunkSearch(chunks[column.leaf.number], column.type, num_rows).find(column.keys)


def _located(file: Source, footer: Footer, group: int, chunks: list[Any], places: dict[int, str]) -> dict[int, Located]:
    """Returns the column chunks of the leaf columns at some positions, which ``chunks`` are, checked to be theirs."""
    where = f"row_groups[{group}].columns"
    if len(chunks) != len(places):
        rule = f"no column chunk for the leaf column {', '.join(places.values())}"
        raise broken(rule, file=footer.tail.name, path=where)
    found: dict[int, Located] = {}
    for number, chunk in zip(sorted(places), chunks, strict=True):
        meta, path = chunk.meta_data, places[number]
        if meta is not None and meta.path_in_schema is not None and ".".join(meta.path_in_schema) != path:
            rule = f"the chunk of {'.'.join(meta.path_in_schema)}, where the schema has {path}"
            raise broken(rule, file=footer.tail.name, path=f"{where}[{number}].meta_data.path_in_schema")
        found[number] = Located(chunk, group, number, file, footer)
    return found
