"""The data source ``lakecodec`` against `lakecodec.query` over the same files."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import lakecodec
from tests.spark.corpus import write_corpus

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

IDL = """
record File : little { bytes magic[4] where magic == b"ITEM"; u16 n = count(items); Item items[n]; }
record Item : little { u8 kind; u64 id; i64 at; u8 has_note = note != null; u8 note if has_note == 1; }
"""


def load(spark: SparkSession, paths: Any, **options: Any) -> DataFrame:
    return spark.read.format("lakecodec").options(**options).load(paths)


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("items")
    module = lakecodec.compile_idl(IDL)
    for number in range(5):
        rows = [
            module.Item(kind=i % 2, id=2**64 - 1 - i, at=1000 * i, note=number if i == 1 else None) for i in range(3)
        ]
        (folder / f"{number}.items").write_bytes(module.File(magic=b"ITEM", items=rows).to_bytes())
    return folder


def test_footers(spark: SparkSession, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    asked = {
        "where": "cc.meta_data.num_values > 20",
        "select": "file = source(), path = join(cc.meta_data.path_in_schema, '.'), codec = name_of(cc.meta_data.codec), "
        "size = cc.meta_data.total_compressed_size",
    }
    loops = "rg in row_groups, cc in rg.columns"
    expected = lakecodec.query(tmp_path, over=loops, **asked)
    found = load(spark, str(tmp_path), **asked, **{"for": loops}, numPartitions=3)
    assert found.rdd.getNumPartitions() == 3
    keys = [(name, "ascending") for name in ("file", "path", "size")]
    rows = found.toArrow()
    assert rows.sort_by(keys).to_pylist() == expected.sort_by(keys).to_pylist()
    assert rows.num_rows > 20
    assert found.filter("codec = 'ZSTD'").count() == expected["codec"].to_pylist().count("ZSTD")


def test_a_format_of_ones_own(spark: SparkSession, items: Path, tmp_path: Path) -> None:
    (tmp_path / "items.idl").write_text(IDL)
    select = "it.id, timestamp<ms, UTC> at = it.at, it.note, decimal<9, 2> cents = it.kind"
    for idl in (IDL, str(tmp_path / "items.idl")):
        found = load(spark, str(items / "*.items"), idl=idl, type="File", select=select, **{"for": "it in items"})
        assert dict(found.dtypes) == {
            "id": "decimal(20,0)", "at": "timestamp", "note": "bigint", "cents": "decimal(9,2)",
        }  # fmt: skip
        rows = found.orderBy("id", "note").collect()
        assert len(rows) == 15
        assert rows[-1].id == Decimal(2**64 - 1)
        assert [row.note for row in rows[5:10]] == list(range(5))
        assert {row.cents for row in rows} == {Decimal("0.00"), Decimal("0.01")}
        assert {row.at.timestamp() for row in rows} == {0.0, 1.0, 2.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "select: columns are needed"),
        ({"select": "it.kund", "for": "it in items"}, "did you mean 'kind'"),
        ({"select": "it.kind", "for": "it in items", "group_by": "kind"}, "unknown option 'group_by'; lakecodec knows"),
        ({"select": "x = 1", "type": "Fil"}, "there is no type 'Fil'"),
    ],
)
def test_wrong_options(spark: SparkSession, items: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(Exception, match=message):
        load(spark, str(items), **{"idl": IDL, "type": "File", **options}).collect()


def test_damage_names_the_file(spark: SparkSession, items: Path, tmp_path: Path) -> None:
    data = (items / "0.items").read_bytes()
    (tmp_path / "good.items").write_bytes(data)
    (tmp_path / "nice.items").write_bytes(data[:-1])
    with pytest.raises(Exception, match=r"nice\.items"):
        load(spark, str(tmp_path), idl=IDL, type="File", select="it.kind", **{"for": "it in items"}).collect()
    (tmp_path / "empty").mkdir()
    with pytest.raises(Exception, match="path: there are no files"):
        load(spark, str(tmp_path / "empty"), idl=IDL, type="File", select="n").collect()
