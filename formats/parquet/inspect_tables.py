"""The tables that `lakecodec inspect` prints of a description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

#: Characters of a bound, and of a key-value entry, that a table shows.
_SHOWN = 32


def render(description: dict[str, Any], console: Console) -> None:
    """Prints the tables of a description."""
    console.print(_file_table(description))
    console.print(_schema_table(description["schema"]))
    for number, group in enumerate(description["row_groups"]):
        console.print(_row_group_table(number, group))


def _file_table(description: dict[str, Any]) -> Table:
    table = Table(title=Text(description["file"] or "Parquet metadata"), show_header=False)
    for name in ("file_size", "footer_size", "version", "created_by", "num_rows", "num_row_groups", "num_columns"):
        table.add_row(name, Text(_number(description[name])))
    if description["encryption"] is not None:
        table.add_row("encryption", description["encryption"])
    for pair in description["key_value_metadata"]:
        table.add_row(Text(pair["key"]), Text(_short(pair["value"])))
    return table


def _schema_table(schema: list[dict[str, Any]]) -> Table:
    table = Table("field", "repetition", "physical type", "logical type", "field id", title="Schema")
    for element in schema:
        name = "  " * min(element["depth"], _SHOWN) + element["name"]
        values = (element[key] for key in ("repetition", "physical_type", "logical_type", "field_id"))
        table.add_row(Text(name), *(Text("" if value is None else str(value)) for value in values))
    return table


def _row_group_table(number: int, group: dict[str, Any]) -> Table:
    table = Table(title=f"Row group {number}: {group['num_rows']:,} rows, {group['total_byte_size']:,} bytes")
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
        stored, whole = column["total_compressed_size"], column["total_uncompressed_size"]
        cells = [
            column["path"] + (" (encrypted)" if column["encrypted"] else ""),
            str(column["codec"]),
            ", ".join(map(str, column["encodings"])),
            _number(column["num_values"]),
            _number(column["null_count"]),
            _number(stored),
            f"{whole / stored:.2f}" if stored else "",
            _short(column["min"]),
            _short(column["max"]),
        ]
        table.add_row(*map(Text, cells))
    return table


def _number(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _short(value: Any) -> str:
    text = "" if value is None else " ".join(str(value).split("\n"))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
