"""Base of text codecs, and conversion through distinct values for types without vectorised code."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute

Array: TypeAlias = Any
Texts: TypeAlias = Any
Mask: TypeAlias = Any

pc: Any = pyarrow.compute

#: Holds every decimal of 38 digits, independent of the context of the calling thread.
WIDE = decimal.Context(prec=80, Emin=-999999, Emax=999999)


class TextCodec:
    """Text codec of one logical type; ``storage`` is the Arrow type whose integers or strings ``encode_array`` reads."""

    __slots__ = ()

    @property
    def storage(self) -> pa.DataType:
        raise TypeError(f"{type(self).__name__}: has no Arrow form")

    def encode(self, value: Any) -> str:
        raise TypeError(f"{type(self).__name__}: writes no text")

    def decode(self, text: str) -> Any:
        raise TypeError(f"{type(self).__name__}: reads no text")

    def encode_array(self, array: Array) -> Texts:
        """Returns the texts of ``array``, whose type is ``storage``."""
        return by_distinct(array, lambda values: pa.array([self.encode(v) for v in plain(values)], pa.string()))

    def decode_array(self, texts: Texts) -> Array:
        """Returns the values of ``texts`` as an array of the type ``storage``."""
        return by_distinct(texts, self.decode_values)

    def decode_values(self, texts: Texts) -> Array:
        """Returns ``decode`` of every text; there are no nulls among them."""
        return unplain([self.decode(text) for text in texts.to_pylist()], self.storage)


def by_distinct(array: Array, convert: Callable[[Array], Array]) -> Array:
    """Returns ``convert`` applied to the distinct non-null values of ``array``, spread over its rows again."""
    # Floats are compared by their bits, since 0.0 and -0.0 are equal but have different texts.
    bits = {pa.float32(): pa.int32(), pa.float64(): pa.int64()}.get(array.type, array.type)
    encoded = pc.dictionary_encode(array.view(bits) if bits != array.type else array)
    return pc.take(convert(encoded.dictionary.view(array.type)), encoded.indices)


def patch(array: Array, texts: Texts, mask: Mask, codec: TextCodec) -> Texts:
    """Returns ``texts`` with the rows of ``mask`` encoded again, value by value, from ``array``."""
    mask = pc.fill_null(mask, False)
    if not pc.any(mask, min_count=0).as_py():
        return texts
    again = TextCodec.encode_array(codec, pc.filter(array, mask))
    return pc.replace_with_mask(texts, mask, again)


def plain(array: Array) -> list[Any]:
    """Returns the values of ``array`` as the codecs know them: integers for everything that counts days or microseconds."""
    if pa.types.is_date32(array.type):
        array = array.view(pa.int32())
    elif pa.types.is_timestamp(array.type) or pa.types.is_duration(array.type):
        array = array.view(pa.int64())
    elif pa.types.is_decimal128(array.type):
        scale = array.type.scale
        return [None if v is None else int(v.scaleb(scale, WIDE)) for v in array.to_pylist()]
    values: list[Any] = array.to_pylist()
    return values


def unplain(values: list[Any], storage: pa.DataType) -> Array:
    """Returns the array of type ``storage`` that holds ``values``; the inverse of ``plain``."""
    if pa.types.is_date32(storage):
        return pa.array(values, pa.int32()).view(storage)
    if pa.types.is_timestamp(storage) or pa.types.is_duration(storage):
        return pa.array(values, pa.int64()).view(storage)
    if pa.types.is_decimal128(storage):
        scale = storage.scale
        return pa.array([None if v is None else WIDE.create_decimal(v).scaleb(-scale, WIDE) for v in values], storage)
    return pa.array(values, storage)
