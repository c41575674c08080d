"""Tables that `lakecodec inspect` prints for a Parquet file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ..runtime.display import SHOWN, add_rows, number, printable, ratio, short

if TYPE_CHECKING:
    from rich.console import Console


def render(description: dict[str, Any], console: Console) -> None:
    """Prints a description that `describe` returned: a table of the file, of the schema and of each row group."""
    console.print(_file_table(description))
    console.print(_schema_table(description["schema"]))
    for index, group in enumerate(description["row_groups"]):
        console.print(_row_group_table(index, group))


def _file_table(description: dict[str, Any]) -> Table:
    """Returns the table of the file's properties."""
    table = Table(title=Text(printable(description["file"] or "Parquet metadata")), show_header=False)
    for name in ("file_size", "footer_size", "version", "created_by", "num_rows", "num_row_groups", "num_columns"):
        table.add_row(name, Text(printable(number(description[name]))))
    if description["encryption"] is not None:
        table.add_row("encryption", description["encryption"])
    for pair in description["key_value_metadata"]:
        table.add_row(Text(printable(pair["key"])), Text(short(pair["value"])))
    return table


def _schema_table(schema: list[dict[str, Any]]) -> Table:
    """Returns the table of the schema elements."""
    table = Table("field", "repetition", "physical type", "logical type", "field id", title="Schema")
    for element in schema:
        name = "  " * min(element["depth"], SHOWN) + printable(element["name"])
        values = (element[key] for key in ("repetition", "physical_type", "logical_type", "field_id"))
        table.add_row(Text(name), *(Text("" if value is None else str(value)) for value in values))
    return table


def _row_group_table(index: int, group: dict[str, Any]) -> Table:
    """Returns the table of a row group's column chunks."""
    table = Table(title=f"Row group {index}: {group['num_rows']:,} rows, {group['total_byte_size']:,} bytes")
    table.add_column("column")
    table.add_column("codec")
    table.add_column("encodings")
    for name in ("values", "nulls", "compressed", "ratio"):
        table.add_column(name, justify="right")
    table.add_column("min")
    table.add_column("max")
    for column in group["columns"]:
        if "path" not in column:
            table.add_row("(encrypted)")
            continue
        stored = column["total_compressed_size"]
        cells = [
            printable(column["path"]) + (" (encrypted)" if column["encrypted"] else ""),
            str(column["codec"]),
            ", ".join(map(str, column["encodings"])),
            number(column["num_values"]),
            number(column["null_count"]),
            number(stored),
            ratio(column["total_uncompressed_size"], stored),
            short(column["min"]),
            short(column["max"]),
        ]
        add_rows(table, [cells])
    return table
