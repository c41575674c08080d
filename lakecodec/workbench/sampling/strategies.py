"""Hypothesis strategies of generated classes."""

from __future__ import annotations

from typing import Any

from ...runtime.errors import CodecError
from .choices import DrawnChoices, Rejected
from .sampler import Sampler

#: The most attempts at one value before Hypothesis draws another.
_ATTEMPTS = 20


def strategies(type: Any) -> Any:
    """Returns the Hypothesis strategy of the valid values of a generated class, as `lakecodec.samples` makes them.

    Args:
        type: a struct, union, enum, record or variant of a generated module.

    Raises:
        TypeError: ``type`` is no generated class.
        ValueError: the IDL that the class was generated from is not found.
        ModuleNotFoundError: Hypothesis is not installed.
    """
    from hypothesis import reject
    from hypothesis.strategies import composite

    from ..schema import schema_of

    schema = schema_of(type)

    @composite
    def values(draw: Any) -> Any:
        sampler = Sampler(type, DrawnChoices(draw), schema)
        for _ in range(_ATTEMPTS):
            try:
                return sampler.attempt().value
            except (Rejected, CodecError, MemoryError, OverflowError):
                continue
        return reject()

    return values()
