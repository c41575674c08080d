"""Ids of fields, as Thrift's compiler counts them."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import Diagnostics
from ..syntax import FieldDef

_HIGHEST = 32767


def field_ids(nodes: Sequence[FieldDef], diagnostics: Diagnostics) -> list[int]:
    """Returns the ids of a struct's fields, or of a function's arguments.

    A field without an id, or with one that is not positive, gets the next one of -1, -2, and so on. An id is 16 bits on
    the wire; of a larger one the lower 16 are left. Both get a warning where the IDL gives the id.
    """
    found: list[int] = []
    counted = 0
    for node in nodes:
        if node.id is None or node.id < 1:
            counted -= 1
            found.append(counted)
            if node.id is not None:
                message = f"ids begin at 1: as in Thrift, '{node.name}' has {counted} instead of {node.id}"
                diagnostics.warning(message, node.id_location)
            continue
        number = (node.id + _HIGHEST + 1) % (1 << 16) - _HIGHEST - 1
        found.append(number)
        if number != node.id:
            message = f"ids end at {_HIGHEST}: on the wire, '{node.name}' has {number} instead of {node.id}"
            diagnostics.warning(message, node.id_location)
    return found


def field_numbers(nodes: Sequence[FieldDef]) -> list[int]:
    """Returns the numbers of a message's fields; a field without a number, which must be a oneof, gets a negative one."""
    return [-place - 1 if node.id is None else node.id for place, node in enumerate(nodes)]


def report_shared_ids(fields: Sequence[FieldDef], ids: Sequence[int], diagnostics: Diagnostics) -> None:
    """Reports each id that a second field has."""
    seen: dict[int, str] = {}
    for field, number in zip(fields, ids, strict=True):
        if number in seen:
            diagnostics.error(f"field '{field.name}' has the same id {number} as '{seen[number]}'", field.id_location)
        seen.setdefault(number, field.name)
