"""Structs, exceptions, unions and messages as layouts."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Struct
from .types import CODEC_ANNOTATION, is_marker


@dataclass(frozen=True, slots=True)
class StructLayout:
    """A struct, exception, union, message or oneof.

    Attributes:
        codec: "module:name" of the codec written by hand that reads and writes it; empty where there is none.
        marker: it has no fields, and one instance is shared.
    """

    struct: Struct
    codec: str
    marker: bool

    @property
    def is_compact(self) -> bool:
        """True for what is in Thrift's Compact protocol."""
        return not self.struct.is_protobuf


def lower_struct(struct: Struct) -> StructLayout:
    """Returns the layout of a struct of the model."""
    return StructLayout(struct, struct.annotations.get(CODEC_ANNOTATION, ""), is_marker(struct))
