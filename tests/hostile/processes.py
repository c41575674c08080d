"""Runs Python in a process of its own, whose crash is a failed test."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str) -> str:
    """Runs Python with arguments, from a folder of its own; returns what it prints."""
    paths = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(ROOT)])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, f"ended with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
    return done.stdout
