"""Streams of a class's values: the reason why there can be none, and the bytes that values begin with."""

from __future__ import annotations

from typing import Any

from ..generator import streaming
from ..runtime.memo import kept_with
from .schema import schema_of


def unstreamable(cls: Any) -> str | None:
    """Returns the reason for which values of a generated class cannot be read from a stream; None where they can."""
    return _stream_facts(cls)[0]


def markers(cls: Any) -> tuple[bytes, ...]:
    """Returns the bytes of one length of which each value of a generated class begins with some, if the declaration fixes any."""
    return _stream_facts(cls)[1]


@kept_with
def _stream_facts(cls: Any) -> tuple[str | None, tuple[bytes, ...]]:
    definition = schema_of(cls).definition(cls)
    return streaming.unstreamable(definition), streaming.markers(definition)
