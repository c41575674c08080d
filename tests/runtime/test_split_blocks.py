"""Bloom filters of blocks: XXH64 and its bits, in both backends, as xxhash, pyarrow and DuckDB compute them."""

from __future__ import annotations

import io
import random
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xxhash

from lakecodec import parquet
from lakecodec.generated.parquet_file import BLOOM_SALT
from lakecodec.runtime import split_blocks

SALT: Any = np.array(BLOOM_SALT, np.uint32)
PURE = SimpleNamespace(
    put_fixed=split_blocks._put_fixed, put_texts=split_blocks._put_texts, put_prefixed=split_blocks._put_prefixed
)
BACKENDS = pytest.mark.parametrize("backend", [split_blocks, PURE], ids=["backend", "pure"])


def expected(values: list[bytes], blocks: int) -> list[int]:
    """Returns the words of a filter by BloomFilter.md."""
    words = [0] * (8 * blocks)
    for value in values:
        number = xxhash.xxh64_intdigest(value)
        for word, salt in enumerate(BLOOM_SALT):
            words[8 * ((number >> 32) * blocks >> 32) + word] |= 1 << (((number * salt) & 0xFFFFFFFF) >> 27)
    return words


def prefixed(values: list[bytes]) -> bytes:
    return b"".join(len(value).to_bytes(4, "little") + value for value in values)


def ends(values: list[bytes]) -> Any:
    return np.cumsum([0, *map(len, values)], dtype=np.int64)


@pytest.mark.parametrize(
    ("text", "number"),
    # Of xxhash's sanity checks and its documentation.
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
        (b"123456789", 0x8CB841DB40E6AE83),
        (b"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_known_hashes(text: bytes, number: int) -> None:
    (found,) = split_blocks.xxh64_rows(np.frombuffer(text, np.uint8).reshape(1, -1))
    assert found == number
    assert xxhash.xxh64_intdigest(text) == number


@BACKENDS
@pytest.mark.parametrize("blocks", [1, 2, 37, 4096])
def test_values_of_any_length(backend: Any, blocks: int) -> None:
    draw = random.Random(blocks)
    for width in (*range(1, 70), 1000):
        values = [draw.randbytes(width) for _ in range(draw.choice([1, 5, 64, 130]))]
        words = np.zeros(8 * blocks, np.uint32)
        backend.put_fixed(words, SALT, b"".join(values), width)
        assert words.tolist() == expected(values, blocks)
    values = [draw.randbytes(draw.randrange(100)) for _ in range(300)]
    for put, arguments in (
        (backend.put_texts, (b"".join(values), ends(values))),
        (backend.put_prefixed, (prefixed(values),)),
    ):
        words = np.zeros(8 * blocks, np.uint32)
        put(words, SALT, *arguments)
        assert words.tolist() == expected(values, blocks)


@BACKENDS
def test_no_values(backend: Any) -> None:
    words = np.zeros(8, np.uint32)
    backend.put_fixed(words, SALT, b"", 8)
    backend.put_texts(words, SALT, b"", np.zeros(1, np.int64))
    backend.put_prefixed(words, SALT, b"")
    assert not words.any()


@BACKENDS
def test_values_outside_of_the_data(backend: Any) -> None:
    words = np.zeros(8, np.uint32)
    for offsets in ([], [0, 9], [-1, 2], [3, 2, 8], [2**62, 2**62 + 1]):
        with pytest.raises(ValueError, match="offsets"):
            backend.put_texts(words, SALT, bytes(8), np.array(offsets, np.int64))
    for data in (b"\1\0\0\0", b"\0\0\0", b"\xff\xff\xff\xffabc", b"\0\0\0\0\2\0\0\0a"):
        with pytest.raises(ValueError, match="data"):
            backend.put_prefixed(words, SALT, data)
    for width in (0, -8, 7, 2**62):
        with pytest.raises(ValueError, match="data"):
            backend.put_fixed(words, SALT, bytes(8), width)


@BACKENDS
def test_filters_that_are_not_whole_blocks(backend: Any) -> None:
    for words in (np.zeros(0, np.uint32), np.zeros(12, np.uint32)):
        for put, arguments in (
            (backend.put_fixed, (bytes(8), 8)),
            (backend.put_texts, (b"", np.zeros(1, np.int64))),
            (backend.put_prefixed, (b"",)),
        ):
            with pytest.raises(ValueError, match="words"):
                put(words, SALT, *arguments)
            with pytest.raises(ValueError, match="salt"):
                put(np.zeros(8, np.uint32), SALT[:7], *arguments)


@BACKENDS
def test_filters_of_pyarrow(backend: Any) -> None:
    texts = [b"%d texts" % (number * 7919) * (number % 5) for number in range(3000)]
    table = pa.table({"n": np.arange(3000) * 31, "t": pa.array(texts, pa.binary()), "f": np.arange(3000, dtype="f4")})
    sink = io.BytesIO()
    pq.write_table(table, sink, bloom_filter_options={name: {"ndv": 3000, "fpp": 0.01} for name in table.column_names})
    for column in range(3):
        found = parquet.bloom_filter(sink.getvalue(), 0, column)
        assert found is not None
        words = np.zeros(len(found.bitset) // 4, np.uint32)
        if column == 1:
            backend.put_texts(words, SALT, b"".join(texts), ends(texts))
        else:
            numbers = table.column(column).to_numpy()
            backend.put_fixed(words, SALT, numbers.tobytes(), numbers.itemsize)
        assert words.tobytes() == found.bitset


@BACKENDS
def test_filters_of_duckdb(backend: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    duckdb.sql(
        f"copy (select i * 31 as n, 'text ' || i as t from range(300) a(i), range(30)) to '{path}' (format parquet)"
    )
    for column, values in (("n", None), ("t", [b"text %d" % i for i in range(300)])):
        found = parquet.bloom_filter(path, 0, column)
        assert found is not None
        words = np.zeros(len(found.bitset) // 4, np.uint32)
        if values is None:
            backend.put_fixed(words, SALT, (np.arange(300) * 31).tobytes(), 8)
        else:
            backend.put_prefixed(words, SALT, prefixed(values))
        assert words.tobytes() == found.bitset


def test_values_that_a_thread_changes() -> None:
    """The lock is released: other values give other bits, and nothing is read or written outside."""
    texts = [b"x" * (number % 50) for number in range(20_000)]
    plain, offsets = bytearray(prefixed(texts)), ends(texts)
    words, is_over = np.zeros(8 * 64, np.uint32), threading.Event()

    def change() -> None:
        draw = random.Random(3)
        while not is_over.is_set():
            at = draw.randrange(len(plain))
            plain[at] ^= draw.randrange(256)
            offsets[draw.randrange(len(offsets))] = draw.choice([-1, 5, 2**40])

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(60):
            for put, arguments in ((split_blocks.put_prefixed, (plain,)), (split_blocks.put_texts, (plain, offsets))):
                try:
                    put(words, SALT, *arguments)
                except ValueError:
                    continue
    finally:
        is_over.set()
        thread.join()
