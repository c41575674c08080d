"""Samples and damaged samples reach nearly all branches of generated readers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("coverage")

#: The share of the branches that must be reached, in each module; of few branches all but one.
_LEAST = 0.95
_SCRIPT = Path(__file__).with_name("reader_coverage.py")


def _measured(module: str, of_structs: str) -> tuple[int, list[Any]]:
    """Returns how many branches the readers of a generated module have, and those of them that are not reached."""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", str(_SCRIPT), module, of_structs],
        env={**os.environ, "LAKECODEC_PURE": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    outcome = json.loads(found.stdout)
    return outcome["branches"], outcome["missing"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("module", "of_structs"),
    [
        ("parquet", "structs"),
        ("deletion_vector", ""),
        ("parquet_file", ""),
        # Row keys and partition values have encodings only, no readers of their own.
        pytest.param("mosaic", "", marks=pytest.mark.fuzz),
    ],
)
def test_nearly_all_branches_of_readers_are_reached(module: str, of_structs: str) -> None:
    branches, missing = _measured(module, of_structs)
    assert branches > 10
    assert len(missing) <= max(1, (1 - _LEAST) * branches), missing
