"""Tables over structs: flat Arrow views of decoded trees, made without their objects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from .column_types import TypedColumn, array_of, arrow_type, texts, typed
from .compact.backend import columns as decode_columns
from .compact.backend import names as spell
from .compact.program import Column, Columns, Leaf, Program
from .limits import DEFAULT_LIMITS, Limits
from .memo import kept_with
from .row_values import RowValues, checked
from .suggest import no_such

if TYPE_CHECKING:
    import pyarrow as pa

_OPERATORS = {
    "+": "add_checked", "-": "subtract_checked", "*": "multiply_checked", "==": "equal", "!=": "not_equal", "<": "less",
    "<=": "less_equal", ">": "greater", ">=": "greater_equal", "and": "and_kleene", "or": "or_kleene",
    "&": "bit_wise_and", "|": "bit_wise_or", "^": "bit_wise_xor", ">>": "shift_right_checked",
}  # fmt: skip


Chosen = TypeVar("Chosen", bound=TypedColumn)


def schema_of(columns: Iterable[TypedColumn]) -> pa.Schema:
    """Returns the Arrow schema of a table's columns."""
    import pyarrow as pa

    return pa.schema([(column.name, arrow_type(column.arrow)) for column in columns])


def chosen_columns(table: str, columns: Sequence[Chosen], names: Sequence[str] | None) -> list[Chosen]:
    """Returns the columns of a table with some names, in their order; all columns for None.

    Raises:
        KeyError: the table has no such column.
    """
    known = {column.name: column for column in columns}
    for name in names or ():
        if name not in known:
            raise KeyError(f"columns: {table}: {no_such(name, known)}")
    return list(columns) if names is None else [known[name] for name in names]


