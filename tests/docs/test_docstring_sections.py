"""Tests that the sections of docstrings have the form that the builder of the documentation parses (Google style).

The builder warns otherwise, and the documentation is built with warnings as errors.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import lakecodec

_ROOT = Path(lakecodec.__file__).parent
_SECTIONS = {"Args:", "Attributes:", "Raises:", "Warns:"}
_ITEM = re.compile(r"[\w.,* ]+( \(.*\))?:( |$)")


def _faults(docstring: str) -> Iterator[str]:
    """Yields the lines of sections that begin an item without a name and a colon."""
    inside, indent = False, 0
    for line in docstring.splitlines():
        if line and not line.startswith(" "):
            inside, indent = line in _SECTIONS, 0
        elif inside and line.strip():
            width = len(line) - len(line.lstrip())
            indent = indent or width
            if width == indent and not _ITEM.match(line.strip()):
                yield line.strip()


def test_a_line_without_a_name_is_found() -> None:
    assert list(_faults("Says.\n\nRaises:\n    As `delete`, and so on.\n        or not\n    ValueError: else.")) == [
        "As `delete`, and so on."
    ]


@pytest.mark.parametrize("package", sorted(each.name for each in _ROOT.iterdir() if each.is_dir()))
def test_sections_of_docstrings_are_lists_of_names(package: str) -> None:
    faults = []
    for path in sorted((_ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                faults += [f"{path}: {line}" for line in _faults(ast.get_docstring(node) or "")]
    assert not faults
