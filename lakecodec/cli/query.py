"""`lakecodec query`: rows of files of any format, selected by the IDL's expressions."""

from __future__ import annotations

from pathlib import Path

import typer

from .arguments import ALLOW_EXTERN, allowed_externs, choices, complete_type
from .described import as_idl
from .row_files import FORMATS, SUFFIXES, show_rows, wanted_format, write_rows

_FILES = typer.Argument(..., help="Files, folders or globs of one format.")
_IDL = typer.Option(
    None,
    "--idl",
    metavar="FILE",
    callback=as_idl,
    help="IDL, .ksy or .proto file that declares the type. Default: the format is recognised by its magic.",
)
_TYPE = typer.Option(
    None,
    "--type",
    metavar="TYPE",
    autocompletion=complete_type,
    help="Type of a file: a record, struct or union; module.Type without --idl.",
)
_OVER = typer.Option(
    None, "--for", metavar="LOOPS", help="Loops, one row per iteration: 'rg in row_groups, c in rg.columns'."
)
_WHERE = typer.Option(None, "--where", metavar="EXPR", help="Only rows for which this condition holds.")
_SELECT = typer.Option(
    ..., "--select", metavar="COLUMNS", help="'name = expression, ...'; source() is the name of the file."
)
_GROUP = typer.Option(
    None,
    "--group-by",
    metavar="A,B",
    help="One row per value of these columns; the others are count(), sum(x), min(x), ...",
)
_ORDER = typer.Option(None, "--order-by", metavar="A,-B", help="Sort by these columns; -B or 'B desc' is descending.")
_LIMIT = typer.Option(None, "--limit", metavar="N", min=0, help="Maximum number of rows. Default on a terminal: 20.")
_OUTPUT = typer.Option(
    None, "-o", "--output", metavar="FILE", help=f"File to write: {', '.join(SUFFIXES)}; - for standard output."
)
_FORMAT = typer.Option(
    None,
    "--format",
    **choices(FORMATS),
    help="Format of the output. Default: by the suffix of its name, else csv.",
)
_JSON = typer.Option(False, "--json", help="The same as --format json: an array of objects.")
_TERMINAL_ROWS = 20


def add_to(app: typer.Typer) -> None:
    app.command()(query)


def query(
    files: list[str] = _FILES,
    idl: Path | None = _IDL,
    type: str | None = _TYPE,
    over: str | None = _OVER,
    where: str | None = _WHERE,
    select: str = _SELECT,
    group_by: str | None = _GROUP,
    order_by: str | None = _ORDER,
    limit: int | None = _LIMIT,
    output: str | None = _OUTPUT,
    format: str | None = _FORMAT,
    allow_extern: list[str] = ALLOW_EXTERN,
    as_json: bool = _JSON,
) -> None:
    """Query files of any format in the IDL's expressions; only the needed fields are decoded."""
    import itertools

    from lakecodec.queries import query_batches

    wanted = wanted_format(output, "json" if as_json else format)
    shown = _TERMINAL_ROWS if limit is None else limit
    batches = query_batches(
        files,
        idl=idl,
        type=type,
        over=over,
        where=where,
        select=select,
        group_by=group_by,
        order_by=order_by,
        # One more tells whether there are more.
        limit=limit if wanted is not None else shown + 1,
        allow_extern=allow_extern if idl is None else allowed_externs(allow_extern),
    )
    first = next(batches, None)
    if first is None:
        import pyarrow as pa

        first = pa.record_batch([], names=[])
    rows = itertools.chain([first], batches)
    if wanted is None:
        show_rows(rows, first.schema.names, shown)
    else:
        write_rows(rows, first.schema, output or "-", wanted)
