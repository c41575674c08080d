"""Every operation on generated instances comes to the same on both backends: results, kinds of errors, what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from lakecodec.runtime.native import backend


def is_unasked(name: str, found: str) -> bool:
    """Returns whether the compiled reader had nothing to delete yet, which its attributes cannot tell from what was deleted."""
    deleted = re.search(r": del (\w+)", name)
    return deleted is not None and found == f"AttributeError: {deleted[1]}"


def outcomes(pure: bool) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.runtime.instance_operations"],
        env={**os.environ, "LAKECODEC_PURE": "1" if pure else "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"ended with {done.returncode}\n{done.stderr[-4000:]}"
    found: Any = json.loads(done.stdout)
    return found


@pytest.mark.skipif(backend() != "native", reason="nothing is compiled")
def test_operations_on_instances_are_those_of_the_other_backend() -> None:
    native, pure = outcomes(False), outcomes(True)
    assert len(native) > 15_000
    assert native.keys() == pure.keys()
    different = {
        name: (found, pure[name])
        for name, found in native.items()
        if found != pure[name] and not is_unasked(name, found)
    }
    assert not different, "\n".join(f"{name}: {found}" for name, found in list(different.items())[:50])
