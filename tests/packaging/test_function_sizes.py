"""No function of the product is longer than a screen: 60 lines without its docstring, in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ..paths import ROOT

MOST_LINES = 60


def python_functions(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = ast.get_docstring(node) is not None
            yield node.name, node.end_lineno - node.lineno + 1 - documented * (first.end_lineno - first.lineno + 1)  # type: ignore[operator]


READERS = {".py": python_functions}


def sources() -> Iterator[Path]:
    """The product's files, without generated ones."""
    for path in sorted((ROOT / "lakecodec").rglob("*")):
        if path.suffix in READERS and "generated" not in path.parts:
            yield path


def test_functions_are_found() -> None:
    assert list(python_functions('def f():\n    """One\n    two."""\n    return 1\n')) == [("f", 2)]
    names = {path.suffix: [name for name, _ in READERS[path.suffix](path.read_text("utf-8"))] for path in sources()}
    assert all(names.values())
    assert len(names) == len(READERS)


def test_functions_fit_a_screen() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name} has {lines} lines"
        for path in sources()
        for name, lines in READERS[path.suffix](path.read_text("utf-8"))
        if lines > MOST_LINES
    ]
    assert not found
