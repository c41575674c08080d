"""Limits on the time and memory that untrusted bytes may cost."""

from __future__ import annotations

from dataclasses import dataclass

from .exact import exact

#: Elements of records that one call reads although they take no bytes, beside as many as there are bytes.
MAX_EMPTY = 1 << 16
#: Bytes that the values of codecs repeat of the values before them in one call, beside eight for each byte.
MAX_REPEATED = 1 << 27
#: Fields and elements that are read at places of one opened source, beside eight for each byte: places may share bytes.
MAX_PLACED = 1 << 16
#: Packed numbers of no bits that one look at values goes through, beside as many as bytes are left; reading counts them as empty.
MAX_ZEROS = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one decoding call.

    Attributes:
        max_depth: nesting depth of structs and containers; the outermost struct counts as 1.
        max_elements: elements of all lists, sets and maps together; a pair of a map counts once.
    """

    max_depth: int = 64
    max_elements: int = 16_000_000

    def __post_init__(self) -> None:
        for name in ("max_depth", "max_elements"):
            value = exact(getattr(self, name))
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}: a positive int is needed, not {value!r}")
            object.__setattr__(self, name, value)


DEFAULT_LIMITS = Limits()
