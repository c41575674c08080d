"""Documentation as lines of generated Python: docstrings and comments, wrapped."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 110


def docstring(doc: str, attributes: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Returns the lines between the triple quotes; ``attributes`` become the section of that name."""
    lines = _paragraphs(doc)
    if attributes:
        lines += ["", "Attributes:"]
        for name, text in attributes:
            flat = " ".join(text.split())
            lines += textwrap.wrap(f"{name}: {flat}", WIDTH, initial_indent="    ", subsequent_indent="        ")
    lines = [_safe(line) for line in lines]
    # A quotation mark must not join the closing ones.
    return [f"{lines[0]} "] if len(lines) == 1 and lines[0].endswith('"') else lines


def comment(doc: str) -> list[str]:
    """Returns the text of `#` comment lines."""
    return _paragraphs(doc) if doc.strip() else []


def _paragraphs(doc: str) -> list[str]:
    """Blank lines and list items are kept; running text is wrapped again."""
    lines: list[str] = []
    for block in textwrap.dedent(doc).strip().split("\n\n"):
        if lines:
            lines.append("")
        rows = block.splitlines()
        if any(row.lstrip()[:2] in ("- ", "* ") or row.startswith("  ") for row in rows):
            lines += [row.rstrip() for row in rows]
        else:
            lines += textwrap.wrap(" ".join(block.split()), WIDTH) or [""]
    return lines


def _safe(line: str) -> str:
    return line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def call(function: str, arguments: Sequence[str], *, indent: int, end: str = ",") -> list[str]:
    """`function(...)` on one line where it fits, else one argument a line; with ``,`` an element of a sequence."""
    line = f"{function}({', '.join(arguments)}){end}"
    if indent + len(line) <= 120:
        return [line]
    return [f"{function}(", *(f"    {argument}," for argument in arguments), f"){end}"]


def assignment(name: str, items: Sequence[str], *, indent: int, sign: str = " = ", end: str = "") -> list[str]:
    """`name = (items)`, on one line where it fits, else one item a line; ``sign`` "=" and ``end`` "," make an argument."""
    line = f"{name}{sign}({', '.join(items)}{',' if len(items) == 1 else ''}){end}"
    if indent + len(line) <= 120:
        return [line]
    return [f"{name}{sign}(", *(f"    {item}," for item in items), f"){end}"]


def expression(items: Sequence[str], *, indent: int) -> list[str]:
    """`a, b` as a statement, on one line where it fits; nothing for no items."""
    line = ", ".join(items)
    if not items or indent + len(line) <= 120:
        return [line] if items else []
    return ["(", *(f"    {item}," for item in items), ")"]
