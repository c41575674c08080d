"""What the native reader makes of many alike records: values of their own, out of the garbage collector's sight."""

from __future__ import annotations

import gc
import random
import resource
from typing import Any

import pytest

from lakecodec.generated import mosaic as m
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.read import MAX_DEPTH
from lakecodec.runtime.records.reader import Reader

from .. import generated

native: Any = record_backend.native
pytestmark = pytest.mark.skipif(native is None, reason="no native reader was built")


def column(number: int, params: Any, nullable: int = 1) -> m.Column:
    return m.Column(name=f"column_{number:05}", type=m.TypeDescriptor(nullable=nullable, params=params))


def schema_of(columns: list[m.Column], rules: list[m.BpeRule] | None = None) -> m.Schema:
    encoding = m.NameEncoding.FRONT if rules is None else m.NameEncoding.BPE_FRONT
    order = list(range(len(columns)))
    return m.Schema(num_buckets=1, name_encoding=encoding, rules=rules, columns=columns, order=order)


def read(data: bytes) -> m.Schema:
    """By the native reader, which must not leave it to the generated one."""
    found = native.read(m.Schema, Reader(data), 0, ())
    assert found is not None
    assert found == generated.read(m.Schema, data)
    value: m.Schema = found[0]
    return value


def random_params(rng: random.Random) -> Any:
    return rng.choice(
        [
            m.TypeParams.INTEGER,
            m.TypeParams.STRING,
            lambda: m.TypeParams.CHAR(length=rng.choice([1, 2, 300, 2**31])),
            lambda: m.TypeParams.DECIMAL(precision=rng.choice([5, 38]), scale=rng.choice([-3, 2])),
            lambda: m.TypeParams.ARRAY(
                element=m.NamedType(name="e", type=m.TypeDescriptor(nullable=1, params=random_params(rng)))
            ),
        ]
    )()


@pytest.mark.parametrize("seed", range(20))
def test_random_types(seed: int) -> None:
    rng = random.Random(seed)
    columns = [column(number, random_params(rng), rng.choice([0, 1, 255])) for number in range(200)]
    schema = schema_of(columns)
    assert read(schema.to_bytes()) == schema


def test_bytes_that_end_within_what_was_read_before() -> None:
    data = schema_of([column(number, m.TypeParams.INTEGER()) for number in range(3)]).to_bytes()
    for size in range(len(data)):
        assert native.read(m.Schema, Reader(data[:size]), 0, ()) is None or size == len(data) - 3


def test_fields_of_one_are_not_those_of_another() -> None:
    columns = read(schema_of([column(number, m.TypeParams.INTEGER()) for number in range(4)]).to_bytes()).columns
    assert len({id(each.type) for each in columns}) == 4
    columns[1].type.nullable = 0
    columns[2].type.params = m.TypeParams.CHAR(length=3)
    assert [each.type.nullable for each in columns] == [1, 0, 1, 1]
    assert [each.type.params.kind for each in columns] == ["INTEGER", "INTEGER", "CHAR", "INTEGER"]
    assert [each.type.params.type_id for each in columns[:2]] == [3, 3]


def nested(depth: int) -> bytes:
    """Arrays of arrays, whose innermost type was read before at a smaller depth."""
    inner = m.TypeDescriptor(nullable=1, params=m.TypeParams.INTEGER()).to_bytes()
    array = b"\x12\x01\x00"
    return b"\x02\x01\x00" + b"\x00\x01a" + inner + b"\x00\x01b" + array * depth + inner


def test_copies_are_as_deep_as_others() -> None:
    """A description, its alternative and the child of that are three records inside each other."""
    outcomes = set()
    for depth in range(MAX_DEPTH // 3 - 2, MAX_DEPTH // 3 + 2):
        found = native.read(m.Schema, Reader(nested(depth)), 0, ())
        try:
            expected = generated.read(m.Schema, nested(depth))
        except ValueError:
            assert found is None
        else:
            assert found == expected
        outcomes.add(found is None)
    assert outcomes == {False, True}


def test_the_collector_does_not_see_what_is_read() -> None:
    params: list[Any] = [m.TypeParams.INTEGER(), m.TypeParams.CHAR(length=5)]
    params.append(m.TypeParams.ARRAY(element=m.NamedType(name="e", type=column(0, params[0]).type)))
    rules = [m.BpeRule(left=97, right=98)]
    schema = read(schema_of([column(number, each) for number, each in enumerate(params * 2)], rules).to_bytes())
    found = [schema, schema.columns, schema.order, schema.rules, schema.rules[0], *schema.columns]
    found += [each.type for each in schema.columns] + [each.type.params for each in schema.columns]
    found.append(schema.columns[2].type.params.element)
    assert not any(map(gc.is_tracked, found))
    # A list that Python made may change at any time.
    ref = m.BucketRef.from_bytes(m.BucketRef(bucket_id=0, start=0, stored=0, inflated=0).to_bytes(FOOTER), FOOTER)
    assert gc.is_tracked(FOOTER)
    assert gc.is_tracked(ref)


FOOTER = m.Footer(index_offset=100, schema_offset=50, num_buckets=9, num_row_groups=1, compression=m.Compression.ZSTD)


def test_subclasses_are_freed() -> None:
    freed = []

    class Marked(m.TypeDescriptor):
        __slots__ = ("extra",)
        extra: Any

        def __del__(self) -> None:
            freed.append(self.extra)

    data = m.TypeDescriptor(nullable=1, params=m.TypeParams.INTEGER()).to_bytes()
    value, _ = native.read(Marked, Reader(data), 0, ())
    assert type(value) is Marked
    value.extra = "kept"
    del value
    assert freed == ["kept"]


def test_values_that_nest_deeper_than_any_bytes_are_freed() -> None:
    read(schema_of([column(0, m.TypeParams.INTEGER())]).to_bytes())
    params: Any = m.TypeParams.INTEGER()
    for _ in range(100_000):
        params = m.TypeParams.ARRAY(element=m.NamedType(name="", type=m.TypeDescriptor(nullable=1, params=params)))
    del params


def test_nothing_leaks() -> None:
    columns = [
        column(number, (m.TypeParams.INTEGER(), m.TypeParams.CHAR(length=3))[number % 2]) for number in range(2000)
    ]
    good = schema_of(columns).to_bytes()
    bad = good[:-1500]

    def run() -> int:
        for _ in range(50):
            native.read(m.Schema, Reader(good), 0, ())
            native.read(m.Schema, Reader(bad), 0, ())
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    run()
    before = run()
    # A column that stayed would take some 100 bytes: 20 MB for one of each two.
    assert run() - before < 4096
