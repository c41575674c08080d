"""The compiler: IDL text in, Python modules out. README.md lists the stages."""

from __future__ import annotations

from .compile import compile_idl
from .diagnostics import Diagnostic, Diagnostics, IdlError, Location

__all__ = ["Diagnostic", "Diagnostics", "IdlError", "Location", "compile_idl"]


def __dir__() -> list[str]:
    return sorted(__all__)
