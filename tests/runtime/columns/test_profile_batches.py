"""Profiles of many columns at once, and of columns of batches in place of pyarrow's arrays, on both backends."""

from __future__ import annotations

import random
from decimal import Decimal

import pyarrow as pa
import pytest

import lakecodec
from lakecodec.runtime.columns import BatchColumns, CollectedColumns, encoded_sizes, profile

from .profiled import BOOLEAN, SHAPES, TEXT, number, to_array

pytestmark = pytest.mark.usefixtures("profiling")


def test_many_columns_at_once() -> None:
    """The facts and forms of `profile_columns`, and columns of a batch in place of arrays."""
    rng = random.Random(11)
    layouts, arrays = [], []
    for type_, layout, values, _ in SHAPES.values():
        for count in (0, 1, 2, 40):
            layouts.append(layout)
            arrays.append(to_array([rng.choice([None, *values]) for _ in range(count)], type_))
    limits = {"max_entries": 8, "max_nbytes": 100}
    singles = profile.profile_columns(
        [(layout, [array]) for layout, array in zip(layouts, arrays, strict=True)], **limits
    )
    many = profile.profile_many(layouts, [[array] for array in arrays], **limits)
    for name in ("rows", "live", "nbytes", "constant", "entries_nbytes"):
        assert getattr(many, name).tolist() == [getattr(single, name) for single in singles]
    assert many.entries.tolist() == [-1 if single.entries is None else single.entries for single in singles]
    for form in profile.Form:
        chosen = [form if s.live and (form != profile.Form.DICTIONARY or s.entries is not None) else 0 for s in singles]
        found = many.forms(slice(None), chosen)
        for at, single in enumerate(singles):
            has_nulls = chosen[at] and single.live < single.rows
            assert found.nulls[at] == (single.nulls() if has_nulls else None)
            assert found.plain[at] == (single.plain() if chosen[at] == profile.Form.PLAIN else None)
            assert found.first[at] == (single.first() if chosen[at] == profile.Form.CONSTANT else None)
            is_dictionary = chosen[at] == profile.Form.DICTIONARY
            assert (found.entries[at], found.codes[at]) == (single.dictionary() if is_dictionary else (None, None))
    sizes = [encoded_sizes([layout], [array])[0] for layout, array in zip(layouts, arrays, strict=True)]
    most = max(size + len(array) // 8 for size, array in zip(sizes, arrays, strict=True))
    assert profile.encoded_sizes(layouts, arrays) == (sum(sizes), most)


def test_columns_of_a_batch(profiling: str) -> None:
    if profiling == "pure":
        pytest.skip("pyarrow's own arrays")
    arrays = [
        pa.array([1, None, 3, 4] * 5),
        pa.array(["a", None, "bcd", ""] * 5),
        pa.array([True, False, None, None] * 5),
    ]
    layouts = [number(8), TEXT, BOOLEAN]
    batch = pa.record_batch([array.slice(3, 11) for array in arrays], names=["a", "b", "c"])
    columns = BatchColumns(batch.schema).of(batch)
    del batch
    for layout, column, array in zip(layouts, columns, arrays, strict=True):
        for start, length in ((0, 11), (2, 5), (10, 9), (11, 1), (0, 0)):
            part, wanted = column.slice(start, length), array.slice(3, 11).slice(start, length)
            assert (len(part), part.null_count) == (len(wanted), wanted.null_count)
            assert encoded_sizes([layout], [part]) == encoded_sizes([layout], [wanted])
            found, expected = (
                profile.profile_columns([(layout, [each])], max_entries=9, max_nbytes=99)[0] for each in (part, wanted)
            )
            assert (found.rows, found.plain(), found.nulls()) == (expected.rows, expected.plain(), expected.nulls())
    rule = "cannot hold the values of the layout" if lakecodec.backend() == "native" else "cannot hold values of text"
    with pytest.raises(TypeError, match=rule):
        profile.profile_columns([(TEXT, [columns[0]])], max_entries=9, max_nbytes=99)


def test_short_batches_are_copied_one_behind_the_other(profiling: str) -> None:
    random.seed(11)
    types = [pa.int8(), pa.int64(), pa.float32(), pa.bool_(), pa.string(), pa.binary(), pa.decimal128(30, 2)]
    types += [pa.date32(), pa.timestamp("us", "UTC")]
    layouts = [number(1), number(8), number(4), BOOLEAN, TEXT]
    makers = [
        lambda: random.randrange(-100, 100),
        lambda: random.randrange(-(2**60), 2**60),
        random.random,
        lambda: random.random() < 0.5,
        lambda: "ab€" * random.randrange(5),
        lambda: bytes(random.randrange(90)),
        lambda: Decimal(random.randrange(10**20)) / 100,
        lambda: random.randrange(10**4),
        lambda: random.randrange(10**15),
    ]
    batches = []
    for rows in (1, 0, 3, 64, 1, 1, 130, 7, 200):
        arrays = [
            pa.array([None if random.random() < 0.3 * (rows % 2) else make() for _ in range(rows + 5)], type).slice(
                2, rows
            )
            for make, type in zip(makers, types, strict=True)
        ]
        batches.append(pa.record_batch(arrays, names=[str(type) for type in types]))
    reader = BatchColumns(batches[0].schema) if profiling == "chosen" and lakecodec.backend() == "native" else None
    columns = [batch.columns if reader is None else reader.of(batch) for batch in batches]
    # Arrays beside them stay arrays.
    given = [[*found, batch.column(1)] for found, batch in zip(columns, batches, strict=True)]
    collected = CollectedColumns(given[0])
    for more in given[1:]:
        collected.add(more)
    del columns, given
    wanted = pa.Table.from_batches(batches).combine_chunks().to_batches()[0]
    found = collected.columns()
    assert found[-1].equals(wanted.column(1))
    assert [len(column) for column in found[:-1]] == [wanted.num_rows] * len(types)
    assert [column.null_count for column in found[:5]] == [column.null_count for column in wanted.columns[:5]]
    for layout, column, array in zip(layouts, found, wanted.columns, strict=False):
        ours, theirs = (
            profile.profile_columns([(layout, [each])], max_entries=300, max_nbytes=9999)[0] for each in (column, array)
        )
        assert (ours.rows, ours.plain(), ours.nulls()) == (theirs.rows, theirs.plain(), theirs.nulls())
