"""Users' scripts under mypy --strict and pyright: right lines pass, and each marked line is refused by both."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lakecodec

from ..paths import ROOT

SCRIPTS = [str(Path(__file__).with_name(name)) for name in ("user_script.py", "generated_classes.py")]
PACKAGE = Path(lakecodec.__file__).parent
PYRIGHT = shutil.which("basedpyright", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))


def test_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(tmp_path),
        *SCRIPTS,
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.skipif(PYRIGHT is None, reason="basedpyright is not installed")
def test_pyright(tmp_path: Path) -> None:
    settings = {
        "typeCheckingMode": "standard",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "enableTypeIgnoreComments": False,
        "extraPaths": [str(PACKAGE.parent)],
        "include": SCRIPTS,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(PYRIGHT), "-p", str(tmp_path), "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == len(SCRIPTS)
    shown = [
        f"{item['file']}:{item['range']['start']['line'] + 1}: {item['message']}"
        for item in found["generalDiagnostics"]
    ]
    assert shown == []


def test_the_package_is_marked_as_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
