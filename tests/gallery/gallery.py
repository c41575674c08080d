"""What tests of all formats of the gallery do: read with every reader, write back, damage."""

from __future__ import annotations

import random
from typing import Any

from lakecodec.formats import recognise
from lakecodec.runtime.errors import DecodeError
from tests.bounds import within

from ..compiled import compiled
from ..oracle.backends import BACKENDS, running
from ..oracle.both import Format
from ..paths import SPECS

#: Seconds that the refusal of a damaged file may take.
_MOST_SECONDS = 5.0


class Gallery(Format):
    """A format of the gallery.

    Args:
        name: of its IDL file.
        root: the record that a whole file is.
        magic: False where some of its files have no magic bytes.
        oracle: False where the declaration has clauses that the oracle does not know; then the backends are compared.
    """

    def __init__(self, name: str, *, root: str = "File", magic: bool = True, oracle: bool = True) -> None:
        path = SPECS / "gallery" / f"{name}.idl"
        if oracle:
            super().__init__(path)
        else:
            self.module = compiled(path)
        self.name = name
        self._root = root
        self._magic = magic
        self._oracle = oracle

    def read(self, name: str, data: bytes) -> Any:
        """The record, which all readers read alike."""
        if self._oracle:
            return super().read(name, data)
        found = self._by_each_backend(name, data)
        assert all(each == found[0] for each in found)
        return found[-1]

    def refuses(self, name: str, data: bytes, *numbers: int) -> bool:
        """True where all readers refuse the bytes; fails where only some do."""
        if self._oracle:
            return super().refuses(name, data, *numbers)
        found = self._by_each_backend(name, data, refused=DecodeError)
        assert all(each == found[0] for each in found)
        return found[0] is None

    def _by_each_backend(self, name: str, data: bytes, refused: tuple[()] | type[DecodeError] = ()) -> list[Any]:
        found: list[Any] = []
        for backend in BACKENDS:
            with running(backend):
                try:
                    record = getattr(self.module, name).from_bytes(data)
                    # What is read when it is asked for is read here.
                    record.to_dict()
                    found.append(record)
                except refused:
                    found.append(None)
        return found

    def round_trip(self, data: bytes) -> Any:
        """The record that a file is, after what must hold of each: it is recognised, and written back as it was."""
        found = self.read(self._root, data)
        assert found.to_bytes() == data
        assert getattr(self.module, self._root).from_bytes(data) == found
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
                    # Most of what counts stands at the beginning and at the end.
                    place = generator.randrange(min(len(damaged), generator.choice((64, len(damaged)))))
                    place = generator.choice((place, place, len(damaged) - 1 - place))
                    damaged[place] = generator.choice((0, 0xFF, damaged[place] ^ (1 << generator.randrange(8))))
            with within(_MOST_SECONDS):
                refused += self.refuses(self._root, bytes(damaged))
        return refused

    def write(self, record: Any) -> bytes:
        """The bytes of a changed record, which read as the same."""
        data: bytes = record.to_bytes()
        assert self.read(self._root, data) == record
        return data
