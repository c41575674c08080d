"""Tables that `lakecodec inspect` prints for a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ..runtime.display import SHOWN, add_rows, number, print_table, printable, ratio, short

if TYPE_CHECKING:
    from rich.console import Console


def render(description: dict[str, Any], console: Console, limit: int | None = None) -> None:
    """Prints a description that `describe` returned: tables of the file, the schema, the columns and each row group.

    Args:
        console: where to; values are cut to 32 characters on a terminal only.
        limit: the most rows of each table, and the most row groups, None for all.
    """
    whole = not console.is_terminal
    print_table(console, _file_table(description))
    pairs = description["key_value_metadata"]
    if whole:
        for pair in pairs:
            console.print(Text(f"{printable(pair['key'])}: {short(pair['value'], whole)}"))
    elif pairs:
        table = Table(title="Key-value metadata", show_header=False)
        print_table(console, add_rows(table, [[printable(pair["key"]), short(pair["value"])] for pair in pairs]))
    print_table(console, _schema_table(description["schema"], limit))
    groups = description["row_groups"]
    if len(groups) > 1:
        title = f"Columns in {len(groups):,} row groups"
        print_table(console, _columns_table(title, description["columns"], limit, whole))
    for index, group in enumerate(groups[:limit]):
        title = f"Row group {index}: {group['num_rows']:,} rows, {group['total_byte_size']:,} bytes"
        print_table(console, _columns_table(title, group["columns"], limit, whole))
        for column in group["columns"]:
            for table in _part_tables(index, column, limit, whole):
                print_table(console, table)
    if left_out := len(groups[limit:] if limit is not None else ()):
        console.print(f"and {left_out:,} more of the row groups (--limit)")


def _file_table(description: dict[str, Any]) -> Table:
    """Returns the table of the file's properties."""
    table = Table(title=Text(printable(description["file"] or "Parquet metadata")), show_header=False)
    for name in ("file_size", "footer_size", "version", "created_by", "num_rows", "num_row_groups", "num_columns"):
        table.add_row(name, Text(printable(number(description[name]))))
    if description["encryption"] is not None:
        table.add_row("encryption", description["encryption"])
    return table


def _schema_table(schema: list[dict[str, Any]], limit: int | None) -> Table:
    """Returns the table of the schema elements."""
    table = Table("field", "repetition", "physical type", "logical type", "field id", title="Schema")
    rows = []
    for element in schema[:limit]:
        name = "  " * min(element["depth"], SHOWN) + printable(element["name"])
        values = (element[key] for key in ("repetition", "physical_type", "logical_type", "field_id"))
        rows.append([name, *("" if value is None else str(value) for value in values)])
    return add_rows(table, rows, len(schema) - len(rows))


def _columns_table(title: str, columns: list[dict[str, Any]], limit: int | None, whole: bool) -> Table:
    """Returns the table of columns or of column chunks."""
    table = Table(title=title, title_justify="left" if whole else "center")
    table.add_column("column")
    table.add_column("codec")
    table.add_column("encodings")
    for name in ("values", "nulls", "compressed", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("min")
    table.add_column("max")
    rows = []
    for column in columns[:limit]:
        if "path" not in column:
            rows.append(["(encrypted)"])
            continue
        stored = column["total_compressed_size"]
        cells = [
            printable(column["path"]) + (" (encrypted)" if column.get("encrypted") else ""),
            ", ".join(column["codecs"]) if "codecs" in column else str(column["codec"]),
            ", ".join(map(str, column["encodings"])),
            number(column["num_values"]),
            number(column["null_count"]),
            number(stored),
            ratio(column["total_uncompressed_size"], stored),
            short(column["min"], whole),
            short(column["max"], whole),
        ]
        rows.append(cells)
    return add_rows(table, rows, len(columns) - len(rows))


def _part_tables(group: int, column: dict[str, Any], limit: int | None, whole: bool) -> Iterator[Table]:
    """Yields the tables of a column chunk's pages, page index and Bloom filter, where they are described."""
    index, bloom = column.get("page_index") or {}, column.get("bloom_filter")
    order = index.get("boundary_order")
    parts = {
        "pages": column.get("pages"),
        f"page index, {order}" if order else "page index": index.get("pages"),
        "Bloom filter": [bloom] if bloom else None,
    }
    for name, rows in parts.items():
        if not rows:
            continue
        title = Text(f"Row group {group}, {printable(column['path'])}: {name}")
        table = Table(title=title, title_justify="left" if whole else "center")
        for key, value in rows[0].items():
            is_number = isinstance(value, int | float) and key not in ("min", "max", "null_page")
            table.add_column(key.replace("_", " "), justify="right" if is_number else "left")
        shown = [[short(number(value), whole) for value in row.values()] for row in rows[:limit]]
        yield add_rows(table, shown, len(rows) - len(shown))
