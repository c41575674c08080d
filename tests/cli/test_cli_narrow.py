"""Tables on narrow terminals: no number is cut."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from lakecodec import mosaic
from lakecodec.cli import output, run

_ROWS = 12_345
TABLE = pa.table(
    {"a_rather_long_name_of_a_column": range(10_000_000, 10_000_000 + _ROWS), "price": [1234567.25] * _ROWS}
)


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize(
    "command",
    [
        "inspect t.parquet --pages --indexes",
        "inspect t.mosaic",
        "inspect t.mosaic --column price --dictionary",
        "history lake",
        "scan lake",
    ],
)
def test_no_number_is_cut(command: str, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "t.parquet", write_page_index=True, store_schema=False)
    mosaic.write_table(TABLE, "t.mosaic", stats_columns=["price"])
    Path("lake").mkdir()
    pq.write_table(TABLE, "lake/a.parquet")
    assert run(["convert", "lake"]) == 0
    shown = io.StringIO()
    console = Console(file=shown, width=width, force_terminal=True, no_color=True)
    for name in ("lakecodec.cli.output.console", "lakecodec.cli.formats.console", "lakecodec.cli.row_files.console"):
        monkeypatch.setattr(name, lambda: console)
    for name in (
        "lakecodec.cli.output.is_terminal",
        "lakecodec.cli.formats.is_terminal",
        "lakecodec.cli.row_files.is_terminal",
    ):
        monkeypatch.setattr(name, lambda: True)
    assert output.is_terminal()
    assert run(command.split()) == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue())
    assert max(map(len, text.splitlines())) <= width
    assert ("10000000" if command.startswith("scan") else "12,345") in text
    assert "\u2026" not in text
