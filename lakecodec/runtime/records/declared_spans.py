"""The spans of fields with places, as the declaration of their record says."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ..errors import EncodeError
from .assemble import beside, length_of
from .read import UNREADABLE
from .writer import Writer

if TYPE_CHECKING:
    from .lazy import LazyRecord

#: The path to an offset, as in `PlacedRow`.
Path = tuple[str | int | None, ...]
#: A field and the index of its placed element; "" stands for the sequential fields.
Key = tuple[str, int | None]
SEQUENTIAL: Key = ("", None)


class NoRow:
    """The row of the sequential fields."""

    each = from_source = end = False
    origin = ""
    takes: int | None = None
    offset: Path = ()


def path_of(key: Key) -> str:
    name, index = key
    return name if index is None else f"{name}[{index}]"


def has_all(record: LazyRecord) -> bool:
    """Returns whether a field's offset, in a record or inside of it, counts from its start: so it has all bytes up to its end."""
    return bool(record._origin) or any(not row.from_source for row in record._placed.values())


def span_of(record: Any, key: Key) -> tuple[Any, Any]:
    """Returns the declared (offset, size) of a field, or of its element; the size is None if the bytes decide it."""
    name, index = key
    found: tuple[Any, Any] = getattr(record, f"_span_{name}")(*([] if index is None else [index]))
    return found


def spans_of(record: Any, name: str) -> list[tuple[Any, Any]]:
    """Returns the declared (offset, size) of a field, one per element if elements have their own places."""
    return [span_of(record, (name, index)) for index in record._present(name)]


def refuse_growth(record: LazyRecord, out: Writer, grown: int) -> None:
    """Raises EncodeError if fields are placed relative to the end of what was written and a pin was placed behind that end."""
    size = len(out.data)
    if grown <= size:
        return
    *_, path = max((pin for pins in out.pins.values() for pin in pins), key=lambda pin: pin[0] + length_of(pin[1]))
    sized, other = copy.copy(record), copy.copy(record)
    sized._size, other._size = size, grown
    for name in record._placed:
        try:
            moves = spans_of(sized, name) != spans_of(other, name)
        except UNREADABLE:
            moves = True
        if moves:
            rule = f"its place counts from the end of {size} bytes, but '{path}', which is placed in the source, ends at {grown}"
            raise beside(EncodeError(rule, path=name), path)
