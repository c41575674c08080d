"""Modules of IDL files, compiled once per process: several test files need those of the gallery."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType

from lakecodec import compile_idl

from .paths import SPECS


@cache
def compiled(path: Path) -> ModuleType:
    """Returns the module of an IDL file; of its externs, those of the tests are allowed."""
    return compile_idl(path, allow_extern=["tests.oracle.turned"])


def gallery(name: str) -> ModuleType:
    """Returns the module of a file of the gallery."""
    return compiled(SPECS / "gallery" / f"{name}.idl")
