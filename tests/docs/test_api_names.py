"""The API pages: every name on them can be imported, every argument that a docstring lists is one, errors are public."""

from __future__ import annotations

import builtins
import importlib
import inspect
import re
import subprocess
import sys
from typing import Any

import pytest

from ..paths import ROOT

NAMES = sorted(
    {
        name
        for page in (ROOT / "docs/api").glob("*.md")
        for name in re.findall(r"^::: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
    }
)
#: An entry of a section ``Args:``, by its indentation.
ENTRY = re.compile(r"^    (\*{0,2}\w[\w, *]*): ", re.MULTILINE)

WITHOUT_SPARK = """
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None
from lakecodec.pipeline import *
from lakecodec import pipeline
import pydoc
assert "SparkJobError" in pydoc.render_doc(pipeline) and issubclass(SparkJobError, Exception)
try:
    pipeline.delete(None, "x", "true")
except ModuleNotFoundError as error:
    assert "pip install 'lakecodec[spark]'" in str(error)
else:
    raise AssertionError
"""


def named(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_pages_can_be_imported(name: str) -> None:
    value = named(name)
    assert value.__qualname__ == name.rpartition(".")[2]
    # What a package exports is described by the name that users import.
    package = importlib.import_module(".".join(name.split(".")[:-1][:2]))
    if value.__name__ in getattr(package, "__all__", ()):
        assert name in (f"{package.__name__}.{value.__name__}", f"lakecodec.{value.__name__}")


def listed(value: Any) -> list[str]:
    """Names in the section ``Args:`` of a docstring."""
    found = re.search(r"^Args:\n((?:    .*\n|\n)*)", (inspect.getdoc(value) or "") + "\n", re.MULTILINE)
    return ENTRY.findall(found[1]) if found else []


@pytest.mark.parametrize("name", NAMES)
def test_docstrings_list_arguments_one_by_one(name: str) -> None:
    value = named(name)
    members = vars(value).values() if inspect.isclass(value) else ()
    for each in (value, *(getattr(member, "__func__", member) for member in members)):
        if (inspect.isclass(each) or inspect.isfunction(each)) and listed(each):
            wrong = {entry.lstrip("*") for entry in listed(each)} - set(inspect.signature(each).parameters)
            assert not wrong, f"{each.__qualname__}: {wrong}"


@pytest.mark.parametrize("module", ["delta", "lake", "mosaic", "parquet", "pipeline", "row", "variant", "convert"])
def test_errors_are_public_where_they_are_raised(module: str) -> None:
    found = importlib.import_module(f"lakecodec.{module}")
    public = {*found.__all__, *importlib.import_module("lakecodec").__all__, *vars(builtins)}
    for name in found.__all__:
        section = (inspect.getdoc(getattr(found, name)) or "").partition("Raises:\n")[2]
        errors = set(
            re.findall(r"\b[A-Z]\w*(?:Error|Exception)\b", "\n".join(re.findall(r"^    (\S.*?):", section, re.M)))
        )
        assert errors <= public, f"lakecodec.{module}.{name}: {errors - public}"


def test_tables_can_be_imported_and_described_without_spark() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_SPARK], check=True, cwd=ROOT)


@pytest.mark.parametrize(
    "module", ["delta", "lake", "mosaic", "parquet", "pipeline", "row", "variant", "convert", "workbench"]
)
def test_packages_list_their_names(module: str) -> None:
    found = importlib.import_module(f"lakecodec.{module}")
    assert set(found.__all__) <= set(dir(found))
