"""Lists of records as a struct of arrays, for callers that need fields of many records without record objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from . import backend as record_backend
from .attributes import attributes

#: The number of texts that are decoded from bytes at a time.
_AT_ONCE = 256


class Texts(Sequence[str]):
    """The texts of a field, one per record.

    Attributes:
        data: their UTF-8 forms, one behind the other, and
        ends: the end of each text in ``data``, as int64 bytes; both are None if the texts were str.
    """

    __slots__ = ("_ascends", "_made", "data", "ends")

    def __init__(self, texts: list[str]) -> None:
        self.data: bytes | None = None
        self.ends: bytes | None = None
        self._made: list[str] | None = texts

    @property
    def strings(self) -> list[str]:
        """All texts, made on first access."""
        if self._made is None:
            self._made = self._at(range(len(self)), is_bytes=False)
        return self._made

    @property
    def nbytes(self) -> int:
        """The approximate size of the texts in bytes."""
        return sum(map(len, self.strings)) if self.data is None else len(self.data)

    def utf8(self, positions: Sequence[int]) -> Iterator[bytes]:
        """Yields the UTF-8 forms of the texts at some positions."""
        if self.data is None:
            return (self.strings[position].encode() for position in positions)
        # Texts are made in parts, so that later ones reuse the memory of those already dropped.
        parts = (positions[start : start + _AT_ONCE] for start in range(0, len(positions), _AT_ONCE))
        return chain.from_iterable(self._at(part, is_bytes=True) for part in parts)

    def __len__(self) -> int:
        return len(self.strings) if self.ends is None else len(self.ends) // 8

    def __getitem__(self, position: Any) -> Any:
        if self._made is None and isinstance(position, int) and position >= 0:
            return self._at((position,), is_bytes=False)[0]
        return self.strings[position]

    def _at(self, positions: Sequence[int], *, is_bytes: bool) -> Any:
        return _texts_at(self.data, self.ends, positions, is_bytes)


class StructOfArrays:
    """A list of records as a struct of arrays: one list per field.

    Equal values may be one shared object, so values must not be changed.

    Attributes:
        names: the fields.
        lists: the values of each field, one per record, as lists or `Texts`.
    """

    __slots__ = ("lists", "names")

    def __init__(self, names: tuple[str, ...], lists: tuple[list[Any] | Texts, ...]) -> None:
        self.names = names
        self.lists = lists

    @classmethod
    def of(cls, records: StructOfArrays | list[Any], record: Any) -> StructOfArrays:
        """Returns records of the class ``record`` as a struct of arrays; a `StructOfArrays` is returned unchanged."""
        if isinstance(records, StructOfArrays):
            return records
        return cls(record._given, tuple(attributes(records, name) for name in record._given))

    def each(self, name: str) -> list[Any]:
        """Returns the list of a field's values, one per record.

        Raises:
            ValueError: there is no field of that name.
        """
        found = self.lists[self.names.index(name)]
        return found.strings if isinstance(found, Texts) else found

    def texts(self, name: str) -> Texts:
        """Returns the values of a text field; errors as in `each`."""
        found = self.lists[self.names.index(name)]
        return found if isinstance(found, Texts) else Texts(found)

    def __len__(self) -> int:
        return len(self.lists[0])


_texts_at: Any = None if record_backend.native is None else record_backend.native.texts_at
if record_backend.native is not None:
    record_backend.native.use_struct_of_arrays(StructOfArrays, Texts)
