"""What avro.idl names as external."""

from __future__ import annotations

from typing import Any


def compression(metadata: Any) -> str:
    """The codec of a container file; those of generated objects and of the oracle are looked up alike."""
    for part in metadata:
        for entry in _get(part, "entries"):
            if _get(entry, "key") == "avro.codec":
                return str(_get(entry, "value_of_key"), "utf-8")
    return "null"


def _get(holder: Any, name: str) -> Any:
    return getattr(holder, name) if hasattr(holder, name) else holder[name]
