"""The external codecs of mosaic.idl once more, without the runtime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from .nodes import Refused

_FIRST_RULE = 128
_MAX_RULES = 128


@dataclass(frozen=True, slots=True)
class Zstd:
    inflated: int

    def decode(self, data: bytes) -> bytes:
        try:
            return bytes(pa.Codec("zstd").decompress(data, self.inflated, asbytes=True))
        except (OSError, ValueError) as error:
            raise Refused(f"not a frame of {self.inflated} bytes: {error}") from None


@dataclass(frozen=True, slots=True)
class Stored:
    inflated: int

    def decode(self, data: bytes) -> bytes:
        if len(data) != self.inflated:
            raise Refused(f"{self.inflated} bytes are declared, there are {len(data)}")
        return data


@dataclass(frozen=True, slots=True)
class Bpe:
    rules: Any

    def decode(self, data: bytes) -> bytes:
        if self.rules is None:
            return data
        expanded = [bytes([token]) for token in range(_FIRST_RULE)]
        for rule in self.rules:
            if max(rule["left"], rule["right"]) >= len(expanded) or len(expanded) == _FIRST_RULE + _MAX_RULES:
                raise Refused("a pair rule refers to one that does not come before it")
            expanded.append(expanded[rule["left"]] + expanded[rule["right"]])
        if data and max(data) >= len(expanded):
            raise Refused("a token has no rule")
        return b"".join(expanded[token] for token in data)


class Shortest:
    def decode(self, data: bytes) -> bytes:
        return data


EXTERNS = {
    "runtime.compress:Zstd": Zstd,
    "runtime.compress:Stored": Stored,
    "mosaic.bpe:Bpe": Bpe,
    "runtime.columns.integers:Shortest": Shortest,
}
