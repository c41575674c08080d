"""Readers and writers of simple placed numbers, made from their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: The struct module's codes of numbers of fixed width.
CODES = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f16": "e", "f32": "f",
    "f64": "d",
}  # fmt: skip


def number_method(type: str, big: bool) -> str:
    """Returns the cursor method for a number of fixed width, or a boolean of one byte."""
    return f"{type}_be" if big and type not in ("u8", "i8", "bool8") else type


def placed_methods(attr: str, row: Any) -> Iterator[tuple[str, Any]]:
    """Yields (name, method) for reading and writing a row's number; nothing for other fields and lists."""
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
