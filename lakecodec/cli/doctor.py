"""`lakecodec doctor`: finds and repairs what is wrong with a table."""

from __future__ import annotations

import typer

from . import output
from .arguments import TABLE
from .tables import readable_errors

_FIX = typer.Option(False, "--fix", help="Repair what can be repaired; without it, problems are only listed.")
_JOIN = typer.Option(False, "--join", help="Also find small files; --fix joins them without decoding pages.")
_INDEXES = typer.Option(False, "--indexes", help="Also find footers without page indexes; --fix adds them.")
_SALVAGE = typer.Option(None, "--salvage", metavar="DIR", help="Write all rows that can be read to a new table.")


def add_to(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(
    table: str = TABLE,
    fix: bool = _FIX,
    join: bool = _JOIN,
    indexes: bool = _INDEXES,
    salvage: str | None = _SALVAGE,
    as_json: bool = output.JSON,
) -> None:
    """Find what is wrong with a table, without Spark; repair it, or save the rows that can be read."""
    from lakecodec import lake

    with readable_errors():
        problems = lake.doctor(table, fix=fix, join=join, indexes=indexes, salvage=salvage)
    left = [problem for problem in problems if not problem.fixed and problem.kind != "saved"]
    if as_json:
        output.print_json({"sound": not left, "problems": problems})
    else:
        for problem in problems:
            state = " (fixed)" if problem.fixed else f" ({problem.remedy})" if problem.remedy else ""
            typer.echo(f"{problem.kind}: {problem.path}: {problem.message}{state}")
    if left:
        raise typer.Exit(1)
    if not as_json and not problems:
        typer.echo("table checked, no problems")
