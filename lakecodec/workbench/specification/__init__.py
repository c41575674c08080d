"""The specification of a format as one HTML page, made from its IDL."""

from __future__ import annotations

from .site import write_pages

__all__ = ["write_pages"]
