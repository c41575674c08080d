"""Batches that kafka-python wrote, without compression and with gzip, LZ4 and zstd."""

from __future__ import annotations

import pytest

from lakecodec import DecodeError

from ..paths import TESTS
from .gallery import Gallery

KAFKA = Gallery("kafka", magic=False, oracle=False)
DATA = (TESTS / "data" / "gallery" / "segment.kafka").read_bytes()


def test_batches() -> None:
    batches = KAFKA.round_trip(DATA).batches
    assert [batch.body.compression for batch in batches] == [0, 1, 3, 4]
    assert [batch.body.is_transactional for batch in batches] == [0, 1, 0, 0]
    for batch in batches:
        records = [each.body for each in batch.body.records.all]
        assert [each.key for each in records] == [b"k0", None, b"k2", b"k3"]
        assert [each.value for each in records] == [b"", b"value" * 3, None, b"value" * 9]
        assert [each.offset_delta for each in records] == [0, 1, 2, 3]
        assert [batch.body.base_timestamp + each.timestamp_delta for each in records][-1] == batch.body.max_timestamp
        assert [(each.key, each.value) for each in records[3].headers] == [("h", b"x"), ("none", None)]


def test_an_edit_changes_sizes_and_the_checksum() -> None:
    found = KAFKA.module.File.from_bytes(DATA)
    for batch in found.batches:
        batch.body.records.all[0].body.key = b"another key"
        batch.body.records.all[1].body.value = None
    again = KAFKA.module.File.from_bytes(KAFKA.write(found))
    assert again.batches[2].body.records.all[0].body.key == b"another key"
    assert again.batches[3].body.records.all[1].body.value is None
    assert again.batches[0].body.crc != KAFKA.module.File.from_bytes(DATA).batches[0].body.crc


def test_bad_bytes() -> None:
    with pytest.raises(DecodeError, match=r"batches\[0\].body\.crc"):
        KAFKA.module.File.from_bytes(DATA.replace(b"valuevalue", b"valueVALUE", 1))
    assert KAFKA.damage(DATA, rounds=60) > 50
