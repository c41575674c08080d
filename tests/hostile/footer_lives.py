"""The lives of footers: damaged, read, asked, edited, exchanged, written, read again and dropped, in one process.

``main(seed, seconds)`` ends only with a crash, or an error that is none of those which bad bytes and values have.
"""

from __future__ import annotations

import copy
import faulthandler
import gc
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lakecodec.generated.parquet import FileMetaData, KeyValue, LogicalType, Statistics, Type
from lakecodec.runtime.errors import CodecError, DecodeError
from lakecodec.runtime.objects import Value

from ..runtime.compact.footers import broken, footer
from .places import names_of, put

#: What encoding may raise of what is not sound: fields may be deleted.
REFUSED = (CodecError, TypeError, ValueError, AttributeError)


class Lives:
    """Trees of which parts are held, changed and put into others."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.raws = [footer(1, 1), footer(3, 2), footer(20, 2), footer(12, 6, statistics=False), b"\x00"]
        self.held: list[Any] = []
        self.steps: tuple[Callable[[], None], ...] = (
            self.read, self.read, self.walk, self.walk, self.change, self.change, self.exchange, self.write, self.keep,
            self.drop, self.drop, self.give_another_class, self.copied, self.collect,
        )  # fmt: skip

    def run(self) -> None:
        """Takes one random step."""
        self.chance.choice(self.steps)()

    def any_value(self) -> Any:
        """Returns a generated value of any kind, found from what is held."""
        chance = self.chance
        value = chance.choice(self.held) if self.held else None
        for _ in range(chance.randrange(8)):
            if isinstance(value, Value):
                names = names_of(value)
                inner = getattr(value, chance.choice(names), None) if names else None
            elif isinstance(value, list) and value:
                inner = chance.choice(value)
            else:
                break
            if not isinstance(inner, Value | list):
                break
            value = inner
        return value

    def any_content(self) -> Any:
        """Returns what may be put in a field, wherever it fits."""
        chance = self.chance
        return chance.choice((
            None, 0, -1, 2**31, 2**63, True, 1.5, "", "text", b"", b"bytes" * chance.randrange(500), [], [1], [None], ["a"],
            Type.INT32, LogicalType.DATE(), KeyValue(key="k", value="v"), Statistics(min=b"a"), self.any_value(),
            [self.any_value()], {}, object(),
        ))  # fmt: skip

    def read(self) -> None:
        data = self.chance.choice(self.raws)
        if self.chance.random() < 0.8:
            data = broken(data, self.chance.randrange(2**32))
        kind = self.chance.choice((bytes, bytearray, memoryview))
        with suppress(DecodeError):
            self.held.append(FileMetaData.from_bytes(kind(data)))

    def walk(self) -> None:
        """Asks for many fields of a value, and holds some that are below."""
        value = self.any_value()
        if isinstance(value, Value):
            for name in names_of(value):
                inner = getattr(value, name, None)
                if self.chance.random() < 0.1:
                    self.held.append(inner)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Value) and names_of(item):
                    getattr(item, self.chance.choice(names_of(item)), None)

    def change(self) -> None:
        value = self.any_value()
        if isinstance(value, Value) and names_of(value):
            name = self.chance.choice(names_of(value))
            if self.chance.random() < 0.2:
                with suppress(AttributeError):  # it was not read, or is gone
                    delattr(value, name)
            else:
                put(value, name, self.any_content())
        elif isinstance(value, list):
            at = self.chance.randrange(len(value) + 1)
            value[at : at + self.chance.randrange(3)] = [self.any_content()][: self.chance.randrange(2)]

    def exchange(self) -> None:
        """Puts a part of one value where another has one of the same name."""
        one, other = self.any_value(), self.any_value()
        if isinstance(one, Value) and type(one) is type(other) and names_of(one):
            name = self.chance.choice(names_of(one))
            if hasattr(other, name):
                put(one, name, getattr(other, name))
        elif isinstance(one, list) and isinstance(other, list) and other:
            one[: self.chance.randrange(3)] = other[: self.chance.randrange(3)]

    def write(self) -> None:
        value = self.any_value()
        if isinstance(value, Value):
            try:
                data = value.to_bytes()
                read = type(value).from_bytes(data)
            except REFUSED:
                return
            read.to_bytes()
            self.held.append(read)
            if type(value) is FileMetaData and len(data) < 50_000:
                self.raws[self.chance.randrange(len(self.raws) - 1) if len(self.raws) > 9 else len(self.raws) :] = [
                    data
                ]

    def keep(self) -> None:
        self.held.append(self.any_value())

    def drop(self) -> None:
        self.chance.shuffle(self.held)
        del self.held[self.chance.randrange(len(self.held) + 1) :]

    def give_another_class(self) -> None:
        value = self.any_value()
        if isinstance(value, Value) and self.chance.random() < 0.1:
            with suppress(TypeError, AttributeError):  # unions are immutable
                value.__class__ = type("Other", (type(value),), {"__slots__": ()})

    def copied(self) -> None:
        value = self.any_value()
        if isinstance(value, Value):
            try:
                self.held.append(copy.copy(value))
                assert self.held[-1] == value
            except (*REFUSED, RecursionError):  # what was exchanged may hold itself
                pass

    def collect(self) -> None:
        if self.chance.random() < 0.05:
            gc.collect()


def main(seed: int, seconds: float) -> None:
    """Lives for a time, each thousand steps with a seed of its own, which is printed first."""
    faulthandler.enable()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        print("seed", seed, flush=True)
        lives = Lives(seed)
        for _ in range(1000):
            lives.run()
            del lives.held[:-40]
        seed += 1
