"""Selection of the row kernels: the compiled modules if they are built, else NumPy. ``LAKECODEC_PURE=1`` selects NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runtime.native import load
from . import pure_read, pure_sort, pure_write

_encode = load("row.native.encode", pure_write)
_decode = load("row.native.decode", pure_read)
_sort = load("row.native.sort", pure_sort)

BACKEND = "pure" if _encode is pure_write else "native"
measure, write, read, argsort = pure_write.measure, pure_write.write, pure_read.read, pure_sort.argsort
numbers = pure_write.numbers
if not TYPE_CHECKING:
    measure, write, read, argsort = _encode.measure, _encode.write, _decode.read, _sort.argsort
    numbers = _encode.numbers
#: Encoder that reads Arrow's memory and decoder that writes it; None without the compiled modules.
ArrowEncoder: Any = getattr(_encode, "ArrowEncoder", None)
ArrowDecoder: Any = getattr(_decode, "ArrowDecoder", None)
#: Counting sort of integers in a small range, without keys; None without the compiled module.
argsort_few: Any = getattr(_sort, "argsort_few", None)

__all__ = ["BACKEND", "ArrowDecoder", "ArrowEncoder", "argsort", "argsort_few", "measure", "numbers", "read", "write"]
