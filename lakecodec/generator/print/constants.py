"""Constants as Python."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import Const, ListOf, MapOf, Module, SetOf
from . import types
from .text import WIDTH, comment

#: Longer values of lists, sets and maps take several lines.
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class ConstText:
    name: str
    hint: str
    value: str
    comment: list[str]


def print_const(const: Const, module: Module) -> ConstText:
    value, hint = types.literal(const.value, const.type, module), types.hint(const.type, module)
    frozen = isinstance(const.type, SetOf) and hint.startswith("set[")
    if frozen:
        value, hint = f"frozenset({'' if value == 'set()' else value})", f"frozen{hint}"
    if len(value) > _LONGEST and isinstance(const.type, ListOf | SetOf | MapOf):
        opening, closing = ("frozenset({", "})") if frozen else (value[0], value[-1])
        value = "\n".join([opening, *_rows(types.items(const.value, const.type, module)), f"{closing}  # fmt: skip"])
    return ConstText(const.python, hint, value, comment(const.doc))


def _rows(items: list[str]) -> list[str]:
    """Returns the items of a container in lines; an item is never broken."""
    rows: list[str] = []
    for number, item in enumerate(items, 1):
        text = item if number == len(items) else f"{item},"
        if rows and len(rows[-1]) - 4 + 1 + len(text) <= WIDTH:
            rows[-1] += f" {text}"
        else:
            rows.append(f"    {text}")
    return rows
