"""The compiled accelerators; optional, every one has a twin in Python."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

#: False where LAKECODEC_PURE=1 forces the twins.
ENABLED = os.environ.get("LAKECODEC_PURE", "") in ("", "0")


def load(module: str, twin: Any = None) -> Any:
    """Returns a compiled module, or ``twin`` where it was not built or LAKECODEC_PURE=1 is set.

    Args:
        module: its name below ``lakecodec``, such as ``"row.native.sort"``.
        twin: what offers the same functions in Python.
    """
    if not ENABLED:
        return twin
    try:
        return import_module(f"lakecodec.{module}")
    except ImportError:
        return twin
