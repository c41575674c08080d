"""Rules of a table's rows: CHECK constraints and invariants, whose SQL must be true for every written row."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ...runtime.errors import EncodeError
from ..log import Snapshot, UnsupportedTableError
from ..log.column_rules import invariants
from ..log.protocol import CONSTRAINT, CONSTRAINTS
from ..read.values import SqlValue, column_of


class Constraint(NamedTuple):
    """A constraint.

    Attributes:
        name: its name in errors.
        text: its SQL text.
        feature: the table feature that it belongs to.
    """

    name: str
    text: str
    feature: str

    def check(self, rows: pa.Table) -> None:
        """Checks rows, which have the table's columns.

        Raises:
            EncodeError: the constraint is not true for a row.
            ValueError, KeyError: the SQL is unsupported, or names an unknown column.
        """
        used: dict[str, Any] = {}

        def lookup(path: tuple[str, ...]) -> Any:
            used[".".join(path)] = column_of(rows, rows.schema, path)
            return used[".".join(path)]

        holds = pc.fill_null(parsed(self.text, self.name).of(lookup, rows.num_rows), False)
        if not pc.all(holds, min_count=0).as_py():
            row = pc.index(holds, False).as_py()
            values = ", ".join(f"{name} = {column[row].as_py()!r}" for name, column in used.items())
            rule = f"the table's {self.name} ({self.text}) does not hold for {values or 'any row'}"
            raise EncodeError(rule, format="delta")


@cache
def parsed(text: str, name: str) -> SqlValue:
    """Returns the SQL, parsed once per process and not once per batch."""
    return SqlValue(text, name)


def constraints_of(snapshot: Snapshot | None, schema: pa.Schema) -> tuple[Constraint, ...]:
    """Returns the constraints that rows of a table must fulfil.

    Args:
        snapshot: the version of the table; None for a new one.
        schema: schema of the rows.

    Raises:
        UnsupportedTableError: a constraint cannot be checked here.
    """
    configuration = {} if snapshot is None else snapshot.metadata.configuration
    found = [
        Constraint(f"constraint {key.removeprefix(CONSTRAINT)!r}", text, CONSTRAINTS)
        for key, text in configuration.items()
        if key.startswith(CONSTRAINT)
    ]
    found += [Constraint(f"invariant of {path!r}", text, "invariants") for path, text in invariants(schema)]
    for constraint in found:
        try:
            constraint.check(schema.empty_table())
        except (ValueError, KeyError, pa.ArrowException) as error:
            reason = error.args[0] if error.args else error
            raise UnsupportedTableError(
                f"the table's {constraint.name} ({constraint.text}) cannot be checked here: {reason}",
                constraint.feature,
            ) from None
    return tuple(found)
