"""The byte order and the bit order of a type: its own, or that of a type around it."""

from __future__ import annotations

from .ksy_model import KsyType, Switch


def order_owner(made: KsyType) -> KsyType | None:
    """Returns the type whose switch determines a type's byte order; None if the order is fixed."""
    at: KsyType | None = made
    while at is not None:
        if isinstance(at.endian, Switch):
            return at
        if at.endian is not None:
            return None
        at = at.outer
    return None


def fixed_order(made: KsyType) -> str:
    """Returns `le` or `be`; empty if no type declares it."""
    at: KsyType | None = made
    while at is not None:
        if isinstance(at.endian, str):
            return at.endian
        at = at.outer
    return ""


def bit_order(made: KsyType) -> str:
    """Returns `le` or `be`: the end of the byte at which the first bit field begins."""
    at: KsyType | None = made
    while at is not None:
        if at.bit_endian:
            return at.bit_endian
        at = at.outer
    return "be"
