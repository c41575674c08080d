"""Modules that were resolved and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lakecodec.generator.check.module import check
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.model import (
    Module,
    Struct,
)
from lakecodec.generator.resolve.loader import load


def loaded(source: str | Path, **options: Any) -> Module:
    diagnostics = Diagnostics()
    module = load(source, diagnostics=diagnostics, **options)
    diagnostics.raise_errors()
    check(module, diagnostics)
    diagnostics.raise_errors()
    return module


def struct(module: Module, name: str) -> Struct:
    found = module.find(name)
    assert isinstance(found, Struct)
    return found
