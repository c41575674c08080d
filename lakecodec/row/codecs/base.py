"""Base classes of row codecs: transforms, which keep the number of bytes, and framed values, which tell their own end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ..literal import Column

Data: TypeAlias = bytes | memoryview


class Broken(Exception):
    """Bytes that break a rule: the offset in what was decoded, and the rule's number in ``order.cells.RULES``."""

    def __init__(self, offset: int, rule: int) -> None:
        super().__init__(offset, rule)
        self.offset = offset
        self.rule = rule


class RowCodec:
    """One step of a `via` chain in row.idl.

    Args:
        column: the type, sort options and variant of the column whose values are coded.

    The arguments that row.idl gives follow. Wrong ones are a ValueError that names the argument.
    """

    def __init__(self, column: Column) -> None:
        self.column = column

    def bound(self, before: Mapping[str, bytes]) -> Any:
        """The codec for a value whose earlier fields have these bytes, not yet coded."""
        return self

    def learn(self, values: Sequence[Any]) -> None:
        """Hears which values will be encoded together; only codecs with a memory need it."""
        return


class Transform(RowCodec, ABC):
    """A codec from bytes to as many bytes."""

    @abstractmethod
    def encode(self, value: bytes) -> bytes:
        """The bytes as they stand in the row, or as the next codec gets them."""

    @abstractmethod
    def decode(self, data: Data) -> bytes:
        """What ``encode`` made ``data`` of, as far as it can be told."""


class Framed(RowCodec, ABC):
    """A codec from a value to bytes that tell where they end.

    Values are as ``row/raw_values.py`` has them: bytes for scalars and strings, lists for nested ones, None for null.
    """

    @abstractmethod
    def encode(self, value: Any) -> bytes:
        """The bytes of a value."""

    @abstractmethod
    def decode(self, data: Data) -> tuple[Any, int]:
        """The value at the start of ``data``, and the number of its bytes.

        Raises:
            Broken: bytes that ``encode`` does not make.
        """

    @property
    def first_bytes(self) -> Set[int] | None:
        """The bytes that values can begin with; None where that is not known."""
        return None


def byte(value: Any, argument: str) -> int:
    """A number that fits a byte.

    Raises:
        ValueError: it does not.
    """
    if not isinstance(value, int) or not 0 <= value <= 0xFF:
        raise ValueError(f"{argument}: a byte is needed, not {value!r}")
    return int(value)
