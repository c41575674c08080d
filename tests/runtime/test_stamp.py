"""Compiled modules that were built from other sources than those beside them: refused with the remedy, never run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lakecodec.runtime.native import MODULES, stamp

from ..paths import ROOT

SOURCE = "lakecodec/runtime/native/records/module.c"

pytestmark = pytest.mark.skipif(
    not (ROOT / SOURCE).exists(), reason="the package is installed, its sources are elsewhere"
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources with the stamp of a build that ended just now."""
    ignored = shutil.ignore_patterns("*.so", "__pycache__", "idl", "generated", ".stamp-*")
    shutil.copytree(ROOT / "lakecodec", tmp_path / "lakecodec", ignore=ignored)
    (tmp_path / "lakecodec/runtime/native/.stamp-native").write_text(stamp.digest())
    return tmp_path


def imported(checkout: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1", **settings}
    program = "import lakecodec; print(lakecodec.__file__)"
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


def test_a_build_from_other_sources_names_the_command_that_rebuilds(checkout: Path) -> None:
    source = checkout / SOURCE
    source.write_text(source.read_text() + "\n/* changed */\n")
    done = imported(checkout)
    assert done.returncode == 1
    assert "python setup.py build_ext --inplace" in done.stderr.splitlines()[-1]
    assert imported(checkout, LAKECODEC_PURE="1").stdout.startswith(str(checkout))


def test_newer_sources_with_the_same_bytes_are_no_other_sources(checkout: Path) -> None:
    (checkout / SOURCE).touch()
    assert imported(checkout).stdout.startswith(str(checkout))


def test_a_build_without_a_stamp_is_not_checked(checkout: Path) -> None:
    (checkout / "lakecodec/runtime/native/.stamp-native").unlink()
    (checkout / SOURCE).write_text("")
    assert imported(checkout).stdout.startswith(str(checkout))


def test_the_sources_of_every_compiled_module_are_looked_at() -> None:
    found = {Path(each.path) for each in stamp.sources()}
    package = ROOT / "lakecodec"
    for name in MODULES:
        stem = package.joinpath(*name.split("."))
        folder = stem.parent / {"_compact": "compact", "_record": "records"}.get(stem.name, "")
        assert {*([] if folder != stem.parent else [stem.with_suffix(".pyx")]), *folder.glob("*.h")} <= found
    assert {*package.rglob("*.h"), *package.rglob("*.px[di]")} <= found
    assert not [path for path in found if path.suffix == ".c" and path.with_suffix(".pyx").exists()]
