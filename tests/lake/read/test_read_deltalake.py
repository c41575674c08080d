"""Tables of deltalake's own tests (tests/lake/deltalake): the rows that it reads, or a clear refusal."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from deltalake import DeltaTable, QueryBuilder, convert_to_deltalake

from lakecodec.lake.log import UnsupportedTableError
from lakecodec.pipeline import count, scan
from tests.archives import unpack
from tests.lake.read.test_read_golden import rows_of
from tests.paths import TESTS

ARCHIVE = TESTS / "lake" / "deltalake" / "tables.tar.zst"
DATA = zstandard.ZstdDecompressor().stream_reader(ARCHIVE.read_bytes()).read()
with tarfile.open(fileobj=io.BytesIO(DATA)) as archive:
    NAMES = sorted({name.partition("/_delta_log/")[0] for name in archive.getnames() if "/_delta_log/" in name})

GONE = (FileNotFoundError, "Failed to open local file")
REFUSED: dict[str, tuple[type[Exception], str]] = {
    **dict.fromkeys(
        ("checkpoint_with_partitions", "checkpoints", "checkpoints_vacuumed", "latest_not_checkpointed",
         "spark-variant-stable-feature-checkpoint", "table-with-domain-metadata", "with_checkpoint_no_last_checkpoint"), GONE
    ),
    "simple_table_features": (UnsupportedTableError, "the table needs readers of version 5"),
}  # fmt: skip
#: Tables that deltalake refuses, and their rows.
REFUSED_BY_DELTALAKE = {"spark-shredded-variant-preview-delta": 102}
#: A column that deltalake reads as nanoseconds, in which the year 9999 overflows.
WRONG = {"table_with_edge_timestamps": ["BIG_DATE"]}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("deltalake")
    unpack(io.BytesIO(DATA), root)
    return root


@pytest.mark.parametrize("name", NAMES)
def test_rows(tables: Path, name: str) -> None:
    if name in REFUSED:
        kind, message = REFUSED[name]
        with pytest.raises(kind, match=message):
            scan(tables / name).read_all()
        return
    found = scan(tables / name).read_all()
    if name in REFUSED_BY_DELTALAKE:
        assert count(tables / name) == found.num_rows == REFUSED_BY_DELTALAKE[name]
        return
    theirs = QueryBuilder().register("t", DeltaTable(tables / name)).execute("SELECT * FROM t").read_all()
    wrong = WRONG.get(name)
    assert rows_of(found, wrong) == rows_of(pa.table(theirs), wrong)
    assert count(tables / name) == found.num_rows


def test_the_year_9999(tables: Path) -> None:
    found = scan(tables / "table_with_edge_timestamps").read_all()
    assert sorted(value.date().isoformat() for value in found["BIG_DATE"].to_pylist()) == ["9999-12-30", "9999-12-31"]


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([[1, 2], None, [], [3]], pa.list_view(pa.int8())),
        ([[1, 2], None, [], [3]], pa.large_list_view(pa.int8())),
        ([[[1]], None, [[2], None, [3]]], pa.list_(pa.list_view(pa.int8()))),
    ],
    ids=str,
)
def test_files_with_list_views(values: list[Any], type: pa.DataType, tmp_path: Path) -> None:
    """Arrow reads such columns as views again, as the schema in the file says."""
    pq.write_table(pa.table({"x": pa.array(values, type)}), tmp_path / "a.parquet")
    convert_to_deltalake(tmp_path)
    found = scan(tmp_path).read_all()
    found.validate(full=True)
    assert found["x"].to_pylist() == values
