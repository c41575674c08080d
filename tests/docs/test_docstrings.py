"""Docstrings begin with what a thing is or returns, and those of public functions name each argument."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

from ..paths import ROOT

PUBLIC = (
    "",
    "convert",
    "delta",
    "generator",
    "lake",
    "mosaic",
    "paimon",
    "parquet",
    "pipeline",
    "row",
    "variant",
    "workbench",
)
#: Sentences that ask instead of saying it.
ASKING = re.compile(
    r"(What|Whether|Where|How|Which|When|Also|Some|Tells|Says|Knows|(Returns|Yields) (what|how|where|which))\b"
)
#: Classes that callers get and do not make.
NOT_CALLED = {
    "FileMetaData", "RowGroupMetaData", "Node", "Tree", "IdlError", "CorruptLogError", "UnsupportedTableError",
    "SchemaMismatchError", "ConflictError", "UnknownOutcomeError",
}  # fmt: skip
#: Docstrings that point to another one for their arguments.
ELSEWHERE = re.compile(r"[Aa]rguments (and errors )?are those of|Arguments as those of|[Oo]ther arguments are")


def documented() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "lakecodec").rglob("*.py")):
        if "generated" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (doc := ast.get_docstring(node)):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", doc


def public() -> Iterator[tuple[str, Any]]:
    """Public functions and classes with their methods and properties."""
    for module in PUBLIC:
        found = importlib.import_module(f"lakecodec.{module}".rstrip("."))
        for name in found.__all__:
            value = getattr(found, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                yield f"{found.__name__}.{name}", value
            for key, each in vars(value).items() if inspect.isclass(value) else ():
                each = getattr(each, "__func__", each)
                if not key.startswith("_") and (inspect.isfunction(each) or isinstance(each, property)):
                    yield f"{found.__name__}.{name}.{key}", each


def arguments(value: Any) -> list[str]:
    """Names of the arguments that a caller gives; a function's only argument needs no words beyond its first line."""
    called = vars(value).get("__init__") if inspect.isclass(value) else value
    if not inspect.isfunction(called) or "__dataclass_fields__" in vars(value) or value.__name__ in NOT_CALLED:
        return []
    found = [each for each in inspect.signature(called).parameters if each not in ("self", "cls")]
    return found if len(found) > 1 else []


def test_docstrings_begin_with_what_a_thing_is() -> None:
    found = [f"{place}: {doc.splitlines()[0]}" for place, doc in documented() if ASKING.match(doc)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("name", "value"), [pytest.param(*each, id=each[0]) for each in public()])
def test_public_docstrings_name_each_argument(name: str, value: Any) -> None:
    doc = inspect.getdoc(value)
    assert doc, f"{name} has no docstring"
    assert doc[0].isupper() or doc[0] == "`", name
    if not ELSEWHERE.search(doc):
        missing = [
            each for each in arguments(value) if not re.search(rf"(``|^ *|, ){each}(``|[,:]|$)", doc, re.MULTILINE)
        ]
        assert not missing, f"{name}: {missing}"
