"""The page of codecs and functions lists all that there are, and nothing else."""

from __future__ import annotations

import importlib
import re
from inspect import signature
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.builtin_names import CODECS, FUNCTIONS
from lakecodec.generator.check.extern_parameters import IDL_TYPES
from lakecodec.runtime.externs import _MARK, BUILT_IN, arguments_of, built_in, external

from ..paths import ROOT

#: Modules of externs for the declarations of lakecodec's own formats alone, which other runtimes drive.
_OWN = {"delta.text", "row.codecs", "runtime.columns.integers", "runtime.declaration", "runtime.json_object"}


def _page() -> str:
    return (ROOT / "docs" / "builtins.md").read_text()


def _externs(module: str) -> set[str]:
    full = built_in(module)
    assert full is not None
    found: dict[str, Any] = vars(importlib.import_module(full))
    own = {name: each for name, each in found.items() if getattr(each, "__module__", "") == full}
    return {f"{module}:{name}" for name, each in own.items() if vars(each).get(_MARK) is True}


def test_all_externs_are_listed() -> None:
    listed = set(re.findall(r"^\| `([a-z._]+:\w+)`", _page(), re.MULTILINE))
    assert listed == {name for module in BUILT_IN - _OWN for name in _externs(module)}


def arguments_text(target: str) -> str:
    """The arguments of an extern as a row of the page has them: types, names, and defaults in brackets."""
    parameters = signature(external(target)).parameters
    parts = []
    for each in arguments_of(external(target)):
        default = parameters[each.name].default
        shown = f" ({'none' if default is None else str(default).lower()})" if each.is_optional else ""
        parts.append(f"{' or '.join(IDL_TYPES[kind] for kind in each.types)} `{each.name}`{shown}")
    return ", ".join(parts)


_RUNTIME = sorted(name for module in BUILT_IN - _OWN if module.startswith("runtime.") for name in _externs(module))


@pytest.mark.parametrize("target", _RUNTIME)
def test_rows_have_the_arguments_of_the_signature(target: str) -> None:
    (row,) = re.findall(rf"^\| `{re.escape(target)}` \|(.*?)\|", _page(), re.MULTILINE)
    assert row.strip() == arguments_text(target)


def test_all_that_take_arguments_are_declared_in_the_example() -> None:
    (text,) = re.findall(r'^```thrift title="arguments.idl"\n(.*?)^```', _page(), re.MULTILINE | re.DOTALL)
    declared = re.findall(r'^(?:codec|fn) \w+\((.*)\) -> [\w<>]+ = extern "([a-z._]+:\w+)"', text, re.MULTILINE)
    counts = {target: parameters.count(",") + 1 for parameters, target in declared}
    taking = {each: len(found) for each in _RUNTIME if (found := arguments_of(external(each)))}
    # Functions of bytes alone need no example.
    assert counts == {
        each: count for each, count in taking.items() if (count, each.split(":")[0]) != (1, "runtime.checksums")
    }
    assert compile_idl(text).Blocks  # type: ignore[attr-defined]


def test_all_names_of_the_language_are_listed() -> None:
    known, _, _ = _page().partition("## Codecs")
    _, _, known = known.partition("## Known to the language")
    rows = [line for line in known.splitlines() if line.startswith("|")]
    functions, codecs = (
        set(re.findall(r"`(\w+)`", "\n".join(each)))
        for each in (
            [row for row in rows if not row.startswith("| `")],
            [row.split("|")[1] for row in rows if row.startswith("| `")],
        )
    )
    assert functions == set(FUNCTIONS)
    assert codecs == set(CODECS)
