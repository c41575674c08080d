"""What the native reader of records finds, beside what generated readers do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.reader import Reader
from lakecodec.runtime.records.values import Fields

from .. import generated

native: Any = record_backend.native


def writer_of(cls: Any) -> Any:
    """The native program that writes a class; None where it must stay pure."""
    from lakecodec.runtime.records import programs

    return programs.writer_of(cls)


@dataclass(frozen=True, slots=True)
class Call:
    """A record that was read: its class, the bytes from which on, and its parameters."""

    cls: Any
    data: bytes
    pos: int = 0
    parameters: tuple[Any, ...] = ()

    def changed(self, rng: random.Random) -> Call:
        """The same of bytes of which some are others, more or fewer."""
        data = bytearray(self.data)
        for _ in range(rng.randint(1, 3)):
            place = rng.randint(self.pos, len(data))
            data[place : place + rng.randint(0, 2)] = bytes(
                rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256))) for _ in range(rng.randint(0, 2))
            )
        return Call(self.cls, bytes(data), self.pos, self.parameters)

    def cut(self, rng: random.Random) -> Call:
        return Call(self.cls, self.data[: rng.randint(self.pos, len(self.data))], self.pos, self.parameters)


def check(call: Call) -> bool:
    """Whether the bytes are a record: both readers find the same, or both find none."""
    found = native.read(call.cls, Reader(call.data), call.pos, call.parameters)
    try:
        wanted, end = generated.read(call.cls, call.data, call.pos, *call.parameters)
    except CodecError:
        assert found is None, call
        return False
    assert found is not None, call
    assert found[1] == end
    assert contents(found[0]) == contents(wanted)
    return True


#: What records with places keep of what they were asked for, and of what they are read from.
_KEPT_BY_PLACES = ("_source", "_found", "_ends", "_bytes_of", "_original", "_placing")


def contents(value: Any) -> Any:
    """A value with the classes of all that it holds; what two values share is compared where one of them has it."""
    if isinstance(value, Fields):
        names = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
        skipped = {*value._parameters, *_KEPT_BY_PLACES}
        shown = [
            (name, contents(getattr(value, name))) for name in names if name not in skipped and hasattr(value, name)
        ]
        return type(value), shown, [name for name in names if name not in _KEPT_BY_PLACES and hasattr(value, name)]
    if isinstance(value, list):
        return [contents(each) for each in value]
    if isinstance(value, float):
        return value.hex()
    return type(value), value


@contextmanager
def recorded() -> Iterator[list[Call]]:
    """The records without places that are read natively meanwhile; each is found, or its bytes are wrong."""
    calls: list[Call] = []

    def read(cls: Any, at: Any, pos: int, parameters: tuple[Any, ...]) -> Any:
        if not hasattr(cls, "_placed"):
            calls.append(Call(cls, bytes(at.buf), pos, parameters))
        return native.read(cls, at, pos, parameters)

    record_backend.native = SimpleNamespace(read=read)  # type: ignore[assignment]
    try:
        yield calls
    finally:
        record_backend.native = native
