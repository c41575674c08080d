"""The flights as a Paimon table: the Mosaic files of the Delta table, linked, and read by pypaimon where there is one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lakecodec import paimon

from .tables import DemoTable

#: It wants an older pyarrow and so has an environment of its own, which `.ci/pypaimon` makes.
_PYTHON = Path(".venv-pypaimon/bin/python")
_READ = """
import json, sys
from importlib.metadata import version
from pypaimon import CatalogFactory
import pyarrow.compute as pc
read = CatalogFactory.create({"warehouse": sys.argv[1]}).get_table(sys.argv[2]).new_read_builder()
read = read.with_projection(["distance"])
rows = read.new_read().to_arrow(read.new_scan().plan().splits())
print(json.dumps([version("pypaimon"), rows.num_rows, pc.sum(rows["distance"]).as_py()]))
"""


@dataclass(frozen=True)
class PaimonResult:
    """The table, and what was found out about it.

    Attributes:
        files: number of its data files.
        rows: number of its rows.
        bytes: size of the files.
        seconds: that making it took.
        sound: whether it has the rows that were ingested.
        engine: name and version of pypaimon; None where it is not installed.
        equal: whether pypaimon reads as many rows, with the same total of a column.
        error: pypaimon's, in one line.
    """

    files: int
    rows: int
    bytes: int
    seconds: float
    sound: bool
    engine: str | None = None
    equal: bool = False
    error: str = ""

    @property
    def good(self) -> bool:
        """True where all is as it should be."""
        return self.sound and (self.engine is None or self.equal)

    @property
    def said(self) -> str:
        """Line about pypaimon on the table."""
        if self.engine is None:
            return "pypaimon on Paimon: not installed; .ci/pypaimon makes an environment for it"
        if self.error:
            return f"{self.engine} on Paimon: {self.error}"
        same = "the same as ingested" if self.equal else "not the same as ingested"
        return f"{self.engine} on Paimon: {self.rows:,} rows, {same}"


def link_as_paimon(table: DemoTable, rows: pa.Table, warehouse: Path) -> PaimonResult:
    """Returns the result of making a Paimon table of a Delta table of ``rows``; an earlier one in ``warehouse`` is replaced."""
    target = warehouse / "demo.db" / "flights"
    shutil.rmtree(target, ignore_errors=True)
    start = time.perf_counter()
    info = paimon.convert(table.path, target)
    seconds = time.perf_counter() - start
    files = paimon.files(target)
    read = paimon.scan(target, columns=["distance"]).read_all()
    expected = rows.num_rows, pc.sum(rows["distance"]).as_py()
    sound = (len(read), pc.sum(read["distance"]).as_py()) == expected
    size = sum(files["size"].to_pylist())
    engine, equal, error = _by_pypaimon(warehouse, expected)
    return PaimonResult(files.num_rows, info.num_rows or 0, size, seconds, sound, engine, equal, error)


def _by_pypaimon(warehouse: Path, expected: tuple[int, float]) -> tuple[str | None, bool, str]:
    python = Path(os.environ.get("LAKECODEC_PYPAIMON") or _PYTHON)
    if not python.exists():
        return None, False, ""
    command = [str(python), "-c", _READ, str(warehouse.absolute()), "demo.flights"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return "pypaimon", False, done.stderr.strip().splitlines()[-1]
    version, rows, total = json.loads(done.stdout.splitlines()[-1])
    return f"pypaimon {version}", (rows, total) == expected, ""
