"""Arguments of an ingest, validated as far as is possible without the source and the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias, get_args

from ...runtime.exact import items_of
from ..log.properties import configured

Format: TypeAlias = Literal["parquet", "mosaic"]
Mode: TypeAlias = Literal["error", "append", "overwrite", "overwrite_partitions", "ignore"]
SchemaMode: TypeAlias = Literal["strict", "merge"]
Curve: TypeAlias = Literal["zorder", "hilbert"]
_Check: TypeAlias = Callable[[str, Any], Any]

TARGET_FILE_BYTES = 128 << 20
MAX_ROWS_PER_FILE = 10_000_000


@dataclass(frozen=True, slots=True)
class Order:
    """A sort key: column name and direction; its text is the name, with ``-`` in front if descending."""

    name: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True, slots=True)
class Request:
    """Validated arguments of `ingest`; None means the value of the table or its properties."""

    format: Format | None = None
    partition_by: tuple[str, ...] | None = None
    sort_by: tuple[Order, ...] = ()
    zorder_by: tuple[str, ...] = ()
    hilbert_by: tuple[str, ...] = ()
    mode: Mode = "append"
    replace_where: Any = None
    max_rows_per_file: int = MAX_ROWS_PER_FILE
    target_file_bytes: int | None = None
    stats_columns: tuple[str, ...] | None = None
    txn_id: str | None = None
    schema_mode: SchemaMode = "strict"
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def curve_by(self) -> tuple[str, ...]:
        """The columns of the space-filling curve, empty without one."""
        return self.zorder_by or self.hilbert_by

    @property
    def curve(self) -> Curve | None:
        """The space-filling curve, ``"zorder"`` or ``"hilbert"``, None without one."""
        return "zorder" if self.zorder_by else "hilbert" if self.hilbert_by else None

    @classmethod
    def of(cls, **given: Any) -> Self:
        """Returns a request with these arguments.

        Raises:
            TypeError, ValueError: an argument is wrong; the message names it.
        """
        request = cls(**{name: _CHECKS[name](name, value) for name, value in given.items()})
        orders = [name for name in ("sort_by", "zorder_by", "hilbert_by") if getattr(request, name)]
        if len(orders) > 1:
            raise ValueError(f"{', '.join(orders)}: only one of them can be given")
        if request.replace_where is not None and request.mode != "overwrite":
            raise ValueError(f"replace_where: the mode 'overwrite' is needed, not {request.mode!r}")
        return request


def _one_of(*allowed: Any) -> _Check:
    def check(argument: str, value: Any) -> Any:
        if value not in allowed:
            raise ValueError(f"{argument}: one of {', '.join(repr(name) for name in allowed)} is needed, not {value!r}")
        return value

    return check


def _optional(check: _Check) -> _Check:
    return lambda argument, value: None if value is None else check(argument, value)


def _positive(argument: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{argument}: an int is needed, not {value!r}")
    if value < 1:
        raise ValueError(f"{argument}: at least 1 is needed, not {value}")
    if value >> 63:
        raise ValueError(f"{argument}: less than 2^63 is needed, not {value}")
    return value


def _names(argument: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(items_of(_sequence(argument, value)))
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{argument}: a column's name is needed, not {name!r}")
        if names.count(name) > 1:
            raise ValueError(f"{argument}: {name!r} is given twice")
    return names


def _text(argument: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{argument}: a text that is not empty is needed")
    return value


def _orders(argument: str, value: Any) -> tuple[Order, ...]:
    # Imported here, since Spark's workers import this module and need no row keys.
    from ...row.sort_keys import parse_sort_keys

    keys = parse_sort_keys(value, argument=argument)
    if any(key.nulls_first is False and not key.descending for key in keys):
        raise ValueError(f"{argument}: nulls come first in ascending order, and cannot be placed otherwise")
    orders = tuple(Order(key.name, key.descending) for key in keys)
    _names(argument, [order.name for order in orders])
    return orders


def _sequence(argument: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise TypeError(f"{argument}: a list is needed, not {type(value).__name__}")
    return value


_CHECKS: dict[str, _Check] = {
    "format": _one_of(*get_args(Format), None),
    "partition_by": _optional(_names),
    "sort_by": _orders,
    "zorder_by": _names,
    "hilbert_by": _names,
    "mode": _one_of(*get_args(Mode)),
    "replace_where": lambda argument, value: value,
    "max_rows_per_file": _positive,
    "target_file_bytes": _optional(_positive),
    "stats_columns": _optional(_names),
    "txn_id": _optional(_text),
    "schema_mode": _one_of(*get_args(SchemaMode)),
    "properties": lambda argument, value: configured(value) if value else {},
}
