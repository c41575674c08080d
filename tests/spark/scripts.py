"""Runs the scripts beside this file in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def run_script(name: str, directory: Path) -> Any:
    """What a script prints last, given a directory. No process of it may rely on the project's folder."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(Path(__file__).with_name(name)), str(directory)]
    with tempfile.TemporaryDirectory() as elsewhere:
        result = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-4000:]
    return json.loads(result.stdout.splitlines()[-1])
