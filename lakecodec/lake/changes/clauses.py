"""Clauses of a merge, with and without Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def check_used(*clauses: Any) -> None:
    """Raises ValueError if no clause of a merge is used."""
    if all(clause is None or clause is False for clause in clauses):
        raise ValueError("when_matched_update, when_matched_delete, when_not_matched_insert: at least one is needed")


def columns_of_source(argument: str, names: Sequence[str], source: Sequence[str]) -> dict[str, str]:
    """Returns a dict of the table's column name -> source column, for a clause that sets all columns.

    Raises:
        KeyError: the table has no column of that name.
    """
    folded = {name.lower(): name for name in names}
    unknown = [name for name in source if name.lower() not in folded]
    if unknown:
        raise KeyError(f"{argument}: the table has no column {unknown[0]!r}, which the source has; give a dict")
    return {folded[name.lower()]: name for name in source}
