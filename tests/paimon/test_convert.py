"""Delta tables as Paimon tables by links, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from lakecodec import lake, paimon

from .peer import Peer, rows
from .test_read import data

#: Columns whose types both kinds of tables have.
COLUMNS = ["id", "name", "part", "day", "whole", "double", "flag", "price", "large", "instant"]


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
@pytest.mark.parametrize("parts", [[], ["part", "day"]])
def test_files_of_delta_are_linked(peer: Peer, tmp_path: Path, format: str, parts: list[str]) -> None:
    table = data(30).select(COLUMNS)
    lake.write(table, tmp_path / "delta", partition_by=parts, format=format, progress=False)
    path = tmp_path / "d.db" / "t"
    found = paimon.convert(tmp_path / "delta", path)
    assert isinstance(found, paimon.SnapshotInfo)
    assert found.num_rows == 30
    there = {file.stat().st_ino for file in (tmp_path / "delta").rglob(f"*.{format}") if "_delta_log" not in str(file)}
    assert there == {file.stat().st_ino for file in path.rglob(f"*.{format}")}
    assert rows(paimon.scan(path)) == rows(lake.scan(tmp_path / "delta")) == rows(peer.read(path))
    assert paimon.files(path, where="id > 1000").num_rows == 0
    paimon.write(table, path)
    assert rows(paimon.scan(path)) == rows(peer.read(path))
    with pytest.raises(FileExistsError):
        paimon.convert(tmp_path / "delta", path)


def test_a_delta_table_of_a_paimon_table(tmp_path: Path) -> None:
    table = data(20).select(COLUMNS)
    paimon.write(table, tmp_path / "t", partition_by=["day"], file_format="parquet")
    paimon.convert(tmp_path / "t", tmp_path / "delta")
    assert rows(lake.scan(tmp_path / "delta")) == rows(table)
    with pytest.raises(FileExistsError):
        paimon.convert(tmp_path / "t", tmp_path / "delta")
