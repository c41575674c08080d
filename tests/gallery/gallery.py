"""What tests of all formats of the gallery do: read with every reader, write back, damage."""

from __future__ import annotations

import random
import time
from typing import Any

from lakecodec.formats import recognise

from ..oracle.both import Format
from ..paths import SPECS

#: Seconds that the refusal of a damaged file may take.
_MOST_SECONDS = 5.0


class Gallery(Format):
    """A format of the gallery, by its name; ``magic`` is False for one of which some files have no magic bytes."""

    def __init__(self, name: str, *, magic: bool = True) -> None:
        super().__init__(SPECS / "gallery" / f"{name}.idl")
        self.name = name
        self._magic = magic

    def round_trip(self, data: bytes) -> Any:
        """The record that a file is, after what must hold of each: it is recognised, and written back as it was."""
        found = self.read("File", data)
        assert found.to_bytes() == data
        assert self.module.File.from_bytes(data) == found
        recognised = recognise(data)
        assert recognised.name == self.name if recognised else not self._magic
        return found

    def damage(self, data: bytes, *, rounds: int = 150, seed: int = 1) -> int:
        """The number of damaged files that were refused; all readers agree about each, and nothing but DecodeError comes."""
        generator, refused = random.Random(seed), 0
        for number in range(rounds):
            damaged = bytearray(data)
            if number % 3 == 0:
                del damaged[generator.randrange(len(damaged)) :]
            else:
                for _ in range(generator.choice((1, 1, 4))):
                    # Most of what counts stands at the beginning.
                    place = generator.randrange(min(len(damaged), generator.choice((64, len(damaged)))))
                    damaged[place] = generator.choice((0, 0xFF, damaged[place] ^ (1 << generator.randrange(8))))
            started = time.process_time()
            refused += self.refuses("File", bytes(damaged))
            assert time.process_time() - started < _MOST_SECONDS
        return refused

    def write(self, record: Any) -> bytes:
        """The bytes of a changed record, which read as the same."""
        data: bytes = record.to_bytes()
        assert self.read("File", data) == record
        return data
