"""Variants between Spark and tables: Spark reads our files, shredded too, and we read those that Spark writes and shreds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake, pipeline, variant
from lakecodec.lake.log import Log
from lakecodec.lake.read.plan import plan_table
from lakecodec.spark.sources.planned import planned_frame

from ..lake.test_variants import FORMS, QUIET, VALUES, data_files, plain, rows

if TYPE_CHECKING:
    from typing import Any

    from pyspark.sql import SparkSession


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("schema", [None, "n bigint, v variant"])
def test_spark_reads_files_of_our_tables(spark: SparkSession, form: Any, schema: str | None, tmp_path: Path) -> None:
    lake.write(rows(VALUES), tmp_path, **form, **QUIET)
    (file,) = data_files(tmp_path)
    frame = (spark.read.schema(schema) if schema else spark.read).parquet(str(file))
    assert frame.schema.simpleString() == "struct<n:bigint,v:variant>"
    found = frame.orderBy("n").selectExpr("to_json(v)", "try_variant_get(v, '$.id', 'string')").collect()
    expected = [json.loads(variant.from_python(value).to_json()) for value in VALUES]
    assert [None if row[0] is None else json.loads(row[0]) for row in found] == expected
    assert [row[1] for row in found][:2] == ["1", "2"]


@pytest.mark.parametrize("shredded", [False, True])
def test_we_read_what_spark_writes(spark: SparkSession, shredded: bool, tmp_path: Path) -> None:
    names = ("spark.sql.variant.writeShredding.enabled", "spark.sql.variant.inferShreddingSchema")
    for name in names:
        spark.conf.set(name, str(shredded).lower())
    try:
        text = 'concat(\'{"a":\', id, \',"b":{"c":"t\', id, \'"}, "d":[1.5,null]}\')'
        frame = spark.range(100).selectExpr("id", f"if(id % 10 = 3, null, parse_json({text})) v")
        frame.coalesce(1).write.parquet(str(tmp_path / "files"))
    finally:
        for name in names:
            spark.conf.unset(name)
    (file,) = (tmp_path / "files").glob("*.parquet")
    column = pq.read_table(file)["v"]
    assert (column.type.get_field_index("typed_value") >= 0) is shredded
    table = variant.to_columns(column, {"$.a": pa.int64(), "$.b.c": pa.string(), "$.d[0]": pa.float64()})
    assert table["$.a"].to_pylist() == [None if n % 10 == 3 else n for n in range(100)]
    assert table["$.b.c"].to_pylist() == [None if n % 10 == 3 else f"t{n}" for n in range(100)]
    assert table["$.d[0]"].to_pylist() == [None if n % 10 == 3 else 1.5 for n in range(100)]
    # The same rows as a table of ours, which Spark's file becomes a part of.
    marked = pa.schema([pa.field("id", pa.int64()), variant.field("v", column.type)])
    lake.write(pq.read_table(file).cast(marked), tmp_path / "table", **QUIET)
    assert plain(lake.scan(tmp_path / "table").read_all()["v"]) == plain(variant.unshred(column))
    assert lake.count(tmp_path / "table", where="v.a >= 90 AND v.b.c LIKE 't%'") == 9


@pytest.mark.parametrize("form", FORMS)
def test_the_source_of_tables_reads_variants(spark: SparkSession, form: Any, tmp_path: Path) -> None:
    column = rows(VALUES)["v"].combine_chunks()
    inner = pa.StructArray.from_arrays([column], fields=[variant.field("w")])
    several = pa.ListArray.from_arrays(
        pa.array([0, 2, 2, *range(3, len(VALUES) + 1)], pa.int32())[: len(VALUES) + 1], column
    )
    table = rows(VALUES).append_column(pa.field("s", inner.type), inner)
    table = table.append_column(pa.field("l", pa.list_(variant.field("element"))), several)
    lake.write(table, tmp_path, **form, **QUIET)
    pipeline.register(spark)
    source = spark.read.format("lake")
    frame = source.load(str(tmp_path))
    assert frame.schema.simpleString() == "struct<n:bigint,v:variant,s:struct<w:variant>,l:array<variant>>"
    expected = [json.loads(variant.from_python(value).to_json()) for value in VALUES]
    for text in ("v", "s.w"):
        found = frame.orderBy("n").selectExpr(f"to_json({text})").collect()
        assert [None if row[0] is None else json.loads(row[0]) for row in found] == expected
    (first, *_) = frame.orderBy("n").selectExpr("transform(l, x -> to_json(x))").collect()
    assert [text and json.loads(text) for text in first[0]] == expected[:2]
    frame = planned_frame(spark, plan_table(Log(tmp_path).snapshot(), ["v", "n"]))
    assert frame.schema.simpleString() == "struct<v:variant,n:bigint>"
    found = frame.orderBy("n").selectExpr("to_json(v)").collect()
    assert [None if row[0] is None else json.loads(row[0]) for row in found] == expected
    frame.write.format("lake").mode("append").save(str(tmp_path / "other"))
    again = source.load(str(tmp_path / "other")).orderBy("n").selectExpr("to_json(v)").collect()
    assert [None if row[0] is None else json.loads(row[0]) for row in again] == expected
    found = source.option("columns", "n").load(str(tmp_path)).collect()
    assert sorted(row.n for row in found) == list(range(len(VALUES)))
