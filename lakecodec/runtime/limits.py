"""Limits on the time and memory that untrusted bytes may cost."""

from __future__ import annotations

from dataclasses import dataclass

from .exact import exact

#: The most elements without bytes that one call reads, in addition to one per byte of the input.
MAX_EMPTY = 1 << 16
#: The most bytes that codecs' values repeat from earlier values in one call, in addition to eight per input byte.
MAX_REPEATED = 1 << 27
#: The most placed fields and elements that are read per source, in addition to eight per byte: places may share bytes.
MAX_PLACED = 1 << 16
#: The most packed numbers of width 0 that one access to their values visits, in addition to one per byte left.
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
