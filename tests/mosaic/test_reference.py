"""Byte identity with the reference writer, and reading in both directions."""

from __future__ import annotations

import io
import random

import mosaic as reference
import pyarrow as pa
import pytest

from lakecodec import mosaic

from .examples import FILES, PAIR_RULES_BUCKET, PAIR_RULES_OPTIONS, PAIR_RULES_SCHEMA, PAIR_RULES_TABLE
from .sources import written
from .tables import random_names, random_options, random_table, reference_read, reference_write, same


@pytest.mark.parametrize("name", FILES)
def test_worked_examples(name: str) -> None:
    table, options, text = FILES[name]
    data = bytes.fromhex(text)
    assert written(table, **options).hex(" ") == data.hex(" ")
    assert same(mosaic.read_table(data), table)


def test_worked_example_of_pair_rules() -> None:
    data = written(PAIR_RULES_TABLE, **PAIR_RULES_OPTIONS)
    assert data[: len(PAIR_RULES_BUCKET)] == PAIR_RULES_BUCKET
    assert PAIR_RULES_SCHEMA in data
    assert len(data) == 110
    assert same(mosaic.read_table(data), PAIR_RULES_TABLE)


@pytest.mark.parametrize("seed", range(240))
def test_random_tables(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng, columns=rng.choice([3, 12, 40]))
    options = random_options(rng, table)
    theirs = reference_write(table, **options)
    assert written(table, **options) == theirs
    assert same(mosaic.read_table(theirs), reference_read(theirs))
    columns = rng.sample(table.column_names, rng.randint(0, table.num_columns))
    if columns:
        assert same(mosaic.read_table(theirs, columns), reference_read(theirs, columns))


@pytest.mark.parametrize("seed", range(20))
def test_the_reference_reads_checksums(seed: int) -> None:
    rng = random.Random(1000 + seed)
    table = random_table(rng)
    options = random_options(rng, table) | {"compression": "zstd"}
    data = written(table, **options, checksum=True)
    assert len(data) > len(written(table, **options))
    assert same(reference_read(data), table)
    assert same(mosaic.read_table(data), table)


@pytest.mark.parametrize("seed", range(60))
def test_names(seed: int) -> None:
    rng = random.Random(2000 + seed)
    names = random_names(rng, rng.choice([1, 5, 100, 700]))
    table = pa.table({name: pa.array([], pa.int8()) for name in names})
    data = reference_write(table)
    assert written(table) == data
    assert mosaic.read_schema(data).equals(table.schema)


def test_row_groups_end_at_the_estimate() -> None:
    batch = pa.record_batch(
        {
            "i": pa.array([1, None, 3]),
            "s": ["a", "bb", None],
            "l": pa.array([["x"], None, ["yy", None]]),
            "d": pa.array([None, 1, 2], pa.timestamp("ns")),
        }
    )
    # Values 16 + 5 + (8 + 5) + 24, and a byte a row for each of four buckets.
    estimate = 16 + 5 + 13 + 24 + 12
    for size in (2 * estimate - 1, 2 * estimate, 2 * estimate + 1):
        table = pa.Table.from_batches([batch] * 5)
        data = written(table, row_group_max_bytes=size)
        assert data == reference_write(table, row_group_max_bytes=size)
        expected = [6, 6, 3] if size <= 2 * estimate else [9, 6]
        assert [group.num_rows for group in mosaic.read_metadata(data).row_groups] == expected


@pytest.mark.parametrize("seed", range(30))
def test_batches_of_any_length(seed: int) -> None:
    rng = random.Random(4000 + seed)
    table = random_table(rng, columns=12, rows=900)
    rows, batches = 0, []
    while rows < table.num_rows:
        length = rng.choice([1, 1, 1, 2, 30, 200, 256, 257, 300])
        batches += table.slice(rows, length).combine_chunks().to_batches()
        rows += length
    options = random_options(rng, table) | {"row_group_max_bytes": rng.choice([2_000, 2**28])}
    pieces = pa.Table.from_batches(batches, table.schema)
    data = written(pieces, **options)
    assert data == reference_write(pieces, **options)
    assert same(mosaic.read_table(data), reference_read(data))
    # What a call has left is encoded by the next one.
    with mosaic.MosaicWriter(file := io.BytesIO(), table.schema, **options) as writer:
        for batch in batches:
            writer.write(batch)
    assert file.getvalue() == data


@pytest.mark.parametrize("compression", ["zstd", "none"])
def test_estimated_size(compression: str) -> None:
    rng = random.Random(3)
    table = random_table(rng, columns=20)
    options = reference.WriterOptions(compression=int(compression == "zstd"), row_group_max_size=20_000)
    theirs = reference.MosaicWriter(io.BytesIO(), table.schema, options)
    ours = mosaic.MosaicWriter(io.BytesIO(), table.schema, compression=compression, row_group_max_bytes=20_000)
    with ours:
        for _ in range(4):
            theirs.write(table)
            ours.write(table)
            assert ours.estimated_size() == theirs.estimated_file_size()
    theirs.close()


def test_statistics_of_floats() -> None:
    nan = float("nan")
    columns = {
        "nan first": [nan, 1.0, 2.0],
        "nan later": [1.0, nan, 2.0],
        "only nan": [nan, nan, None],
        "zero first": [0.0, -0.0, None],
        "negative zero first": [-0.0, 0.0, None],
        "zeros at the end": [-1.0, -0.0, 0.0],
        "infinities": [float("inf"), nan, -float("inf")],
    }
    for type in (pa.float32(), pa.float64()):
        table = pa.table({name: pa.array(values, type) for name, values in columns.items()})
        assert written(table, stats_columns=list(columns)) == reference_write(table, stats_columns=list(columns))


def test_statistics_named_twice() -> None:
    table = pa.table({"b": [1, 2], "a": ["x", None]})
    options = {"stats_columns": ["b", "a", "b"]}
    assert written(table, **options) == reference_write(table, **options)


def test_rows_without_columns() -> None:
    table = pa.table({"a": [1, 2, 3]}).select([])
    data = written(table)
    assert data == reference_write(table)
    assert mosaic.read_table(data).num_rows == 3


def test_old_timestamps() -> None:
    type = pa.struct([("millis", pa.int64()), ("nanos_of_milli", pa.int32())])
    values = [{"millis": -1, "nanos_of_milli": 999_999}, None, {"millis": 7, "nanos_of_milli": 0}]
    table = pa.table({"t": pa.array(values, type)})
    data = written(table)
    assert data == reference_write(table)
    assert mosaic.read_table(data)["t"].cast(pa.int64()).to_pylist() == [-1, None, 7_000_000]


def test_payloads_of_nan_survive() -> None:
    import numpy as np

    bits = np.array([0x7FF8000000000001, 0xFFF0000000000001, 0x7FF0000000000002], np.uint64)
    table = pa.table({"x": pa.array(bits.view(np.float64))})
    data = written(table)
    assert data == reference_write(table)
    read = mosaic.read_table(data)["x"].combine_chunks()
    assert np.frombuffer(read.buffers()[1], np.uint64)[:3].tolist() == bits.tolist()
