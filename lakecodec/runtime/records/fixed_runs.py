"""Runs of fixed-width fields, which are read and written in one step."""

from __future__ import annotations

import struct
from typing import Any

from ..errors import DecodeError, EncodeError
from .write import mistyped, unfit_number


class Layout:
    """The fields of a run: names, and the struct module's codes for them."""

    __slots__ = ("_codes", "_names", "_order", "_pack", "_texts", "_unpack", "size")

    def __init__(self, order: str, /, **fields: str) -> None:
        """``order`` is ``<`` or ``>``; ``fields`` maps names to codes, `4s` for four bytes."""
        whole = struct.Struct(order + "".join(fields.values()))
        self.size = whole.size
        self._unpack = whole.unpack_from
        self._pack = whole.pack
        self._order = order
        self._names = tuple(fields)
        self._codes = tuple(fields.values())
        self._texts = tuple(number for number, code in enumerate(self._codes) if code.endswith("s"))

    def unpack(self, buf: Any, pos: int) -> tuple[Any, ...]:
        try:
            return self._unpack(buf, pos)
        except struct.error:
            raise self._short(buf, pos) from None

    def pack(self, *values: Any) -> bytes:
        for number in self._texts:
            self._check_text(number, values[number])
        try:
            return self._pack(*values)
        except (struct.error, TypeError, OverflowError):
            raise self._unfit(values) from None

    def _short(self, buf: Any, pos: int) -> DecodeError:
        """Returns the error of the first field that the bytes left do not hold."""
        for name, code in zip(self._names, self._codes, strict=True):
            size, left = struct.calcsize(self._order + code), len(buf) - pos
            if size > left:
                return DecodeError(f"{size} bytes are needed, {left} are left", path=name, offset=pos)
            pos += size
        raise AssertionError("the run fits")

    def _unfit(self, values: tuple[Any, ...]) -> EncodeError:
        """Returns the error of the first value that does not fit its field."""
        for name, code, value in zip(self._names, self._codes, values, strict=True):
            try:
                struct.pack(self._order + code, value)
            except (struct.error, TypeError, OverflowError):
                return EncodeError(unfit_number(code, value), path=name)
        raise AssertionError("the values fit")

    def _check_text(self, number: int, value: Any) -> None:
        size = int(self._codes[number][:-1] or 1)
        if not isinstance(value, bytes | bytearray):
            rule = mistyped("bytes are", value).rule
        elif len(value) != size:
            rule = f"{size} bytes are needed, not {len(value)}"
        else:
            return
        raise EncodeError(rule, path=self._names[number])
