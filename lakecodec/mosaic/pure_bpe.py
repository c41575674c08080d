"""Byte pair encoding in pure Python, used without the compiled module."""

from __future__ import annotations

from array import array
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ..runtime.errors import DecodeError

#: Tokens below this one are characters; the others name rules.
FIRST_RULE = 128
#: Rules that a token of one byte can name.
MAX_RULES = 256 - FIRST_RULE
#: Separates names: it is not a character but the token of the last rule, whose uses are never counted.
SEPARATOR = b"\xff"
#: Expansions up to this size in bytes are cached.
_KEEP = 4096


class Coder:
    """Encoder and decoder for one list of rules.

    Args:
        rules: left and right token of each rule, two bytes per rule.

    Raises:
        ValueError: there are more than 128 rules, or one refers to a rule that does not come before it.
    """

    def __init__(self, rules: bytes) -> None:
        if len(rules) % 2 or len(rules) > 2 * MAX_RULES:
            raise ValueError(f"rules: at most {MAX_RULES} pairs are needed")
        self._pairs = [rules[i : i + 2] for i in range(0, len(rules), 2)]
        self._lengths = [1] * FIRST_RULE
        self._kept = [bytes([token]) for token in range(FIRST_RULE)]
        for left, right in self._pairs:
            if max(left, right) >= len(self._lengths):
                raise ValueError("rules: one refers to a rule that does not come before it")
            length = self._lengths[left] + self._lengths[right]
            self._lengths.append(length)
            self._kept.append(self._kept[left] + self._kept[right] if length <= _KEEP else b"")

    def decode(self, tokens: Any, limit: int) -> bytes:
        """Returns the name of some tokens; ValueError for an unknown token, or a name longer than ``limit`` bytes."""
        if len(tokens) > limit:
            raise ValueError(f"a name is longer than {limit} bytes")
        lengths = self._lengths
        size = 0
        for token in tokens:
            if token >= len(lengths):
                raise ValueError(f"token {token} is neither a character nor a pair rule")
            size += lengths[token]
        if size > limit:
            raise ValueError(f"a name is longer than {limit} bytes")
        return b"".join(map(self._expand, tokens))

    def encode(self, name: Any) -> bytes:
        """Returns the tokens of a name; ValueError if it is not ASCII."""
        tokens = bytes(name)
        if not tokens.isascii():
            raise ValueError("a name that is not ASCII has no tokens")
        for number, pair in enumerate(self._pairs, FIRST_RULE):
            tokens = tokens.replace(pair, bytes([number]))
        return tokens

    def _expand(self, token: int) -> bytes:
        """Returns the characters of a token."""
        if kept := self._kept[token]:
            return kept
        left, right = self._pairs[token - FIRST_RULE]
        return self._expand(left) + self._expand(right)


class Names:
    """Decoder of one list of names, with a limit on their total size.

    Args:
        coder: decoder of tokens; None where names are stored as they are.
        problem: message of the error that every name raises; empty for none.
        longest: most bytes of a name that is made of tokens.
        total: most bytes of all names together.
    """

    def __init__(self, coder: Any, problem: str, longest: int, total: int) -> None:
        self._coder, self._problem = coder, problem
        self._longest, self._total, self._left = longest, total, total

    def decode(self, data: Any) -> bytes:
        """Returns a name as bytes; DecodeError for broken tokens or rules, or beyond the limits."""
        if self._problem:
            raise DecodeError(self._problem)
        if self._coder is None:
            name = bytes(data)
        else:
            try:
                name = self._coder.decode(data, self._longest)
            except ValueError as error:
                raise DecodeError(str(error)) from None
        self._left -= len(name)
        if self._left < 0:
            raise DecodeError(f"the names are longer than {self._total} bytes together")
        return name

    def decode_text(self, data: Any) -> str:
        """Returns a name as str; errors as those of `decode`, and UnicodeDecodeError."""
        return str(self.decode(data), "utf-8")

    def decode_all(self, data: bytes, ends: bytes) -> tuple[bytes, bytes]:
        """Returns names, one behind the other, and where each ends as int64; the same of their tokens are given."""
        places = array("q", ends)
        names = [self.decode_text(data[start:end]).encode() for start, end in pairwise([0, *places])]
        return b"".join(names), array("q", accumulate(map(len, names))).tobytes()


def train(joined: bytes, max_rules: int) -> list[tuple[int, int]]:
    """Returns the (left, right) rules for names that are joined by ``SEPARATOR``."""
    rules: list[tuple[int, int]] = []
    while len(rules) < max_rules:
        tokens = np.frombuffer(joined, np.uint8)
        pairs = tokens[:-1].astype(np.uint16) << 8 | tokens[1:]
        counts = np.bincount(pairs, minlength=1 << 16).reshape(256, 256)
        counts[SEPARATOR[0], :] = counts[:, SEPARATOR[0]] = 0
        best = counts.size - 1 - int(np.argmax(counts.ravel()[::-1]))
        if counts.flat[best] < 2:
            break
        left, right = divmod(best, 256)
        joined = joined.replace(bytes([left, right]), bytes([FIRST_RULE + len(rules)]))
        rules.append((left, right))
    return rules
