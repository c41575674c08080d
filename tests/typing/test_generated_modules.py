"""Generated modules as users check them: by ruff with its defaults, and by pyright's strict rules."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lakecodec.generator.compile import load_checked, printed
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.graph import in_order

from ..generator.goldens import CASES, FOLDER
from ..paths import ROOT, SPECS

PYRIGHT = shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or shutil.which("basedpyright")


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules of all golden cases and of the gallery, as a user's project has them, beside our own."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "__init__.py").touch()
    for path in (*(FOLDER / case / "input.idl" for case in CASES), *sorted((SPECS / "gallery").glob("*.idl"))):
        name = path.parent.name if path.stem == "input" else path.stem
        diagnostics = Diagnostics()
        module = load_checked(path, name=name, allow_extern=None, diagnostics=diagnostics)
        for each in in_order(module):
            files = printed(each, command="lakecodec generate", runtime="lakecodec.runtime", diagnostics=diagnostics)
            for file, text in files.items():
                (folder / file).write_text(text, encoding="utf-8")
    return folder


def test_ruff_finds_nothing_by_its_defaults(modules: Path) -> None:
    folders = [str(modules), str(ROOT / "lakecodec" / "generated")]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", *folders], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(PYRIGHT is None, reason="basedpyright is not installed")
def test_pyright_finds_nothing_by_its_strict_rules(modules: Path) -> None:
    settings = {
        "typeCheckingMode": "strict", "pythonVersion": "3.11", "extraPaths": [str(ROOT)],
        "include": [str(modules), str(ROOT / "lakecodec" / "generated")],
    }  # fmt: skip
    (modules / "pyrightconfig.json").write_text(json.dumps(settings))
    assert PYRIGHT is not None
    done = subprocess.run(
        [PYRIGHT, "-p", str(modules), "--pythonpath", sys.executable, "--outputjson"], capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    errors = [
        f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in found["generalDiagnostics"]
    ]
    assert found["summary"]["filesAnalyzed"] > 30
    assert errors == []
