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
from lakecodec.lake.log.column_rules import identity_of, is_derived
from lakecodec.lake.log.protocol import _READER, _WRITER, MOSAIC_FEATURE, check_readable, check_writable
from lakecodec.runtime.arrow_variant import holds_variant

from ..archives import unpack
from ..paths import ROOT, TESTS

QUIET: Any = {"progress": False}
FOLDERS = (TESTS / "lake" / "golden", TESTS / "lake" / "data" / "features")
#: Golden tables that list a feature, or use what one is about.
TABLES = [
    "basic-with-vacuum-protocol-check-feature",
    "cdc_ict_table",
    "cdf-column-mapping-id-mode",
    "cdf-column-mapping-name-mode",
    "cdf-column-mapping-name-mode-3-7",
    "cdf-table-with-cdc-and-dvs",
    "cdf-table-with-dv",
    "checkpoint-v2-table",
    "data-reader-timestamp_ntz",
    "data-reader-timestamp_ntz-id-mode",
    "data-reader-timestamp_ntz-name-mode",
    "data-skipping-basic-stats-all-types-columnmapping-id",
    "data-skipping-basic-stats-all-types-columnmapping-name",
    "dbr_8_1_generated_columns",
    "dv-partitioned-with-checkpoint",
    "dv-with-columnmapping",
    "identity_test_written_by_version_5",
    "spark-shredded-variant-preview-delta",
    "table-with-columnmapping-mode-id",
    "table-with-columnmapping-mode-name",
    "table_with_partitioning_mapping",
    "type-widening",
    "type-widening-nested",
    "v2-checkpoint-json",
    "v2-checkpoint-parquet",
    "v2-checkpoints-json-with-sidecars",
    "v2-checkpoints-parquet-with-sidecars",
    "v2-classic-checkpoint-parquet",
]
#: What deltalake does not read.
NOT_DELTALAKE = {
    "basic-with-vacuum-protocol-check-feature",
    "spark-shredded-variant-preview-delta",
    "type-widening",
    "type-widening-nested",
}
#: A table with a feature that is not written here.
REFUSED = "table_with_liquid_clustering"
#: No table of another writer could be had for these. deltalake reads ours with defaults, see test_column_rules.py.
WITHOUT_TABLES = {"allowColumnDefaults", "clustering"}


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


def archive(name: str) -> bytes:
    (file,) = [folder / f"{name}.tar.zst" for folder in FOLDERS if (folder / f"{name}.tar.zst").exists()]
    return bytes(zstandard.ZstdDecompressor().stream_reader(file.read_bytes()).read())


def test_there_are_tables_of_every_feature() -> None:
    found = {text.decode() for name in (*TABLES, REFUSED) for text in re.findall(rb'"([\w-]+)"', archive(name))}
    named = {name for names, _, written in described() if "refused with its name" not in written for name in names}
    assert named - {text.removesuffix("-preview") for text in found} == WITHOUT_TABLES


def test_a_table_that_is_only_read(tmp_path: Path) -> None:
    unpack(io.BytesIO(archive(REFUSED)), tmp_path)
    path = tmp_path / REFUSED
    assert sorted(lake.scan(path).read_all()["id"].to_pylist()) == list(range(10))
    before = sorted(path.rglob("*"))
    for change in (lambda: lake.write({"id": [1]}, path, **QUIET), lambda: lake.delete(path, "id = 1", **QUIET)):
        with pytest.raises(UnsupportedTableError, match="uses the feature 'liquid' and cannot be written here"):
            change()
    assert sorted(path.rglob("*")) == before


def rows(table: Any) -> list[str]:
    return sorted(map(repr, pa.table(table).to_pylist()))


@pytest.mark.parametrize("name", TABLES)
def test_golden_tables_are_written(name: str, tmp_path: Path) -> None:
    unpack(io.BytesIO(archive(name)), tmp_path)
    path = next(tmp_path.rglob("_delta_log")).parent
    before = lake.scan(path).read_all()
    protocol, schema = Log(path).snapshot().protocol, Log(path).snapshot().schema
    given = before.select([field.name for field in schema if not is_derived(field)])
    lake.write(given, path, **QUIET)
    lake.optimize(path, **QUIET)
    after = lake.scan(path).read_all()
    # Numbers of new rows are others, variants have other bytes (see test_variants.py), values that are computed are the same.
    same = [field.name for field in schema if identity_of(field) is None and not holds_variant(field.type)]
    assert rows(after.select(same)) == rows(pa.concat_tables([before, before]).select(same))
    for field in schema:
        if identity_of(field) is not None:
            assert len(set(after[field.name].to_pylist())) == after.num_rows
    assert Log(path).snapshot().protocol == protocol
    if name not in NOT_DELTALAKE:
        engine = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(str(path)))
        theirs = pa.table(engine.execute("select count(*) as n from t").read_all())
        assert theirs["n"].to_pylist() == [after.num_rows]
    lake.delete(path, "true", **QUIET)
    assert lake.count(path) == 0
    assert json.dumps([problem.message for problem in lake.check(path) if problem.kind == "log"]) == "[]"
