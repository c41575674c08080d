"""Tables from one file format to another, batch by batch."""

from __future__ import annotations

from .conversion import Conversion, convert
from .kinds import FileKind, kind_of

__all__ = ["Conversion", "FileKind", "convert", "kind_of"]
