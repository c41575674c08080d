"""Documentation of fields: the strings behind the rows of generated classes, which Python discards.

It is read from the module's source on first use, and is empty where only byte code was installed.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Mapping
from itertools import pairwise
from types import ModuleType

from .memo import kept_with


def attribute_docs(cls: type) -> Mapping[str, str]:
    """Returns a mapping of attribute -> documentation, for the attributes that the body of ``cls`` itself documents."""
    return _module_docs(cls.__module__).get(cls.__qualname__, {})


def with_attributes(cls: type, doc: str | None) -> str | None:
    """Returns a class's docstring with an "Attributes:" section; ``doc`` itself where no attribute is documented."""
    docs = attribute_docs(cls)
    if not docs:
        return doc
    shown = [f"    {name}: " + text.replace("\n", "\n        ") for name, text in docs.items()]
    return "\n".join([inspect.cleandoc(doc or ""), "", "Attributes:", *shown])


def unwrapped(text: str) -> str:
    """Returns documentation with each paragraph on one line; lists and indented text keep their line breaks."""
    blocks = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(block if _is_laid_out(block) else " ".join(block.split()) for block in blocks)


def _is_laid_out(block: str) -> bool:
    return any(line.lstrip()[:2] in ("- ", "* ") or line.startswith("  ") for line in block.splitlines())


def _module_docs(name: str) -> dict[str, dict[str, str]]:
    module = sys.modules.get(name)
    return {} if module is None else _docs_of(module)


@kept_with
def _docs_of(module: ModuleType) -> dict[str, dict[str, str]]:
    lines = linecache.getlines(getattr(module, "__file__", None) or "", vars(module))
    try:
        body = ast.parse("".join(lines)).body
    except SyntaxError:
        return {}
    return {node.name: _class_docs(node) for node in body if isinstance(node, ast.ClassDef)}


def _class_docs(node: ast.ClassDef) -> dict[str, str]:
    return {
        row.target.id: unwrapped(behind.value.value)
        for row, behind in pairwise(node.body)
        if isinstance(row, ast.AnnAssign) and isinstance(row.target, ast.Name)
        if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
        if isinstance(behind.value.value, str)
    }
