"""Base classes of row codecs: transforms, which keep the number of bytes, and self-delimiting (framed) codecs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ..literal import Column

Data: TypeAlias = bytes | memoryview


class Broken(Exception):
    """Raised for bytes that break a rule: byte offset in the decoded data, and index of the rule in ``order.cells.RULES``."""

    def __init__(self, offset: int, rule: int) -> None:
        super().__init__(offset, rule)
        self.offset = offset
        self.rule = rule


class RowCodec:
    """One step of a `via` chain in row.idl.

    Args:
        column: type, sort options and layout of the column whose values are coded.

    Subclasses take the arguments that row.idl gives after it.

    Raises:
        ValueError: an argument is invalid; the message names it.
    """

    def __init__(self, column: Column) -> None:
        self.column = column

    def bound(self, before: Mapping[str, bytes]) -> Any:
        """Returns the codec of a value, given the bytes of its earlier fields before encoding."""
        return self

    def learn(self, values: Sequence[Any]) -> None:
        """Receives values that will be encoded together; does nothing unless the codec keeps state."""
        return


class Transform(RowCodec, ABC):
    """A codec that keeps the number of bytes."""

    @abstractmethod
    def encode(self, value: bytes) -> bytes:
        """Returns the transformed bytes, for the row or the next codec."""

    @abstractmethod
    def decode(self, data: Data) -> bytes:
        """Returns the bytes before ``encode``, or their canonical form if ``encode`` does not preserve them."""


class Framed(RowCodec, ABC):
    """A codec from a value to self-delimiting bytes.

    Values are represented as in ``row/raw_values.py``: bytes for scalars and strings, lists for nested values, None for
    null.
    """

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """Returns the bytes of a value."""

    @abstractmethod
    def decode(self, data: Data) -> tuple[Any, int]:
        """Returns the value at the start of ``data`` and its number of bytes.

        Raises:
            Broken: ``encode`` cannot have made the bytes.
        """

    @property
    def first_bytes(self) -> Set[int] | None:
        """The bytes that values can begin with; None if they are not known."""
        return None


def byte(value: Any, argument: str) -> int:
    """Returns a number that fits a byte.

    Raises:
        ValueError: it is not an int, or does not fit a byte.
    """
    if not isinstance(value, int) or not 0 <= value <= 0xFF:
        raise ValueError(f"{argument}: a byte is needed, not {value!r}")
    return int(value)
