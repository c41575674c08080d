"""The hooks of pre-commit and the GitHub action: their steps run here as they would there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..paths import ROOT

GOOD = "/** A point. */\nstruct Point {\n  /** Across. */\n  1: required i32 x;\n}\n"


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Returns a function that runs a line of shell in a repository with one committed IDL file, and gives its exit code."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "lakecodec"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m lakecodec "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    work = tmp_path / "work"
    (work / "idl").mkdir(parents=True)
    (work / "idl" / "point.idl").write_text(GOOD, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    environment |= {
        f"GIT_{role}_{part}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")
    }

    def call(line: str) -> int:
        return subprocess.run(line, shell=True, cwd=work, env=environment, capture_output=True, check=False).returncode

    assert call("git init -q . && git add . && git commit -q -m first") == 0
    call.work = work  # type: ignore[attr-defined]
    return call


def test_hooks(run: Any) -> None:
    hooks = {each["id"]: each for each in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    assert set(hooks) == {"lakecodec-check", "lakecodec-fmt", "lakecodec-generate"}
    file = run.work / "idl" / "point.idl"
    assert run(f"{hooks['lakecodec-check']['entry']} idl/point.idl") == 0
    file.write_text(GOOD.replace("  1:", "1 :"), encoding="utf-8")
    assert run(f"{hooks['lakecodec-fmt']['entry']} idl/point.idl") == 0
    assert file.read_text(encoding="utf-8") == GOOD
    file.write_text(GOOD.replace("i32", "i33"), encoding="utf-8")
    assert run(f"{hooks['lakecodec-check']['entry']} idl/point.idl") == 1


def test_action(run: Any) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    inputs = {name: each["default"] for name, each in action["inputs"].items()} | {"against": "HEAD"}

    def step(name: str) -> int:
        line = next(each["run"] for each in action["runs"]["steps"] if each.get("name") == name)
        for key, value in inputs.items():
            line = line.replace(f"${{{{ inputs.{key} }}}}", value)
        return int(run(line))

    assert [step(name) for name in ("check", "format", "breaking")] == [0, 0, 0]
    (run.work / "idl" / "point.idl").write_text(GOOD.replace("i32 x", "string x"), encoding="utf-8")
    assert [step(name) for name in ("check", "format", "breaking")] == [0, 0, 1]
