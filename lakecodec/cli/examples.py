"""Groups of commands as the help shows them, with an example of each."""

from __future__ import annotations

from typing import Any

import typer.core

#: One example call per command, by program and title.
GROUPS: dict[str, dict[str, dict[str, str]]] = {
    "lakecodec": {
        "Look into files": {
            "inspect": "flights.parquet",
            "explore": "flights.parquet --html page.html",
            "verify": "lake/*.parquet --deep",
            "diff": "old.parquet new.parquet",
            "dump": "flights.parquet -o flights.json",
            "load": "flights.json -o copy.parquet",
            "query": "lake/*.parquet --for 'rg in row_groups' --select 'rows = rg.num_rows'",
        },
        "Declare formats": {
            "check": "sensors.idl",
            "fmt": "sensors.idl --diff",
            "generate": "sensors.idl -o mypackage",
            "import": "image.ksy -o idl",
            "sample": "sensors.idl --type File -o samples",
            "breaking": "old.idl new.idl",
            "doc": "sensors.idl -o site",
            "serve": ". --port 8000",
            "lsp": "",
        },
        "Files of rows": {
            "convert": "wide.mosaic wide.parquet",
            "parquet": "rename flights.parquet -o new.parquet dest=destination",
        },
        "Read tables": {
            "scan": "lake/flights --where \"dest = 'LAX'\" --limit 10",
            "count": "lake/flights --where \"dest = 'LAX'\"",
            "history": "lake/flights",
            "properties": "lake/flights",
        },
        "Write and keep tables": {
            "ingest": "flights.parquet lake/flights --partition-by origin --sort-by dest",
            "delete": "lake/flights --where 'arr_delay IS NULL'",
            "update": "lake/flights --set 'delay=delay + 1' --where \"dest = 'LAX'\"",
            "merge": "lake/flights corrections.parquet --on id --update --insert",
            "optimize": "lake/flights --zorder-by dest,time_hour",
            "restore": "lake/flights --version 3",
            "vacuum": "lake/flights --retention 7d",
            "check-table": "lake/flights --deep",
            "doctor": "lake/flights --fix",
        },
    },
    "lakecodec parquet": {
        "Change files": {
            "rename": "flights.parquet -o new.parquet dest=destination",
            "select": "flights.parquet -o new.parquet dest arr_delay",
            "drop": "flights.parquet -o new.parquet --bloom-filters",
            "concat": "january.parquet february.parquet -o both.parquet",
            "merge": "lake/flights -o _metadata",
            "merge-row-groups": "flights.parquet merged.parquet",
            "index": "flights.parquet indexed.parquet --bloom tailnum",
            "set": "flights.parquet owner=me",
        },
        "Look into files": {
            "grep": "tailnum=N14228 lake/*.parquet",
            "verify": "flights.parquet --deep",
        },
    },
}


def example_of(path: str) -> str:
    """Returns an example call of a command, ``""`` if it has none.

    Args:
        path: the program and the words of the command.
    """
    above, _, name = path.rpartition(" ")
    groups = GROUPS.get(above, {}).values()
    return next((f"{path} {group[name]}".strip() for group in groups if name in group), "")


#: Order of the common options in every help: the first ones precede a command's own options, the last ones follow them.
_FIRST = ("idl", "type", "table_format", "columns", "column", "where", "version", "timestamp")
_LAST = (
    "limit", "output", "format", "include", "allow_extern", "source_format", "source_option", "deep", "master", "quiet",
    "as_json", "storage_option",
)  # fmt: skip


class Command(typer.core.TyperCommand):
    """A command whose help has an example, options in one order, and names of arguments as users write them."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params.sort(key=_rank)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        records: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            name, text = each.get_help_record(ctx) or ("", "")
            if each.param_type_name == "argument":
                records["Arguments"].append((_usage_form(each).strip("[]"), text))
            elif name:
                records["Options"].append((name, text))
        for title, found in records.items():
            if found:
                with formatter.section(title):
                    formatter.write_dl(found)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return ["[OPTIONS]", *(_usage_form(each) for each in self.params if each.param_type_name == "argument")]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        if example := example_of(ctx.command_path):
            with formatter.section("Example"):
                formatter.write(f"{'':{formatter.current_indent}}$ {example}\n")


class Group(typer.core.TyperGroup):
    """An application or group whose help lists commands by purpose, with whole sentences."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = self.list_commands(ctx)
        titles = GROUPS.get(ctx.command_path, {})
        groups = {title: [name for name in group if name in names] for title, group in titles.items()}
        known = {name for group in groups.values() for name in group}
        groups["Others" if known else "Commands"] = [name for name in names if name not in known]
        for title, found in groups.items():
            if found:
                with formatter.section(title):
                    formatter.write_dl([(name, _sentence(self.get_command(ctx, name))) for name in found])


def _rank(param: Any) -> tuple[int, int]:
    """Returns the place of a parameter in the help: arguments come first, as the function has them."""
    if param.param_type_name == "argument":
        return 0, 0
    if param.name in _FIRST:
        return 1, _FIRST.index(param.name)
    return (3, _LAST.index(param.name)) if param.name in _LAST else (2, 0)


def _usage_form(argument: Any) -> str:
    """Returns an argument as usage lines show it: ``FILE...``."""
    name = (argument.metavar or argument.name.upper()).removesuffix("...")
    name = f"{name.removesuffix('S')}..." if argument.nargs == -1 else name
    return name if argument.required else f"[{name}]"


def _sentence(command: Any) -> str:
    """Returns the first sentence of a command's help."""
    text = " ".join((command.help or "").split())
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]
