"""Split block Bloom filters (BloomFilter.md of Parquet): values are put into them by XXH64 of seed 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from .native import load

_PRIMES = [
    np.uint64(prime)
    for prime in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
]
#: The values that are hashed at once.
_AT_ONCE = 1 << 14


def _check(words: Any, salt: Any) -> None:
    if len(salt) != 8:
        raise ValueError("salt: a number per word of a block is needed")
    if not len(words) or len(words) % len(salt):
        raise ValueError("words: whole blocks are needed")


def _put_fixed(words: Any, salt: Any, data: Any, width: int) -> None:
    """Puts values of one width.

    Args:
        words: the filter's blocks, as numbers of 32 bits.
        salt: the factor of each word of a block.
        data: the values.
        width: the bytes of each.

    Raises:
        ValueError: data is not whole values, or the words are not whole blocks.
    """
    _check(words, salt)
    found = np.frombuffer(data, np.uint8)
    if width < 1 or len(found) % width:
        raise ValueError("data: whole values are needed")
    rows = found.reshape(-1, width)
    for start in range(0, len(rows), _AT_ONCE):
        _put_hashes(words, salt, xxh64_rows(rows[start : start + _AT_ONCE]))


def _put_texts(words: Any, salt: Any, data: Any, offsets: Any) -> None:
    """Puts the values between consecutive offsets, which are numbers of 64 bits.

    Raises:
        ValueError: a value lies outside the data.
    """
    _check(words, salt)
    if not len(offsets):
        raise ValueError("offsets: one more than there are values is needed")
    sizes = np.diff(offsets)
    if len(sizes) and (offsets[0] < 0 or sizes.min() < 0 or offsets[-1] > len(data)):
        raise ValueError("offsets: a value lies outside the data")
    _put_pieces(words, salt, data, offsets[:-1], sizes)


def _put_prefixed(words: Any, salt: Any, data: Any) -> None:
    """Puts values with their size in the four bytes before each.

    Raises:
        ValueError: a value lies outside the data.
    """
    _check(words, salt)
    view, starts, sizes = memoryview(data), [], []
    at = 0
    while at < len(view):
        size = int.from_bytes(view[at : at + 4], "little")
        starts.append(at + 4)
        sizes.append(size)
        at += 4 + size
    if at > len(view):
        raise ValueError("data: a value lies outside")
    _put_pieces(words, salt, data, np.array(starts, np.int64), np.array(sizes, np.int64))


def _put_pieces(words: Any, salt: Any, data: Any, starts: Any, sizes: Any) -> None:
    """Puts pieces of bytes, those of one size at once."""
    found = np.frombuffer(data, np.uint8)
    for size in np.unique(sizes).tolist():
        at = starts[sizes == size]
        step = max(1, (_AT_ONCE << 3) // max(size, 1))
        for start in range(0, len(at), step):
            rows = found[at[start : start + step, None] + np.arange(size)]
            _put_hashes(words, salt, xxh64_rows(rows))


def _put_hashes(words: Any, salt: Any, hashes: Any) -> None:
    """Sets one bit of each word of a block: half of the hash chooses the block, the other half the bits."""
    count = len(salt)
    blocks = (hashes >> np.uint64(32)) * np.uint64(len(words) // count) >> np.uint64(32)
    low = hashes.astype(np.uint32)
    for number, factor in enumerate(salt):
        bits = np.uint32(1) << (low * factor >> np.uint32(27))
        np.bitwise_or.at(words, blocks.astype(np.int64) * count + number, bits)


def xxh64_rows(rows: Any) -> Any:
    """Returns XXH64 of seed 0 of each row of bytes (xxhash_spec.md)."""
    one, two, three, four, five = _PRIMES
    count, size = rows.shape
    stripes = size // 32 * 32
    hashes = np.full(count, five)
    with np.errstate(over="ignore"):
        if stripes:
            lanes = [np.full(count, start) for start in (one + two, two, np.uint64(0), np.uint64(0) - one)]
            for at in range(0, stripes, 8):
                lanes[at // 8 % 4] = _round(lanes[at // 8 % 4], _words(rows, at, 8))
            first, second, third, fourth = map(_turned, lanes, (1, 7, 12, 18))
            hashes = first + second + third + fourth
            for lane in lanes:
                hashes = (hashes ^ _round(np.uint64(0), lane)) * one + four
        hashes = hashes + np.uint64(size)
        at = stripes
        for at in range(stripes + 8, size + 1, 8):
            hashes = _turned(hashes ^ _round(np.uint64(0), _words(rows, at - 8, 8)), 27) * one + four
        if size - at >= 4:
            hashes = _turned(hashes ^ _words(rows, at, 4) * one, 23) * two + three
            at += 4
        for each in range(at, size):
            hashes = _turned(hashes ^ rows[:, each].astype(np.uint64) * five, 11) * one
        hashes = (hashes ^ hashes >> np.uint64(33)) * two
        hashes = (hashes ^ hashes >> np.uint64(29)) * three
    return hashes ^ hashes >> np.uint64(32)


def _words(rows: Any, at: int, size: int) -> Any:
    """Returns the little-endian number at a place of each row."""
    return np.ascontiguousarray(rows[:, at : at + size]).view(f"<u{size}")[:, 0].astype(np.uint64)


def _round(lane: Any, word: Any) -> Any:
    return _turned(lane + word * _PRIMES[1], 31) * _PRIMES[0]


def _turned(numbers: Any, bits: int) -> Any:
    return numbers << np.uint64(bits) | numbers >> np.uint64(64 - bits)


_native = load("runtime.native.split_blocks")
put_fixed = _put_fixed if _native is None else _native.put_fixed
put_texts = _put_texts if _native is None else _native.put_texts
put_prefixed = _put_prefixed if _native is None else _native.put_prefixed
