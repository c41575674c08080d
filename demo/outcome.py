"""Results of the demonstration."""

from __future__ import annotations

from dataclasses import dataclass

from lakecodec.lake.log import Problem

from .engines import EngineResult
from .paimon_table import PaimonResult
from .queries import QueryResult
from .summary import Summary
from .tables import DemoTable
from .year import Year


@dataclass(frozen=True)
class Outcome:
    """Everything that the closing report tells.

    Attributes:
        tables: in the order of their definitions.
        summary: of the metadata of the Parquet table's files.
        queries: of all tables.
        engines: other engines on all tables.
        problems: what `lakecodec.pipeline.check` found, by the title of the table.
        paimon: the same flights as a Paimon table.
        year: a table's life of a year; None without Spark.
    """

    tables: list[DemoTable]
    summary: Summary
    queries: list[QueryResult]
    engines: list[EngineResult]
    problems: dict[str, list[Problem]]
    paimon: PaimonResult
    year: Year | None = None

    @property
    def good(self) -> bool:
        """True where no part of the demonstration failed."""
        return (
            not self.summary.broken
            and not any(self.problems.values())
            and all(result.agrees for result in self.queries)
            and all(result.expected for result in self.engines)
            and self.paimon.good
            and (self.year is None or self.year.good)
        )

    @property
    def with_spark(self) -> bool:
        """True where Spark ran a query."""
        return any(result.spark_seconds is not None for result in self.queries)

    def row_groups(self, table: DemoTable) -> int:
        """Returns the number of row groups in the files of a table."""
        return max(result.summary.row_groups_total for result in self.queries if result.table is table)
