"""The table of docs/golden-tables.md: what comes of other projects' test tables.

LAKECODEC_GOLDEN names the folder of clones; those tables are not ours to copy, so without it only the table is looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.lake.golden_outcomes import lines_of
from tests.paths import ROOT

PAGE = ROOT / "docs" / "golden-tables.md"


def stated() -> list[str]:
    return [line for line in PAGE.read_text().splitlines() if line.startswith("| `") and line.count(" | ") == 1]


def test_no_table_is_read_wrongly() -> None:
    """Equal, read where deltalake does not, or refused."""
    assert len(stated()) > 150
    assert not [line for line in stated() if "WRONG" in line]


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.skipif("LAKECODEC_GOLDEN" not in os.environ, reason="LAKECODEC_GOLDEN names no folder of clones")
def test_outcomes() -> None:
    assert lines_of(Path(os.environ["LAKECODEC_GOLDEN"])) == stated()
