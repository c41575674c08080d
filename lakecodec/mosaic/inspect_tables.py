"""Tables that `lakecodec inspect` prints from descriptions of Mosaic files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ..runtime.display import add_rows, number, print_table, printable, ratio, short

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod

_FACTS = ("file_size", "version", "compression", "num_rows", "num_row_groups", "num_columns", "num_buckets")
_OFFSETS = ("schema_offset", "schema_size", "index_offset", "name_encoding", "num_name_rules")
#: Headings of columns whose texts may be long.
_FOLDED = frozenset(("column", "type", "value", "min", "max"))


def render(description: dict[str, Any], console: Console) -> None:
    """Prints a description made by `describe` as tables."""
    left_out = description["left_out"]
    print_table(console, _file_table(description))
    print_table(console, _schema_table(description["schema"], left_out["schema"]))
    print_table(console, _row_groups_table(description["row_groups"], left_out["row_groups"]))
    print_table(console, _buckets_table(description["buckets"], left_out["buckets"]))
    print_table(console, _columns_table(description["columns"], left_out["columns"], whole=not console.is_terminal))


def render_dictionary(description: dict[str, Any], console: Console, limit: int | None = None) -> None:
    """Prints a description of `describe_dictionary`: at most ``limit`` dictionaries and ``limit`` values of each."""
    dictionaries = description["dictionaries"]
    for dictionary in dictionaries[:limit]:
        title = f"Row group {dictionary['row_group']}: {dictionary['path']}, {dictionary['encoding']}"
        entries = dictionary["entries"]
        rows = [(short(entry["value"], not console.is_terminal), number(entry["count"])) for entry in entries[:limit]]
        if dictionary["null_count"]:
            rows.append(("(null)", number(dictionary["null_count"])))
        left_out = len(entries) - len(entries[:limit])
        print_table(console, _table(printable(title), {"value": "left", "rows": "right"}, rows, left_out))
    if limit is not None and len(dictionaries) > limit:
        console.print(f"and {len(dictionaries) - limit:,} more dictionaries (--limit)")


def _file_table(description: dict[str, Any]) -> Table:
    """Returns the table of the footer and file."""
    table = Table(title=Text(printable(description["file"] or "Mosaic file")), show_header=False)
    return add_rows(table, [(name, number(description[name])) for name in (*_FACTS, *_OFFSETS)])


def _schema_table(schema: list[dict[str, Any]], left_out: int) -> Table:
    """Returns the table of the schema."""
    rows = [
        (
            printable(column["name"]),
            printable(column["type"] + ("" if column["nullable"] else " not null")),
            number(column["bucket"]),
        )
        for column in schema
    ]
    return _table("Schema", {"column": "left", "type": "left", "bucket": "right"}, rows, left_out)


def _row_groups_table(groups: list[dict[str, Any]], left_out: int) -> Table:
    """Returns the table of row groups."""
    names = ("row_group", "num_rows", "num_buckets", "monolithic", "paged", "stored_size", "num_statistics")
    headings = ("group", "rows", "buckets", "monolithic", "paged", "stored", "statistics")
    rows = [[number(group[name]) for name in names] for group in groups]
    return _table("Row groups", dict.fromkeys(headings, "right"), rows, left_out)


def _buckets_table(buckets: list[dict[str, Any]], left_out: int) -> Table:
    """Returns the table of buckets."""
    names = ("row_group", "bucket", "layout", "num_columns", "offset", "stored_size", "inflated_size")
    headings = ("group", "bucket", "layout", "columns", "offset", "stored", "inflated", "ratio")
    justified: dict[str, JustifyMethod] = dict.fromkeys(headings, "right")
    justified["layout"] = "left"
    rows = [
        [*(number(bucket[name]) for name in names), ratio(bucket["inflated_size"], bucket["stored_size"])]
        for bucket in buckets
    ]
    return _table("Buckets", justified, rows, left_out)


def _columns_table(columns: list[dict[str, Any]], left_out: int, whole: bool) -> Table:
    """Returns the table of physical columns, without the headings that are empty in all rows."""
    names = ("num_rows", "null_count", "num_entries", "encoded_size", "stored_size")
    headings = ("group", "column", "encoding", "rows", "nulls", "entries", "encoded", "stored", "min", "max")
    left: dict[str, JustifyMethod] = dict.fromkeys(("column", "encoding", "min", "max"), "left")
    rows = [
        [
            number(column["row_group"]),
            printable(column["path"]),
            column["encoding"],
            *(number(column[name]) for name in names),
            short(column["min"], whole),
            short(column["max"], whole),
        ]
        for column in columns
    ]
    # Headings without a value in any row are left out: no dictionaries, no slots, no statistics.
    shown = [at for at in range(len(headings)) if not rows or any(row[at] for row in rows)]
    justified: dict[str, JustifyMethod] = {headings[at]: left.get(headings[at], "right") for at in shown}
    return _table("Columns", justified, [[row[at] for at in shown] for row in rows], left_out)


def _table(
    title: str, headings: Mapping[str, JustifyMethod], rows: Sequence[Sequence[str]], left_out: int = 0
) -> Table:
    """Returns a table in which only names, values and types fold where the terminal is narrow."""
    table = Table(title=Text(title))
    for name, justify in headings.items():
        table.add_column(name, justify=justify, overflow="fold", no_wrap=name not in _FOLDED)
    return add_rows(table, rows, left_out)
