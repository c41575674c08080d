"""Runtime of generated modules: errors, limits, specs, buffers and codecs."""

from __future__ import annotations

from .errors import CodecError, DecodeError, EncodeError
from .limits import DEFAULT_LIMITS, Limits

__version__ = "0.2.0"

__all__ = ["DEFAULT_LIMITS", "CodecError", "DecodeError", "EncodeError", "Limits"]
