"""Names that all parts of the protocol use the same way."""

from __future__ import annotations

from typing import Literal

from ..errors import format_name

__all__ = ["TEXT_POLICIES", "TextPolicy", "format_name"]

#: What to do with text that is not UTF-8: refuse it, replace the bad bytes, keep them as surrogates, or return bytes.
TextPolicy = Literal["strict", "replace", "surrogateescape", "bytes"]
TEXT_POLICIES = ("strict", "replace", "surrogateescape", "bytes")
