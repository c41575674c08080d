"""The classes of Python that the formats of Kaitai's tests name: processes, and a type of another module."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from lakecodec import extern_codec, import_idl


@extern_codec
class MyCustomFx:
    """Adds or takes away a key, bytewise."""

    def __init__(self, key: int, adds: bool, some_bytes: bytes) -> None:
        self._key = key if adds else -key

    def decode(self, data: Any) -> bytes:
        return bytes((each + self._key) & 255 for each in bytes(data))

    def encode(self, value: Any) -> bytes:
        return bytes((each - self._key) & 255 for each in bytes(value))


@extern_codec
class CustomFx:
    """Puts an underscore at both ends."""

    def __init__(self, key: int) -> None:
        pass

    def decode(self, data: Any) -> bytes:
        return b"_" + bytes(data) + b"_"

    def encode(self, value: Any) -> bytes:
        return bytes(value)[1:-1]


@extern_codec
class CustomFxNoArgs(CustomFx):
    """The same without a key."""

    def __init__(self) -> None:
        pass


def install(formats: Path) -> None:
    """Makes the modules that the formats name."""
    if "my_custom_fx" in sys.modules:
        return
    hello = import_idl(formats / "hello_world.ksy").module().HelloWorld

    @extern_codec
    class HelloWorld:
        """A type of another file: one byte, wherever it stands."""

        @staticmethod
        def read(data: memoryview, pos: int) -> tuple[Any, int]:
            return hello.from_bytes(bytes(data[pos : pos + 1])), pos + 1

        @staticmethod
        def write(value: Any) -> bytes:
            return bytes(value.to_bytes())

    found = {
        "my_custom_fx": MyCustomFx, "nested": None, "nested.deeply": CustomFx, "custom_fx_no_args": CustomFxNoArgs,
        "hello_world": HelloWorld,
    }  # fmt: skip
    for name, cls in found.items():
        module = sys.modules.setdefault(name, ModuleType(name))
        if cls is not None:
            setattr(module, cls.__name__, cls)
