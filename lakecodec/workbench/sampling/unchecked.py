"""A cursor that writes values without checking rules; sizes, checksums and compressed blocks around them are correct."""

from __future__ import annotations

from typing import Any

from ...runtime.records.lazy import LazyRecord
from ...runtime.records.plain_values import plain, plain_values
from ...runtime.records.writer import Content, Writer


class Unchecked(Writer):
    """The output of generated writers, without checks of rules."""

    __slots__ = ()
    by_programs = False

    def refuse(self, field: Any, rule: str) -> None:
        self.field = field


class _UncheckedContent(Unchecked, Content):
    __slots__ = ()


Unchecked.apart, Unchecked.inner = Unchecked, _UncheckedContent


def unchecked_bytes(value: Any, parameters: tuple[Any, ...], start: int = 0) -> bytes:
    """Returns the bytes of a record that may break rules; errors and arguments as those of its `to_bytes`."""
    out, given = Unchecked(base=start), tuple(map(plain, parameters))
    with plain_values(value):
        if isinstance(value, LazyRecord):
            value._place(out, given, start, 0, is_whole=True)
        else:
            out.whole_record(value, *given)
    return out.finished(value)
