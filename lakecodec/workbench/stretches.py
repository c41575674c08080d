"""Notes of a long list of records: only where each begins. Their values are read again on access."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, overload

from ..generator.lower import nodes
from ..generator.lower.record_layout import RecordLayout
from .tree import Elements, Node

#: A list may be long if at least this many bytes follow its beginning.
LARGE = 1 << 20


def is_light(layout: RecordLayout, name: str) -> bool:
    """Returns whether reading a body can continue without the elements of a list: at most their count is needed."""
    expressions = [node for field in layout.fields for node in field.nodes()]
    expressions += [rule.condition for rule in layout.checks]
    pending = [*expressions, *([] if layout.value is None else [layout.value])]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.FieldValue) and node.field == name:
            return False
        if not (isinstance(node, nodes.Count) and isinstance(node.operand, nodes.FieldValue)):
            pending += nodes.children(node)
    return True


class Stretch(Sequence[Any]):
    """The notes of elements that follow each other and are read in the same way, and of others behind them.

    Args:
        first: the note of the first element.
    """

    def __init__(self, first: Any) -> None:
        self.field: str = first.field
        self._first = first._replace(value=None)
        self._starts = array("Q", [first.start])
        self._stop: int = first.stop
        self._others: list[Any] = []

    def append(self, note: Any) -> None:
        first = self._first
        if (
            not self._others
            and (note.element, note.start) == (first.element + len(self._starts), self._stop)
            and note.span is first.span
            and note.inner is None
            and note.about is not None
            and note.about[0] is first.about[0]
            and note.about[2] is None
            and all(map(_is_same, note.about[1], first.about[1]))
        ):
            self._starts.append(note.start)
            self._stop = note.stop
        else:
            self._others.append(note)

    @property
    def is_even(self) -> bool:
        """True while all elements were read as the first one."""
        return not self._others

    def follow(self, start: int, stop: int) -> None:
        """Adds an element that was read as the others, behind them."""
        self._starts.append(start)
        self._stop = stop

    def __len__(self) -> int:
        return len(self._starts) + len(self._others)

    @overload
    def __getitem__(self, key: int) -> Any: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Any]: ...

    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, slice):
            return [self[index] for index in range(len(self))[key]]
        index, count = range(len(self))[key], len(self._starts)
        if index >= count:
            return self._others[index - count]
        stop = self._starts[index + 1] if index + 1 < count else self._stop
        return self._first._replace(element=self._first.element + index, start=self._starts[index], stop=stop)


class StretchNodes(Elements):
    """The nodes of a stretch; the last one, which may have an error, stays."""

    def __init__(self, stretch: Stretch, make: Callable[[Any], Node]) -> None:
        super().__init__(len(stretch), self._node)
        self._stretch, self._make_node = stretch, make
        self._last: Node | None = None

    def _node(self, index: int) -> Node:
        if index + 1 < len(self):
            return self._make_node(self._stretch[index])
        self._last = self._last or self._make_node(self._stretch[index])
        return self._last

    def over(self, offset: int) -> Node | None:
        """Returns the element that has the byte at an offset."""
        index = bisect_right(range(len(self)), offset, key=lambda each: self._node(each).offset) - 1
        found = self[index] if index >= 0 else None
        return found if found is not None and offset < found.end else None


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is int and type(other) is int and one == other)
