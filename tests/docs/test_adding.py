"""docs/adding.md: each recipe is done in a copy of the tree, and what comes out runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..paths import ROOT
from .test_snippets import Block, blocks, commands, same

PAGE = (ROOT / "docs/adding.md").read_text("utf-8")
RECIPES = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "lakecodec", copy / "lakecodec", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs/api", copy / "docs/api")
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(ROOT / name, copy)
    return copy


def change(path: Path, difference: str) -> None:
    """Replaces the lines of a difference: what it has without ``+`` stands in the file once."""
    lines = difference.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name}: {old}"
    path.write_text(text.replace(old, new), "utf-8")


def run(tree: Path, example: Block) -> None:
    for command, shown, _ in commands(example):
        words = command.split()
        arguments = words[1:] if words[0] == "python" else ["-m", *words]
        called = [sys.executable, "-W", "ignore", *arguments]
        flags = {"LAKECODEC_CFLAGS": "-O0 -w", "LAKECODEC_REQUIRE_NATIVE": "1"}
        environment = {**os.environ, **flags, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(called, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        assert not shown.strip() or same(shown, done.stdout), f"{command}: {done.stdout}"


@pytest.mark.parametrize("recipe", [title for title, _ in RECIPES])
def test_recipe(recipe: str, tree: Path) -> None:
    ran = 0
    for example in blocks(dict(RECIPES)[recipe]):
        path = tree / example.title
        if example.language == "console":
            run(tree, example)
            ran += 1
        elif example.language == "diff":
            change(path, example.text)
        else:
            assert not path.exists(), f"{example.title} exists already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(example.text, "utf-8")
    assert ran


def test_a_difference_that_does_not_fit_is_no_change(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text("a\nb\na\n")
    for wrong in (" c\n+d\n", "-a\n+d\n"):
        with pytest.raises(AssertionError):
            change(path, wrong)
    change(path, " b\n+c\n-a\n")
    assert path.read_text() == "a\nb\nc\n"
