"""Folders that tests read from."""

from pathlib import Path

import lakecodec

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DATA = TESTS / "data"
#: The project's own IDL files.
SPECS = Path(lakecodec.__file__).parent / "idl"
