"""The command line's commands, one module per group."""

from __future__ import annotations

from .app import run

__all__ = ["run"]
