"""The compiler: IDL text in, Python modules out. README.md lists the stages."""

from __future__ import annotations

from .diagnostics import Diagnostic, Diagnostics, IdlError, Location
from .in_memory import compile_idl

__all__ = ["Diagnostic", "Diagnostics", "IdlError", "Location", "compile_idl"]


def __dir__() -> list[str]:
    return sorted(__all__)
