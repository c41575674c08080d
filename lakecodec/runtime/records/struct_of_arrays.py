"""Lists of records as a list of each of their fields, for who wants fields of many records and no records."""

from __future__ import annotations

from typing import Any

from . import backend as record_backend
from .attributes import attributes


class Transposed:
    """The records of a list, as a list of each of their fields.

    Records in it that are equal may be one object, which therefore nobody may change.

    Attributes:
        names: of the fields.
        lists: the values of each, one a record.
    """

    __slots__ = ("lists", "names")

    def __init__(self, names: tuple[str, ...], lists: tuple[list[Any], ...]) -> None:
        self.names = names
        self.lists = lists

    @classmethod
    def of(cls, records: Transposed | list[Any], record: Any) -> Transposed:
        """The same of records of a class."""
        if isinstance(records, Transposed):
            return records
        return cls(record._given, tuple(attributes(records, name) for name in record._given))

    def each(self, name: str) -> list[Any]:
        """The values of a field."""
        return self.lists[self.names.index(name)]

    def __len__(self) -> int:
        return len(self.lists[0])


if record_backend.native is not None:
    record_backend.native.use_transposed(Transposed)
