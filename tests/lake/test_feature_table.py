"""The table of features in docs/lake.md: it names all that there are, and golden tables with them are read and written."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pytest
import zstandard

from lakecodec import lake
from lakecodec.lake.log import Log, UnsupportedTableError
from lakecodec.lake.log.actions import Metadata, Protocol
from lakecodec.lake.log.protocol import _READER, _WRITER, MOSAIC_FEATURE, check_readable, check_writable

from ..archives import unpack
from ..paths import ROOT, TESTS

QUIET: Any = {"progress": False}
GOLDEN = TESTS / "lake" / "golden"
#: Golden tables that list a feature, or use what one is about.
TABLES = [
    "basic-with-vacuum-protocol-check-feature",
    "cdf-column-mapping-id-mode",
    "cdf-column-mapping-name-mode",
    "cdf-column-mapping-name-mode-3-7",
    "cdf-table-with-cdc-and-dvs",
    "cdf-table-with-dv",
    "data-reader-timestamp_ntz",
    "data-reader-timestamp_ntz-id-mode",
    "data-reader-timestamp_ntz-name-mode",
    "data-skipping-basic-stats-all-types-columnmapping-id",
    "data-skipping-basic-stats-all-types-columnmapping-name",
    "dv-partitioned-with-checkpoint",
    "dv-with-columnmapping",
    "table-with-columnmapping-mode-id",
    "table-with-columnmapping-mode-name",
    "v2-checkpoint-json",
    "v2-checkpoint-parquet",
    "v2-checkpoints-json-with-sidecars",
    "v2-checkpoints-parquet-with-sidecars",
    "v2-classic-checkpoint-parquet",
]
#: What deltalake does not read.
NOT_DELTALAKE = {"basic-with-vacuum-protocol-check-feature"}


def described() -> list[tuple[list[str], str, str]]:
    """Returns the rows of the table: features, and whether they are read and written."""
    text = (ROOT / "docs" / "lake.md").read_text(encoding="utf-8").partition("## Features of tables")[2]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    return [(re.findall(r"`([\w.-]+)`", row[0]), row[1], row[2]) for row in rows]


def test_the_table_names_every_feature() -> None:
    named = [name for names, _, written in described() if "refused with its name" not in written for name in names]
    known = {name.removesuffix("-preview") for name in (*_READER, *_WRITER)} - {MOSAIC_FEATURE}
    assert sorted(named) == sorted(known)


def test_what_is_refused() -> None:
    ((names, _, _),) = [row for row in described() if "refused with its name" in row[2]]
    schema = '{"type":"struct","fields":[{"name":"n","type":"long","nullable":true,"metadata":{}}]}'
    for name in [*names, "somethingNew"]:
        with pytest.raises(UnsupportedTableError, match=name):
            check_writable(Protocol(1, 7, None, (name,)), Metadata("", schema))
        with pytest.raises(UnsupportedTableError, match=name):
            check_readable(Protocol(3, 7, (name,), (name,)), Metadata("", schema))


def rows(table: Any) -> list[str]:
    return sorted(map(repr, pa.table(table).to_pylist()))


@pytest.mark.parametrize("name", TABLES)
def test_golden_tables_are_written(name: str, tmp_path: Path) -> None:
    data = zstandard.ZstdDecompressor().stream_reader((GOLDEN / f"{name}.tar.zst").read_bytes()).read()
    unpack(io.BytesIO(data), tmp_path)
    path = next(tmp_path.rglob("_delta_log")).parent
    before = lake.scan(path).read_all()
    protocol = Log(path).snapshot().protocol
    lake.write(before, path, **QUIET)
    lake.optimize(path, **QUIET)
    after = lake.scan(path).read_all()
    assert rows(after) == rows(pa.concat_tables([before, before]))
    assert Log(path).snapshot().protocol == protocol
    if name not in NOT_DELTALAKE:
        engine = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(path)))
        theirs = pa.table(engine.execute("select count(*) as n from t").read_all())
        assert theirs["n"].to_pylist() == [after.num_rows]
    lake.delete(path, "true", **QUIET)
    assert lake.count(path) == 0
    assert json.dumps([problem.message for problem in lake.check(path) if problem.kind == "log"]) == "[]"
