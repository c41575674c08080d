"""Writing once more what failed since placed fields share bytes, to name the fields by their whole paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import CodecError, join_path
from .part_writer import Pins
from .writer import Writer


class PathWriter(Writer):
    """The output of generated writers, in which pieces at offsets have their whole paths.

    Attributes:
        path: of the record that is written, from what the writer writes.
        above: the path of what the writer writes.
        spans: (offset, size, path) of the records that were written, inner ones first.
    """

    __slots__ = ("above", "path", "spans")
    by_programs = False

    def __init__(self, codecs: Any = None, outer: PathWriter | None = None, **options: Any) -> None:
        super().__init__(codecs, outer=outer, **options)
        self.path: str = "" if outer is None else outer.path
        self.above: str = "" if outer is None else outer.above
        self.spans: list[tuple[int, int, str]] = [] if outer is None else outer.spans

    @contextmanager
    def _inside(self, field: Any) -> Iterator[None]:
        before, begin = self.path, self.offset_if_known()
        self.path = join_path(before, str(field))
        yield
        if begin is not None and (size := self.base + len(self.data) - begin):  # type: ignore[operator]
            self.spans.append((begin, size, join_path(self.above, self.path)))
        self.path = before

    def record(self, field: Any, cls: Any, value: Any, *arguments: Any) -> None:
        with self._inside(field):
            super().record(field, cls, value, *arguments)

    def encode(self, field: Any, cls: Any, value: Any, *arguments: Any) -> None:
        with self._inside(field):
            super().encode(field, cls, value, *arguments)

    def sibling(self, field: Any, cls: Any, value: Any, state: list[Any], *arguments: Any) -> None:
        with self._inside(field):
            super().sibling(field, cls, value, state, *arguments)

    def records(self, field: str, cls: Any, values: Any, count: int | None = None, *arguments: Any) -> None:
        for place, value in self.each(field, values, count):
            self.record(place, cls, value, *arguments)

    def placed(self, base: int | None, levels: int) -> Writer:
        made = PathWriter(self.codecs, base=base, depth=self.depth - levels)
        made.above, made.spans = join_path(self.above, self.path), self.spans
        return made

    def add_pins(self, pins: Pins) -> None:
        super().add_pins(
            {
                origin: [(offset, data, join_path(self.path, path)) for offset, data, path in pieces]
                for origin, pieces in pins.items()
            }
        )

    def _with_pins(self, gaps: bool, overlaps: bool) -> Any:
        if overlaps:
            self.covered = [*self.spans, *(self.covered or [(self.base or 0, len(self.data), "")])]
        return super()._with_pins(gaps, overlaps)


PathWriter.apart = PathWriter


def with_paths(error: CodecError, write: Callable[[Writer], Any], codecs: Any, base: int = 0) -> CodecError:
    """Returns the error of writing again if the given one is about pieces that share bytes, else the given one."""
    if hasattr(error, "other"):
        try:
            write(PathWriter(codecs, base=base))
        except CodecError as found:
            return found
    return error
