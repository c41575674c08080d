"""Byte pair encoding of column names (Mosaic design, section BPE mode).

Tokens are bytes: one below 128 is that ASCII character, 128 + i stands for the two tokens of rule i, which are
characters or earlier rules. A list of rules is checked and prepared once, as long as the same list object is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Protocol

from ..runtime.errors import EncodeError
from ..runtime.externs import extern_codec
from ..runtime.native import load
from ..runtime.records.attributes import attributes
from . import pure_bpe
from .pure_bpe import FIRST_RULE, MAX_RULES, SEPARATOR

#: The largest size in bytes of a decoded name: each of 128 rules can double a name's length.
MAX_NAME = 1 << 20
#: The most bytes of names that one codec decodes. Rules and shared prefixes let a few bytes stand for a long name, so
#: the size of a file does not bound the size of its names.
MAX_NAMES = 1 << 27
#: The most bytes of all names of a schema block, whose size is a 32-bit number.
_MAX_TOTAL = (1 << 32) - 1


class Coder(Protocol):
    """Encoder and decoder for one list of rules; both methods raise ValueError with the rule that was broken."""

    def decode(self, tokens: Any, limit: int) -> bytes: ...

    def encode(self, name: Any) -> bytes: ...


_backend = load("mosaic.native.bpe", pure_bpe)
BACKEND = "pure" if _backend is pure_bpe else "native"
_coder: Callable[[bytes], Coder] = _backend.Coder
_names: Callable[..., Any] = _backend.Names
_train: Callable[[bytes, int], list[tuple[int, int]]] = _backend.train


@extern_codec
class Bpe:
    """Codec ``bpe(rules)`` of the format's declaration, for one list of names.

    Args:
        rules: objects with the tokens ``left`` and ``right``; None leaves bytes as they are.

    Attributes:
        decode: returns the name of some tokens as bytes. Raises DecodeError for a token or rule that refers to a rule
            it may not refer to, a name longer than ``MAX_NAME`` bytes, or names longer than ``MAX_NAMES`` bytes
            together.
        decode_text: the same as str. Raises UnicodeDecodeError if the name is not UTF-8.
        decode_all: returns many names as UTF-8, one behind the other, and where each ends as bytes of int64; the same of
            their tokens are given. Errors are those of ``decode_text``.
    """

    __slots__ = ("_coder", "_problem", "decode", "decode_all", "decode_text")
    inverts = True

    def __init__(self, rules: Sequence[Any] | None) -> None:
        self._coder, self._problem = (None, "") if rules is None else _prepared(rules)
        # The inner object's methods are used directly: a method around them would take longer than decoding a name.
        names = _names(self._coder, self._problem, MAX_NAME, MAX_NAMES)
        self.decode: Callable[[Any], bytes] = names.decode
        self.decode_text: Callable[[Any], str] = names.decode_text
        self.decode_all: Callable[[bytes, bytes], tuple[bytes, bytes]] = names.decode_all

    def encode(self, value: bytes | bytearray | memoryview) -> bytes:
        """Returns the tokens of a name: the rules applied in their order, each from left to right.

        Raises:
            EncodeError: the name is not ASCII, or a rule refers to a rule that does not come before it.
        """
        if self._problem:
            raise EncodeError(self._problem)
        if self._coder is None:
            return bytes(value)
        try:
            return self._coder.encode(value)
        except ValueError as error:
            raise EncodeError(str(error)) from None


def train(names: Sequence[bytes], max_rules: int = MAX_RULES) -> list[tuple[int, int]]:
    """Returns the (left, right) rules for names, chosen greedily (Mosaic design, section Choosing mode and rules).

    Each rule joins the adjacent pair of tokens that occurs most often within names (overlapping occurrences count);
    among equals the pair with the largest left, then the largest right token. Pairs that occur once get no rule.

    Args:
        names: ASCII names.
        max_rules: most rules to return, 0 to 128.

    Raises:
        ValueError: a name is not ASCII, the names exceed 4 GiB, or ``max_rules`` is not in 0..128.
    """
    if not 0 <= max_rules <= MAX_RULES:
        raise ValueError(f"max_rules: 0 to {MAX_RULES} are possible, not {max_rules}")
    joined = SEPARATOR.join(names)
    if len(joined) > _MAX_TOTAL:
        raise ValueError("names: more than 4 GiB")
    if not joined.replace(SEPARATOR, b"").isascii() or joined.count(SEPARATOR) != max(0, len(names) - 1):
        raise ValueError("names: only ASCII names have rules")
    return _train(joined, max_rules)


def _prepared(rules: Sequence[Any]) -> tuple[Coder | None, str]:
    """Returns (coder, "") for valid rules, (None, problem) for others."""
    global _last
    result: tuple[Coder | None, str]
    source, seen, result = _last
    if source is rules and seen == rules:
        return result
    records = list(rules)
    pairs = list(zip(attributes(records, "left"), attributes(records, "right"), strict=True))
    try:
        result = _coder(bytes(chain.from_iterable(pairs))), ""
    except ValueError:
        result = None, _problem_of(pairs)
    _last = (rules, rules[:], result)
    return result


#: Cache of the last call: the list, its elements at that time, and the result. Names of a schema share one list.
_last: tuple[Sequence[Any], Sequence[Any], tuple[Coder | None, str]] = ((), [], (None, ""))


def _problem_of(pairs: list[tuple[int, int]]) -> str:
    """Returns the rule that a list of pairs breaks, as text; empty if none is broken."""
    if len(pairs) > MAX_RULES:
        return f"{len(pairs)} pair rules: there are {MAX_RULES} at most"
    for number, pair in enumerate(pairs):
        for token in pair:
            if not 0 <= token < FIRST_RULE + number:
                return f"pair rule {number} refers to token {token}, which is neither a character nor an earlier rule"
    return ""
