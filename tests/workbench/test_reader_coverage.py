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

#: The share of the branches that must be reached, in each module; none is left out.
_LEAST = 0.95
_SCRIPT = Path(__file__).with_name("reader_coverage.py")


def _measured(module: str, file: str) -> tuple[int, list[Any]]:
    """Returns how many branches the readers of a generated module have, and those of them that are not reached."""
    found = subprocess.run(
        [sys.executable, "-W", "ignore", str(_SCRIPT), module, file],
        env={**os.environ, "LAKECODEC_PURE": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    outcome = json.loads(found.stdout)
    return outcome["branches"], outcome["missing"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("parquet", "_parquet_pure"),
        ("deletion_vector", "deletion_vector"),
        ("parquet_file", "parquet_file"),
        # Row keys and partition values have encodings only, no readers of their own.
        pytest.param("mosaic", "mosaic", marks=pytest.mark.fuzz),
    ],
)
def test_nearly_all_branches_of_readers_are_reached(module: str, file: str) -> None:
    branches, missing = _measured(module, file)
    assert branches > 20
    assert 1 - len(missing) / branches >= _LEAST, missing
