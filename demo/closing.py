"""The closing report: tables, queries, other engines."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .engines import EngineResult
from .outcome import Outcome
from .queries import QUERIES
from .report import compact_table, format_bytes, print_report
from .tables import PARTITION_BY
from .year import Year


def print_closing(outcome: Outcome, console: Console) -> None:
    """Print everything that was made and found out, 80 characters wide for usual values."""
    _heading("Footers of the Parquet files", console)
    print_report(outcome.summary, console)
    _heading(f"Tables, partitioned by {', '.join(PARTITION_BY)}", console)
    console.print(tables_table(outcome))
    if outcome.with_spark:
        console.print("[dim]the first one's time has in it what Spark does once[/]", highlight=False)
    for title, problems in outcome.problems.items():
        for problem in problems:
            said = f"{title}: {problem.kind}: {problem.path}: {problem.message}"
            console.print(f"[red]wrong[/] {escape(said)}", highlight=False, soft_wrap=True)
    _heading("Queries: read, out of how many", console)
    console.print(queries_table(outcome))
    for query, where in QUERIES.items():
        if where:
            console.print(f"[dim]{query}: {escape(where)}[/]", highlight=False, soft_wrap=True)
    if outcome.year is not None:
        _heading("A year of a table", console)
        console.print(year_table(outcome.year))
        for line, right in outcome.year.said:
            console.print(f"{'' if right else '[red]wrong[/] '}{escape(line)}", highlight=False, soft_wrap=True)
    _heading("Other engines", console)
    for result in outcome.engines:
        console.print(engine_line(result), highlight=False, soft_wrap=True)
    said = escape(outcome.paimon.said)
    console.print(f"{'' if outcome.paimon.good else '[red]wrong[/] '}{said}", highlight=False, soft_wrap=True)


def tables_table(outcome: Outcome) -> Table:
    """Returns a line per table: how it is laid out, its size, and whether metadata and files agree."""
    table = compact_table(left=("table", "clustering"), right=("files", "rows", "size", "made in", "check"))
    for made in outcome.tables:
        problems = outcome.problems[made.definition.title]
        table.add_row(
            made.definition.title,
            made.definition.clustering,
            f"{made.info.num_files:,}",
            f"{made.info.num_rows or 0:,}",
            format_bytes(made.info.num_bytes),
            f"{made.seconds:.1f} s",
            f"[red]{len(problems)} wrong[/]" if problems else "sound",
        )
    found = outcome.paimon
    table.add_row(
        "Paimon",
        "Mosaic's files, linked",
        f"{found.files:,}",
        f"{found.rows:,}",
        format_bytes(found.bytes),
        f"{found.seconds:.1f} s",
        "sound" if found.sound else "[red]wrong[/]",
    )
    return table


def queries_table(outcome: Outcome) -> Table:
    """Returns a line for each query of each table."""
    right = ("rows", "files", "row groups", "bytes", "scan", *(["Spark"] if outcome.with_spark else []))
    table = compact_table(left=("query", "table"), right=right)
    for result in outcome.queries:
        summary = result.summary
        spark = [] if result.spark_seconds is None else [f"{result.spark_seconds:.2f} s"]
        if not result.agrees:
            spark = [f"[red]{result.spark_rows:,} rows[/]"]
        table.add_row(
            result.query,
            result.table.definition.title,
            f"{summary.rows:,}",
            f"{summary.files:,}/{summary.files_total:,}",
            f"{summary.row_groups:,}/{outcome.row_groups(result.table):,}",
            format_bytes(summary.bytes),
            f"{result.seconds * 1000:,.0f} ms",
            *spark,
        )
    return table


def year_table(year: Year) -> Table:
    """Returns a line a month: what was done, and what the table is then."""
    table = compact_table(left=("month", "done"), right=("version", "rows", "files", "size", "one route"))
    for month in year.months:
        table.add_row(
            month.name,
            ", ".join(month.done),
            str(month.version),
            f"{month.rows:,}",
            f"{month.files:,}",
            format_bytes(month.bytes),
            f"{month.seconds * 1000:,.0f} ms",
        )
    return table


def engine_line(result: EngineResult) -> str:
    """Returns the line about an engine's result on a table, in Rich's markup."""
    said = escape(f"refused: {result.refusal}") if result.rows is None else f"{result.rows:,} rows"
    if result.rows is not None:
        said += ", the same as ingested" if result.equal else ", not the same as ingested"
    return f"{'' if result.expected else '[red]wrong[/] '}{result.engine} on {result.table.definition.title}: {said}"


def _heading(text: str, console: Console) -> None:
    console.print(f"\n[bold]{text}[/]\n", highlight=False)
