"""docs/errors.md lists every rule of a fixed text, and every class of errors that users meet."""

from __future__ import annotations

import importlib
import re

import pytest

import lakecodec
from lakecodec.cli.app import _ANSWERING
from lakecodec.row.order import cells
from lakecodec.runtime.compact.rules import ENCODE_RULES
from lakecodec.runtime.protobuf.rules import RULES

from ..paths import ROOT

PAGE = (ROOT / "docs/errors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", [*RULES.values(), *ENCODE_RULES.values(), *cells.RULES[1:]])
def test_a_rule_is_listed(rule: str) -> None:
    assert f"| {rule.strip()}{' ...' * rule.endswith(' ')} |" in PAGE


@pytest.mark.parametrize("module", ["", ".pipeline", ".lake", ".paimon", ".parquet"])
def test_a_class_is_listed(module: str) -> None:
    package = importlib.import_module(f"lakecodec{module}")
    for name in package.__all__:
        value = getattr(package, name)
        if isinstance(value, type) and issubclass(value, Exception):
            owner = "lakecodec" if hasattr(lakecodec, name) else "pipeline"
            assert f"| `{owner}.{name}` |" in PAGE


def test_the_commands_whose_exit_code_1_is_an_answer_are_listed() -> None:
    (line,) = re.findall(r"^\* Exit codes: .*\n.*$", (ROOT / "docs" / "errors.md").read_text(), re.MULTILINE)
    assert [each.split() for each in re.findall(r"`([a-z ]+)`", line)] == list(_ANSWERING)
