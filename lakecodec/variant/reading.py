"""Reading of values by the generated records: names of metadata, the head of a value, and the offsets of its parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ..generated.variant import Body, Metadata, Value
from ..runtime.errors import DecodeError
from ..runtime.records.read import MAX_DEPTH

#: The format in errors.
FORMAT = "variant.Value"
#: Metadata up to this size is kept decoded, since rows of a column often share it.
_SHORT = 4096
#: The alternatives that contain other values, which follow the header.
_COMPOUND = (Body.OBJECT, Body.ARRAY)


def names_of(metadata: bytes) -> tuple[str, ...]:
    """Returns the names of fields that metadata holds.

    Raises:
        DecodeError: the bytes are not metadata of version 1.
    """
    return _kept_names(metadata) if len(metadata) <= _SHORT else _names(metadata)


def _names(metadata: bytes) -> tuple[str, ...]:
    return tuple(Metadata.from_bytes(metadata).names)


_kept_names = lru_cache(256)(_names)


def head(data: bytes, at: int) -> tuple[Any, int]:
    """Returns the body of the value at an offset, and the offset behind its head.

    Raises:
        DecodeError: no value stands there.
    """
    if at >= len(data):
        raise DecodeError("there is no value: the bytes end before it", format=FORMAT, offset=at)
    value, end = Value.read(data, at)
    body: Any = value.body
    if isinstance(body, _COMPOUND) and end + body.offsets[-1] > len(data):
        raise DecodeError("the values end past the end of the bytes", format=FORMAT, offset=at)
    return body, end


def end_of(data: bytes, at: int) -> int:
    """Returns the offset behind the value at an offset.

    Raises:
        DecodeError: there is no value, or it ends past the end of the bytes.
    """
    body, end = head(data, at)
    return end + body.offsets[-1] if isinstance(body, _COMPOUND) else end


def elements_of(body: Any, start: int) -> list[int]:
    """Returns the offsets of the elements of an array."""
    return [start + each for each in list(body.offsets)[:-1]]


def fields_of(body: Any, start: int, names: tuple[str, ...]) -> list[tuple[str, int]]:
    """Returns the names of an object's fields and the offsets of their values.

    Raises:
        DecodeError: a name is not in the metadata, or occurs twice.
    """
    try:
        found = [names[each] for each in body.ids]
    except IndexError:
        raise DecodeError(
            f"a field has the name {body.ids.max()}, the metadata has {len(names)} names", format=FORMAT, offset=start
        ) from None
    if len(set(found)) != len(found):
        raise DecodeError("an object has a field twice", format=FORMAT, offset=start)
    return list(zip(found, elements_of(body, start), strict=True))


class Walk:
    """One visit of all parts of a value, bounded by its bytes: parts that share bytes are refused.

    Args:
        metadata, value: the two byte strings.
        scalar, compound: make results of a primitive body, and of the results of an object's fields or an array's elements.
    """

    def __init__(
        self,
        metadata: bytes,
        value: bytes,
        scalar: Callable[[Any], Any],
        compound: Callable[[list[Any], list[str] | None], Any],
    ) -> None:
        self._names = names_of(metadata)
        self._value = value
        self._scalar, self._compound = scalar, compound
        self._left = len(value)

    def visit(self, at: int, depth: int = 0) -> Any:
        """Returns the result for the value at an offset.

        Raises:
            DecodeError: the bytes are not a value.
        """
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            rule = "values share bytes" if self._left < 0 else f"values are nested deeper than {MAX_DEPTH} levels"
            raise DecodeError(rule, format=FORMAT, offset=at)
        body, start = head(self._value, at)
        if isinstance(body, Body.OBJECT):
            fields = fields_of(body, start, self._names)
            return self._compound([self.visit(place, depth + 1) for _, place in fields], [name for name, _ in fields])
        if isinstance(body, Body.ARRAY):
            return self._compound([self.visit(place, depth + 1) for place in elements_of(body, start)], None)
        return self._scalar(body)
