"""The outcome as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .outcome import Outcome
from .queries import QUERIES
from .tables import PARTITION_BY
from .year import Year

LIGHT = "#c6dbef"
COLOURS = ("#2171b5", "#e6842a")


def plot_outcome(outcome: Outcome, target: Path) -> None:
    """Draw a PNG file: the columns' sizes in Parquet, the tables' sizes, and the queries' times and bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 7.5), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(3, 2, width_ratios=(1, 1), height_ratios=(0.55, 1, 1))
    plot_columns(figure.add_subplot(grid[:, 0]), outcome)
    plot_tables(figure.add_subplot(grid[0, 1]), outcome)
    sizes = [result.summary.bytes / 2**20 for result in outcome.queries]
    plot_queries(figure.add_subplot(grid[1, 1]), outcome, sizes, "files read, MiB", "{:.2f}")
    times = [result.seconds * 1000 for result in outcome.queries]
    plot_queries(figure.add_subplot(grid[2, 1]), outcome, times, "scan without Spark, ms", "{:.0f}")
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, dpi=110)


def plot_year(year: Year, target: Path) -> None:
    """Draw a PNG file: files, bytes and the time of a query over the months, with the changes as marks."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 7.5), layout="constrained")
    FigureCanvasAgg(figure)
    months = [month.name for month in year.months]
    rows: dict[str, list[float]] = {
        "files": [month.files for month in year.months],
        "size, MiB": [month.bytes / 2**20 for month in year.months],
        "one route, ms": [month.seconds * 1000 for month in year.months],
    }
    for number, (label, values) in enumerate(rows.items(), 1):
        axes = figure.add_subplot(len(rows), 1, number)
        axes.plot(months, values, marker="o", color=COLOURS[0])
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
        for position, month in enumerate(year.months):
            if "optimized" in month.done:
                axes.axvline(position, color=LIGHT, linewidth=6, zorder=0)
    figure.axes[0].set_title("Flights appended month by month; the shaded months end with an optimization")
    figure.savefig(target, dpi=110)


def plot_columns(axes: Any, outcome: Outcome) -> None:
    """Each column before and after compression, the largest on top."""
    summary = outcome.summary
    columns = sorted(summary.columns, key=lambda column: column.uncompressed)
    names = [column.path for column in columns]
    axes.barh(names, [column.uncompressed / 1024 for column in columns], color=LIGHT, height=0.8)
    axes.barh(names, [column.compressed / 1024 for column in columns], color=COLOURS[0], height=0.45)
    for position, column in enumerate(columns):
        end = max(column.uncompressed, column.compressed) / 1024
        axes.text(end, position, f" {column.ratio:.1f}x", va="center", fontsize=9)
    axes.set_xlabel("KiB in all files")
    axes.set_title(f"Parquet by column: {summary.files:,} files, {summary.rows:,} rows")
    axes.legend(["uncompressed", "compressed"], loc="lower right", frameon=False)
    axes.margins(x=0.08)


def plot_tables(axes: Any, outcome: Outcome) -> None:
    """Each table's size."""
    titles = [f"{table.definition.title}\n{table.definition.clustering}" for table in outcome.tables]
    sizes = [table.info.num_bytes / 2**20 for table in outcome.tables]
    bars = axes.barh(titles, sizes, color=COLOURS[: len(sizes)], height=0.6)
    axes.bar_label(bars, fmt="{:.1f} MiB", padding=3, fontsize=9)
    axes.invert_yaxis()
    axes.set_title(f"Tables, partitioned by {', '.join(PARTITION_BY)}")
    axes.margins(x=0.15)


def plot_queries(axes: Any, outcome: Outcome, values: list[float], label: str, pattern: str) -> None:
    """One number a query and table, side by side."""
    width = 0.8 / len(outcome.tables)
    for number, table in enumerate(outcome.tables):
        own = [value for value, result in zip(values, outcome.queries, strict=True) if result.table is table]
        bars = axes.bar(
            [position + number * width for position in range(len(own))],
            own,
            width * 0.92,
            color=COLOURS[number],
            label=table.definition.title,
        )
        axes.bar_label(bars, fmt=pattern, padding=2, fontsize=9)
    axes.set_xticks([position + width * (len(outcome.tables) - 1) / 2 for position in range(len(QUERIES))], QUERIES)
    axes.set_ylabel(label)
    axes.margins(y=0.15)
    axes.legend(frameon=False)
