"""Structs within records that keep what their classes do not know, and write it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..memo import kept_with
from .values import new_struct
from .wire import STOP, UUID, read_field_header, skip_value, write_field_header

#: A field that a class does not know: its id, its wire type, its value as it was written.
Unknown = tuple[int, int, bytes]
#: Levels of nesting that were passed when the bytes were read.
_ROOM = 1 << 30


class KeepsUnknown:
    """A struct that keeps unknown fields; a base of the class that `_keeping` makes of the struct's."""

    __slots__ = ()
    #: Fields, and the bytes between the end of the struct and the end of its size.
    _unknown_fields_: tuple[tuple[Unknown, ...], bytes]

    def _equals(self, other: Any) -> bool:
        return bool(self._unknown_fields_ == other._unknown_fields_ and _values(self) == _values(other))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self).__mro__[2], _values(self), self._unknown_fields_)

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        name, parts = super()._repr_parts()  # type: ignore[misc]
        shown = [("unknown_fields", unknown_fields(self)), ("rest", self._unknown_fields_[1])]
        return name, [*parts, *(each for each in shown if each[1])]


def _values(struct: Any) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in type(struct).__match_args__ if hasattr(struct, name)}


@kept_with
def _keeping(cls: Any) -> Any:
    """Returns the class of those structs of a class that keep unknown fields.

    A slot in every struct would take memory and time where nothing is unknown.
    """
    space = {
        "__slots__": ("_unknown_fields_",),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": vars(cls).get("__doc__"),
    }
    made = type(cls)(cls.__name__, (KeepsUnknown, cls), space)
    type.__setattr__(made, "__match_args__", cls.__match_args__)
    return made


def _restored(cls: Any, values: dict[str, Any], unknown: tuple[tuple[Unknown, ...], bytes]) -> Any:
    made = new_struct(_keeping(cls))
    for name, value in values.items():
        setattr(made, name, value)
    made._unknown_fields_ = unknown
    return made


def with_unknown(struct: Any, fields: Iterable[Unknown]) -> Any:
    """Returns a struct that keeps fields."""
    return _restored(type(struct), _values(struct), (tuple(fields), b""))


def with_rest(struct: Any, rest: bytes) -> Any:
    """Returns a struct that keeps the bytes behind it as well."""
    if struct.__kind__ != "struct" or "lakecodec.codec" in struct.__spec__.annotations:
        raise TypeError(f"{type(struct).__name__} keeps no bytes behind it")
    is_kept = isinstance(struct, KeepsUnknown)
    cls, fields = (type(struct).__mro__[2], struct._unknown_fields_[0]) if is_kept else (type(struct), ())
    return _restored(cls, _values(struct), (fields, rest))


def unknown_fields(struct: Any) -> bytes:
    """Returns the fields that a struct keeps, as bytes; empty if it keeps none."""
    return written_with(b"", struct._unknown_fields_[0])[:-1] if isinstance(struct, KeepsUnknown) else b""


def written(data: bytes, struct: KeepsUnknown) -> bytes:
    """Returns the bytes of a struct, of whose known fields ``data`` are, with all that it keeps."""
    fields, rest = struct._unknown_fields_
    return written_with(data, fields) + rest


def written_with(data: bytes, unknown: tuple[Unknown, ...]) -> bytes:
    """Returns the bytes of a struct with further fields; they are in the order of their ids, as writers put them."""
    out, last = bytearray(), 0
    for id_, wire, value in sorted([*_fields(data), *unknown], key=lambda field: field[0]):
        last = write_field_header(out, last, id_, wire)
        out += value
    out.append(STOP)
    return bytes(out)


def _fields(data: bytes) -> Iterator[Unknown]:
    """Yields the fields of a struct, up to its end or that of the bytes."""
    last = pos = 0
    while pos < len(data):
        last, wire, pos = read_field_header(data, pos, last)
        if wire == STOP:
            return
        assert wire <= UUID
        start, pos = pos, skip_value(data, pos, wire, _ROOM)
        yield last, wire, data[start:pos]
