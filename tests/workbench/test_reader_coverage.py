"""Samples and damaged samples reach nearly all branches of generated readers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("coverage")

#: The share of the branches that must be reached.
_LEAST = 0.95
_SCRIPT = Path(__file__).with_name("reader_coverage.py")


_QUICK = [("parquet", "_parquet_pure"), ("deletion_vector", "deletion_vector"), ("parquet_file", "parquet_file")]


def _measured(module: str, file: str) -> tuple[int, int]:
    """Returns how many branches the readers of a generated module have, and how many of them are not reached."""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", str(_SCRIPT), module, file],
        env={**os.environ, "LAKECODEC_PURE": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    outcome = json.loads(found.stdout)
    return outcome["branches"], len(outcome["missing"])


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "modules",
    [
        _QUICK,
        # Row keys and partition values have encodings only, no readers of their own.
        pytest.param([*_QUICK, ("mosaic", "mosaic")], marks=pytest.mark.fuzz),
    ],
    ids=["all but mosaic", "all"],
)
def test_nearly_all_branches_of_readers_are_reached(modules: list[tuple[str, str]]) -> None:
    counted = [_measured(*each) for each in modules]
    branches, missing = (sum(each[place] for each in counted) for place in (0, 1))
    assert branches > 100
    assert 1 - missing / branches >= _LEAST, counted
