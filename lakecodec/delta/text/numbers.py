"""Integers, decimals of fixed scale, and types of two words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, patch, pc

_INTEGER = re.compile(r"[+-]?[0-9]+")
_PLAIN_INTEGER = r"^-?[0-9]{1,19}$"
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?")


@extern_codec
@dataclass(frozen=True)
class Integer(TextCodec):
    """A two's-complement integer of ``bits`` bits in decimal: `-` only when negative, no `+`, no leading zeros."""

    bits: int

    @property
    def storage(self) -> pa.DataType:
        return {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[self.bits]

    def encode(self, value: int) -> str:
        bound = 1 << (self.bits - 1)
        if not -bound <= value < bound:
            raise EncodeError(f"{value} does not fit in {self.bits} bits")
        return str(value)

    def decode(self, text: str) -> int:
        """Returns the integer of an optional sign and ASCII digits, checked against its range; no spaces and no `_`."""
        if not _INTEGER.fullmatch(text):
            raise DecodeError("an integer is an optional sign and digits")
        # More than 20 digits fit no type. Cutting there keeps a hostile text from taking quadratic time.
        digits = text.lstrip("+-").lstrip("0")[:20] or "0"
        value = -int(digits) if text[0] == "-" else int(digits)
        bound = 1 << (self.bits - 1)
        if not -bound <= value < bound:
            raise DecodeError(f"the integer does not fit in {self.bits} bits")
        return value

    def encode_array(self, array: Array) -> Texts:
        return pc.cast(array, pa.string())

    def decode_array(self, texts: Texts) -> Array:
        if pc.all(pc.match_substring_regex(texts, _PLAIN_INTEGER), min_count=0).as_py():
            try:
                return pc.cast(texts, self.storage)
            except pa.ArrowInvalid:  # out of range: the loop over single values below names the text
                pass
        return super().decode_array(texts)


@extern_codec
@dataclass(frozen=True)
class Decimal(TextCodec):
    """An unscaled integer with exactly ``scale`` digits after the point and at least one before it, never an exponent."""

    precision: int
    scale: int

    @property
    def storage(self) -> pa.DataType:
        return pa.decimal128(self.precision, self.scale)

    def encode(self, value: int) -> str:
        digits = str(abs(value))
        if len(digits) > self.precision and value:
            raise EncodeError(f"{len(digits)} digits do not fit in decimal({self.precision},{self.scale})")
        sign = "-" if value < 0 else ""
        if self.scale == 0:
            return sign + digits
        digits = digits.rjust(self.scale + 1, "0")
        return f"{sign}{digits[: -self.scale]}.{digits[-self.scale :]}"

    def decode(self, text: str) -> int:
        """Returns the unscaled integer of a text. The digits after the point minus an optional exponent must be ``scale``."""
        match = _DECIMAL.fullmatch(text)
        if not match or not (match[2] or match[3]):
            raise DecodeError("a decimal is an optional sign, digits with an optional point, and an optional exponent")
        fraction = match[3] or ""
        scale = len(fraction) - int(match[4] or 0)
        if scale != self.scale:
            raise DecodeError(f"the decimal has scale {scale}, the column has scale {self.scale}")
        digits = (match[2] + fraction).lstrip("0")
        if len(digits) > self.precision:
            raise DecodeError(f"the decimal has {len(digits)} digits, the column at most {self.precision}")
        value = int(digits or "0")
        return -value if match[1] == "-" else value

    def encode_array(self, array: Array) -> Texts:
        texts = pc.cast(array, pa.string())
        # Arrow writes small values with an exponent, among them zeros with many decimals.
        return patch(array, texts, pc.match_substring(texts, "E"), self)

    def decode_array(self, texts: Texts) -> Array:
        fraction = rf"\.[0-9]{{{self.scale}}}" if self.scale else ""
        plain = rf"^-?[0-9]{{1,{max(self.precision - self.scale, 1)}}}{fraction}$"
        if pc.all(pc.match_substring_regex(texts, plain), min_count=0).as_py():
            try:
                return pc.cast(texts, self.storage)
            except pa.ArrowInvalid:  # a zero before the point, though all digits belong behind the point
                pass
        return super().decode_array(texts)


@extern_codec
@dataclass(frozen=True)
class Words(TextCodec):
    """A truth value as one of two words; any case is accepted on the way back."""

    yes: str
    no: str

    @property
    def storage(self) -> pa.DataType:
        return pa.bool_()

    def encode(self, value: bool) -> str:
        return self.yes if value else self.no

    def decode(self, text: str) -> bool:
        # Only ASCII letters have case here: `ı` or `ſ` must not become a letter of a word.
        folded = text.lower() if text.isascii() else text
        if folded == self.yes:
            return True
        if folded == self.no:
            return False
        raise DecodeError(f"a boolean is {self.yes!r} or {self.no!r}")

    def encode_array(self, array: Array) -> Texts:
        return pc.if_else(array, pa.scalar(self.yes), pa.scalar(self.no))

    def decode_array(self, texts: Texts) -> Any:
        return super().decode_array(texts)