def check_buffers(buffers: Any) -> None:
    """Raises TypeError if ``buffers`` is a single bytes-like object instead of a list."""
    if isinstance(buffers, bytes | bytearray | memoryview):
        raise TypeError(
            f"buffers: a list of bytes-like objects is needed, not one {type(buffers).__name__}: pass [data]"
        )


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its Arrow type, the leaves that it needs, and a function that computes it from them."""

    name: str
    arrow: str
    leaves: tuple[int, ...]
    compute: Callable[[Rows], Any]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class TableCodec:
    """A generated table whose source is a struct."""

    name: str
    root: type[Any]
    levels: tuple[tuple[str, ...], ...]
    leaves: tuple[Leaf, ...]
    columns: tuple[TableColumn, ...]
    #: The condition that rows of the table meet; None if all rows are in it.
    condition: TableColumn | None = None

    @property
    def schema(self) -> pa.Schema:
        return schema_of(self.columns)

    def decode(
        self,
        buffers: Sequence[Any],
        *,
        columns: Sequence[str] | None = None,
        keep: Mapping[str, Collection[Any]] | None = None,
        limits: Limits | None = None,
        on_error: Literal["raise", "collect"] = "raise",
    ) -> tuple[pa.Table, list[tuple[int, Exception]]]:
        """Returns the rows of all ``buffers``, in order, and the errors of buffers that could not be decoded."""
        import pyarrow as pa

        check_buffers(buffers)
        chosen = chosen_columns(self.name, self.columns, columns)
        kept = self._keep(keep)
        used = [*chosen, self.condition] if self.condition is not None else chosen
        wanted = sorted({leaf for column in used for leaf in column.leaves} | ({kept[0]} if kept else set()))
        program = Program(self.root, self.levels, tuple(self.leaves[leaf] for leaf in wanted))
        found: Columns = decode_columns(
            program,
            buffers,
            DEFAULT_LIMITS if limits is None else limits,
            keep=(wanted.index(kept[0]), kept[1]) if kept else None,
            on_error=on_error,
        )
        rows = Rows(program, found, {leaf: number for number, leaf in enumerate(wanted)})
        holds = None if self.condition is None else _computed(self.condition, rows)
        arrays = [_computed(column, rows, holds) for column in chosen]
        table = pa.Table.from_arrays(arrays, names=[column.name for column in chosen])
        return table if holds is None else table.filter(holds), found.errors

    def _keep(self, keep: Mapping[str, Collection[Any]] | None) -> tuple[int, frozenset[Any]] | None:
        if keep is None:
            return None
        if len(keep) != 1:
            raise ValueError("keep: one column is needed")
        ((name, values),) = keep.items()
        column = chosen_columns(self.name, self.columns, [name])[0]
        if len(column.leaves) != 1 or self.leaves[column.leaves[0]].level != len(self.levels):
            raise ValueError(f"keep: {name!r} is not a plain value of the innermost level")
        return column.leaves[0], frozenset(v.encode() if isinstance(v, str) else v for v in values)


def _computed(column: TableColumn, rows: Rows, wanted: Any = None) -> Any:
    """Returns the values of a column, with which rows are filtered that are not wanted."""
    import pyarrow as pa

    try:
        found = column.compute(rows)
    except (pa.ArrowException, OverflowError):
        values: Any = column.compute(RowValues(rows))  # type: ignore[arg-type]
        return array_of(checked(values, None if wanted is None else wanted.to_pylist(), column.name), column)
    return typed(pa.repeat(found, rows.count) if isinstance(found, pa.Scalar) else found, column)


class Rows:
    """Arrays of the innermost level's length, with which generated column expressions compute."""

    def __init__(self, program: Program, found: Columns, numbers: Mapping[int, int]) -> None:
        self._program = program
        self._found = found
        self._numbers = numbers
        self._rows: dict[int, Any] = {}
        #: Number of innermost rows per row of the enclosing level.
        self._counts: Any = None

    def ordinal(self, level: int) -> Any:
        """Returns each row's index in its list of ``level``; level 0 counts the buffers."""
        import pyarrow as pa

        ordinals = self._found.ordinals[level]
        return pa.array(ordinals if level == len(self._program.levels) else self._repeat(ordinals, level))

    @property
    def count(self) -> int:
        """The number of rows."""
        return int(self._found.rows[-1])

    def leaf(self, number: int, *, is_decoded: bool = False) -> Any:
        """Returns the values of a leaf; texts that are not all ASCII are bytes until they are needed, or ``is_decoded``."""
        import pyarrow as pa

        position = self._numbers[number]
        leaf = self._program.leaves[position]
        array = _array(leaf, self._found.columns[position], self._found.rows[leaf.level])
        if is_decoded and (pa.types.is_binary(array.type) or pa.types.is_string(array.type)):
            array = array.cast(pa.binary()) if leaf.kind == "binary" else texts(array)
        return self._spread(array, leaf.level)

    def names(self, numbers: Any, cls: Any) -> Any:
        """Returns the member names of enum numbers, or of lists of them; an unknown number is written in digits."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_list(numbers.type):
            values = self.names(numbers.values, cls)
            mask = pc.is_null(numbers) if numbers.null_count else None
            return pa.ListArray.from_arrays(numbers.offsets, values, mask=mask)
        return texts_of(numbers, _names(cls))

    def literal(self, value: Any) -> Any:
        import pyarrow as pa

        return pa.scalar(value)

    def present(self, array: Any) -> Any:
        import pyarrow.compute as pc

        return pc.is_valid(array)

    def choose(self, condition: Any, then: Any, otherwise: Any) -> Any:
        import pyarrow.compute as pc

        return pc.if_else(condition, then, otherwise)

    def binary(self, operator: str, left: Any, right: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        kinds = [pa.types.is_binary(each.type) for each in (left, right)]
        if any(kinds) and not all(kinds):
            # A column of texts that are not all ASCII is binary until it is needed as text.
            left, right = (
                texts(each) if is_bytes else each for each, is_bytes in zip((left, right), kinds, strict=True)
            )
        if operator in "/%":
            return _divided(operator, left, right)
        if operator == "<<":
            return _shifted(left, right)
        return pc.call_function(_OPERATORS[operator], [left, right])

    def unary(self, operator: str, operand: Any) -> Any:
        import pyarrow.compute as pc

        return pc.call_function("invert" if operator == "not" else "negate_checked", [operand])

    def _spread(self, array: Any, level: int) -> Any:
        """Returns the values of an outer level, repeated for each of its innermost rows."""
        import pyarrow as pa

        if level == len(self._program.levels):
            return array
        if array.type == pa.int64() and not array.null_count:
            return pa.array(self._repeat(array.to_numpy(), level))
        return array.take(pa.array(self._rows_of(level)))

    def _repeat(self, values: Any, level: int) -> Any:
        """Returns the items of an outer level, repeated for each of its innermost rows."""
        import numpy as np

        if self._counts is None:
            self._counts = np.bincount(self._found.parents[-1], minlength=self._found.rows[-2])
        for outer in self._found.parents[level + 1 : -1]:
            values = values[outer]
        return values.repeat(self._counts)

    def _rows_of(self, level: int) -> Any:
        """Returns the row of an outer level that contains each innermost row."""
        import numpy as np

        if level not in self._rows:
            self._rows[level] = self._repeat(np.arange(self._found.rows[level], dtype=np.int32), level)
        return self._rows[level]


def _divided(operator: str, left: Any, right: Any) -> Any:
    """Returns quotients that are rounded down, or their remainders; only of integers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not all(pa.types.is_integer(each.type) for each in (left, right)):
        raise pa.ArrowNotImplementedError(operator)
    quotient = pc.divide_checked(left, right)
    rest = pc.subtract(left, pc.multiply(quotient, right))
    is_above = pc.and_(pc.not_equal(rest, 0), pc.xor(pc.less(rest, 0), pc.less(right, 0)))
    if operator == "/":
        return pc.subtract(quotient, is_above.cast(pa.int64()))
    return pc.if_else(is_above, pc.add(rest, right), rest)


