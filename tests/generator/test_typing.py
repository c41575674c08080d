"""What type checkers know of generated classes: a user's script with the lines that they must refuse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..paths import ROOT

SCRIPT = Path(__file__).with_name("typing") / "user_script.py"
PYRIGHT = shutil.which("basedpyright", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))


def test_mypy() -> None:
    """``--strict`` also reports each mark on a line that mypy would accept."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(SCRIPT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.skipif(PYRIGHT is None, reason="basedpyright is not installed")
def test_pyright(tmp_path: Path) -> None:
    """It takes the same marks, and reports those that it does not need."""
    settings = {
        "typeCheckingMode": "standard",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "enableTypeIgnoreComments": True,
        "extraPaths": [str(ROOT)],
        "include": [str(SCRIPT)],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(PYRIGHT), "-p", str(tmp_path), "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    assert [item["message"] for item in found["generalDiagnostics"]] == []
