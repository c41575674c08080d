"""Nodes of protobuf messages: occurrences of fields with their tags, unknown ones too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..runtime.compact.wire import Malformed
from ..runtime.errors import DecodeError, join_path
from ..runtime.limits import DEFAULT_LIMITS
from ..runtime.protobuf.read import MessageReading, read_length, read_tag, read_value, skip_field
from ..runtime.protobuf.rules import RULES
from ..runtime.protobuf.table import BYTES, END_GROUP, START_GROUP, WIRE_TYPES, Entry, table_of
from ..runtime.spec import TypeSpec
from .tree import Node, Tree

_UNSOUND = (Malformed, DecodeError)


class MessageNodes:
    """Maker of the nodes of a message and what is in it; arguments as those of `StructNodes`."""

    def __init__(self, tree: Tree, data: Any, base: int) -> None:
        self._tree = tree
        self._data = data if isinstance(data, bytes) else memoryview(data).cast("B")
        self._base = base

    def message(self, cls: Any, pos: int, end: int, path: str, group: int = 0) -> list[Node]:
        """Returns the fields of the message whose bytes are ``data[pos:end]``, one node per occurrence, in the order
        of the bytes.

        Args:
            group: the number of the group that the message is in; the last node is the tag that ends it.
        """
        table = table_of(cls)
        found: list[Node] = []
        counts: dict[str, int] = {}
        while pos < end:
            start = pos
            step, type_ = "(tag)", "tag"
            try:
                number, wire, pos = read_tag(self._data, pos, end)
                if wire == END_GROUP and number == group:
                    found.append(self._header(join_path(path, "(end)"), start, pos))
                    return found
                entry = table.by_number.get(number)
                if entry is None or not (wire == entry.wire or (wire == BYTES and entry.packable)):
                    step, type_ = f"(field {number})", "unknown"
                    stop = skip_field(self._data, pos, end, wire, start)
                    value = bytes(self._data[pos:stop])
                    node = self._node(
                        join_path(path, step), start, stop, type_, name=step, header=pos - start, value=value
                    )
                else:
                    step, type_ = self._step(entry, counts), str(entry.type)
                    node, stop = self._occurrence(entry, wire, start, pos, end, join_path(path, step), step, counts)
            except _UNSOUND as error:
                found.append(self._unsound(join_path(path, step), start, end, error, step, type_))
                return found
            found.append(node)
            pos = stop
        return found

    def _step(self, entry: Entry, counts: dict[str, int]) -> str:
        if not entry.is_list and entry.type.kind != "map":
            return entry.name
        return f"{entry.name}[{counts.get(entry.name, 0)}]"

    def _occurrence(
        self, entry: Entry, wire: int, start: int, pos: int, end: int, path: str, step: str, counts: dict[str, int]
    ) -> tuple[Node, int]:
        """Returns the node of one occurrence, and the position after it."""
        if entry.is_list and wire != entry.wire:
            return self._packed(entry, start, pos, end, path.rpartition("[")[0], counts)
        counts[entry.name] = counts.get(entry.name, 0) + 1
        return self._value(entry.type, start, pos, end, path, step, entry.field.doc, entry.number)

    def _value(
        self, type_: TypeSpec, start: int, pos: int, end: int, path: str, step: str, doc: str = "", number: int = 0
    ) -> tuple[Node, int]:
        if type_.kind not in ("struct", "map"):
            value, stop = read_value(type_, self._data, pos, end, _reading(), 1)
            return self._node(path, start, stop, str(type_), name=step, doc=doc, header=pos - start, value=value), stop
        if type_.group:
            inside, stop = pos, skip_field(self._data, pos, end, START_GROUP, start)
        else:
            length, inside = read_length(self._data, pos, end)
            stop = inside + length

        def grow(node: Node) -> Sequence[Node]:
            header = self._header(join_path(path, "(header)"), start, inside)
            if type_.kind == "map":
                return [header, *self._pair(type_, inside, stop, path)]
            return [header, *self.message(type_.cls, inside, stop, path, number if type_.group else 0)]

        look: Callable[[], Any] | None = None
        if type_.kind == "struct":
            look = lambda: self._look(type_, pos, end, path, number)  # noqa: E731
        return self._node(path, start, stop, str(type_), name=step, doc=doc, look=look, grow=grow), stop

    def _look(self, type_: TypeSpec, pos: int, end: int, path: str, number: int) -> Any:
        try:
            return read_value(type_, self._data, pos, end, _reading(), 1, number=number)[0]
        except _UNSOUND as error:
            raise self._located(error, path) from None

    def _pair(self, type_: TypeSpec, pos: int, end: int, path: str) -> list[Node]:
        """Returns the key and the value of an entry of a map."""
        parts = (("key", type_.key), ("value", type_.value))
        found: list[Node] = []
        while pos < end:
            start = pos
            step, name = "(tag)", "tag"
            try:
                number, wire, pos = read_tag(self._data, pos, end)
                step, part = parts[number - 1] if number in (1, 2) else (f"(field {number})", None)
                if part is not None and wire == WIRE_TYPES[part.kind]:
                    name = str(part)
                    node, pos = self._value(part, start, pos, end, join_path(path, step), step)
                else:
                    stop = skip_field(self._data, pos, end, wire, start)
                    node = self._node(join_path(path, step), start, stop, "unknown", name=step, header=pos - start)
                    pos = stop
            except _UNSOUND as error:
                return [*found, self._unsound(join_path(path, step), start, end, error, step, name)]
            found.append(node)
        return found

    def _packed(
        self, entry: Entry, start: int, pos: int, end: int, path: str, counts: dict[str, int]
    ) -> tuple[Node, int]:
        """Returns the node of elements that are packed under one tag."""
        length, inside = read_length(self._data, pos, end)
        stop, first, at = inside + length, counts.get(entry.name, 0), inside
        found = [self._header(join_path(path, "(header)"), start, inside)]
        node = self._node(
            path, start, stop, f"list<{entry.type}>", name=entry.name, doc=entry.field.doc, grow=lambda node: found
        )
        while at < stop:
            step = f"[{first}]"
            try:
                value, after = read_value(entry.type, self._data, at, stop, _reading(), 1)
            except _UNSOUND as error:
                found.append(self._unsound(f"{path}{step}", at, stop, error, step, str(entry.type)))
                node.error = found[-1].error
                break
            found.append(self._node(f"{path}{step}", at, after, str(entry.type), name=step, value=value))
            at, first = after, first + 1
        counts[entry.name] = first
        return node, stop

    # ---- errors ----

    def _located(self, error: Exception, path: str) -> DecodeError:
        if isinstance(error, Malformed):
            return DecodeError(RULES[error.key], path=path, offset=self._base + error.offset)
        assert isinstance(error, DecodeError)
        offset = None if error.offset is None else self._base + error.offset
        return DecodeError(error.rule, path=join_path(path, error.path) if error.path else path, offset=offset)

    def _unsound(self, path: str, start: int, end: int, error: Exception, step: str, type_: str) -> Node:
        """Returns the node of bytes that break a rule: they and all behind them belong to no field."""
        node = self._node(path, start, end, type_, name=step)
        node.error = self._located(error, path)
        return node

    def _header(self, path: str, start: int, stop: int) -> Node:
        return self._node(path, start, stop, "header", name=path.rpartition(".")[2], kind="header")

    def _node(self, path: str, start: int, stop: int, type_: str, **given: Any) -> Node:
        return Node(self._tree, path, self._base + start, stop - start, type_, **given)


def _reading() -> MessageReading:
    return MessageReading("", DEFAULT_LIMITS.max_depth, DEFAULT_LIMITS.max_elements)
