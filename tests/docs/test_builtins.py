"""The page of codecs and functions lists all that there are, and nothing else."""

from __future__ import annotations

import importlib
import re
from typing import Any

from lakecodec.generator.builtin_names import CODECS, FUNCTIONS
from lakecodec.runtime.externs import _MARK, BUILT_IN, built_in

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
