"""Columns of repeated texts, which are read as dictionaries: the rows are those that pyarrow reads."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.lake.read import repeated_texts

QUIET: Any = {"progress": False}
_ROWS = 40_000


def rows() -> pa.Table:
    chance = random.Random(3)
    words = [None, "", "a", "ä" * 300, *(f"word {number}" for number in range(200))]
    return pa.table(
        {
            "id": range(_ROWS),
            "few": chance.choices(words, k=_ROWS),
            "bytes": pa.array([b"\xff" * (number % 5) for number in range(_ROWS)]),
            "none": pa.array([None] * _ROWS, pa.string()),
            "many": [f"text {number}" for number in range(_ROWS)],
            "inner": [{"few": f"{number % 3}"} for number in range(_ROWS)],
        }
    )


@pytest.mark.parametrize("mode", ["none", "name", "id"])
@pytest.mark.parametrize("full", [(1 << 31) - 1, 1 << 20])
def test_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, full: int) -> None:
    monkeypatch.setattr(repeated_texts, "_FULL", full)  # batches with too many bytes are halved
    table = rows()
    lake.write(table, tmp_path, properties={"delta.columnMapping.mode": mode}, **QUIET)
    (file,) = tmp_path.glob("*.parquet")
    with pq.ParquetFile(file) as opened:
        names = opened.schema_arrow.names
        found = repeated_texts.with_small_dictionaries(opened, names, [0])
    assert [table.column_names[names.index(name)] for name in found if names.index(name) != 3] == ["few", "bytes"]
    assert lake.scan(tmp_path).read_all().equals(table)
    assert lake.scan(tmp_path, columns=["few"]).read_all().equals(table.select(["few"]))
    assert (
        lake.scan(tmp_path, where="few = 'word 7'").read_all().equals(table.filter(pa.compute.field("few") == "word 7"))
    )
    assert lake.scan(tmp_path, where="id >= 39990", columns=["bytes", "few"]).read_all().num_rows == 10


def test_files_where_texts_are_not_read_as_dictionaries(tmp_path: Path) -> None:
    """Small row groups, dictionaries that are large or given up, and none at all."""
    table = rows().select(["few", "many"])
    files = {
        "small": {"row_group_size": 1000},
        "plain": {"use_dictionary": False},
        "large": {"dictionary_pagesize_limit": 1 << 24, "compression": "none"},
        "given up": {"dictionary_pagesize_limit": 1 << 17, "compression": "none"},
    }
    for name, options in files.items():
        pq.write_table(table, tmp_path / f"{name}.parquet", **options)
        with pq.ParquetFile(tmp_path / f"{name}.parquet") as opened:
            found = repeated_texts.with_small_dictionaries(opened, table.column_names, [0])
        assert found == (["few"] if name in ("large", "given up") else [])
    lake.convert(tmp_path)
    assert (
        lake.scan(tmp_path)
        .read_all()
        .equals(pa.concat_tables([pq.read_table(tmp_path / f"{name}.parquet") for name in sorted(files)]))
    )
