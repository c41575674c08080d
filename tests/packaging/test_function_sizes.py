"""No function of the product is longer than a screen: 60 lines without its docstring, in Python, Cython and C."""

from __future__ import annotations

import ast
import re
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


def c_functions(text: str) -> Iterator[tuple[str, int]]:
    """Functions begin at the left margin and end with a brace there, as clang-format writes them."""
    start: tuple[str, int] | None = None
    for number, line in enumerate(text.splitlines()):
        if line == "}" and start is not None:
            yield start[0], number - start[1] + 1
            start = None
        elif (match := re.match(r"[a-zA-Z_][\w *]*?(\w+)\(", line)) and not line.endswith(";"):
            start = match[1], number
        elif line.startswith("}"):
            start = None


def cython_functions(text: str) -> Iterator[tuple[str, int]]:
    """Functions end before the next line that is not deeper than they are."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if match := re.match(r"( *)(?:async )?(?:def|c?p?def) [^=]*?(\w+)\(.*", line):
            end = number + 1
            while end < len(lines) and (not lines[end].strip() or re.match(rf"{match[1]}( +|\))", lines[end])):
                end += 1
            body = "\n".join(lines[number:end]).rstrip()
            yield match[2], len(re.sub(r'^ *"""(.|\n)*?"""\n', "", body, count=1, flags=re.MULTILINE).splitlines())


READERS = {".py": python_functions, ".c": c_functions, ".h": c_functions, ".pyx": cython_functions}


def sources() -> Iterator[Path]:
    """The product's files, without those that a compiler of ours or Cython writes."""
    for path in sorted((ROOT / "lakecodec").rglob("*")):
        if path.suffix in READERS and "generated" not in path.parts and not path.with_suffix(".pyx").exists():
            yield path
    yield from sorted((ROOT / "lakecodec").rglob("*.pyx"))


def test_functions_are_found() -> None:
    assert list(python_functions('def f():\n    """One\n    two."""\n    return 1\n')) == [("f", 2)]
    assert list(c_functions("static int f(int a) {\n    return a;\n}\nint g(void);\n")) == [("f", 3)]
    assert list(cython_functions('cdef int f(\n    int a\n) except -1:\n    """One."""\n    return a\n\nx = 1\n')) == [
        ("f", 4)
    ]
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
