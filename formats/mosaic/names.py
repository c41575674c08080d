"""How column names are stored: with pair rules where these save bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..generated.mosaic import BpeRule, NameEncoding
from ..runtime.bpe import Bpe, train

#: The most rules that are looked for.
_MOST_RULES = 128


def choose_name_encoding(names: Sequence[bytes]) -> tuple[NameEncoding, list[BpeRule] | None]:
    """The encoding of sorted column names, and its rules where it has some.

    The costs are those of the reference writer, which counts a byte for the number of rules however many there are.
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
    """Bytes of names that each share a prefix with the one before."""
    total = 0
    for previous, name in pairwise((b"", *names)):
        size = len(name)
        most = min(len(previous), size)
        # The highest bit in which the first bytes differ tells how many of them are equal.
        differing = int.from_bytes(previous[:most], "big") ^ int.from_bytes(name[:most], "big")
        shared = most - (differing.bit_length() + 7) // 8
        rest = size - shared
        total += rest + (2 if shared < 128 and rest < 128 else uvarint_size(shared) + uvarint_size(rest))
    return total


def uvarint_size(number: int) -> int:
    """Bytes of an unsigned LEB128 number."""
    return max(1, (number.bit_length() + 6) // 7)
