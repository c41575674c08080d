"""The index as columns of numbers: against its records, on good and on damaged bytes."""

from __future__ import annotations

import io
import itertools
import random
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import DecodeError, backend, mosaic
from lakecodec.generated.mosaic import File, Index, Schema, layout_of
from lakecodec.mosaic.buckets import Buckets
from lakecodec.mosaic.header import Header
from lakecodec.mosaic.scan import _LAYOUTS
from lakecodec.runtime.ranges import open_ranges

from .mutations import damaged

native_only = pytest.mark.skipif(backend() == "pure", reason="the pure backend reads the records")
TABLE = pa.table(
    {
        "a": pa.array([3, None, 5], pa.int32()),
        "b": ["x", "yy", None],
        "c": pa.array([1, 2, 3], pa.timestamp("ns")),
        "d": pa.array([None, None, None], pa.int64()),
        "e": [True, False, None],
        "f": [0.5, 1.5, 2.5],
    }
)


def header_of(row_groups: int = 7) -> Header:
    """Of a file with statistics of all columns, in buckets of two."""
    file = io.BytesIO()
    writer = mosaic.MosaicWriter(
        file, TABLE.schema, num_buckets=3, row_group_max_bytes=1, stats_columns=TABLE.column_names
    )
    for number in range(row_groups):
        writer.write(TABLE.slice(number % 3))
    writer.close()
    return Header(open_ranges(file.getvalue()))


def schema_of(header: Header) -> Schema:
    """With a record for each column."""
    schema: Schema = File.open(header.ranges).schema.body
    return schema


def encoded(header: Header, index: Index) -> bytes:
    data: bytes = index.to_bytes(header.footer, schema_of(header))
    return data


def assert_same(found: Buckets, expected: Buckets) -> None:
    for field in fields(Buckets):
        assert np.array_equal(getattr(found, field.name), getattr(expected, field.name)), field.name


@native_only
@pytest.mark.parametrize("seed", range(20))
def test_they_are_those_of_the_records(seed: int) -> None:
    rng, header = random.Random(seed), header_of()
    index = header.index
    for group in index.row_groups:
        rng.shuffle(group.buckets)
        del group.buckets[: rng.choice([0, 0, 1, 3])]
        del group.stats[: rng.choice([0, 2, 6])]
    found = Buckets.read(encoded(header, index), header.footer, header.columns)
    expected = Buckets.of(index, header.footer)
    assert found is not None
    assert_same(found, expected)
    refs = [{ref.bucket_id: ref for ref in group.buckets} for group in index.row_groups]
    groups, buckets = rng.sample(range(7), 4), rng.sample(range(3), 2)
    starts, stored, inflated = found.find(groups, buckets)
    for row, group in enumerate(groups):
        for column, bucket in enumerate(buckets):
            ref = refs[group].get(bucket)
            wanted = (0, 0, 0) if ref is None else (ref.start, ref.stored, ref.inflated)
            assert (starts[row, column], stored[row, column], inflated[row, column]) == wanted
    places = [found.place(at) for at in range(len(found.starts))]
    assert places == [(group, at) for group, of_group in enumerate(refs) for at in range(len(of_group))]


@native_only
@pytest.mark.parametrize("seed", range(20))
def test_what_the_records_refuse_is_refused(seed: int) -> None:
    rng, header = random.Random(seed), header_of(3)
    schema, good = schema_of(header), encoded(header, header.index)
    for _ in range(200):
        bad = damaged(rng, good)
        found = Buckets.read(bad, header.footer, header.columns)
        try:
            index: Any = Index.from_bytes(bad, header.footer, schema)
        except DecodeError:
            assert found is None
        else:
            assert found is not None
            assert_same(found, Buckets.of(index, header.footer))


def test_no_row_groups() -> None:
    header = header_of(0)
    assert header.buckets.num_row_groups == 0
    assert header.buckets.overlapping() is None
    assert [each.shape for each in header.buckets.find([], [1, 2])] == [(0, 2)] * 3


def test_buckets_without_bytes_overlap_nothing() -> None:
    numbers = (np.array(each, np.int64) for each in ([5], [4], [0, 1, 2, 3], [10, 20, 15, 0], [10, 5, 0, 10], [9] * 4))
    assert Buckets(4, *numbers).overlapping() is None
    numbers = (np.array(each, np.int64) for each in ([5], [3], [0, 1, 2], [10, 20, 19], [10, 5, 1], [9] * 3))
    assert Buckets(4, *numbers).overlapping() == 2


def test_the_layout_hangs_on_which_sizes_are_0() -> None:
    for stored, inflated in itertools.product((0, 1, 2, 255, 2**32, 2**63 - 1), repeat=2):
        assert _LAYOUTS[np.sign(stored), np.sign(inflated)] == layout_of(stored, inflated)
