"""The same bytes read in every way there is: both backends, and the interpreter that is their oracle."""

from __future__ import annotations

from typing import Any

from lakecodec.runtime.compact.interpret import Reading
from lakecodec.runtime.compact.pure import buffer_at, interpreted
from lakecodec.runtime.errors import format_name
from lakecodec.runtime.limits import DEFAULT_LIMITS, Limits

from .backends import BACKENDS, outcome, running
from .plain import plain


def readings(cls: Any, data: Any, pos: int = 0, *, limits: Limits = DEFAULT_LIMITS, **options: Any) -> dict[str, Any]:
    """Outcomes by the name of who read; values are comparable, and carry the position behind them."""
    found = {}
    for name in BACKENDS:
        with running(name):
            found[name] = _comparable(outcome(cls.read, data, pos, limits=limits, **options))
    reading = Reading(format_name(cls), limits.max_depth, limits.max_elements, **options)
    found["interpreter"] = _comparable(outcome(interpreted, cls.__spec__, *buffer_at(data, pos), reading))
    return found


def agreed(cls: Any, data: Any, pos: int = 0, **options: Any) -> Any:
    """The one outcome of all readers."""
    found = readings(cls, data, pos, **options)
    first = found[BACKENDS[0]]
    for name, other in found.items():
        assert other == first, f"{name} differs from {BACKENDS[0]}: {cls.__name__} {bytes(data[:2000]).hex()}"
    return first


def _comparable(found: tuple[Any, ...]) -> tuple[Any, ...]:
    if found[0] != "value":
        return found
    value, end = found[1]
    return "value", plain(value), end
