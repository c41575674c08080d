"""Interleaved timing, and results as a table, JSON and a plot."""

from __future__ import annotations

import gc
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

#: A sample runs a function as often as fills this time, so that the clock's resolution does not matter.
_SAMPLE_SECONDS = 0.01
#: Larger than the small blocks of the C library, smaller than what it asks the system for.
_LARGE_BLOCK = 64 * 1024
#: Seconds between two looks at whether other threads work, how many of them there are at most, and the part of a look's time
#: that a process which does nothing may take.
_LOOK, _MOST_LOOKS, _IDLE = 0.005, 200, 0.04


@dataclass(frozen=True, slots=True)
class Result:
    """One comparison.

    Attributes:
        name: what was measured.
        ours: our median, in ``unit``.
        peer: the other's median, in ``unit``; or a fixed limit.
        peer_name: who the other is.
        ratio: ours / peer; computed where it is left out. Below 1 we are better.
        bar: the highest ratio that is good enough, None where there is no such demand.
        unit: "s" or "bytes", each for one call of what ``name`` says; or what else is counted.
        wall: ours / peer by the clock on the wall, where ``ratio`` is of the CPU time of all threads.
    """

    name: str
    ours: float
    peer: float
    peer_name: str
    ratio: float | None = None
    bar: float | None = None
    unit: str = "s"
    wall: float | None = None

    def __post_init__(self) -> None:
        if self.ratio is None:
            object.__setattr__(self, "ratio", self.ours / self.peer)

    @property
    def holds(self) -> bool | None:
        """Whether the bar is met; None without one."""
        return None if self.bar is None or self.ratio is None else self.ratio <= self.bar


def interleave(
    functions: Mapping[str, Callable[[], object]],
    *,
    repeat: int = 9,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Median seconds of one call of each function, dropping its result included.

    The functions take turns, so that a slow phase of the machine hits all of them. Garbage is collected
    between samples; the collector stays on while a sample runs, as it does for users.
    """
    return {name: by_clock for name, (by_clock, _) in _medians(functions, repeat, clock).items()}


def _medians(
    functions: Mapping[str, Callable[[], object]], repeat: int, clock: Callable[[], float]
) -> dict[str, tuple[float, float]]:
    """The same by ``clock`` and on the wall."""
    numbers = {name: _calls(function) for name, function in functions.items()}
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in functions}
    for _ in range(repeat):
        for name, function in functions.items():
            _settle()
            samples[name].append(_sample(function, numbers[name], clock))
    return {
        name: (statistics.median(own for own, _ in found), statistics.median(wall for _, wall in found))
        for name, found in samples.items()
    }


def _settle() -> None:
    """Ends what the function before left undone: it is not the next one's work.

    The C library merges small blocks that were freed when the next large one is asked for: after a peer that dropped
    a result of a million objects that took 12 ms. Threads of pyarrow go on after its call has returned: after a table of
    10,000 columns for 27 ms of CPU time.
    """
    gc.collect()
    _ = bytes(_LARGE_BLOCK)
    for _ in range(_MOST_LOOKS):
        begun = time.process_time()
        time.sleep(_LOOK)
        if time.process_time() - begun < _IDLE * _LOOK:
            return


def compare(
    name: str,
    functions: Mapping[str, Callable[[], object]],
    *,
    bars: Mapping[str, float] | None = None,
    repeat: int = 9,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Result]:
    """Results of the first function against each of the others, which are named by their libraries.

    `time.process_time` as the clock counts the CPU time of all threads, and keeps other processes out of the numbers.
    """
    medians = _medians(functions, repeat, clock)
    ours, *peers = functions
    bars = bars or {}
    own, own_wall = medians[ours]
    return [
        Result(name, own, medians[peer][0], peer, bar=bars.get(peer), wall=own_wall / medians[peer][1])
        for peer in peers
    ]


def print_table(results: Iterable[Result]) -> None:
    """Prints results as a table; a bar that is missed is red."""
    from rich.console import Console
    from rich.table import Table

    table = Table("measurement", "ours", "peer", "", "ratio", "bar", "wall", "times better")
    for column in table.columns[1:]:
        column.justify = "right"
    for result in results:
        style = {True: "green", False: "bold red", None: ""}[result.holds]
        assert result.ratio is not None
        table.add_row(
            result.name,
            _quantity(result.ours, result.unit),
            _quantity(result.peer, result.unit),
            result.peer_name,
            f"{result.ratio:.3f}",
            "" if result.bar is None else f"≤ {result.bar:.3f}",
            "" if result.wall is None else f"{result.wall:.3f}",
            f"{1 / result.ratio:.2f}" if result.ratio else "",
            style=style,
        )
    Console(width=None if Console().is_terminal else 140).print(table)


def write_json(results: Iterable[Result], path: Path) -> None:
    """Writes results, and what they were measured with, as one JSON object."""
    packages = ("pyarrow", "fastparquet", "thrift", "thriftpy2", "duckdb", "polars", "kaitaistruct", "construct")
    document = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: found for name in packages if (found := _version(name)) is not None},
        "results": [asdict(result) for result in results],
    }
    path.write_text(json.dumps(document, indent=2) + "\n")


def write_plot(results: Iterable[Result], path: Path) -> None:
    """Draws how many times better we are as bars on a logarithmic scale, with the bars to be met as marks."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = list(results)[::-1]
    figure, axes = pyplot.subplots(figsize=(10, 1 + 0.34 * len(shown)), layout="constrained")
    places = range(len(shown))
    axes.barh(
        places,
        [1 / (result.ratio or 1) - 1 for result in shown],
        left=1,
        color=["#b03a2e" if result.holds is False else "#2e6f9e" for result in shown],
    )
    marks: list[Any] = [(place, 1 / result.bar) for place, result in enumerate(shown) if result.bar]
    axes.scatter([mark for _, mark in marks], [place for place, _ in marks], marker="|", s=160, color="black", zorder=3)
    axes.set_xscale("log")
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_yticks(list(places), [f"{result.name}  /  {result.peer_name}" for result in shown], fontsize=8)
    axes.set_xlabel("times better than the peer (the mark is what is asked for)")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _calls(function: Callable[[], object]) -> int:
    function()
    taken, _ = _sample(function, 1, time.perf_counter)
    return max(1, min(1000, int(_SAMPLE_SECONDS / max(taken, 1e-7))))


def _sample(function: Callable[[], object], calls: int, clock: Callable[[], float]) -> tuple[float, float]:
    wall, start = time.perf_counter(), clock()
    for _ in range(calls):
        function()
    return (clock() - start) / calls, (time.perf_counter() - wall) / calls


def _quantity(value: float, unit: str) -> str:
    if unit != "s":
        return f"{value:,.0f} {'B' if unit == 'bytes' else unit}"
    for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")):
        if value * factor >= 1 or name == "ns":
            return f"{value * factor:,.3g} {name}" if value * factor < 1000 else f"{value * factor:,.0f} {name}"
    return str(value)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
