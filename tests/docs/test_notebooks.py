"""The notebooks of the docs run from their first cell to the last one."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

from ..paths import ROOT

BOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shell = InteractiveShell()
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert cells
    for cell in cells:
        shell.run_cell(cell, store_history=False).raise_error()


def test_there_are_three() -> None:
    assert len(BOOKS) == 3
