"""Row groups that are decoded together: the same rows in the same order, however and from wherever they are read."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import backend, mosaic
from lakecodec.mosaic import runs

from .sources import Recorded


def batch(rng: random.Random, rows: int) -> pa.RecordBatch:
    """Some columns are all null now and then, so that buckets are missing; some have values that fill pages."""
    sparse = rng.random() < 0.3

    def values(make: Callable[[], Any], type: pa.DataType) -> pa.Array:
        empty = sparse or rng.random() < 0.1
        return pa.array([None if empty or rng.random() < 0.2 else make() for _ in range(rows)], type)

    columns = {
        "bool": values(lambda: rng.random() < 0.5, pa.bool_()),
        "dict": values(lambda: rng.choice(["a", "bc", ""]), pa.string()),
        "int": values(lambda: rng.randrange(-9, 9), pa.int16()),
        "list": values(lambda: [rng.randrange(9)] * rng.randrange(3), pa.list_(pa.int32())),
        "number": pa.array(range(rows), pa.int64()),
        "text": values(lambda: rng.randbytes(rng.choice([0, 3, 40])).hex(), pa.string()),
        "when": values(lambda: rng.randrange(2**40), pa.timestamp("ns")),
    }
    return pa.record_batch(columns)


def file_of(seed: int, tmp_path: Path) -> tuple[Path, list[pa.RecordBatch]]:
    rng = random.Random(seed)
    batches = [batch(rng, rng.choice([1, 3, 20, 20, 21, 600 if seed % 3 == 0 else 7])) for _ in range(40)]
    compression = "none" if seed % 4 == 0 else "zstd"
    path = tmp_path / "small.mosaic"
    options: dict[str, Any] = {"num_buckets": rng.choice([1, 3, 7]), "compression": compression}
    with mosaic.MosaicWriter(path, batches[0].schema, row_group_max_bytes=1, **options) as writer:
        for each in batches:
            writer.write(each)
    return path, batches


@pytest.mark.parametrize("seed", range(12))
def test_all_ways_of_reading_agree(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    path, batches = file_of(seed, tmp_path)
    table = pa.Table.from_batches(batches)
    if seed % 2:
        # Bands and runs of all sizes.
        monkeypatch.setattr(runs, "_RUN", (rng.choice([1, 300, 2000]), rng.choice([100, 10_000]), rng.choice([1, 500])))
        monkeypatch.setattr(runs, "_BAND", (rng.choice([1, 3000, 20_000]), 10**6, 10**4))
    sources: list[Any] = [path, path.read_bytes(), Recorded(path.read_bytes()), io.BytesIO(path.read_bytes())]
    for source in sources:
        columns = rng.sample(table.column_names, rng.randrange(1, 8))
        with mosaic.MosaicFile(source) as file:
            assert file.num_row_groups == len(batches)
            assert file.num_rows == table.num_rows
            assert file.read(columns).equals(table.select(columns))
            number = rng.randrange(len(batches))
            assert file.read_row_group(number, columns).to_batches() == [batches[number].select(columns)]
            chosen = rng.sample(range(len(batches)), 9)
            found = list(file.iter_batches(columns=columns, row_groups=chosen))
            assert found == [batches[number].select(columns) for number in chosen]
            small = file.read(
                ["number", columns[0]] if columns[0] != "number" else columns, filters=[("number", "<", 3)]
            )
            assert small.column("number").to_pylist() == [at for each in batches for at in range(min(3, each.num_rows))]


@pytest.mark.skipif(backend() == "pure", reason="the pure backend reads each row group alone")
def test_small_row_groups_share_chunks(tmp_path: Path) -> None:
    path, batches = file_of(1, tmp_path)
    read = mosaic.read_table(path, ["int"])
    assert read.column("int").num_chunks < len(batches)


def sizes(*numbers: list[int]) -> Any:
    return np.array(numbers, np.int64)


def test_columns_of_shared_memory_outlive_each_other(tmp_path: Path) -> None:
    path, batches = file_of(1, tmp_path)
    expected = pa.Table.from_batches(batches)
    for name in expected.column_names:
        column = mosaic.read_table(path).column(name)
        # What was freed is used again.
        mosaic.read_table(path)
        assert column.equals(expected.column(name))
        array = next(mosaic.MosaicFile(path).iter_batches(100)).column(name)
        mosaic.read_table(path)
        array.validate(full=True)
        assert array.equals(batches[0].column(name))


def test_runs_keep_to_their_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    kilo = 1024
    # The same on machines with more processors.
    monkeypatch.setattr(runs, "_RUN", (192 * kilo, 512 * kilo, 2**20))
    monkeypatch.setattr(runs, "_CALLS", 16)
    few = sizes([0, 0], [0, 0])
    assert list(runs.bands(few, few, few)) == [[runs.Run(slice(0, 2), slice(0, 2))]]
    large = sizes([10, 300 * kilo, 10, 10], [1, 1, 1, 1], [1, 1, 1, 1])
    bands = list(runs.bands(large, large, large))
    assert bands == [
        [runs.Run(slice(0, 3), slice(0, 1)), runs.Run(slice(0, 3), slice(1, 2)), runs.Run(slice(0, 3), slice(2, 4))]
    ]
    inflated = sizes([300 * kilo] * 2, [300 * kilo] * 2, [300 * kilo] * 2)
    few = np.ones_like(inflated)
    bands = list(runs.bands(few, inflated, few))
    assert [band[0].groups for band in bands] == [slice(0, 1), slice(1, 2), slice(2, 3)]
    assert [run.wanted for run in bands[0]] == [slice(0, 1), slice(1, 2)]
    assert list(bands[0][1].parts()) == [(0, 1)]
    # Constants take no bytes, however many rows have them.
    assert [band[0].groups for band in runs.bands(few, few, few * 2**21)] == [slice(0, 1), slice(1, 2), slice(2, 3)]


def test_buckets_of_one_band_are_joined_or_not() -> None:
    """The rows of large buckets stay apart where those of small ones follow each other."""
    decimals = pa.array([Decimal("1.5")] * 4000, pa.decimal128(20, 1))
    numbers = pa.array(np.zeros(4000, np.int8))
    columns = {f"{number:03}": decimals if number < 20 else numbers for number in range(320)}
    table = pa.concat_tables([pa.table(columns)] * 3)
    file = pa.BufferOutputStream()
    mosaic.write_table(table, file, num_buckets=16, row_group_max_bytes=1)
    found = mosaic.read_table(file.getvalue())
    assert found.equals(table)
    if backend() == "native":
        assert [found["000"].num_chunks, found["319"].num_chunks] == [3, 1]
