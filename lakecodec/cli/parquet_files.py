"""`lakecodec parquet`: change, join, index and check Parquet files. Pages are copied unchanged."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import Any

import typer

from . import workbench
from .arguments import parse_names, parse_options
from .formats import expanded
from .output import JSON, print_json
from .storage import Commands

app = Commands(
    help="Change, join, index and check Parquet files; pages are copied as they are.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)

_FILE = typer.Argument(..., help="A Parquet file.")
_FILES = typer.Argument(..., help="Parquet files, or directories of them.")
_OUTPUT = typer.Option(
    ..., "-o", "--output", metavar="FILE", help="File to write, which may be the source; - for standard output."
)
_VALUES = typer.Argument(None, metavar="KEY=VALUE...", help="Keys and their new values.")
_REMOVE = typer.Option([], "--remove", metavar="KEY", help="A key to remove. May be repeated.")
_NAMES = typer.Argument(..., metavar="OLD=NEW...", help="New names by the dotted paths of columns or groups.")
_COLUMNS = typer.Argument(..., help="Dotted paths of columns or groups.")
_SOME_COLUMNS = typer.Argument(None, help="Dotted paths of columns or groups that lose them. Default: all.")
_PAGE_INDEXES = typer.Option(False, "--page-indexes", help="Leave out page indexes.")
_BLOOM_FILTERS = typer.Option(False, "--bloom-filters", help="Leave out Bloom filters.")
_ANY_SCHEMA = typer.Option(
    False, "--any-names", help="Names, field ids and logical types may differ; those of the first file are used."
)
_BASE = typer.Option(
    None, "--base", metavar="DIR", help="Folder that paths are relative to. Default: the deepest that has all files."
)
_METADATA = typer.Option(
    None, "-o", "--output", metavar="FILE", help="File to write. Default: _metadata in --base or in the directory."
)
_LOOKED_FOR = typer.Argument(
    ..., metavar="COLUMN=VALUE", help="Dotted path of a column or a part of a variant, and a value of its type."
)
_VALUE = typer.Option([], "--value", metavar="VALUE", help="Another value to look for. May be repeated.")
_NULL = typer.Option(False, "--null", help="Look for null, too.")
_NAMES_ONLY = typer.Option(False, "-l", "--files", help="Print only the names of files.")
_CACHE = typer.Option(
    None, "--cache", metavar="FILE", help="File that caches footers, so that the next search need not read them."
)
_INDEXED = typer.Argument(..., metavar="IN", help="A Parquet file.")
_WITH_INDEXES = typer.Argument(
    ..., metavar="OUT", help="File to write, which may be the source; - for standard output."
)
_INDEXED_COLUMNS = typer.Option(
    None, "--columns", metavar="A,B", help="Dotted paths of columns or groups that get these parts. Default: all."
)
_NO_STATISTICS = typer.Option(False, "--no-statistics", help="Add no statistics of column chunks.")
_NO_PAGE_INDEX = typer.Option(False, "--no-page-index", help="Add no page indexes.")
_NO_SIZE_STATISTICS = typer.Option(False, "--no-size-statistics", help="Add no size statistics.")
_BLOOM = typer.Option(
    [], "--bloom", metavar="COLUMN", help="A column or group that gets Bloom filters. May be repeated."
)
_CHECKSUMS = typer.Option(False, "--checksums", help="Add checksums to the headers of pages.")
_SORTED_BY = typer.Option(
    [],
    "--sorted-by",
    metavar="COLUMN",
    help="A column to record as sort order of the row groups that are sorted by it; =-COLUMN if descending. "
    "May be repeated.",
)
_MAX_ROWS = typer.Option(1 << 20, "--max-rows", metavar="N", help="Maximum number of rows of a joined row group.")
_MAX_BYTES = typer.Option(
    128 << 20, "--max-bytes", metavar="N", help="Maximum stored size of a joined row group in bytes."
)
_DEEP = typer.Option(False, "--deep", help="Decode all values, and compare statistics with them.")


def add_to(main: typer.Typer) -> None:
    for command in (rename, select, drop, concat, merge, index, grep, verify):
        app.command()(command)
    app.command("merge-row-groups")(merge_groups)
    app.command("set")(set_values)
    main.add_typer(app, name="parquet")


def set_values(
    file: str = _FILE, values: list[str] = _VALUES, remove: list[str] = _REMOVE, as_json: bool = JSON
) -> None:
    """Set and remove key-values of a file; a file that is complete takes its place at once."""
    from lakecodec.parquet import update_metadata

    changed = parse_options(values or [], "KEY=VALUE")
    if not changed and not remove:
        raise typer.BadParameter("give KEY=VALUE or --remove KEY", param_hint="KEY=VALUE")
    update_metadata(file, changed, remove=remove)
    _report(file, as_json)


def rename(file: str = _FILE, names: list[str] = _NAMES, output: str = _OUTPUT, as_json: bool = JSON) -> None:
    """Give columns other names, also in the schemas that Arrow, pandas, Spark and others store."""
    from lakecodec.parquet import rename_columns

    rename_columns(file, _target(output, as_json), parse_options(names, "OLD=NEW", "OLD=NEW"))
    _report(output, as_json)


def select(file: str = _FILE, columns: list[str] = _COLUMNS, output: str = _OUTPUT, as_json: bool = JSON) -> None:
    """Keep some columns, with their page indexes, Bloom filters and statistics."""
    from lakecodec.parquet import select_columns

    select_columns(file, _target(output, as_json), columns)
    _report(output, as_json)


def drop(
    file: str = _FILE,
    columns: list[str] = _SOME_COLUMNS,
    output: str = _OUTPUT,
    page_indexes: bool = _PAGE_INDEXES,
    bloom_filters: bool = _BLOOM_FILTERS,
    as_json: bool = JSON,
) -> None:
    """Leave out page indexes and Bloom filters: both, unless one is named."""
    from lakecodec.parquet import drop_indexes

    both = page_indexes == bloom_filters
    drop_indexes(
        file,
        _target(output, as_json),
        columns or None,
        page_indexes=both or page_indexes,
        bloom_filters=both or bloom_filters,
    )
    _report(output, as_json)


def concat(
    files: list[str] = _FILES, output: str = _OUTPUT, any_names: bool = _ANY_SCHEMA, as_json: bool = JSON
) -> None:
    """Put the row groups of many files of one schema into one file."""
    from lakecodec.parquet import concat as joined

    joined(files, _target(output, as_json), check_schema=not any_names)
    _report(output, as_json)


def merge(
    files: list[str] = _FILES, base: str | None = _BASE, output: str | None = _METADATA, as_json: bool = JSON
) -> None:
    """Write one footer for many files, as a _metadata file holds it."""
    from lakecodec.generated.parquet_file import MAGIC
    from lakecodec.parquet import merge_metadata, write_metadata
    from lakecodec.parquet.relocation import target_file
    from lakecodec.runtime.urls import below, is_directory

    folder = base or (files[0] if len(files) == 1 and is_directory(files[0]) else None)
    if output is None and folder is None:
        raise typer.BadParameter(
            "-o FILE or --base DIR is needed where several files are merged", param_hint="--output"
        )
    target = output or below(folder or "", "_metadata")
    footer = write_metadata(merge_metadata(files[0] if len(files) == 1 else files, base=base))
    with target_file(_target(target, as_json), "target") as sink:
        sink.write(MAGIC.encode())
        sink.write(footer)
    _report(target, as_json)


def merge_groups(
    source: str = _INDEXED,
    target: str = _WITH_INDEXES,
    max_rows: int = _MAX_ROWS,
    max_bytes: int = _MAX_BYTES,
    as_json: bool = JSON,
) -> None:
    """Join small row groups with their neighbours where pages allow it; pages are copied unchanged.

    Row groups that could not be joined with the one before are listed with the reason.
    """
    from lakecodec.parquet import merge_row_groups

    report = merge_row_groups(source, _target(target, as_json), max_rows=max_rows, max_bytes=max_bytes)
    lost = [(group, column, f"the joined row group has no {part}") for group, column, part in report.lost]
    _report(target, as_json, kept=report.kept, lost=lost)


def index(
    source: str = _INDEXED,
    target: str = _WITH_INDEXES,
    columns: str | None = _INDEXED_COLUMNS,
    no_statistics: bool = _NO_STATISTICS,
    no_page_index: bool = _NO_PAGE_INDEX,
    no_size_statistics: bool = _NO_SIZE_STATISTICS,
    bloom: list[str] = _BLOOM,
    checksums: bool = _CHECKSUMS,
    sorted_by: list[str] = _SORTED_BY,
    as_json: bool = JSON,
) -> None:
    """Add statistics, page indexes, Bloom filters and checksums that a writer left out, so that readers can skip.

    Parts that the file has are kept. What could not be added is listed with the reason.
    """
    from lakecodec.parquet import add_indexes

    report = add_indexes(
        source,
        _target(target, as_json),
        statistics=not no_statistics,
        page_index=not no_page_index,
        size_statistics=not no_size_statistics,
        bloom=bloom or [],
        checksums=checksums,
        sorted_by=sorted_by or [],
        columns=None if columns is None else parse_names(columns),
    )
    _report(target, as_json, added=report.added, skipped=report.skipped)


def grep(
    looked_for: str = _LOOKED_FOR,
    files: list[str] = _FILES,
    values: list[str] = _VALUE,
    null: bool = _NULL,
    names_only: bool = _NAMES_ONLY,
    cache: str | None = _CACHE,
    as_json: bool = JSON,
) -> None:
    """Find the row groups and pages that can hold a value, by statistics, page index and Bloom filters.

    Dates and times are written in ISO 8601, bytes as text or as 0x and hexadecimal digits. What is not printed does not
    hold the value. Exit code 1 if nothing can, 2 after an error.
    """
    from lakecodec.parquet import FooterCache
    from lakecodec.parquet.search import search
    from lakecodec.parquet.search_keys import SearchedValues, text_key
    from lakecodec.parquet.sources import expand

    column, has_value, first = looked_for.partition("=")
    texts: list[str | None] = [*([first] if has_value else []), *values, *([None] if null else [])]
    if not texts or not column:
        raise typer.BadParameter(f"COLUMN=VALUE is needed, not {looked_for!r}", param_hint="COLUMN=VALUE")
    wanted = SearchedValues(texts, text_key)
    footers = None if cache is None else FooterCache(cache)
    table, known = search(expand(files), column, wanted, errors="column", cache=footers)
    rows = table.to_pylist()
    failed = [row for row in rows if row["error"] is not None]
    for row in failed:
        typer.echo(f"lakecodec: {row['error']}", err=True)
    if not known:
        raise typer.BadParameter(f"no file has a column {column!r}", param_hint="COLUMN=VALUE")
    try:
        wanted.check()
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="COLUMN=VALUE") from None
    found = [row for row in rows if row["error"] is None]
    if names_only:
        names = list(dict.fromkeys(row["file"] for row in found))
        print_json(names) if as_json else print("\n".join(names), end="\n" * bool(names))
    elif as_json:
        print_json([{key: value for key, value in row.items() if key != "error"} for row in found])
    else:
        for row in found:
            typer.echo(_found(row))
    if failed or not found:
        raise typer.Exit(2 if failed else 1)


def _found(row: dict[str, Any]) -> str:
    """Returns the line of a row group."""
    spans = ", ".join(f"{span['start']:,} to {span['stop'] - 1:,}" for span in row["rows"])
    pages = "" if row["pages"] is None else f", pages {', '.join(map(str, row['pages']))}"
    decided = "no statistics or index" if row["decided_by"] is None else row["decided_by"]
    return f"{row['file']}: row group {row['row_group']}{pages}, rows {spans} ({decided})"


def verify(files: list[str] = _FILES, deep: bool = _DEEP, as_json: bool = JSON) -> None:
    """Check structure, sizes, counts, indexes and checksums. One line per finding; exit code 1 for errors."""
    workbench.verify(expanded(files), None, "parquet_file.File", deep, [], as_json)


def _target(output: str, as_json: bool) -> Any:
    """Returns the path of the output, or the binary standard output for ``-``."""
    if output != "-":
        return output
    if as_json:
        raise typer.BadParameter("standard output is the target", param_hint="--json")
    return sys.stdout.buffer


def _report(file: str, as_json: bool, **parts: list[tuple[int, str, str]]) -> None:
    """Prints rows, row groups and size of a new file; nothing for standard output.

    ``parts``: (row group, column, what) of parts that were added, or that were not for a reason.
    """
    if file == "-":
        return
    from lakecodec.parquet import read_metadata

    metadata = read_metadata(file)
    size = None if "://" in file else os.path.getsize(file)
    rows, groups = metadata.num_rows, len(metadata.row_groups)
    if as_json:
        found: dict[str, Any] = {"target": file, "rows": rows, "row_groups": groups, "target_bytes": size}
        for name, each in parts.items():
            keys = ("row_group", "column", "part" if name == "added" else "reason")
            found[name] = [dict(zip(keys, one, strict=True)) for one in each]
        print_json(found)
        return
    bytes_of = "" if size is None else f", {size:,} bytes"
    typer.echo(f"{file}: {rows:,} rows in {groups:,} row groups{bytes_of}")
    for name, each in parts.items():
        if name == "added":
            counts = Counter(part for _, _, part in each)
            listed = ", ".join(f"{count:,} {part.replace('_', ' ')}" for part, count in counts.items())
            typer.echo(f"added per column chunk: {listed or 'nothing'}")
        else:
            for row_group, column, reason in each:
                typer.echo(f"row group {row_group}, {column}: {reason}")
