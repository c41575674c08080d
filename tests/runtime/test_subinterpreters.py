"""In an interpreter with a GIL of its own, the compiled modules refuse to load; the process lives."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lakecodec.runtime.native import MODULES, backend

SCRIPT = f"""
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

isolated = interpreters.create()
for name in {MODULES!r}:
    # The packages around it load others; the module alone is what is asked.
    code = '''
import importlib.machinery, importlib.util, os
start = importlib.util.find_spec("lakecodec").submodule_search_locations[0] + "/" + NAME.replace(".", "/")
(path,) = [path for end in importlib.machinery.EXTENSION_SUFFIXES if os.path.exists(path := start + end)]
loader = importlib.machinery.ExtensionFileLoader("lakecodec." + NAME, path)
try:
    importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
except ImportError as error:
    assert "subinterpreters" in str(error), error
else:
    raise AssertionError(NAME)
'''.replace("NAME", repr(name))
    failed = interpreters.run_string(isolated, code)
    assert failed is None, (name, failed)
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters share one GIL")
@pytest.mark.skipif(backend() != "native", reason="nothing is compiled")
def test_interpreters_with_a_gil_of_their_own_are_refused() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
