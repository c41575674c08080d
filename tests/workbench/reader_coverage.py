"""Prints the branches of generated readers that samples and damaged samples do not reach; run by test_reader_coverage.py.

Runs without compiled modules, in a process of its own, since coverage must begin before the modules are imported.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import coverage

#: Samples and damaged samples of each type in a round; rounds at most, and the share of branches after which there is no other.
_SAMPLES, _DAMAGED = 10, 40
_ROUNDS, _ENOUGH = 6, 0.95
#: Depths and numbers of elements that samples are over.
_LIMITS = [*((depth, 1000) for depth in range(1, 8)), *((20, elements) for elements in (1, 3, 7))]


def reach(cls: Any, seed: int) -> None:
    """Reads samples and damaged samples of a type, structs with limits that they are over, too."""
    from lakecodec import DecodeError, Limits
    from lakecodec.runtime.compact.base import Struct
    from lakecodec.workbench.sampling.damage import damaged
    from lakecodec.workbench.sampling.sampler import sample_list

    # Whole files hold what has samples of its own.
    share = 10 if hasattr(cls, "open") else 1
    try:
        good = sample_list(cls, _SAMPLES // share, seed)
        bad = damaged(cls, _DAMAGED // share, seed)
    except ValueError:
        return
    calls = [partial(cls.from_bytes, each.data, *each.parameters) for each in bad]
    if issubclass(cls, Struct):
        calls += [partial(cls.from_bytes, each.data, limits=Limits(*limits)) for each in good for limits in _LIMITS]
    for call in calls:
        with suppress(DecodeError):
            call()


def reading_lines(file: str) -> set[int]:
    """Returns the lines of the functions of a file that read."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(Path(file).read_text())):
        if isinstance(node, ast.FunctionDef) and "read" in node.name and node.end_lineno is not None:
            found |= set(range(node.lineno, node.end_lineno + 1))
    return found


def missed(measured: coverage.Coverage, path: str) -> tuple[int, list[tuple[int, int]]]:
    """Returns how many branches the readers of a file have, and those that were not taken, as lines from and to."""
    lines = reading_lines(path)
    analysis = measured._analyze(path)
    branches = sum(arcs[0] for line, arcs in analysis.branch_stats().items() if line in lines)
    missing = [
        (line, to) for line, several in analysis.missing_branch_arcs().items() if line in lines for to in several
    ]
    return branches, sorted(missing)


def keep_methods(folder: Path) -> None:
    """Keeps the texts of the readers of structs, which are made when they are needed, as files of a folder."""
    from lakecodec.runtime.compact import methods

    def define(text: str, file: str, names: dict[str, Any]) -> None:
        path = folder / f"{len(list(folder.iterdir()))}.py"
        path.write_text(text)
        exec(compile(text, str(path), "exec"), names)

    methods._define = define


def main(name: str, of_structs: str) -> None:
    """Prints, as JSON, how many branches the readers of a generated module have, and those that were not taken."""
    with tempfile.TemporaryDirectory() as folder:
        measured = coverage.Coverage(branch=True, data_file=None, include=[f"{folder}/*", f"*/generated/{name}.py"])
        measured.start()
        module: Any = import_module(f"lakecodec.generated.{name}")
        if of_structs:
            keep_methods(Path(folder))
        for number in range(_ROUNDS):
            for spec in module.__spec__.values():
                if spec.kind != "enum":
                    reach(spec.cls, 1000 * number)
            measured.stop()
            paths = sorted(Path(folder).iterdir()) if of_structs else [Path(module.__file__)]
            found = [missed(measured, str(path)) for path in paths]
            branches, missing = sum(each[0] for each in found), [each for _, some in found for each in some]
            if len(missing) <= (1 - _ENOUGH) * branches:
                break
            measured.start()
    print(json.dumps({"branches": branches, "missing": missing, "rounds": number + 1}))


if __name__ == "__main__":
    main(*sys.argv[1:])
