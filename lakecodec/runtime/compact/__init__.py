"""The Thrift compact protocol: base classes of generated structs and the two backends that fill them."""

from __future__ import annotations

from .backend import backend, register
from .base import UNSET, Marker, Struct, Union

__all__ = ["UNSET", "Marker", "Struct", "Union", "backend", "register"]
