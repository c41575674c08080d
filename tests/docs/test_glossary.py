"""One word for one thing: public names, arguments and options keep to docs/glossary.md."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import typer

from lakecodec.cli.app import app

from ..paths import ROOT
from .test_docstrings import NOT_CALLED

PACKAGES = ("", "convert", "delta", "lake", "mosaic", "paimon", "parquet", "pipeline", "row", "variant", "workbench")
#: Arguments in so many functions are explained.
COMMON = 3


def rows(heading: str) -> list[list[str]]:
    page = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def listed(cell: str) -> list[str]:
    return [word.strip().lower() for word in cell.split(",") if word.strip()]


NEVER = {word for heading in ("Words", "Arguments") for _, _, never in rows(heading) for word in listed(never)}


def signatures() -> Iterator[tuple[str, Any, Any]]:
    """Public functions, classes and methods: what they are called, and what they are."""
    for package in PACKAGES:
        module = importlib.import_module(f"lakecodec.{package}".rstrip("."))
        for name in module.__all__:
            value = getattr(module, name)
            yield name, value, value
            if inspect.isclass(value):
                own = [cls for cls in value.__mro__ if cls.__module__.startswith("lakecodec")]
                for member in sorted({key for cls in own for key in vars(cls) if not key.startswith("_")}):
                    yield f"{name}.{member}", value, inspect.getattr_static(value, member)


def is_result(cls: type) -> bool:
    """Whether callers get instances and make none: the constructor's arguments are attributes."""
    return cls.__name__ in NOT_CALLED or dataclasses.is_dataclass(cls) or "__init__" not in vars(cls)


def arguments() -> dict[str, set[Any]]:
    """The functions that have an argument, by its name. Classes that users do not make have attributes only."""
    found: dict[str, set[Any]] = defaultdict(set)
    for _, _, value in signatures():
        function = getattr(value, "__func__", value)
        if callable(function) and not (inspect.isclass(value) and is_result(value)):
            for name in inspect.signature(function).parameters:
                if name not in ("self", "cls") and not name.startswith("_"):
                    found[name].add(function)
    return found


def options() -> Iterator[str]:
    def walk(command: Any) -> Iterator[str]:
        for each in command.params:
            names = (*each.opts, *each.secondary_opts) if each.param_type_name == "option" else (each.name,)
            yield from (name.lstrip("-").replace("-", "_") for name in names)
        for name, inner in getattr(command, "commands", {}).items():
            yield name.replace("-", "_")
            yield from walk(inner)

    return walk(typer.main.get_command(app))


def words(name: str) -> set[str]:
    """The words of a name, and what two or three neighbours make together."""
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name.replace(".", "__")).lower().split("_")
    return {"_".join(parts[at : at + size]) for at in range(len(parts)) for size in (1, 2, 3)}


def test_words_of_names() -> None:
    assert {"scan", "summary", "row_groups", "scan_summary"} <= words("ScanSummary.row_groups")
    assert "zone" in words("explain.zone")
    assert "zone" not in words("timezone")


def test_no_name_uses_a_word_that_the_glossary_excludes() -> None:
    names = {name for name, _, _ in signatures()} | set(arguments()) | set(options())
    wrong = {name: found for name in names if (found := words(name) & NEVER)}
    assert not wrong


def test_the_glossary_excludes_no_word_that_it_explains() -> None:
    for heading in ("Words", "Arguments"):
        explained = [word.strip("` ").lower() for row in rows(heading) for word in row[0].split(",")]
        assert not {*explained} & NEVER
        assert len(explained) == len({*explained})


def test_common_arguments_are_explained_and_explained_ones_exist() -> None:
    explained = {word.strip("` ") for row in rows("Arguments") for word in row[0].split(",")}
    found = arguments()
    common = {name for name, functions in found.items() if len(functions) >= COMMON}
    assert common - explained == set()
    assert explained - set(found) == set()


#: Arguments that differ between functions, since some are about them alone and others only have them as a choice.
#: `mosaic` follows the signatures of pyarrow, and errors have `path`, `format` and `offset` as attributes.
UNLIKE = frozenset({
    "columns", "directory", "fields", "filters", "format", "limit", "mode", "name", "offset", "older_than", "options",
    "parameters", "partition_by", "path", "progress", "properties",
    "schema_mode", "sort_keys", "text", "type", "version", "views", "where",
})  # fmt: skip


def test_an_argument_is_alike_wherever_it_is() -> None:
    """The same name has the same kind (positional or by keyword) and the same default in all public functions."""
    unlike = set()
    for name, functions in arguments().items():
        found = [inspect.signature(function).parameters[name] for function in functions]
        if len({(each.kind, repr(each.default)) for each in found}) > 1:
            unlike.add(name)
    assert unlike == UNLIKE
    assert {"storage_options", "allow_extern", "timestamp", "deep", "threads"} <= set(arguments()) - UNLIKE


def test_what_others_say_is_found() -> None:
    page = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").lower()
    for wanted in ("time travel", "schema evolution", "upsert", "compaction", "jupyter", "mypy", "endianness", "rollback",
                   "predicate pushdown", "hexdump", "schema registry", "exactly once", "change data feed"):  # fmt: skip
        assert wanted in page, wanted
