"""Breaking changes between two versions of an IDL, each proven by bytes that the two read differently."""

from __future__ import annotations

from .change import Change
from .changes import breaking

__all__ = ["Change", "breaking"]
