"""Choice of the name encoding, with rules where they save bytes (Mosaic design, section Choosing mode and rules)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..generated.mosaic import BpeRule, NameEncoding
from .bpe import Bpe, train

#: The largest number of rules.
_MOST_RULES = 128
#: The largest table in bytes in which names, padded to the longest, are compared at once.
_MOST_BYTES = 2**26


def choose_name_encoding(names: Sequence[bytes]) -> tuple[NameEncoding, list[BpeRule] | None]:
    """Returns the encoding of sorted column names and its rules, None for front coding alone.

    The costs are those of the reference writer, which counts one byte for the number of rules however many there are.
    """
    if not all(map(bytes.isascii, names)):
        return NameEncoding.FRONT, None
    rules = [BpeRule(left=left, right=right) for left, right in train(names, _MOST_RULES)]
    if not rules:
        return NameEncoding.FRONT, None
    coder = Bpe(rules)
    if 1 + 2 * len(rules) + front_coded_size([coder.encode(name) for name in names]) < front_coded_size(names):
        return NameEncoding.BPE_FRONT, rules
    return NameEncoding.FRONT, None


def front_coded_size(names: Sequence[bytes]) -> int:
    """Returns the bytes of names in front coding, each after the prefix that it shares with the one before."""
    if not names:
        return 0
    sizes = np.fromiter(map(len, names), np.int64, len(names))
    shared = np.zeros(len(names), np.int64)
    shared[1:] = _shared(names, sizes)
    added = sizes - shared
    return int(added.sum()) + _uvarint_sizes(shared) + _uvarint_sizes(added)


def _shared(names: Sequence[bytes], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the length of the prefix that each name but the first shares with the one before, int64."""
    width = int(sizes.max())
    if width * len(names) > _MOST_BYTES:
        return np.fromiter(map(_common_prefix, names[:-1], names[1:]), np.int64, len(names) - 1)
    table = np.array(names, f"S{max(1, width)}").view(np.uint8).reshape(len(names), -1)
    differ = table[1:] != table[:-1]
    first: NDArray[np.int64] = np.where(differ.any(axis=1), differ.argmax(axis=1), width)
    # Padding compares as equal bytes.
    return np.minimum(first, np.minimum(sizes[1:], sizes[:-1]))


def _common_prefix(one: bytes, other: bytes) -> int:
    """Returns the length of the common prefix of two names."""
    size = min(len(one), len(other))
    # The highest bit that differs is in the first byte that differs.
    differing = int.from_bytes(one[:size], "big") ^ int.from_bytes(other[:size], "big")
    return size - (differing.bit_length() + 7) // 8


def _uvarint_sizes(numbers: NDArray[np.int64]) -> int:
    """Returns the bytes of 32-bit numbers as varints, together."""
    return len(numbers) + sum(int(np.count_nonzero(numbers >> shift)) for shift in (7, 14, 21, 28))


def uvarint_size(number: int) -> int:
    """Returns the bytes of a number as a varint."""
    return max(1, (number.bit_length() + 6) // 7)
