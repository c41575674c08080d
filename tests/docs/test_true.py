"""The docs name files, commands and IDL that there are: each is looked up, parsed or compiled."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from lakecodec import cli, compile_idl
from lakecodec.cli.app import app

from ..paths import ROOT
from .test_snippets import blocks

#: Of all pages but the recipes, whose commands and files are there when test_adding.py does them.
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("lakecodec/**/*.md"))
    if path.name != "adding.md"
)
#: What examples write, and folders that commands make.
MADE = {
    "shop.idl",
    "sensors.idl",
    "bench-output/",
    "site/index.html",
    "point.idl",
    "idl/point.idl",
    "mosaic.html",
    "sqlite.html",
    "page.html",
} | {"languages.toml"}
COMMAND: Any = typer.main.get_command(app)


def without_blocks(text: str) -> str:
    return re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)


def named_files(text: str) -> set[str]:
    words = {word.strip(",;:()") for code in re.findall(r"`([^`\n]+)`", without_blocks(text)) for word in code.split()}
    shape = r"[\w./-]*\w\.(py|md|lark|yaml|yml|idl|pyx|pxd|c|h|toml|html)|[\w.-]+(/[\w.-]+)*/"
    return {word for word in words if re.fullmatch(shape, word)}


@pytest.fixture(scope="module")
def files() -> str:
    """The paths of all files and folders, a line each."""
    folders = ("lakecodec", "tests", "docs", "benchmarks")
    found = [*ROOT.iterdir(), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    return "".join(f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}\n" for path in found)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_files_that_a_page_names_exist(page: str, files: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [name for name in named_files(text) - MADE if f"/{name}\n" not in files]
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", without_blocks(text))
    missing += [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing, page


def options(command: Any) -> set[str]:
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"-h", "--help"}


def unknown_word(words: list[str]) -> str | None:
    """The first word of a command line that is no command or option."""
    command = COMMAND
    for word in words:
        if word in ("|", ">", "&&", "..."):
            return None
        if re.match(r"--?[a-z]", word):
            if word.partition("=")[0] not in options(command):
                return word
        elif hasattr(command, "commands") and not word.isupper() and "=" not in word:
            alternatives = word.split("|")
            if missing := [each for each in alternatives if each not in command.commands]:
                return missing[0]
            command = command.commands[alternatives[0]]
    return None


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_a_page_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = re.findall(r"(?:`|^\$ )lakecodec ([^`\n#]+)", text.replace("\\\n", ""), re.MULTILINE)
    found = {line: unknown_word([word.strip("[],") for word in shlex.split(line)]) for line in lines}
    assert not {line: word for line, word in found.items() if word is not None}
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^\$ )(?:[A-Z_]+=\S+ )?make ([\w-]+)", text, re.MULTILINE)) <= targets


IDL = [block for block in blocks((ROOT / "docs/idl.md").read_text("utf-8")) if block.language == "thrift"]


@pytest.mark.parametrize("block", [pytest.param(block, id=f"line {block.line}") for block in IDL])
def test_idl_of_the_reference_compiles(block: Any) -> None:
    compile_idl(block.text, name="example")


def test_dump_of_the_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks((ROOT / "docs/idl.md").read_text("utf-8"))
    source, printed = found[-2:]
    (tmp_path / "x.idl").write_text(source.text, encoding="utf-8")
    assert cli.run(["generate", "--dump", "Batch", str(tmp_path / "x.idl")]) == 0
    assert capsys.readouterr().out == printed.text
