"""Runs of fixed-width fields, which are read and written in one step."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from ..errors import DecodeError, EncodeError
from .fits import NOT_PACKED, mistyped, number_error, other_length, rounds
from .nans import FLOATS, packed, unpacked
from .read import short


class Layout:
    """The fields of a run: names, and the struct module's codes for them."""

    __slots__ = (
        "_codes", "_names", "_order", "_texts", "are_likely", "floats", "offsets", "pack", "size", "unpack_from", "whole",
    )  # fmt: skip

    def __init__(self, order: str, /, **fields: str) -> None:
        """Takes the byte order ``<`` or ``>`` and a mapping of names to codes, such as `4s` for four bytes."""
        whole = struct.Struct(order + "".join(fields.values()))
        self.size = whole.size
        self.unpack_from: Callable[[Any, int], tuple[Any, ...]] = whole.unpack_from
        self.pack = self.whole = whole.pack
        #: Whether values are of the types that most are, and `whole` packs all of them as they are.
        self.are_likely: Callable[..., bool] = self._print_likely
        self._order = order
        self._names = tuple(fields)
        self._codes = tuple(fields.values())
        sizes = (struct.calcsize(order + code) for code in self._codes)
        #: The offset of each field in the run.
        self.offsets = dict(zip(fields, accumulate(sizes, initial=0), strict=False))
        #: Positions and sizes of the fields that are bytes.
        self._texts = [(at, int(code[:-1] or 1)) for at, code in enumerate(self._codes) if code.endswith("s")]
        if self._texts:
            # The struct module pads or cuts bytes of another length without an error.
            self.pack = self._checked
        #: Indexes of the floats narrower than Python's, whose NaNs would lose bits.
        self.floats = tuple(at for at, code in enumerate(self._codes) if code in FLOATS)

    def likely(self, values: Sequence[str]) -> str:
        """Returns the expression of `are_likely` about variables."""
        looks = list[str]()
        for value, code in zip(values, self._codes, strict=True):
            kind = "bytes" if code.endswith("s") else "float" if code in "efd" else "int"
            looks.append(f"type({value}) is {kind}")
            looks += [f"{value} == {value}"] * (code in FLOATS)
        looks += [f"len({values[at]}) == {size}" for at, size in self._texts]
        return " and ".join(looks)

    def _print_likely(self, *values: Any) -> bool:
        names = [f"_{number}" for number in range(len(self._codes))]
        self.are_likely = eval(f"lambda {', '.join(names)}: {self.likely(names)}")
        return self.are_likely(*values)

    def read_nans(self, values: tuple[Any, ...], buf: Any, pos: int) -> tuple[Any, ...]:
        """Returns the values at a position; NaNs keep all of their bits."""
        places = zip(values, self._codes, self.offsets.values(), strict=True)
        return tuple(
            unpacked(self._order + code, buf, pos + offset) if code in FLOATS else value
            for value, code, offset in places
        )

    def written_nans(self, made: bytes, values: tuple[Any, ...]) -> bytes:
        """Returns the bytes of values; NaNs keep all of their bits."""
        parts = bytearray(made)
        for value, code, offset in zip(values, self._codes, self.offsets.values(), strict=True):
            if code in FLOATS:
                parts[offset : offset + struct.calcsize(code)] = packed(self._order + code, value)
        return bytes(parts)

    def _checked(self, *values: Any) -> bytes:
        for at, size in self._texts:
            value = values[at]
            if not isinstance(value, bytes | bytearray) or len(value) != size:
                raise TypeError
        return self.whole(*values)

    def rounds(self, values: Sequence[Any]) -> bool:
        """Returns whether a float holds another number than an integer that is given for it."""
        return any(map(rounds, self._codes, values))

    def short(self, buf: Any, pos: int) -> DecodeError:
        """Returns the error of the first field that does not fit the bytes left."""
        for name, code in zip(self._names, self._codes, strict=True):
            size = struct.calcsize(self._order + code)
            if size > len(buf) - pos:
                error = short(buf, pos, size)
                error.path = name
                return error
            pos += size
        raise AssertionError("the run fits")

    def unfit(self, values: tuple[Any, ...]) -> EncodeError:
        """Returns the error of the first value that does not fit its field."""
        for name, code, value in zip(self._names, self._codes, values, strict=True):
            rule = _text_error(code, value) if code.endswith("s") else _value_error(self._order, code, value)
            if rule:
                return EncodeError(rule, path=name)
        raise AssertionError("the values fit")


def _text_error(code: str, value: Any) -> str:
    size = int(code[:-1] or 1)
    if not isinstance(value, bytes | bytearray):
        return mistyped("bytes are", value).rule
    return other_length(size, "byte", len(value)).rule if len(value) != size else ""


def _value_error(order: str, code: str, value: Any) -> str:
    try:
        struct.pack(order + code, value)
        return number_error(code, value) if rounds(code, value) else ""
    except NOT_PACKED:
        return number_error(code, value)
