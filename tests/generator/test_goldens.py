"""Goldens: what is generated is what was reviewed, twice the same, formatted, and it reads and writes the sample bytes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ..paths import ROOT
from ..runtime.compact.fixtures import each_backend  # noqa: F401
from .goldens import CASES, FOLDER, PRINTED, dumped, generated, module, samples

RENEW = "if this change is meant: python -m tests.generator.goldens"


@pytest.mark.parametrize("case", PRINTED)
def test_generated_text(case: str) -> None:
    found = generated(case)
    assert found == {name: (FOLDER / case / name).read_text(encoding="utf-8") for name in found}, RENEW
    assert sorted(path.name for path in (FOLDER / case).glob("*.py")) == sorted(found)


@pytest.mark.parametrize("case", CASES)
def test_lowered_schema(case: str) -> None:
    assert dumped(case) == (FOLDER / case / "dump.txt").read_text(encoding="utf-8"), RENEW


@pytest.mark.parametrize("case", CASES)
def test_samples(case: str, each_backend: str) -> None:  # noqa: F811
    assert samples(case), "each case has samples"
    for sample in samples(case):
        spec: Any = module(case).__spec__
        cls = spec[sample["type"]].cls
        data = bytes.fromhex(sample["hex"])
        value = cls.from_bytes(data)
        assert repr(value) == sample["repr"]
        assert value.to_bytes() == data


@pytest.mark.parametrize("case", CASES)
def test_methods_say_what_the_format_is_and_nothing_else(case: str) -> None:
    """Position, span, path and errors are the cursor's; what it has been told is not told again."""
    methods = re.findall(r"\n    def _(?:read|write)\w*\((?:.|\n(?!\n|    @))*", generated(case).get("expected.py", ""))
    assert methods or case not in ("record", "placed", "variants")
    for method in methods:
        assert not re.search(r"\b(try|except|span|pos|field =|buf)\b", re.sub(r"\".*?\"", "", method)), method
        told = re.findall(r"\n +(?:\w+\.about\((\".*\")\)|.*)", method)
        assert all(field != following for field, following in pairwise(told) if field), method


def test_text_does_not_depend_on_the_process() -> None:
    """Sets and dicts of the compiler must not show through: another hash seed, the same text."""
    program = (
        "import hashlib, json; from tests.generator.goldens import CASES, generated; "
        "print(hashlib.sha256(json.dumps([generated(c) for c in CASES]).encode()).hexdigest())"
    )
    root = ROOT
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_ruff_finds_nothing(tmp_path: Path) -> None:
    """With the rules of the project."""
    for case in CASES:
        for name, text in generated(case).items():
            (tmp_path / f"{case}_{name}").write_text(text, encoding="utf-8")
    ignored = "E501"
    settings = ["--line-length", "120", "--target-version", "py311", "--isolated"]
    rules = ["--select", "E,F,W,I,B,UP,SIM,C4,RUF,PT,PIE,RET", "--ignore", ignored]
    for command in (["check", *settings, *rules], ["format", "--check", *settings]):
        done = subprocess.run([sys.executable, "-m", "ruff", *command, str(tmp_path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