def _shifted(left: Any, right: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    moved = pc.shift_left_checked(left, right)
    if pc.any(pc.not_equal(pc.shift_right(moved, right), left)).as_py():
        raise pa.ArrowInvalid("overflow")
    return moved


def texts_of(numbers: Any, texts: dict[int, str]) -> Any:
    """Returns the names of an Arrow array of integers as strings; a number without a name is written in digits."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if numbers.type not in (pa.int32(), pa.int64()):
        numbers = numbers.cast(pa.int64())
    width = numbers.type.byte_width
    validity, values = numbers.buffers()
    if numbers.offset:
        validity = pc.is_valid(numbers).buffers()[1] if numbers.null_count else None
    values = values.slice(numbers.offset * width, len(numbers) * width)
    offsets, data = spell(values, width, texts)
    buffers = [validity, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(numbers), buffers, numbers.null_count)


@kept_with
def _names(cls: Any) -> dict[int, str]:
    return {int(number): member.name for number, member in cls._value2member_map_.items()}


def _array(leaf: Leaf, column: Column, rows: int) -> Any:
    import pyarrow as pa

    validity = None if column.validity is None else pa.py_buffer(column.validity)
    values = pa.py_buffer(column.values)
    if leaf.kind == "int":
        return pa.Array.from_buffers(pa.int64(), rows, [validity, values], column.null_count)
    if leaf.kind == "double":
        return pa.Array.from_buffers(pa.float64(), rows, [validity, values], column.null_count)
    if leaf.kind == "bool":
        return pa.Array.from_buffers(pa.bool_(), rows, [validity, values], column.null_count)
    offsets = pa.py_buffer(column.offsets)
    if leaf.kind == "ints":
        items = pa.Array.from_buffers(pa.int32(), values.size // 4, [None, values])
        return pa.Array.from_buffers(
            pa.list_(pa.int32()), rows, [validity, offsets], column.null_count, children=[items]
        )
    type = pa.string() if column.is_ascii else pa.binary()
    return pa.Array.from_buffers(type, rows, [validity, offsets, values], column.null_count)
