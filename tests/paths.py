"""Folders that tests read from."""

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DATA = TESTS / "data"
#: The project's own IDL files.
SPECS = ROOT / "lakecodec" / "idl"
