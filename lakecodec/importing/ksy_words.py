"""Expressions of the IDL as texts, and its literals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .ksy_kinds import BOOL, FLOAT, INT, STR, InexpressibleError, Kind

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Translated:
    """An expression of the IDL; ``is_closed`` says that it needs no parentheses."""

    text: str
    kind: Kind
    is_closed: bool = True

    @property
    def closed(self) -> str:
        return self.text if self.is_closed else f"({self.text})"


def literal(value: int | float | str | bool) -> Translated:
    """Returns a number, text or truth as the IDL writes it."""
    if isinstance(value, bool):
        return Translated("true" if value else "false", BOOL)
    if isinstance(value, str):
        return Translated(text_literal(value), STR)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InexpressibleError("the IDL has no infinite number")
        text = repr(value)
        return Translated(text if "." in text or "e" in text else f"{text}.0", FLOAT, is_closed=value >= 0)
    return Translated(str(value), INT, is_closed=value >= 0)


def text_literal(value: str) -> str:
    """Returns a text as the IDL writes it."""
    return '"' + "".join(_ESCAPES.get(sign, sign if sign.isprintable() else _escaped(sign)) for sign in value) + '"'


def bytes_literal(value: bytes) -> str:
    """Returns bytes as the IDL writes them."""
    return (
        'b"'
        + "".join(_ESCAPES.get(chr(each), chr(each) if 32 <= each < 127 else f"\\x{each:02x}") for each in value)
        + '"'
    )


def _escaped(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else sign


def doc_lines(lines: list[str]) -> Iterator[str]:
    """Yields a doc comment of some lines; nothing without lines."""
    safe = [line.replace("*/", "* /") for line in lines]
    if len(safe) == 1 and safe[0]:
        yield f"/** {safe[0]} */"
    elif any(safe):
        yield from ("/**", *(f" * {line}".rstrip() for line in safe), " */")
