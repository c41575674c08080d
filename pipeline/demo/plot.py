"""The summary as a picture."""

from __future__ import annotations

from pathlib import Path

from .summary import Summary

UNCOMPRESSED = "#c6dbef"
COMPRESSED = "#2171b5"


def plot_sizes(summary: Summary, target: Path) -> None:
    """Draw each column's size before and after compression as a PNG file, the largest column on top."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = sorted(summary.columns, key=lambda column: column.uncompressed)
    names = [column.path for column in columns]
    figure = Figure(figsize=(9, 1.5 + 0.32 * len(columns)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.barh(names, [column.uncompressed / 1024 for column in columns], color=UNCOMPRESSED, height=0.8)
    axes.barh(names, [column.compressed / 1024 for column in columns], color=COMPRESSED, height=0.45)
    for position, column in enumerate(columns):
        end = max(column.uncompressed, column.compressed) / 1024
        axes.text(end, position, f" {column.ratio:.1f}x", va="center", fontsize=9)
    axes.set_xlabel("KiB in all files")
    axes.set_title(f"Compression by column: {summary.files:,} files, {summary.rows:,} rows")
    axes.legend(["uncompressed", "compressed"], loc="lower right", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.08)
    figure.savefig(target, dpi=120)
