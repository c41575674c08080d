"""Tables over records: flat Arrow views of records, or of their bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from .column_types import array_of, typed
from .errors import CodecError
from .row_values import DIVISION_BY_ZERO
from .table import check_buffers, chosen_columns, schema_of

if TYPE_CHECKING:
    import pyarrow as pa

    from .columns.table_scan import TableScan

#: How a value is computed: its attribute path from ``source`` or a loop's variable, as one text, or a function of
#: ``source`` and the variables of the enclosing loops.
Value = str | Callable[..., Any]
#: Elements per part if a table is made in parts.
_PART = 8192


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over the elements of a list; ``index`` is the name of the variable that counts them."""

    variable: str
    items: Value
    index: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectColumn:
    """A column: its Arrow type and its value in a row; with the enum ``names`` the name of the value's member."""

    name: str
    arrow: str
    value: Value
    doc: str = ""
    names: type[IntEnum] | None = None


@dataclass(frozen=True, eq=False)
class ObjectTable:
    """A generated table whose source is an object. A value is null if a part of its path is absent."""

    name: str
    record: Any
    loops: tuple[Loop, ...]
    columns: tuple[ObjectColumn, ...]
    #: The condition that rows of the table meet; None if all rows are in it.
    condition: Value | None = None

    @property
    def schema(self) -> pa.Schema:
        return schema_of(self.columns)

    def decode(
        self,
        buffers: Sequence[Any],
        *,
        parameters: Sequence[Any] = (),
        columns: Sequence[str] | None = None,
        on_error: Literal["raise", "collect"] = "raise",
    ) -> tuple[pa.Table, list[tuple[int, Exception]]]:
        """Returns the rows of all ``buffers``, in order, and the errors of buffers that could not be decoded.

        No objects are made from a buffer if all wanted columns are plain fields, or indexes, of lists that an offset
        scan finds; otherwise its record is read.

        Args:
            buffers: bytes-like objects with one record each.
            parameters: the record's parameters by name, the same for all buffers.
            columns: the names of the wanted columns.
            on_error: ``"collect"`` omits buffers that cannot be decoded and returns their errors.

        Raises:
            DecodeError: the bytes of a buffer break a rule of the record, or some are left over.
            KeyError: there is no such column.
            TypeError: ``buffers`` is one bytes-like object, not a list of them.
        """
        import pyarrow as pa

        check_buffers(buffers)
        chosen, tables = chosen_columns(self.name, self.columns, columns), []
        errors: list[tuple[int, Exception]] = []
        for number, buffer in enumerate(buffers):
            try:
                found = self._scanned(buffer, parameters, chosen)
                if found is None:
                    found = self._table(self.record.from_bytes(buffer, *parameters), chosen)
            except CodecError as error:
                if on_error == "raise":
                    raise
                errors.append((number, error))
            else:
                tables.append(found)
        return pa.concat_tables(tables) if tables else schema_of(chosen).empty_table(), errors

    def of(self, source: Any, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Returns the rows of a record as a ``pyarrow.Table``, with fields that writing computes as they would be written.

        Raises:
            EncodeError: the record cannot be written.
        """
        from .records.record import Record

        chosen = chosen_columns(self.name, self.columns, columns)
        return self._table(source._as_written() if isinstance(source, Record) else source, chosen)

    def in_parts(self, buffer: Any, field: str, *, parameters: Sequence[Any] = ()) -> Iterator[pa.Table]:
        """Yields the rows of a buffer in several tables, with only some of its elements in memory at a time.

        Args:
            buffer: bytes-like, with one record.
            field: the attribute of the list of the first loop, see `in_parts`; columns and other loops must not use a
                field of the record behind that list.
            parameters: the record's parameters by name.

        Raises:
            DecodeError: the bytes break a rule of the record before the end of the list.
        """
        from .records.list_parts import in_parts

        found = self._scanned(buffer, parameters, self.columns)
        if found is not None:
            yield found
            return
        for record, first, items in in_parts(self.record, buffer, field, tuple(parameters), _PART):
            yield self._table(record, self.columns, None if items is None else (first, items))

    def _scanned(self, buffer: Any, parameters: Sequence[Any], chosen: Sequence[ObjectColumn]) -> pa.Table | None:
        import pyarrow as pa

        paths = [column.value for column in chosen if isinstance(column.value, str)]
        arrays = (
            self._scan.read(buffer, parameters, paths)
            if self.condition is None and self._scan is not None and len(paths) == len(chosen)
            else None
        )
        if arrays is None:
            return None
        cast = [
            typed(array if column.names is None else _named(array, column.names), column)
            for array, column in zip(arrays, chosen, strict=True)
        ]
        return pa.Table.from_arrays(cast, names=[column.name for column in chosen])

    @cached_property
    def _scan(self) -> TableScan | None:
        from .columns.table_scan import TableScan

        loops = [(loop.variable, loop.index, loop.items) for loop in self.loops if isinstance(loop.items, str)]
        return TableScan.of(self.record, loops) if len(loops) == len(self.loops) else None

    def _table(
        self, source: Any, chosen: Sequence[ObjectColumn], part: tuple[int, Sequence[Any]] | None = None
    ) -> pa.Table:
        """Returns the rows of an object; with ``part`` only those of some elements of the first loop, from an index on."""
        import pyarrow as pa

        names, rows = ["source"], [(source,)]
        for loop in self.loops:
            items, start = _reader(loop.items, names), 0
            if part is not None:
                (start, given), part = part, None
                items = _constant(given)
            rows = [made for row in rows for made in _iterations(loop, items, row, start)]
            names += [loop.variable] if loop.index is None else [loop.index, loop.variable]
        if self.condition is not None:
            holds = _reader(self.condition, names)
            rows = [row for row in rows if holds(row)]
        arrays = []
        for column in chosen:
            value = _reader(column.value, names)
            plain = _plain if column.names is None else member_name
            arrays.append(array_of([plain(value(row)) for row in rows], column))
        return pa.Table.from_arrays(arrays, names=[column.name for column in chosen])


def _iterations(loop: Loop, items: Callable[[Any], Any], row: tuple[Any, ...], start: int) -> Iterator[tuple[Any, ...]]:
    if loop.index is None:
        return ((*row, item) for item in items(row) or ())
    return ((*row, index, item) for index, item in enumerate(items(row) or (), start))


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda row: value


def _reader(value: Value, names: Sequence[str]) -> Callable[[Any], Any]:
    """Returns a function from the values of the variables so far to a value."""
    if not isinstance(value, str):
        return _or_null(lambda row: value(*row))
    name, _, path = value.partition(".")
    place = names.index(name)
    if not path:
        return lambda row: row[place]
    attributes = attrgetter(path)
    return _or_null(lambda row: attributes(row[place]))


def _or_null(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a function whose result is None if an optional part is absent or a variant has another alternative."""
    return partial(_value, value)


def _value(compute: Callable[..., Any], *given: Any) -> Any:
    try:
        return compute(*given)
    except (AttributeError, IndexError):
        return None
    except TypeError as error:
        if "NoneType" not in str(error):
            raise
        return None
    except ZeroDivisionError:
        raise ValueError(DIVISION_BY_ZERO) from None


# Null in the expressions of tables is as in SQL. Operands are functions where an absent part must not end the expression.


def both(*operands: Callable[[], Any]) -> bool | None:
    """Returns the `and` of values: false if one is false, else null if one is null."""
    return _decided(operands, by=False)


def either(*operands: Callable[[], Any]) -> bool | None:
    """Returns the `or` of values: true if one is true, else null if one is null."""
    return _decided(operands, by=True)


def _decided(operands: Iterable[Callable[[], Any]], *, by: bool) -> bool | None:
    """Returns ``by`` if it is the truth of a value, else null if one is null, else the opposite."""
    found: bool | None = not by
    for operand in operands:
        value = _value(operand)
        if value is None:
            found = None
        elif bool(value) == by:
            return by
    return found


def opposite(value: Any) -> bool | None:
    """Returns the `not` of a value; null of null."""
    return None if value is None else not value


def equal(left: Any, right: Any) -> Any:
    """Returns whether two values are equal; null if one is null."""
    return None if left is None or right is None else left == right


def unequal(left: Any, right: Any) -> Any:
    """Returns whether two values differ; null if one is null."""
    return None if left is None or right is None else left != right


def present(value: Callable[[], Any]) -> bool:
    """Returns whether a value and all parts on the way to it are present."""
    return _value(value) is not None


def absent(value: Callable[[], Any]) -> bool:
    """Returns whether a value, or a part on the way to it, is absent."""
    return _value(value) is None


def chosen(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """Returns one of two values; null if the condition is null."""
    return None if condition is None else then() if condition else otherwise()


def item(values: Any, index: int) -> Any:
    """Returns ``values[index]``.

    Raises:
        IndexError: there is no such element; the row's value is null then.
    """
    if not 0 <= index < len(values):
        raise IndexError(index)
    return values[index]


def _named(numbers: Any, enum: type[IntEnum]) -> Any:
    """Returns the names of an array of numbers as `member_name` does; each distinct number is looked up once."""
    import pyarrow as pa

    encoded = numbers.dictionary_encode()
    members = {member.value: member for member in enum}
    names = [member_name(members.get(number, number)) for number in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(names, pa.string())).dictionary_decode()


def _plain(value: Any) -> Any:
    """Returns values with enum members replaced by their numbers, also in lists."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def member_name(value: Any) -> str | None:
    """Returns the name of an enum member, or the digits of an unknown number."""
    return None if value is None else getattr(value, "name", str(value))
