"""What importing a part of the package costs its users in other packages, and which names modules show."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import pytest

COMPILER = {"lark", "jinja2", "yaml", "typer", "rich", "click", "pyspark", "pandas"}


@pytest.mark.parametrize(
    "module", ["lakecodec", "lakecodec.row", "lakecodec.delta", "lakecodec.mosaic", "lakecodec.parquet"]
)
def test_formats_need_neither_compiler_nor_command_line(module: str) -> None:
    program = f"import sys, {module}; print(*sorted({COMPILER!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("module", "left_out"),
    [
        ("lakecodec", {"numpy", "pyarrow"}),
        ("lakecodec.parquet", {"numpy", "pyarrow"}),
        ("lakecodec.parquet", {"lakecodec.parquet.chunk_table", "lakecodec.runtime.records.nodes"}),
        ("lakecodec.generated.mosaic", {"pyarrow.compute"}),
        ("lakecodec.mosaic", {"pyarrow.compute"}),
    ],
)
def test_what_is_slow_to_import_comes_when_it_is_needed(module: str, left_out: set[str]) -> None:
    program = f"import sys, {module}; print(*sorted({left_out!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("name", ["", ".parquet", ".mosaic", ".row", ".delta", ".pipeline", ".convert", ".generator"])
def test_dir_shows_the_public_names(name: str) -> None:
    module = importlib.import_module(f"lakecodec{name}")
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, public) for public in module.__all__)
