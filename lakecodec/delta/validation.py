"""Checks of partition values before they are written: keys first, then each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..runtime.errors import EncodeError
from ..runtime.exact import exact
from .types import PartitionType
from .values import is_null_like, located, plain_value, shown


class Column(Protocol):
    """The properties of a partition column that its values are checked against."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> PartitionType: ...
    @property
    def nullable(self) -> bool: ...


def match_keys(values: Mapping[str, object] | None, columns: Sequence[Column]) -> dict[str, object]:
    """Returns ``values`` under the columns' own names; names are compared without regard to case.

    Raises:
        EncodeError: an unknown key, two keys of one column, a column without a key (in this order); values for a table that
            is not partitioned, or none for one that is.
    """
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"values: a mapping from column name to value is needed, not {type(values).__name__}")
    if not columns:
        if values:
            raise EncodeError(
                f"the table is not partitioned, but values are given for {shown(list(values))}", format="delta"
            )
        return {}
    if not values:
        names = ", ".join(column.name for column in columns)
        raise EncodeError(f"the table is partitioned by {names}, but no values are given", format="delta")
    by_key = {column.name.lower(): column.name for column in columns}
    own = {column.name for column in columns}
    matched: dict[str, object] = {}
    found = [(key, _match(key, own, by_key, value)) for key, value in values.items()]
    for key, name in found:
        if name in matched:
            raise EncodeError(f"two keys give this column a value, one of them {key!r}", format="delta", path=name)
        matched[name] = exact(values[key])
    for column in columns:
        if column.name not in matched:
            raise EncodeError("the partition column has no value", format="delta", path=column.name)
    return matched


def plain_values(values: Mapping[str, object], columns: Sequence[Column]) -> list[Any]:
    """Returns the values in the form that the text codecs read, in the order of ``columns``; None for null and empty ones.

    Raises:
        EncodeError: a null or empty value in a column that is not nullable, or a value not exactly of its column's type.
    """
    checked: list[Any] = []
    for column in columns:
        value = values[column.name]
        if not is_null_like(value):
            try:
                checked.append(plain_value(value, column.type))
            except EncodeError as error:
                raise located(error, column.name, value) from None
        elif column.nullable:
            checked.append(None)
        else:
            rule = "the column is not nullable, the value is null or empty"
            raise located(EncodeError(rule), column.name, value)
    return checked


def _match(key: object, own: set[str], by_key: Mapping[str, str], value: object) -> str:
    if isinstance(key, str):
        if key in own:
            return key
        if key.lower() in by_key:
            return by_key[key.lower()]
    raise located(EncodeError("the key is not a partition column"), str(key), value)
