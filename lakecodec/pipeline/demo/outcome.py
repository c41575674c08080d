"""What the demonstration has made and found out."""

from __future__ import annotations

from dataclasses import dataclass

from ..log import Problem
from .engines import EngineResult
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
        year: a table's life of a year; None without Spark.
    """

    tables: list[DemoTable]
    summary: Summary
    queries: list[QueryResult]
    engines: list[EngineResult]
    problems: dict[str, list[Problem]]
    year: Year | None = None

    @property
    def good(self) -> bool:
        """Whether everything is as it should be."""
        return (
            not self.summary.broken
            and not any(self.problems.values())
            and all(result.agrees for result in self.queries)
            and all(result.expected for result in self.engines)
            and (self.year is None or self.year.good)
        )

    @property
    def with_spark(self) -> bool:
        """Whether Spark took part."""
        return any(result.spark_seconds is not None for result in self.queries)

    def row_groups(self, table: DemoTable) -> int:
        """How many the files of a table have."""
        return max(result.summary.row_groups_total for result in self.queries if result.table is table)
