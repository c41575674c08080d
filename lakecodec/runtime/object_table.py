"""Tables over records: flat Arrow views of existing objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .table import _arrow_type

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ObjectColumn:
    """A column: its Arrow type, and a function from the source and the loop variables of a row to its value."""

    name: str
    arrow: str
    compute: Callable[..., Any]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class ObjectTable:
    """A generated table whose source is a record."""

    name: str
    rows: Callable[[Any], Iterable[tuple[Any, ...]]]
    columns: tuple[ObjectColumn, ...]

    @property
    def schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema([(column.name, _arrow_type(column.arrow)) for column in self.columns])

    def of(self, source: Any, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Returns the rows of a record as a ``pyarrow.Table``."""
        import pyarrow as pa

        known = {column.name: column for column in self.columns}
        for name in columns or ():
            if name not in known:
                raise KeyError(f"columns: {self.name} has no column {name!r}")
        chosen = self.columns if columns is None else [known[name] for name in columns]
        rows = list(self.rows(source))
        arrays = [
            pa.array([_plain(column.compute(source, *row)) for row in rows]).cast(_arrow_type(column.arrow))
            if rows
            else pa.array([], _arrow_type(column.arrow))
            for column in chosen
        ]
        return pa.Table.from_arrays(arrays, names=[column.name for column in chosen])


def _plain(value: Any) -> Any:
    """Returns values with enum members replaced by their numbers."""
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def member_name(value: Any) -> str | None:
    """Returns the name of an enum member, or the digits of an unknown number."""
    return None if value is None else getattr(value, "name", str(value))
