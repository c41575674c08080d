"""The candidates' layouts: modules of their IDL files in the gallery, which are compiled when the laboratory is imported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ...generated.parquet import FileMetaData
from ...generator import compile_idl

_GALLERY = Path(__file__).parents[2] / "idl" / "gallery"


def layout(name: str) -> Any:
    """Returns the module of a candidate. Its includes are modules of the same package."""
    return compile_idl(_GALLERY / f"parquet_{name}.idl")


def today_of(layout: Any) -> Any:
    """Returns the module of today's footer that a layout includes."""
    return sys.modules[layout.__package__].parquet


def moved(metadata: Any, cls: Any = FileMetaData) -> Any:
    """Returns a FileMetaData as one of another module."""
    return cls.from_bytes(metadata.to_bytes())
