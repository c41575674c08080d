"""Delta tables as Paimon tables by links, and back."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
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


def inodes(path: Path, format: str) -> set[int]:
    return {file.stat().st_ino for file in path.rglob(f"*.{format}") if "_delta_log" not in str(file)}


@pytest.mark.parametrize("by_peer", [False, True], ids=["ours", "pypaimon"])
@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_files_of_paimon_are_linked(peer: Peer, tmp_path: Path, format: str, by_peer: bool) -> None:
    """Statistics go along, so that files are left out; each table deletes its own files."""
    table, path = data(40).select(COLUMNS), tmp_path / "d.db" / "t"
    parts = table.slice(0, 25), table.slice(25)
    if by_peer:
        peer.create(path, table.slice(0, 0), ["day", "flag"], {"file.format": format, "metadata.stats-mode": "full"})
    for part in parts:
        if by_peer:
            peer.write(path, part)
        else:
            paimon.write(part, path, partition_by=["day", "flag"], file_format=format)
    made = paimon.convert(path, tmp_path / "delta")
    assert (made.num_rows, made.num_files) == (40, paimon.files(path).num_rows)  # type: ignore[union-attr]
    assert inodes(tmp_path / "delta", format) == inodes(path, format)
    assert rows(lake.scan(tmp_path / "delta")) == rows(table)
    assert lake.check(tmp_path / "delta", deep=True) == []
    for where in ("id > 30", "price < 2", "day = '2020-01-02' and name > 'the name of number 4'", "double > 12.5"):
        expected = rows(paimon.scan(path, where=where))
        assert rows(lake.scan(tmp_path / "delta", where=where)) == expected
        assert lake.explain(tmp_path / "delta", where=where).files < made.num_files  # type: ignore[union-attr]
    lake.write(table, tmp_path / "delta", progress=False)
    paimon.write(table, path, mode="overwrite")
    paimon.expire_snapshots(path)
    assert rows(lake.scan(tmp_path / "delta")) == sorted(2 * rows(table))
    if format == "parquet":
        from deltalake import DeltaTable

        assert rows(DeltaTable(tmp_path / "delta", version=0).to_pyarrow_table()) == rows(table)
    with pytest.raises(FileExistsError):
        paimon.convert(path, tmp_path / "delta")


def test_rows_are_written_anew_where_files_do_not_say_all(peer: Peer, tmp_path: Path) -> None:
    table = data(20).select(COLUMNS)
    for name, options in (("orc", {}), ("mosaic", {"deletion-vectors.enabled": "true"}), ("parquet", {})):
        path = tmp_path / "d.db" / name
        peer.create(path, table.slice(0, 0), [], options | {"file.format": name})
        peer.write(path, table)
        if name == "mosaic":
            peer.delete_rows(path, [3, 5])
        if name == "parquet":
            peer.alter(path, ["rename_column", "name", "text"], ["drop_column", "flag"], ["add_column", "flag", "INT"])
            peer.write(path, table.slice(0, 0).rename_columns(["text" if n == "name" else n for n in COLUMNS])
                       .drop_columns(["flag"]).append_column("flag", pa.array([], pa.int32())))  # fmt: skip
        paimon.convert(path, tmp_path / f"{name}-delta")
        assert rows(lake.scan(tmp_path / f"{name}-delta")) == rows(paimon.scan(path))
        assert not inodes(path, "*") & inodes(tmp_path / f"{name}-delta", "*")
    micros = data(5).select(["id", "millis"])
    paimon.write(micros, tmp_path / "millis")
    paimon.convert(tmp_path / "millis", tmp_path / "micros")
    assert lake.scan(tmp_path / "micros").read_all()["millis"].type == pa.timestamp("us")
