"""Lists of records as a struct of arrays, for callers that want fields of many records and no record objects."""

from __future__ import annotations

from typing import Any

from . import backend as record_backend
from .attributes import attributes


class StructOfArrays:
    """A list of records as a struct of arrays: one list for each field.

    Equal values may be one shared object, so that nothing in it may be changed.

    Attributes:
        names: the fields.
        lists: the values of each field, one a record.
    """

    __slots__ = ("lists", "names")

    def __init__(self, names: tuple[str, ...], lists: tuple[list[Any], ...]) -> None:
        self.names = names
        self.lists = lists

    @classmethod
    def of(cls, records: StructOfArrays | list[Any], record: Any) -> StructOfArrays:
        """Returns records of the class ``record`` as a struct of arrays; one that is such already is returned as it is."""
        if isinstance(records, StructOfArrays):
            return records
        return cls(record._given, tuple(attributes(records, name) for name in record._given))

    def each(self, name: str) -> list[Any]:
        """Returns the list of a field's values, one a record.

        Raises:
            ValueError: there is no field of that name.
        """
        return self.lists[self.names.index(name)]

    def __len__(self) -> int:
        return len(self.lists[0])


if record_backend.native is not None:
    record_backend.native.use_struct_of_arrays(StructOfArrays)
