"""Floating point in the layout of Java's `Double.toString` and `Float.toString`, with the shortest digits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...runtime.errors import DecodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, patch, pc

_REPR = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"([+-]?)(nan|inf|infinity)", re.I | re.A)
_PLAIN_NUMBER = r"^(-?[0-9]{1,40}(\.[0-9]{1,40})?([eE]-?[0-9]{1,3})?|NaN|-?Infinity)$"
_JAVA = r"^-?([0-9]{1,7}\.([0-9]*[1-9]|0)|[1-9]\.([0-9]*[1-9]|0)E-?[1-9][0-9]*)$"
_PLAIN_LOW, _PLAIN_HIGH = 1e-3, 1e7
_MAX_DIGITS = 2000
#: The lowest of the powers of ten by which Arrow's plain notation is rewritten with an exponent.
_LOWEST = -8
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(_LOWEST, 19)])


@extern_codec
@dataclass(frozen=True)
class JavaFloat(TextCodec):
    """A float of 32 or 64 ``bits``: plain notation for 1e-3 <= |x| < 1e7, else `d.dddE<exp>`; `NaN`, `Infinity`, `-0.0`.

    The digits are the shortest that read back to the same value in the own width. With ``two_digits`` one digit becomes
    the nearest two, as Java asks for: that changes some of the smallest subnormals only (`4.9E-324` for `5.0E-324`).
    """

    bits: int
    two_digits: bool = False

    def __post_init__(self) -> None:
        if self.bits not in (32, 64):
            raise ValueError(f"bits: 32 or 64 is needed, not {self.bits!r}")

    @property
    def storage(self) -> pa.DataType:
        return pa.float32() if self.bits == 32 else pa.float64()

    def encode(self, value: float) -> str:
        """``value`` must be exact in the own width."""
        if value != value:
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        if value == 0:
            return "-0.0" if math.copysign(1, value) < 0 else "0.0"
        text = repr(abs(value)) if self.bits == 64 else str(np.float32(abs(value)))
        sign = "-" if value < 0 else ""
        if _PLAIN_LOW <= abs(value) < _PLAIN_HIGH and "e" not in text:
            return sign + text
        digits, exponent = self._digits(text, abs(value))
        return sign + _layout(digits, exponent)

    def decode(self, text: str) -> float:
        """Returns the float of a decimal number, `NaN`, `inf` or `Infinity` in any case, correctly rounded to ``bits``."""
        if word := _WORD.fullmatch(text):
            return float(word[0])
        if len(text) > _MAX_DIGITS or not _NUMBER.fullmatch(text):
            raise DecodeError("a float is a decimal number with an optional exponent, NaN or Infinity")
        # A 32-bit float is not parsed as a double, which would round it twice.
        value = float(text) if self.bits == 64 else float(pc.cast(pa.scalar(text), pa.float32()).as_py())
        if math.isinf(value):
            raise DecodeError(f"the number is outside the range of a {self.bits}-bit float")
        return value

    def encode_array(self, array: Array) -> Texts:
        texts = _java_layout(array, pc.cast(array, pa.string()))
        wrong = pc.and_(pc.invert(pc.match_substring_regex(texts, _JAVA)), pc.is_finite(array))
        if self.two_digits:
            wrong = pc.or_(wrong, pc.and_(pc.less(pc.abs(array), self._subnormal), pc.not_equal(array, 0.0)))
        return patch(array, texts, wrong, self)

    def decode_array(self, texts: Texts) -> Array:
        if pc.all(pc.match_substring_regex(texts, _PLAIN_NUMBER), min_count=0).as_py():
            values = pc.cast(texts, self.storage)
            infinite = pc.filter(texts, pc.is_inf(values))
            if pc.all(pc.match_substring(infinite, "Infinity"), min_count=0).as_py():
                return values
        return super().decode_array(texts)

    @property
    def _subnormal(self) -> float:
        """The bound below which neighbours are so far apart that one digit distinguishes them."""
        return 1e-321 if self.bits == 64 else 1e-42

    def _digits(self, text: str, value: float) -> tuple[str, int]:
        """Returns the digits without zeros around them, and the exponent of the first."""
        if self.two_digits and value < self._subnormal:
            two = f"{value:.1e}"
            if len(_split(text)[0]) == 1:
                text = two
        return _split(text)


def _split(text: str) -> tuple[str, int]:
    match = _REPR.fullmatch(text)
    assert match is not None, text
    whole, fraction = match[1], match[2] or ""
    digits = (whole + fraction).lstrip("0")
    exponent = len(digits) - len(fraction) - 1 + int(match[3] or 0)
    return digits.rstrip("0") or "0", exponent


def _layout(digits: str, exponent: int) -> str:
    """Returns Java's text of 0.d1d2d3... x 10^(exponent + 1)."""
    if not -3 <= exponent < 7:
        return f"{digits[0]}.{digits[1:] or '0'}E{exponent}"
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole}.{digits[exponent + 1 :] or '0'}"


def _java_layout(array: Array, texts: Texts) -> Texts:
    """Returns Arrow's shortest digits in Java's layout; other forms stay, and fail the comparison."""
    # Compared in the array's own width: the float32 nearest to 1e-6 is below the float64.
    size = np.abs(pc.fill_null(array, 0.0).to_numpy())
    whole = pc.invert(pc.match_substring(texts, "."))
    texts = _rewrite(texts, whole, [(r"^(-?[0-9]+)$", r"\1.0"), (r"^(-?[0-9])e", r"\1.0e")])
    texts = _rewrite(texts, np.isnan(size), [("^.*$", "NaN")])
    texts = _rewrite(texts, np.isinf(size), [("^(-?).*$", r"\1Infinity")])
    group = np.searchsorted(_POWERS.astype(size.dtype), size, side="right")
    unusual = np.isfinite(size) & (size != 0) & ((size < _PLAIN_LOW) | (size >= _PLAIN_HIGH))
    for number in np.unique(group[unusual]):
        texts = _rewrite(texts, unusual & (group == number), _rules(int(number) + _LOWEST - 1))
    return texts


def _rules(exponent: int) -> list[tuple[str, str]]:
    """Rewrites of a number whose first digit stands for 10^exponent, outside the plain range of Java."""
    rules = [(r"e\+?", "E")]
    if 7 <= exponent < 18:
        rules += [
            (rf"^(-?[0-9])([0-9]{{{exponent}}})\.([0-9]+)$", rf"\1.\2\3E{exponent}"),
            (r"^(-?[0-9]\.[0-9]+?)0+E", r"\1E"),
        ]
    elif _LOWEST <= exponent < -3:
        zeros = -exponent - 1
        rules += [(rf"^(-?)0\.0{{{zeros}}}([1-9])([0-9]*)$", rf"\1\2.\3E{exponent}"), (r"\.E", ".0E")]
    return rules


def _rewrite(texts: Texts, rows: Any, rules: list[tuple[str, str]]) -> Texts:
    """``texts`` with the rules (pattern, replacement) applied in turn to the rows of the mask ``rows``."""
    mask = pc.fill_null(rows, False) if isinstance(rows, pa.Array) else pa.array(rows)
    if not pc.any(mask, min_count=0).as_py():
        return texts
    chosen = pc.filter(texts, mask)
    for pattern, replacement in rules:
        chosen = pc.replace_substring_regex(chosen, pattern, replacement)
    return pc.replace_with_mask(texts, mask, chosen)
