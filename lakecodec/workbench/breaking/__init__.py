"""Breaking changes between two versions of an IDL, each proven by bytes that the two read differently."""

from __future__ import annotations

from .changes import Change, breaking

__all__ = ["Change", "breaking"]
