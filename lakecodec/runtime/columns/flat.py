"""Numeric fields of records as int64 arrays, found by an offset scan without record objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from . import backend
from .layout import ValueLayout
from .scan.offset_scan import OffsetScan
from .scan.symbols import NotScannable, Number

Numbers = npt.NDArray[np.int64]


class ListScan:
    """Reader of numeric fields in the lists of one record.

    Args:
        record: the class of the record.
        encoding: the encoding of all values in the record, which are skipped.
        fields: name of the caller's choice -> path of the wanted number: field names from the record on; a list
            stands for its elements.
    """

    def __init__(self, record: Any, encoding: Any, fields: Mapping[str, Sequence[str]]) -> None:
        self._record = record
        self._encoding = encoding
        self._fields = fields

    def read(
        self, data: Any, parameters: Mapping[str, Any], layouts: Callable[[], Sequence[ValueLayout]]
    ) -> dict[str, Numbers] | None:
        """Returns an int64 array for each field, with the numbers of all elements; inner lists are concatenated.

        Args:
            data: the bytes of the record, and no others.
            parameters: the record's parameters by name.
            layouts: returns the layouts of the types that values may have; called only where there are values.

        Returns:
            None if bytes break a rule or the backend cannot scan them; reading the record gives the exact error.
        """
        machine = self._machine
        if machine is None:
            return None
        try:
            given = [given_number(parameters, symbol.path, is_list) for symbol, is_list in self._scan.given]
            found = machine.numbers(self._arrays, data, backend.offset_scans.Layouts([]), given)
            if found is None and self._scan.types is not None:
                found = machine.numbers(self._arrays, data, backend.offset_scans.Layouts(layouts()), given)
        except OverflowError:
            return None
        if found is None:
            return None
        return {name: np.frombuffer(numbers, np.int64) for name, numbers in zip(self._fields, found, strict=True)}

    @cached_property
    def _scan(self) -> OffsetScan:
        return OffsetScan(self._record, self._encoding)

    @cached_property
    def _machine(self) -> Any:
        return None if backend.offset_scans is None else self._scan.machine(list(self._scan.given))

    @cached_property
    def _arrays(self) -> list[int]:
        return [_variable(self._scan, path, True) for path in self._fields.values()]


class RecordScan:
    """Reader of numeric fields of many records of one class.

    Args:
        record: the class. Its parameters are numbers.
        fields: names of the wanted fields, which all records have.
    """

    def __init__(self, record: Any, fields: Sequence[str]) -> None:
        self._record = record
        self._fields = fields

    def read(
        self, data: Any, starts: Numbers, sizes: Numbers, **parameters: Numbers
    ) -> tuple[npt.NDArray[np.bool_], dict[str, Numbers]] | None:
        """Returns a bool array of the records that were accepted, and an int64 array for each field; 0 for refused records.

        Args:
            data: a buffer that has the records.
            starts, sizes: the byte offset and the size in bytes of each record.
            parameters: one array for each parameter, with an item for each record.

        Returns:
            None if the backend cannot scan; reading a record tells what is wrong with it.
        """
        machine = self._machine
        if machine is None:
            return None
        given = [parameters[symbol.path[0]] for symbol, _ in self._scan.given]
        accepted, found = machine.each(self._scalars, data, starts, sizes, given)
        numbers = (np.frombuffer(each, np.int64) for each in found)
        return np.frombuffer(accepted, np.bool_), dict(zip(self._fields, numbers, strict=True))

    @cached_property
    def _scan(self) -> OffsetScan:
        return OffsetScan(self._record, None)

    @cached_property
    def _machine(self) -> Any:
        if backend.offset_scans is None:
            return None
        if any(is_list or len(symbol.path) > 1 for symbol, is_list in self._scan.given):
            raise NotScannable("a parameter is not a number")
        return self._scan.machine(list(self._scan.given))

    @cached_property
    def _scalars(self) -> list[int]:
        return [_variable(self._scan, (field,), False) for field in self._fields]


def _variable(scan: OffsetScan, path: Sequence[str], in_list: bool) -> int:
    """Returns the array, or the scalar, of a number that is always there."""
    found = scan.find(*path)
    if not isinstance(found, Number) or found.presence is not None or (found.cell.index is not None) != in_list:
        raise NotScannable(path)
    return found.cell.number


def given_number(parameters: Mapping[str, Any], path: tuple[str, ...], is_list: bool) -> int:
    """Returns a parameter, or what its attributes lead to, as a number; for a list its size.

    Raises:
        OverflowError: the number has more than 64 bits.
    """
    name, *attributes = path
    found = attrgetter(".".join(attributes))(parameters[name]) if attributes else parameters[name]
    return len(found) if is_list else int(found)
