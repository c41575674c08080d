"""Every page that needs no Spark does what it says: files are written, Python runs, commands run, outputs are compared.

Blocks of a page run in their order, in one namespace and one folder: ```thrift title="x.idl"``` writes a file, ```python``` runs,
```text``` behind it is what it printed, ```console``` runs its `$ lakecodec` lines and compares what follows them.
Pages with Spark are in tests/spark/test_spark_docs.py; the code of decisions is about code, and not run.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import backend, cli

from ..paths import ROOT
from .test_api_names import named

DOCS = ROOT / "docs"
#: Pages that test_spark_docs.py runs.
WITH_SPARK = {
    "change.md",
    "ingest.md",
    "read.md",
    "scan.md",
    "keep.md",
    "mosaic-source.md",
    "stream.md",
    "cluster.md",
    "partition-values.md",
    "row-keys.md",
}
#: What test_adding.py does.
RECIPES = {"adding.md"}
PAGES = sorted(
    os.path.relpath(path, DOCS)
    for path in (ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("api/*.md"))
    if path.name not in {*WITH_SPARK, *RECIPES}
    and re.search(r"^ *```(python|console|thrift title)", path.read_text("utf-8"), re.MULTILINE)
)


class Block(NamedTuple):
    language: str
    title: str
    text: str
    line: int


def blocks(text: str) -> list[Block]:
    found = re.finditer(r'^( *)```(\w+)(?: title="([^"]+)")?\n(.*?)^\1```$', text, re.DOTALL | re.MULTILINE)
    return [
        Block(match[2], match[3] or "", textwrap.dedent(match[4]), text.count("\n", 0, match.start()) + 2)
        for match in found
    ]


def run(page: str, example: Block, names: dict[str, Any]) -> str:
    """What an example prints; errors show the line of the page."""
    code = compile("\n" * (example.line - 1) + example.text, str(DOCS / page), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def commands(example: Block) -> list[tuple[str, str, int]]:
    """Commands, what the page shows behind them, and their exit codes, which are 0 unless a comment says another one."""
    parts = re.split(r"^\$ ", example.text, flags=re.MULTILINE)[1:]
    return [
        (line.partition("  #")[0].strip(), shown, int("exit code 1" in line.partition("  #")[2]))
        for line, _, shown in (part.partition("\n") for part in parts)
    ]


def same(shown: str, printed: str) -> bool:
    """Compares line by line; three dots stand for anything."""
    pattern = r"\s+".join(re.escape(word).replace(re.escape("..."), ".*") for word in shown.split())
    return re.fullmatch(pattern, printed.strip()) is not None


@pytest.fixture
def setup(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    if page != "mosaic.md":
        return {}
    pq.write_table(pa.table({"id": [1, 2], "day": pa.array([0, 1], pa.date32()), "c17": [1.0, 2.0]}), "wide.parquet")
    return {}


@pytest.mark.parametrize("page", PAGES)
def test_page(page: str, setup: dict[str, Any], tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__", **setup}
    printed = ""
    ran = 0
    for example in blocks((DOCS / page).read_text(encoding="utf-8")):
        if example.language == "thrift" and example.title:
            (tmp_path / example.title).write_text(example.text, encoding="utf-8")
        elif example.language == "python":
            printed = run(page, example, names)
            ran += 1
        elif example.language == "text":
            assert same(example.text, printed), f"{page}:{example.line}: {printed}"
        elif example.language == "console":
            for command, shown, code in commands(example):
                arguments = shlex.split(command)
                if arguments[0] != "lakecodec" or arguments[1:2] == ["ingest"]:
                    continue
                output = io.StringIO()
                redirected = arguments.index(">") if ">" in arguments else len(arguments)
                with contextlib.redirect_stdout(output):
                    assert cli.run(arguments[1:redirected]) == code, f"{page}:{example.line}: {command}"
                if redirected < len(arguments):
                    (tmp_path / arguments[-1]).write_text(output.getvalue(), encoding="utf-8")
                shown = shown.replace("(native)", f"({backend()})")
                assert not shown.strip() or same(shown, output.getvalue()), (
                    f"{page}:{example.line}: {output.getvalue()}"
                )
                ran += 1
    assert ran, f"{page}: nothing runs"


def test_every_page_with_code_is_run() -> None:
    assert {"tutorial.md", "cookbook.md", "versioning.md", "bad-bytes.md", "objects.md", "limits.md"} <= set(PAGES)
    pages = {path.name for path in DOCS.glob("*.md") if "```python" in path.read_text("utf-8")}
    assert pages <= {*PAGES, *WITH_SPARK, *RECIPES}


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert {page for page in pages if not page.startswith("decisions/0")} <= listed
    assert listed <= pages


def test_every_public_name_is_in_the_reference() -> None:
    import importlib
    import inspect

    pages = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.md"))
    described = [named(name) for name in re.findall(r"^::: (\S+)$", pages, re.M)]
    for module in ("", ".parquet", ".mosaic", ".row", ".delta", ".lake", ".pipeline", ".convert", ".workbench"):
        found = importlib.import_module(f"lakecodec{module}")
        for name in found.__all__:
            value = getattr(found, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert value in described, f"docs/api: lakecodec{module}.{name}"
