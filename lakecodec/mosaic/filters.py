"""Filters of rows, and of row groups by their statistics."""

from __future__ import annotations

import operator as operators
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import product
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ..runtime.suggest import no_such
from .statistics import ColumnStatistics

Filters: TypeAlias = "pc.Expression | Sequence[tuple[str, str, Any]] | Sequence[Sequence[tuple[str, str, Any]]]"

#: The most float columns whose bounds are used; each doubles the number of cases.
_MOST_FLOATS = 4


class Filter:
    """Condition on rows.

    Args:
        filters: a ``pyarrow.compute.Expression``, tuples (column, operator, value) that must all hold, or lists of
            such tuples of which one must hold. Operators: = == != < <= > >= in, not in.
        schema: the columns of the file.

    Attributes:
        expression: the condition as a ``pyarrow.compute.Expression``.
        columns: names of the columns that must be read to evaluate it.

    Raises:
        KeyError: an unknown column.
        TypeError, ValueError: malformed filters, or values that do not compare with their column.
    """

    def __init__(self, filters: Filters, schema: pa.Schema) -> None:
        self._schema = schema
        if isinstance(filters, pc.Expression):
            self.expression = filters
            self.columns = _mentioned(str(filters), schema.names)
        else:
            self.expression, self.columns = _normal_form(filters, schema)
        # Reports wrong names and types before anything is read.
        with _readable():
            self.apply(pa.Table.from_batches([], pa.schema(map(schema.field, self.columns))))

    def apply(self, table: pa.Table) -> pa.Table:
        """Returns the rows that match."""
        return table.filter(self.expression)

    def may_match(self, statistics: Sequence[Mapping[str, ColumnStatistics]]) -> list[bool]:
        """Returns, for each row group, False if its statistics exclude a matching row, else True.

        Args:
            statistics: the known statistics of each row group, by column name.

        Raises:
            TypeError: values that do not compare with the bounds of their column.
        """
        import pyarrow.dataset as ds
        from pyarrow.fs import LocalFileSystem

        files, format = LocalFileSystem(), ds.IpcFileFormat()
        fragments = [
            format.make_fragment(f"{number}/{case}", files, partition_expression=guarantee)
            for number, known in enumerate(statistics)
            for case, guarantee in enumerate(self._guarantees(known))
        ]
        if not fragments:
            return []
        # No file is opened: fragments are chosen by their known statistics.
        dataset = ds.FileSystemDataset(fragments, self._schema, format, files)
        with _readable():
            chosen = {int(fragment.path.split("/")[0]) for fragment in dataset.get_fragments(filter=self.expression)}
        return [number in chosen for number in range(len(statistics))]

    def _guarantees(self, known: Mapping[str, ColumnStatistics]) -> Iterable[pc.Expression]:
        """Yields expressions of which at least one holds for each row of a row group with the known statistics."""
        always: list[pc.Expression] = []
        floats: list[tuple[pc.Expression, pc.Expression]] = []
        for name in self.columns:
            stats = known.get(name)
            if stats is None:
                continue
            field = pc.field(name)
            if stats.low is None or stats.high is None:
                always.append(field.is_null())
            elif not pa.types.is_floating(stats.low.type):
                always.append(_within(field, stats))
            elif stats.low.as_py() == stats.low.as_py() and len(floats) < _MOST_FLOATS:
                # Bounds do not cover NaN, so each value may be NaN.
                floats.append((_within(field, stats), field == pa.scalar(float("nan"), stats.low.type)))
        for case in product(*floats):
            yield _all((*always, *case))


@contextmanager
def _readable() -> Iterator[None]:
    """Raises Arrow's errors about a condition as KeyError, TypeError or ValueError."""
    try:
        yield
    except (pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
        raise TypeError(f"filters: {error}") from None
    except pa.ArrowInvalid as error:
        if "No match for FieldRef" in str(error):
            raise KeyError(f"filters: {error}") from None
        raise ValueError(f"filters: {error}") from None


def _within(field: pc.Expression, stats: ColumnStatistics) -> pc.Expression:
    """Returns the expression that a value lies within the bounds, or is null where there are nulls."""
    low, high = field >= stats.low, field <= stats.high
    if not stats.null_count:
        return low & high
    # Arrow can simplify by each of these two terms, but not by (low & high) | null.
    return (low | field.is_null()) & (high | field.is_null())


def _all(conditions: Sequence[pc.Expression]) -> pc.Expression:
    """Returns the conjunction of conditions."""
    combined = pc.scalar(True)
    for condition in conditions:
        combined = combined & condition
    return combined


def _mentioned(text: str, names: Sequence[str]) -> list[str]:
    """Returns the columns that occur in the text of an expression, possibly too many.

    pyarrow has no API for an expression's fields; a superfluous column costs time only.
    """
    if "FieldPath" in text:
        return list(names)
    words = set(re.findall(r"\w+", text))
    return [name for name in names if (name in words if re.fullmatch(r"\w+", name) else name in text)]


def _normal_form(filters: Any, schema: pa.Schema) -> tuple[pc.Expression, list[str]]:
    """Returns the expression of filter tuples, and the columns that they name."""
    if not isinstance(filters, Sequence) or isinstance(filters, str | bytes) or not filters:
        raise TypeError(f"filters: an expression or a list of (column, operator, value) is needed, not {filters!r}")
    groups = [filters] if _is_condition(filters[0]) else filters
    columns: dict[str, None] = {}
    alternatives = []
    for group in groups:
        if not isinstance(group, Sequence) or not group:
            raise TypeError(f"filters: a list of (column, operator, value) is needed, not {group!r}")
        for condition in group:
            if not _is_condition(condition):
                raise TypeError(f"filters: a tuple (column, operator, value) is needed, not {condition!r}")
            if condition[0] not in schema.names:
                raise KeyError(f"filters: {no_such(condition[0], schema.names)}")
            columns[condition[0]] = None
        alternatives.append(_all([_condition(schema, *condition) for condition in group]))
    combined = alternatives[0]
    for alternative in alternatives[1:]:
        combined = combined | alternative
    return combined, list(columns)


def _is_condition(value: Any) -> bool:
    """Returns True for a tuple (column, operator, value)."""
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], str)


def _condition(schema: pa.Schema, name: str, operator: str, value: Any) -> pc.Expression:
    """Returns the expression of one filter tuple."""
    field, type = pc.field(name), schema.field(name).type
    if operator in ("in", "not in"):
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise TypeError(f"filters: {operator!r} needs a collection, not {value!r}")
        inside = field.isin([_in_zone(each, type) for each in value])
        return inside if operator == "in" else ~inside
    compare = _COMPARISONS.get(operator)
    if compare is None:
        raise ValueError(f"filters: unknown operator {operator!r}; there are {', '.join(_COMPARISONS)}, in, not in")
    if value is None:
        raise ValueError(f"filters: no value of {name!r} compares with None; use an expression with is_null()")
    condition: pc.Expression = compare(field, _in_zone(value, type))
    return condition


def _in_zone(value: Any, type: Any) -> Any:
    """Returns an aware time in its column's zone, for Arrow compares others of the same unit alone; other values as they are."""
    if not isinstance(value, datetime) or value.tzinfo is None or not pa.types.is_timestamp(type) or type.tz is None:
        return value
    return pa.scalar(value, pa.timestamp("ns" if getattr(value, "nanosecond", 0) else "us", type.tz)).as_py()


_COMPARISONS: dict[str, Any] = {
    "=": operators.eq, "==": operators.eq, "!=": operators.ne,
    "<": operators.lt, "<=": operators.le, ">": operators.gt, ">=": operators.ge,
}  # fmt: skip
