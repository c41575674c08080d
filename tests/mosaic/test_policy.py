"""The writer's choices, one by one, at their limits."""

from __future__ import annotations

import random

import pytest

from lakecodec.generated.mosaic import NameEncoding, bucket_of
from lakecodec.mosaic import names
from lakecodec.mosaic.layout import positions_of, split
from lakecodec.mosaic.names import choose_name_encoding, front_coded_size, uvarint_size


def slow_front_coded_size(listed: list[bytes]) -> int:
    total, previous = 0, b""
    for name in listed:
        shared = 0
        while shared < min(len(previous), len(name)) and previous[shared] == name[shared]:
            shared += 1
        total += uvarint_size(shared) + uvarint_size(len(name) - shared) + len(name) - shared
        previous = name
    return total


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("most", [0, 2**26])
def test_front_coded_sizes(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_MOST_BYTES", most)
    rng = random.Random(seed)
    lengths = rng.choice([[1, 3, 9], [0, 1, 200, 17000]])
    listed = sorted({bytes(rng.choices(b"\0ab\xff", k=rng.choice(lengths))) for _ in range(rng.randint(0, 30))})
    assert front_coded_size(listed) == slow_front_coded_size(listed)


@pytest.mark.parametrize(("number", "size"), [(0, 1), (127, 1), (128, 2), (2**14 - 1, 2), (2**14, 3), (2**32 - 1, 5)])
def test_varint_sizes(number: int, size: int) -> None:
    assert uvarint_size(number) == size


def test_rules_must_save_bytes() -> None:
    assert choose_name_encoding([b"ab", b"cd"]) == (NameEncoding.FRONT, None)
    assert choose_name_encoding([]) == (NameEncoding.FRONT, None)
    # A rule costs two bytes and its number one: it must replace more than three bytes.
    few, many = ([bytes((97 + number,)) + b"xy" for number in range(count)] for count in (3, 4))
    assert choose_name_encoding(few)[0] == NameEncoding.FRONT
    assert choose_name_encoding(many)[0] == NameEncoding.BPE_FRONT
    assert choose_name_encoding([*many, "é".encode()])[0] == NameEncoding.FRONT


@pytest.mark.parametrize("num_columns", [1, 2, 7, 100, 101])
def test_buckets(num_columns: int) -> None:
    for num_buckets in (1, 2, 3, num_columns, num_columns + 5):
        everywhere = range(num_columns)
        for bucket in range(num_buckets):
            inside = [at for at in everywhere if bucket_of(at, num_columns, num_buckets) == bucket]
            assert list(positions_of(bucket, num_columns, num_buckets)) == inside
        for positions in (list(everywhere), list(everywhere)[::3]):
            parts = dict(split(positions, num_columns, num_buckets))
            assert [at for part in parts.values() for at in part] == positions
            assert all(
                bucket_of(at, num_columns, num_buckets) == bucket for bucket, part in parts.items() for at in part
            )
