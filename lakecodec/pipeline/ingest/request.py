"""Arguments of an ingest, validated as far as possible without the source or the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

from ..log.properties import configured

if TYPE_CHECKING:
    from ..predicates import Predicate

Format: TypeAlias = Literal["parquet", "mosaic"]
Mode: TypeAlias = Literal["error", "append", "overwrite", "overwrite_partitions", "ignore"]
SchemaMode: TypeAlias = Literal["strict", "merge"]
Curve: TypeAlias = Literal["zorder", "hilbert"]

TARGET_FILE_BYTES = 128 << 20
MAX_ROWS_PER_FILE = 10_000_000
_DEFAULTS: dict[str, Any] = {
    "format": None,
    "partition_by": None,
    "sort_by": (),
    "zorder_by": (),
    "hilbert_by": (),
    "mode": "append",
    "replace_where": None,
    "max_rows_per_file": MAX_ROWS_PER_FILE,
    "target_file_bytes": None,
    "stats_columns": None,
    "txn_id": None,
    "schema_mode": "strict",
    "properties": None,
}


@dataclass(frozen=True, slots=True)
class Order:
    """A sort key: column name and direction; its text is the name, with ``-`` in front if descending."""

    name: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True, slots=True)
class Request:
    """Validated arguments of `ingest`; what is None is that of the table or its properties."""

    format: Format | None
    partition_by: tuple[str, ...] | None
    sort_by: tuple[Order, ...]
    zorder_by: tuple[str, ...]
    hilbert_by: tuple[str, ...]
    mode: Mode
    replace_where: Predicate | None
    max_rows_per_file: int
    target_file_bytes: int | None
    stats_columns: tuple[str, ...] | None
    txn_id: str | None
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
        """Returns a request with these arguments; the others have their defaults (``mode`` is ``"append"``).

        Raises:
            TypeError, ValueError: a wrong argument, which is named.
        """
        given = {**_DEFAULTS, **given}
        request = cls(
            format=_one_of("format", given["format"], (*get_args(Format), None)),
            partition_by=None if given["partition_by"] is None else _names("partition_by", given["partition_by"]),
            sort_by=_orders(given["sort_by"]),
            zorder_by=_names("zorder_by", given["zorder_by"]),
            hilbert_by=_names("hilbert_by", given["hilbert_by"]),
            mode=_one_of("mode", given["mode"], get_args(Mode)),
            replace_where=given["replace_where"],
            max_rows_per_file=_positive("max_rows_per_file", given["max_rows_per_file"]),
            target_file_bytes=None
            if given["target_file_bytes"] is None
            else _positive("target_file_bytes", given["target_file_bytes"]),
            stats_columns=None if given["stats_columns"] is None else _names("stats_columns", given["stats_columns"]),
            txn_id=given["txn_id"],
            schema_mode=_one_of("schema_mode", given["schema_mode"], get_args(SchemaMode)),
            properties=configured(given["properties"]) if given["properties"] else {},
        )
        orders = [name for name in ("sort_by", "zorder_by", "hilbert_by") if getattr(request, name)]
        if len(orders) > 1:
            raise ValueError(f"{', '.join(orders)}: only one of them can be given")
        if request.replace_where is not None and request.mode != "overwrite":
            raise ValueError(f"replace_where: the mode 'overwrite' is needed, not {request.mode!r}")
        if request.txn_id is not None and (not isinstance(request.txn_id, str) or not request.txn_id):
            raise ValueError("txn_id: a text that is not empty is needed")
        return request


def _one_of(argument: str, value: Any, allowed: Sequence[Any]) -> Any:
    if value not in allowed:
        raise ValueError(f"{argument}: one of {', '.join(repr(name) for name in allowed)} is needed, not {value!r}")
    return value


def _positive(argument: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{argument}: an int is needed, not {value!r}")
    if value < 1:
        raise ValueError(f"{argument}: at least 1 is needed, not {value}")
    return value


def _names(argument: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(_sequence(argument, value))
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{argument}: a column's name is needed, not {name!r}")
        if names.count(name) > 1:
            raise ValueError(f"{argument}: {name!r} is given twice")
    return names


def _orders(value: Any) -> tuple[Order, ...]:
    # Here, for Spark's workers import this module and need no row keys.
    from ...row.sort_keys import parse_sort_keys

    keys = parse_sort_keys(value, argument="sort_by")
    if any(key.nulls_first is False and not key.descending for key in keys):
        raise ValueError("sort_by: nulls come first in ascending order, and cannot be placed otherwise")
    orders = tuple(Order(key.name, key.descending) for key in keys)
    _names("sort_by", [order.name for order in orders])
    return orders


def _sequence(argument: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise TypeError(f"{argument}: a list is needed, not {type(value).__name__}")
    return value
