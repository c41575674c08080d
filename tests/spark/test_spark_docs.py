"""The examples of README and docs: Python runs, commands parse."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable
from datetime import date
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pytest
import typer
from typer.main import get_command

from demo.data import read_flights, write_source
from lakecodec import pipeline
from lakecodec.cli.app import app
from lakecodec.lake.log import Log, Transaction
from tests.paths import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Pages with Python; the other pages' examples need files and arguments of the reader's own.
PAGES = [
    *(f"docs/{name}.md" for name in ("ingest", "read", "scan", "keep", "change", "stream", "mosaic-source", "cluster")),
]
PAGES += ["docs/partition-values.md", "docs/row-keys.md"]
#: What marks examples that need a server.
ELSEWHERE = ("sc://host", "https://minio", "s3://lake/files")

Names = dict[str, Any]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def located(example: str, directory: Path) -> str:
    """The example with absolute paths: Spark's JVM does not follow a change of this process's directory."""
    return re.sub(r"""(?<=["'])(?=(?:flights\.parquet|lake/|out/))""", f"{directory}/", example)


def commands() -> list[tuple[str, str]]:
    # What docs/adding.md calls it adds first: tests/docs/test_adding.py runs it.
    names = sorted({path.name for path in (ROOT / "docs").glob("*.md")} - {"adding.md"})
    pages = ["README.md", *(f"docs/{name}" for name in names)]
    lines = [(page, line) for page in pages for block in blocks(page, "console") for line in block.splitlines()]
    found = [(page, line[2:].partition("  #")[0]) for page, line in lines if line.startswith("$ lakecodec ")]
    found += [
        (page, text) for page in pages for text in re.findall(r"`(lakecodec [a-z]+ [^`]+)`", (ROOT / page).read_text())
    ]
    return found


def flights(names: Names) -> None:
    """A file to ingest."""
    every = read_flights()
    write_source(every.take(pa.array(range(0, len(every), 100))), Path("flights.parquet"))


def lake(names: Names) -> None:
    """A table of two versions."""
    flights(names)
    for mode in ("error", "append"):
        source = Path("flights.parquet").absolute()
        pipeline.ingest(names["spark"], source, "lake/flights", partition_by="origin", mode=mode, progress=False)


def memory(names: Names) -> None:
    """A table in fsspec's memory."""
    transaction = Transaction(Log("/lake/flights", fsspec.filesystem("memory")), None, "WRITE")
    transaction.set_schema(pa.schema({"id": pa.int64()}), (), "parquet")
    transaction.commit()


def partition_values(names: Names) -> None:
    names["date"] = date
    names["schema"] = pa.schema({"Region": pa.string(), "day": pa.date32(), "id": pa.int64()})
    names["table"] = pa.table([["US/East"], [date(2024, 1, 1)], [1]], schema=names["schema"])


CONTEXT: dict[str, Callable[[Names], None]] = {
    "docs/ingest.md": flights,
    "docs/read.md": lake,
    "docs/scan.md": lake,
    "docs/keep.md": lake,
    "docs/change.md": lake,
    "docs/stream.md": flights,
    "docs/mosaic-source.md": flights,
    "docs/cluster.md": memory,
    "docs/partition-values.md": partition_values,
}


@pytest.mark.parametrize("page", PAGES)
def test_python_runs(page: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    names: Names = {"spark": spark}
    CONTEXT.get(page, lambda names: None)(names)
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        code = compile(located(example, tmp_path), page, "exec")
        if not any(place in example for place in ELSEWHERE):
            exec(code, names)


def test_values_in_comments_are_what_comes_out() -> None:
    """Comments behind calls of a codec that are literals."""
    checked = 0
    for page in ("docs/partition-values.md",):
        names: Names = {"pa": pa}
        partition_values(names)
        example = next(block for block in blocks(page, "python") if "PartitionCodec" in block)
        for line in example.splitlines():
            call, _, comment = line.partition("  # ")
            if "table" in call or "convert" in call:
                continue
            exec(call, names)
            value = comment.strip()
            if call.startswith("codec.") and value.startswith(("'", '"', "{")):
                assert eval(call, names) == eval(value, names)
                checked += 1
    assert checked >= 3


@pytest.mark.parametrize(("page", "line"), commands())
def test_commands_parse(page: str, line: str) -> None:
    group = get_command(app)
    # What a shell does with the output is not the command's.
    arguments = list(takewhile(lambda word: word not in (">", "|"), shlex.split(line)[1:]))
    if arguments[0].startswith("-"):
        with pytest.raises(typer.Exit):
            group.make_context("lakecodec", arguments)
        return
    with typer.Context(group) as context:
        name, command, rest = group.resolve_command(context, arguments)  # type: ignore[attr-defined]
        assert command is not None, page
        command.make_context(name, rest, parent=context)


def test_examples_are_found() -> None:
    assert len(commands()) >= 12
    assert sum(len(blocks(page, "python")) for page in PAGES) >= 16
    assert all(isinstance(ast.parse(block), ast.Module) for page in PAGES for block in blocks(page, "python"))


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
