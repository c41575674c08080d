"""What type checkers know of generated classes: a user's script with the lines that they must refuse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ..paths import ROOT

SCRIPT = Path(__file__).with_name("typing") / "user_script.py"


def test_mypy() -> None:
    """``--strict`` also reports each mark on a line that mypy would accept."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(SCRIPT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
