"""The names that generated records and variants use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .base import FieldCodec, Record
from .fixed_runs import Layout
from .read import unequal
from .reader import Reader
from .rows import computed, derived, field, inlined, parameter, placed, tag
from .trail import Place
from .variant import Variant
from .writer import Writer

if TYPE_CHECKING:
    from ..declaration import Use

_T = TypeVar("_T")
#: The built-in ``type`` under another name, since fields may be called `type`.
Class = type[_T]
#: Makes an instance without its constructor.
new: Any = object.__new__

__all__ = [
    "Class",
    "CodecCache",
    "FieldCodec",
    "Layout",
    "Members",
    "Place",
    "Reader",
    "Record",
    "Variant",
    "Writer",
    "body",
    "computed",
    "derived",
    "field",
    "inlined",
    "new",
    "parameter",
    "placed",
    "tag",
    "unequal",
    "uvarint",
]


def body(**parts: Any) -> dict[str, Any]:
    """Returns the arguments of a record's table beside those of its rows."""
    return parts


class Members(dict[int, Any]):
    """A mapping from numbers to members of an enum; an unknown number maps to itself."""

    def __init__(self, enum: Any) -> None:
        super().__init__(enum._value2member_map_)

    def __missing__(self, number: int) -> int:
        return number


class CodecCache:
    """A cache of one external codec: the same object serves consecutive siblings whose arguments are equal."""

    __slots__ = ("_arguments", "_codec", "_declared", "_factory")

    def __init__(self, declared: Any, writer: Writer | None = None) -> None:
        self._declared = declared
        self._factory = None if writer is None else writer.codec
        self._arguments: Any = None
        self._codec: Any = None

    def of(self, *arguments: Any) -> Any:
        """Returns the codec for ``arguments``: the last one if the arguments are equal, else a new one."""
        if self._codec is None or self._arguments != arguments:
            use: Use = self._declared(*arguments)
            self._codec = use.decoder() if self._factory is None else self._factory(use)
            self._arguments = arguments
        return self._codec


def uvarint(value: int, bits: int) -> bytes:
    """Returns the bytes of an unsigned LEB128 varint.

    Raises:
        EncodeError: ``value`` is negative or needs more than ``bits`` bits.
    """
    out = Writer()
    out.uvarint("", value, bits)
    return bytes(out.data)
