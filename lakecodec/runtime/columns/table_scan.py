"""Columns of a table over a record, found by an offset scan: no object is made for the record or its elements."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import backend
from .flat import given_number
from .scan.code import Register
from .scan.offset_scan import OffsetScan
from .scan.symbols import Bytes, Float, Listing, NotScannable, Number, Part, Raw, Symbol

if TYPE_CHECKING:
    import pyarrow as pa

Numbers = npt.NDArray[np.int64]
_FLOATS = {"f16": (np.uint16, np.float16), "f32": (np.uint32, np.float32), "f64": (np.uint64, np.float64)}


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: its symbol in each iteration of the loop ``level``, counted from 1, or once at level 0; None for the index."""

    level: int
    symbol: Number | Float | Raw | Bytes | None

    @property
    def registers(self) -> list[Register]:
        """The variables of the column. If values can be absent, the first variable tells whether a value is
        present."""
        match self.symbol:
            case None:
                return []
            case Bytes(start=start, count=count):
                return [start, count]
            case Raw(number=number):
                return [number.cell] if number.presence is None else [number.presence, number.cell]
            case Number(cell=cell, presence=presence) | Float(cell=cell, presence=presence):
                return [cell] if presence is None else [presence, cell]


class TableScan:
    """Reader of columns whose rows are iterations of nested loops, each over a list in an element of the enclosing loop.

    Args:
        record: the class of the record that the loops start from.
        loops: for each loop the names of its variable and its index (or None), and the path of its list.
            The path begins with ``source`` or the variable of the enclosing loop.

    Raises:
        NotScannable: offset scans do not support the record or a loop.
    """

    def __init__(self, record: Any, loops: Sequence[tuple[str, str | None, str]]) -> None:
        self._scan = OffsetScan(record, None)
        self._names: dict[str, tuple[int, Symbol | None]] = {"source": (0, self._scan.root)}
        self._counts: list[Register] = []
        for level, (variable, index, path) in enumerate(loops, 1):
            outer, listing = self._find(path)
            if outer != level - 1 or not isinstance(listing, Listing) or not listing.always_present:
                raise NotScannable(path)
            self._counts.append(listing.count)
            self._names[variable] = level, listing.element
            if index is not None:
                self._names[index] = level, None

    @classmethod
    def of(cls, record: Any, loops: Sequence[tuple[str, str | None, str]]) -> TableScan | None:
        """Returns the reader; None if offset scans do not support the record or a loop."""
        try:
            return cls(record, loops)
        except NotScannable:
            return None

    def _find(self, path: str) -> tuple[int, Symbol | None]:
        """Returns a path's loop and field; None as the field for an index."""
        first, *names = path.split(".")
        level, symbol = self._names[first]
        for name in names:
            if not isinstance(symbol, Part) or not self._scan.is_certain(symbol.presence) or name not in symbol.fields:
                raise NotScannable(path)
            symbol = symbol.fields[name]
        return level, symbol

    def _column(self, path: str) -> _Column:
        level, symbol = self._find(path)
        if isinstance(symbol, Bytes) and not symbol.always_present:
            raise NotScannable(path)
        if symbol is None or isinstance(symbol, Number | Float | Raw | Bytes):
            return _Column(level, symbol)
        raise NotScannable(path)

    @cached_property
    def _machine(self) -> Any:
        return None if backend.offset_scans is None else self._scan.machine(list(self._scan.given))

    def read(self, data: Any, parameters: Sequence[Any], columns: Sequence[str]) -> list[pa.Array] | None:
        """Returns one array per column, in the type of its values in the record.

        Args:
            data: the bytes of the record, and no others.
            parameters: all parameters of the record by name.
            columns: paths that begin with ``source`` or a loop's variable, or names of indexes.

        Returns:
            None where bytes break a rule, a column is nothing that offset scans find, or the backend cannot do it; reading
            the record tells more.
        """
        if self._machine is None or len(parameters) != len(self._scan.params):
            return None
        data = memoryview(data).cast("B")
        named = dict(zip(self._scan.params, parameters, strict=True))
        try:
            wanted = [self._column(path) for path in columns]
        except NotScannable:
            return None
        registers = list(dict.fromkeys([*self._counts, *(each for column in wanted for each in column.registers)]))
        numbers = [each.number if each.index is not None else -1 - each.number for each in registers]
        numbers.append(-1 - self._scan.stop)
        try:
            given = [given_number(named, symbol.path, is_list) for symbol, is_list in self._scan.given]
            found = self._machine.numbers(numbers, data, backend.offset_scans.Layouts([]), given)
            if found is None or int.from_bytes(found.pop(), sys.byteorder) != data.nbytes:
                return None
            arrays = {register: np.frombuffer(each, np.int64) for register, each in zip(registers, found, strict=True)}
            rows = _Rows([arrays[each] for each in self._counts])
            return [rows.array(column, [arrays[each] for each in column.registers], data) for column in wanted]
        except OverflowError:
            return None


class _Rows:
    """Rows of nested loops.

    Args:
        counts: per loop its number of iterations in each iteration of the enclosing loop.
    """

    def __init__(self, counts: Sequence[Numbers]) -> None:
        self._counts = counts

    def array(self, column: _Column, found: Sequence[Numbers], data: Any) -> pa.Array:
        """Returns a column, given its variables."""
        import pyarrow as pa

        symbol = column.symbol
        if symbol is None:
            return pa.array(self._spread(self._index(column.level), column.level))
        if isinstance(symbol, Bytes):
            starts, sizes = (np.ascontiguousarray(self._spread(each, column.level)) for each in found)
            offsets, values = backend.offset_scans.texts(data, starts, sizes)
            buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
            return pa.Array.from_buffers(pa.string() if symbol.is_text else pa.binary(), len(starts), buffers)
        numbers, absent = self._spread(found[-1], column.level), None
        if len(found) > 1:
            absent = self._spread(found[0], column.level) == 0
        if isinstance(symbol, Raw):
            digits = numbers.astype(">i8").view(np.uint8).reshape(-1, 8)[:, 8 - symbol.length :]
            values = pa.py_buffer(np.ascontiguousarray(digits))
            fixed = pa.Array.from_buffers(pa.binary(symbol.length), len(numbers), [None, values])
            return fixed if absent is None else pa.compute.if_else(pa.array(absent), None, fixed)
        if isinstance(symbol, Float):
            bits, type = _FLOATS[symbol.type]
            with np.errstate(invalid="ignore"):  # conversions of signaling NaNs warn
                floats = numbers.astype(bits, copy=False).view(type).astype(np.float64, copy=False)
            return pa.array(floats, mask=absent)
        return pa.array(numbers != 0 if symbol.is_truth else numbers, mask=absent)

    def _index(self, level: int) -> Numbers:
        """Returns the index of each iteration of a loop in its list."""
        counts = self._counts[level - 1]
        ends = np.cumsum(counts)
        return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)

    def _spread(self, values: Numbers, level: int) -> Numbers:
        """Returns the values of a loop's iterations, repeated for the iterations of the loops inside."""
        for counts in self._counts[level:]:
            values = np.repeat(values, counts)
        return values
