"""Short representations: long lists, maps, texts and bytes are cut and show their length, and deep values are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from itertools import islice
from typing import Any

from .stack import roomy

#: The number of elements, characters and bytes that a representation shows.
ITEMS, CHARACTERS, BYTES = 8, 200, 48
#: The longest representation in characters; deeper levels are left out until it fits.
_LONGEST = 2000
_BRACKETS: dict[Any, str] = {list: "[]", tuple: "()", set: "{}", frozenset: "{}"}


class ShortRepr:
    """Base class of objects with a short representation: ``_repr_parts`` returns a head and (name, value) pairs."""

    __slots__ = ()

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return str(roomy(represent, self))

    def __rich_repr__(self) -> Iterator[Any]:
        for name, value in self._repr_parts()[1]:
            yield (name, cut(value)) if name else cut(value)

    def _repr_html_(self) -> str:
        head, parts = self._repr_parts()
        return html_table(head, [(name, html_cell(value)) for name, value in parts])


class More:
    """A placeholder for items that a representation leaves out."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class _TooLong(Exception):
    """Raised as soon as a representation is too long."""


class _CharacterBudget:
    """The characters that a representation may still have."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _LONGEST

    def take(self, text: str) -> str:
        """Returns ``text`` after counting its characters."""
        self.left -= len(text)
        if self.left < 0:
            raise _TooLong
        return text


def represent(value: Any) -> str:
    """Returns the representation of a generated value; deep levels are left out until it has 2000 characters at most."""
    for depth in (12, 5, 4, 3):
        # Stop as soon as the text is too long: lazy values may lead to any number of others.
        try:
            text = _shown(value, depth, _CharacterBudget().take)
        except _TooLong:
            continue
        if len(text) <= _LONGEST:
            return text
    return _shown(value, 2)


def short(value: Any) -> str:
    """Returns the representation of any value, one level deep."""
    return _shown(value, 2)


def _shown(value: Any, depth: int, take: Callable[[str], str] = str) -> str:
    if hasattr(value, "_repr_parts"):
        head, parts = value._repr_parts()
        take(f"{head}()")
        if depth < 1 and parts:
            return f"{head}({take('...')})"
        shown = [
            f"{take(f'{name}=')}{_shown(part, depth - 1, take)}" if name else _shown(part, depth - 1, take)
            for name, part in parts
        ]
        return f"{head}({', '.join(shown)})"
    if isinstance(value, dict):
        items = [
            f"{_shown(key, depth - 1, take)}: {_shown(item, depth - 1, take)}"
            for key, item in islice(value.items(), ITEMS)
        ]
        return f"{{{', '.join(items + _rest(len(value)))}}}"
    if (brackets := _BRACKETS.get(type(value))) is not None and value:
        items = [_shown(item, depth - 1, take) for item in islice(value, ITEMS)] + _rest(len(value))
        comma = "," if len(value) == 1 and brackets == "()" else ""
        return f"{brackets[0]}{', '.join(items)}{comma}{brackets[1]}"
    if isinstance(value, bytes) and len(value) > BYTES:
        return take(f"{value[:BYTES]!r}... ({len(value):,} bytes)")
    if isinstance(value, str) and len(value) > CHARACTERS:
        return take(f"{value[:CHARACTERS]!r}... ({len(value):,} characters)")
    return take(repr(value))


def _rest(size: int) -> list[str]:
    return [f"... {size - ITEMS:,} more"] if size > ITEMS else []


def cut(value: Any) -> Any:
    """Returns ``value`` shortened for viewers that show nested values themselves: long lists, texts and bytes are cut."""
    if isinstance(value, list) and len(value) > ITEMS:
        return [*value[:ITEMS], More(_rest(len(value))[0])]
    return More(_shown(value, 0)) if isinstance(value, bytes | str) and len(value) > BYTES else value


class Markup(str):
    """HTML that is not escaped again."""

    __slots__ = ()


def html_table(title: str, rows: Iterable[tuple[str, ...]], heads: tuple[str, ...] = ()) -> Markup:
    """Returns an HTML table of escaped texts, with the caption ``title`` unless that is empty."""
    from html import escape

    lines = ["<table>"]
    if title:
        lines.append(f"<caption>{escape(title)}</caption>")
    if heads:
        lines.append(f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>")
    for row in rows:
        cells = (text if isinstance(text, Markup) else escape(text) for text in row)
        lines.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return Markup("\n".join([*lines, "</table>"]))


def html_cell(value: Any) -> str:
    """Returns a list of values with fields as a table of the first ones, and other values as their short text."""
    first = value[:ITEMS] if isinstance(value, list) else []
    if not first or not all(hasattr(item, "_repr_parts") for item in first):
        return short(value)
    rows = [dict(item._repr_parts()[1]) for item in first]
    heads = tuple(dict.fromkeys(name for row in rows for name in row))
    if not heads or not all(heads):
        return short(value)
    cells = [tuple(_text(row[name]) if name in row else "" for name in heads) for row in rows]
    return html_table(" ".join(_rest(len(value))), cells, heads)


def _text(value: Any) -> str:
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, list) and len(value) > 1 and hasattr(value[0], "_repr_parts"):
        return f"{len(value):,} × {type(value[0]).__name__}"
    return value if isinstance(value, str) and len(value) <= CHARACTERS else short(value)
