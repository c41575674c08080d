"""Bounds on what a decoder may spend on bytes it does not trust."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one decoding call.

    Attributes:
        max_depth: nested structs and containers, the outermost struct counting as 1.
        max_elements: elements of all lists, sets and maps together (a map's pair counts once).
    """

    max_depth: int = 64
    max_elements: int = 16_000_000

    def __post_init__(self) -> None:
        for name in ("max_depth", "max_elements"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}: a positive int is needed, not {value!r}")


DEFAULT_LIMITS = Limits()
