"""Compiled modules carry no debug information, which would be most of a wheel."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

from lakecodec.runtime.native import MODULES, load

#: Of all modules together, before they are packed into a wheel.
MOST = 6_000_000

built = [load(name) for name in MODULES]


@pytest.mark.skipif(None in built, reason="not all modules were built")
@pytest.mark.skipif("LAKECODEC_CFLAGS" in os.environ, reason="built with other flags")
def test_modules_have_no_debug_information() -> None:
    files = [Path(str(import_module(f"lakecodec.{name}").__file__)) for name in MODULES]
    assert [file.name for file in files if b".debug_info" in file.read_bytes()] == []
    assert sum(file.stat().st_size for file in files) < MOST
