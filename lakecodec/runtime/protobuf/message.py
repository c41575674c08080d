"""Base classes of generated messages and oneofs, which read and write protobuf's wire format."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from ..compact.base import Codec, decoded
from ..compact.rules import TextPolicy
from ..limits import Limits
from ..objects import Value
from ..struct_values import StructValue, UnionValue
from .read import check_fields


class _Unknown(Value):
    """The slot for unknown fields; unset while there are none."""

    __slots__ = ("_unknown",)


class Message(StructValue, _Unknown):
    """Base class of a generated message: an attribute for each field; absent optional fields are None."""

    __slots__ = ()
    __kind__: ClassVar = "message"
    __codec__: ClassVar[Codec]
    _unknown: bytes | bytearray

    @classmethod
    def from_bytes(
        cls, data: Any, *, limits: Limits | None = None, views: bool = False, text: TextPolicy = "strict"
    ) -> Self:
        """Returns the message that takes all of ``data``.

        Args:
            data: any C-contiguous bytes-like object; it is not copied.
            limits: bounds on depth and elements; the defaults suit files of unknown origin.
            views: return bytes as memoryviews of ``data`` instead of copies.
            text: what to do with strings that are not UTF-8.

        Raises:
            DecodeError: ``data`` breaks a rule of the wire format, or lacks a required field.
            ValueError: ``text`` is no such policy.
        """
        return cls.read(data, limits=limits, views=views, text=text)[0]

    @classmethod
    def read(
        cls, data: Any, pos: int = 0, *, limits: Limits | None = None, views: bool = False, text: TextPolicy = "strict"
    ) -> tuple[Self, int]:
        """Returns the message from ``pos`` to the end of ``data``, and that end; the rest as in ``from_bytes``.

        Raises:
            ValueError: ``pos`` is negative or behind the end of ``data``.
        """
        value, end = decoded(cls.__codec__, data, pos, limits, views, text)
        return value if type(value) is cls else cls._adopt(value), end

    _read_kept = read

    def to_bytes(self, *, text: TextPolicy = "strict") -> bytes:
        """Returns the message in protobuf's wire format: fields by number, then those that the class does not know.

        Args:
            text: what to do with strings that cannot be written as UTF-8.

        Raises:
            EncodeError: a field's value does not fit its type; the error's path names the field.
        """
        return self.__codec__.encode(self, text)

    @property
    def unknown_fields(self) -> bytes:
        """The bytes (tags and values) of fields that were read but that the class does not know; they are written back.

        Raises:
            ValueError: bytes that are set are not whole fields.
        """
        try:
            return bytes(self._unknown)
        except AttributeError:
            return b""

    @unknown_fields.setter
    def unknown_fields(self, data: bytes) -> None:
        found = bytes(memoryview(data))
        check_fields(found)
        self._unknown = found

    def _equals(self, other: Any) -> bool:
        return super()._equals(other) and self.unknown_fields == other.unknown_fields

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        made = super()._adopt(value)
        made._unknown = value.unknown_fields
        return made

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        name, parts = super()._repr_parts()
        return name, [*parts, ("unknown_fields", self.unknown_fields)] if self.unknown_fields else parts


class Oneof(UnionValue):
    """Base class of generated oneofs: the member that is set, which is a field of the enclosing message."""

    __slots__ = ()
    __kind__: ClassVar = "oneof"
    __singletons__: ClassVar[dict[int, Any]] = {}
