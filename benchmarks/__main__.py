"""Runs the benchmarks: every module here that is called bench_* and has a function ``run(quick) -> list[Result]``."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from importlib import import_module
from pathlib import Path

from .harness import Result, print_table, write_json, write_plot


def main() -> int:
    """Exit code 1 if a bar is missed; not with ``--quick``, whose sizes are not those that the bars are for."""
    names = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*names, []], help="which ones to run; default: all")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller runs, for a first look: two minutes")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", default=Path("bench-output"), help="of results.json and results.png"
    )
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    for name in arguments.names or names:
        start = time.perf_counter()
        module = import_module(f".bench_{name}", __package__)
        if arguments.quick:
            # Collections between samples would take most of the time, looking at what was imported.
            gc.freeze()
        found = module.run(arguments.quick)
        print_table(found)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
        results += found
        # What was measured is not lost when a later one fails.
        write_json(results, arguments.output / "results.json")
    write_plot(results, arguments.output / "results.png")
    return 1 if not arguments.quick and any(result.holds is False for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
