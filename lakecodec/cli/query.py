"""`lakecodec query`: rows of files of any format, selected by the IDL's expressions."""

from __future__ import annotations

from pathlib import Path

import typer

from .arguments import ALLOW_EXTERN, TYPE, allowed_externs
from .described import IDL
from .row_files import FORMAT, JSON, LIMIT, OUTPUT, TERMINAL_ROWS, show_rows, wanted_format, write_rows

_FILES = typer.Argument(..., help="Files, folders or globs of one format.")
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


def add_to(app: typer.Typer) -> None:
    app.command()(query)


def query(
    files: list[str] = _FILES,
    idl: Path | None = IDL,
    type: str | None = TYPE,
    over: str | None = _OVER,
    where: str | None = _WHERE,
    select: str = _SELECT,
    group_by: str | None = _GROUP,
    order_by: str | None = _ORDER,
    limit: int | None = LIMIT,
    output: str | None = OUTPUT,
    format: str | None = FORMAT,
    allow_extern: list[str] = ALLOW_EXTERN,
    as_json: bool = JSON,
) -> None:
    """Query files of any format in the IDL's expressions; only the needed fields are decoded."""
    import itertools

    from lakecodec.queries import query_batches

    wanted = wanted_format(output, "json" if as_json else format)
    shown = TERMINAL_ROWS if limit is None else limit
    batches = query_batches(
        files,
        idl=idl,
        type=type,
        over=over,
        where=where,
        select=select,
        group_by=group_by,
        order_by=order_by,
        # One row more than shown tells whether there are more.
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
