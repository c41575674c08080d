"""Names that all parts of the protocol use the same way."""

from __future__ import annotations

from typing import Literal

#: What to do with text that is not UTF-8: refuse it, replace the bad bytes, keep them as surrogates, or return bytes.
TextPolicy = Literal["strict", "replace", "surrogateescape", "bytes"]
TEXT_POLICIES = ("strict", "replace", "surrogateescape", "bytes")


def format_name(cls: type) -> str:
    """What errors call the format: ``module.Type``."""
    return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}"
