"""Trees of nodes: every byte of a source, explained by the fields of its type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Protocol, overload

from ..runtime.errors import DecodeError, join_path

#: The most nodes that are searched for bytes that a pointer explains. Pointers of damaged files may form cycles.
_MOST_WALKED = 200_000

#: A step of a path: an element of a list.
_INDEX = re.compile(r"\[(\d{1,18})\]")

#: The name of bytes that no field explains.
GAP = "(gap)"


class Data(Protocol):
    """Bytes of a tree: ``size``, and ``read(offset, length)``."""

    size: int

    def read(self, offset: int, length: int) -> Any: ...


class Node:
    """A field, an element, a header of the encoding, or a gap.

    Attributes:
        path: from the root: ``schema.body.columns[3].name``; empty for the root.
        name: the last step of the path.
        offset, size: its bytes in the tree's data; of packed bits, the whole bytes that they touch; of a bit field, those of
            the number that it is a part of.
        type: the IDL's type; with a dimension for lists.
        doc: the IDL's documentation.
        rules: its rules and its derivation, in the IDL's words.
        kind: ``field``, ``header`` (of the Thrift protocol), ``computed`` (an attribute without bytes), ``padding`` or
            ``gap``.
        header: bytes of its field header in front of the value, for fields of structs.
        is_away: True where its bytes are not among those of the node above, which points to them.
        bits: (lowest bit, number of bits) of packed numbers, counted in the first byte, and of bit fields, counted in their
            number; else None.
        error: the rule that its bytes break, with path and offset; None where they are sound.
        count: the number of elements of a list whose values are read on access; None for other nodes.
        tree: the tree that it belongs to.
    """

    __slots__ = (
        "_children", "_grow", "_look", "_reach", "_value", "_view", "bits", "count", "doc", "error", "header", "is_away",
        "kind", "name", "offset", "path", "rules", "size", "tree", "type",
    )  # fmt: skip

    def __init__(
        self,
        tree: Tree,
        path: str,
        offset: int,
        size: int,
        type: str,
        *,
        name: str = "",
        doc: str = "",
        rules: Sequence[str] = (),
        kind: str = "field",
        header: int = 0,
        bits: tuple[int, int] | None = None,
        value: Any = None,
        look: Callable[[], Any] | None = None,
        grow: Callable[[Node], Sequence[Node]] | None = None,
    ) -> None:
        self.tree = tree
        self.path = path
        self.name = name
        self.offset = offset
        self.size = size
        self.type = type
        self.doc = doc
        self.rules = rules
        self.kind = kind
        self.header = header
        self.bits = bits
        self.is_away = False
        self.count: int | None = None
        self.error: DecodeError | None = None
        self._value = value
        self._look = look
        self._grow = grow
        #: Reads up to an element of a list, given its path. None if that is not possible or the element does not exist.
        self._reach: Callable[[Node, str], Node | None] | None = None
        self._children: Sequence[Node] | None = None
        self._view: Tree | None = None

    @property
    def value(self) -> Any:
        """The decoded value, as an object of the generated class has it; None where bytes cannot be decoded."""
        if self._look is not None:
            look, self._look = self._look, None
            try:
                self._value = look()
            except DecodeError as error:
                self.error = self.error or error
        return bytes(self._value) if isinstance(self._value, memoryview) else self._value

    @property
    def known(self) -> Any:
        """The value, if the node's own bytes suffice, else None. Long values are views."""
        if self._value is None and (self._look is None or (self._grow is None and not self._children)):
            _ = self.value
        return self._value

    @property
    def children(self) -> Sequence[Node]:
        """The parts in order of their offsets, gaps among them, then those elsewhere; read on first access."""
        if self._children is None:
            if self._grow is None:
                self._children = ()
                return ()
            grown = self._grow(self)
            self._grow = None
            self._children = grown if isinstance(grown, Elements) else _with_gaps(self, grown)
            if self.error is not None:
                _hand_down(self, self._children)
        return self._children

    @property
    def is_closed(self) -> bool:
        """True where it may have children that were not read yet."""
        return self._children is None and self._grow is not None

    @property
    def view(self) -> Tree | None:
        """The tree of the decoded form of its bytes, where a codec makes one."""
        return self._view

    @property
    def end(self) -> int:
        """The offset of the first byte after it, in bytes."""
        return self.offset + self.size

    @property
    def data(self) -> bytes:
        """A copy of its bytes, ``size`` long."""
        return bytes(self.tree.data.read(self.offset, self.size))

    def parts(self) -> Sequence[Node]:
        """Returns the nodes below it: its children, or the root of its view."""
        return (self._view.root,) if self._view is not None else self.children

    def walk(self, *, views: bool = True) -> Iterator[Node]:
        """Yields the node and all below it, outermost first; ``views``: the nodes of decoded blocks too."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            if views and node._view is not None:
                pending.append(node._view.root)
            if node._grow is not None or node._children:
                pending += reversed(node.children)

    def known_error(self) -> DecodeError | None:
        """Returns the first broken rule among the nodes from here on that were read so far; None without one."""
        pending = [self]
        while pending:
            node = pending.pop()
            if node.error is not None:
                return node.error
            pending += [] if node._view is None else [node._view.root]
            pending += [] if isinstance(node._children, Elements) else reversed(node._children or ())
        return None

    def is_leaf(self) -> bool:
        """Returns whether it has no children, or only bit fields of its own bytes."""
        return not self.children or self.children[0].bits is not None

    def __repr__(self) -> str:
        return f"Node({self.path!r}, offset={self.offset}, size={self.size}, type={self.type!r})"


class Tree:
    """All nodes of a source or of a decoded block.

    Attributes:
        data: the bytes: ``size`` and ``read(offset, length)``.
        root: the node of all bytes.
        format: the type of the root, ``module.Type``.
        codec: what decoded the bytes; empty for a source.
    """

    def __init__(self, data: Data, format: str = "", codec: str = "") -> None:
        self.type_names: dict[int, tuple[Any, str]] = {}
        self.field_docs: dict[int, tuple[Any, str]] = {}
        self.data = data
        self.format = format
        self.codec = codec
        self.root: Node = Node(self, "", 0, data.size, format)
        #: Whether nodes below the root may point to bytes that no other node explains, and the nodes of such bytes.
        self.has_pointers = False
        self.away: list[Node] = []

    def __repr__(self) -> str:
        codec = f", codec={self.codec!r}" if self.codec else ""
        return f"Tree({self.format!r}, size={self.data.size}{codec})"

    def find(self, path: str) -> Node:
        """Returns the node of a path, in decoded blocks too.

        Raises:
            KeyError: there is none; the message names the steps that there are.
        """
        name = path.strip()
        deepest = self.root
        pending = [self.root]
        while pending:
            node = pending.pop()
            if node.path == name:
                return node
            deepest = node
            if node.is_closed and node._reach is not None and (reached := node._reach(node, name)) is not None:
                pending.append(reached)
                continue
            pending += _towards(node, name)
        known = ", ".join(each.name for each in islice(_below(deepest), 12)) or "nothing"
        raise KeyError(f"path: there is no {name!r}; {deepest.path or 'the root'} has {known}")

    def at(self, offset: int) -> Node:
        """Returns the innermost node that has the byte at ``offset``, decoded blocks left out.

        Raises:
            IndexError: the source has no such byte.
        """
        if not 0 <= offset < self.data.size:
            raise IndexError(f"offset: {offset} is outside the {self.data.size} bytes")
        found = self.root
        while True:
            step = _over(found.children, offset)
            if step is None and found is self.root:
                there = [each for each in self.away if each.offset <= offset < each.end]
                step = min(there, key=lambda each: each.size, default=None)
            if step is None or step.bits is not None:
                return found
            found = step

    def walk(self, *, views: bool = True) -> Iterator[Node]:
        """Yields all nodes, outermost first; ``views``: those of decoded blocks too."""
        return self.root.walk(views=views)

    def errors(self) -> list[DecodeError]:
        """Returns the broken rules, of the innermost nodes that break them; reads everything."""
        found: dict[tuple[int | None, str], DecodeError] = {}
        for node in self.walk():
            _ = node.value if node.is_leaf() else None
            if node.error is not None:
                found[node.error.offset, node.error.rule] = node.error
        return list(found.values())


class Elements(Sequence[Node]):
    """Lazy nodes of elements of one width."""

    def __init__(self, count: int, make: Callable[[int], Node]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    def over(self, offset: int) -> Node | None:
        """Returns the element that has the byte at an offset."""
        return next((each for each in self if each.offset <= offset < each.end), None)

    @overload
    def __getitem__(self, key: int) -> Node: ...

    @overload
    def __getitem__(self, key: slice) -> Sequence[Node]: ...

    def __getitem__(self, key: int | slice) -> Node | Sequence[Node]:
        if isinstance(key, slice):
            return [self._make(index) for index in range(self._count)[key]]
        return self._make(range(self._count)[key])


def _over(children: Sequence[Node], offset: int) -> Node | None:
    """Returns the first child that has the byte at an offset."""
    if isinstance(children, Elements):
        return children.over(offset)
    return next((each for each in children if each.offset <= offset < each.end and not each.is_away), None)


def _below(node: Node) -> Iterator[Node]:
    """Yields the children of a node, those in its view too."""
    yield from node.children
    yield from () if node.view is None else node.view.root.children


def _towards(node: Node, path: str) -> list[Node]:
    """Returns the children of a node that a path leads to, those to look at first last."""
    children, step = node.children, _INDEX.match(path, len(node.path))
    if isinstance(children, Elements) and step is not None and path.startswith(node.path) and node.view is None:
        index = int(step[1])
        return [children[index]] if index < len(children) else []
    return [each for each in _below(node) if _is_prefix(each.path, path)][::-1]


def _is_prefix(path: str, wanted: str) -> bool:
    """Returns whether a path is another one, or the beginning of it."""
    return wanted.startswith(path) and (len(wanted) == len(path) or wanted[len(path)] in ".[")


def _with_gaps(node: Node, children: Sequence[Node]) -> Sequence[Node]:
    """Returns the children in order of their offsets, with a node for each range that none of them has."""
    if not children or children[0].bits is not None:
        return children
    ordered = sorted((each for each in children if not each.is_away), key=lambda each: each.offset)
    explained = [(each.offset, each.end) for each in ordered]
    if node is node.tree.root and node.tree.has_pointers and any(_uncovered(node, explained)):
        node.tree.away = _remote_nodes(children)
        explained += [(each.offset, each.end) for each in node.tree.away]
    gaps = [_gap(node, start, stop) for start, stop in _uncovered(node, explained)]
    inside = sorted([*ordered, *gaps], key=lambda each: each.offset) if gaps else ordered
    return [*inside, *(each for each in children if each.is_away)]


def _uncovered(node: Node, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yields the (start, stop) of a node's bytes that no range has."""
    end = node.offset
    for start, stop in sorted(ranges):
        if start > end:
            yield end, start
        end = max(end, stop)
    if end < node.end:
        yield end, node.end


def _remote_nodes(nodes: Sequence[Node]) -> list[Node]:
    """Returns the nodes below some whose bytes are elsewhere, as far as a damaged file lets them be counted."""
    below = chain.from_iterable(each.walk(views=False) for each in nodes)
    return [each for each in islice(below, _MOST_WALKED) if each.is_away]


def _gap(node: Node, start: int, stop: int) -> Node:
    where = f"{GAP[:-1]} at {start})"
    return Node(node.tree, join_path(node.path, where), start, stop - start, "bytes", name=where, kind="gap")


def _hand_down(node: Node, children: Sequence[Node]) -> None:
    """Gives the error of a node to the child that its path leads to."""
    assert node.error is not None
    last = children[-1:] if isinstance(children, Elements) else children
    if any(each.error is not None for each in last if each.bits is None):
        return
    for each in last:
        if each.path and _is_prefix(each.path, node.error.path) and each.path != node.path:
            each.error = node.error
            return
