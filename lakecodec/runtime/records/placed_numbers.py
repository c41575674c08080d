"""Readers and writers of numbers that stand at places of their own, where the row says all that these do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: The struct module's codes of numbers of fixed width.
CODES = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f16": "e", "f32": "f",
    "f64": "d",
}  # fmt: skip


def number_method(type: str, big: bool) -> str:
    """Returns the method of cursors for a number of fixed width, or a boolean of a byte."""
    return f"{type}_be" if big and type not in ("u8", "i8", "bool8") else type


def placed_methods(attr: str, row: Any) -> Iterator[tuple[str, Any]]:
    """Yields names and methods that read and write the number of a row; nothing for what is none, or a list."""
    if row.each or row.type not in {*CODES, "bool8"}:
        return
    field, method, given = row.name or attr, number_method(row.type, row.big), f"_given_{attr}"

    def read(self: Any, r: Any) -> Any:
        return getattr(r, method)(field)

    def write(self: Any, w: Any) -> None:
        value = getattr(self, attr)
        w.about(field)
        if not row.optional or w.given(field, value, getattr(self, given)()):
            getattr(w, method)(field, value)

    yield f"_read_{attr}", read
    yield f"_write_{attr}", write
