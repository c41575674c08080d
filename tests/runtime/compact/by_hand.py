"""A codec written by hand for a struct of an IDL: a temperature in tenths of a degree, two bytes, little-endian."""

from __future__ import annotations

from lakecodec import extern_codec
from lakecodec.runtime.errors import DecodeError, EncodeError


@extern_codec
class Celsius:
    """What the annotation names: ``read`` and ``write``; its values are floats."""

    @staticmethod
    def read(data: memoryview, pos: int) -> tuple[float, int]:
        if len(data) - pos < 2:
            raise DecodeError("a temperature has two bytes", offset=pos)
        return int.from_bytes(data[pos : pos + 2], "little", signed=True) / 10, pos + 2

    @staticmethod
    def write(value: float) -> bytes:
        if not -273.15 <= value <= 3000:
            raise EncodeError("colder than possible, or hotter than expected")
        return round(value * 10).to_bytes(2, "little", signed=True)


@extern_codec
class Failing:
    """A codec whose author thought of nothing: what fails is Python's own error, and its ends lie."""

    @staticmethod
    def read(data: memoryview, pos: int) -> tuple[int, object]:
        number = data[pos]
        if number == 1:
            raise OSError("no answer")
        return number, {2: 10**6, 3: "end", 4: pos - 1}.get(number, pos + 1)

    @staticmethod
    def write(value: int) -> bytes:
        return bytes([value])
