"""The reader and writer of records of the active backend: native if it was built, else the generated Python methods.

``LAKECODEC_PURE=1`` forces the generated methods.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..errors import DecodeError
from ..native import load
from .read import MAX_DEPTH
from .values import Fields

native: ModuleType | None = None
if load("runtime.native._record") is not None:
    from . import native


def read(cls: Any, reader: Any, *parameters: Any) -> Any:
    """Returns the record of class ``cls`` at a reader's position; the reader moves behind it.

    Raises:
        DecodeError: the bytes break a rule of the record.
    """
    if native is not None and (found := native.read(cls, reader, reader.pos, parameters)) is not None:
        value, reader.pos = found
        return value
    # A call with a tuple of arguments takes longer, and most records have none.
    return reader.body(cls, *parameters) if parameters else reader.body(cls)


def read_run(cls: Any, reader: Any, parameters: tuple[Any, ...], paused: Any) -> tuple[list[Any], int, int, Any] | None:
    """Returns the records that follow each other from a reader's position, see `native.read_run`; None if only the
    generated reader can read them.
    """
    return None if native is None else native.read_run(cls, reader, reader.pos, parameters, paused)


def encoded(value: Any, codecs: Any, parameters: tuple[Any, ...]) -> bytes | None:
    """Returns the bytes of a whole record; None if the generated writer must write it."""
    return None if native is None else native.write(value, codecs or {}, 0, MAX_DEPTH, parameters, is_whole=True)


def same(one: Any, other: Any) -> bool:
    """Returns whether two records hold the same; False where they differ or other code must find out."""
    try:
        return native is not None and native.same(one, other, Fields)
    except DecodeError:  # in what was read lazily
        return False


def kept_parameters(value: Any) -> bool:
    """Returns whether a record was just written natively, and no object in it got other parameters than it had: where none
    does, none stands in two places with different ones.
    """
    return native is not None and native.kept_parameters(value)


def is_settled(value: Any) -> bool:
    """Returns whether a record was just written natively, and got no other parameters and derived values than it had: what was
    computed of these before they were written is right.
    """
    return native is not None and native.is_settled(value)


def write(value: Any, out: Any, parameters: tuple[Any, ...]) -> None:
    """Appends a record to a writer."""
    found: bytes | None = None
    if native is not None and out.by_programs:
        found = native.write(value, out.codecs, out.offset_if_known(), out.depth, parameters)
    if found is None:
        out.body(value, *parameters)
    else:
        out.data += found
