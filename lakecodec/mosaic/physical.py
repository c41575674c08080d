"""Physical columns of nested types: a column of lengths for each list or map, and columns of their elements.

The order is that of the Mosaic design, section Physical columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.mosaic import TypeParams, Value
from ..runtime.columns import ValueLayout, column_plan, layout_of
from ..runtime.errors import DecodeError, EncodeError
from ..runtime.records.attributes import by_structural_key, structural_key

_MOST_ELEMENTS = 2**31 - 1
_NULL_ELEMENT = "an element is null, its type allows none"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Type of a physical column: scalar values, or the int32 lengths of lists or maps.

    Attributes:
        params: its type in the file.
        layout: layout of its encoded values.
        type: the Arrow type of the values, for nested types with all their elements.
        stored: the Arrow type of the physical column: int32 for lengths, else ``type``.
        plan: `column_plan` of values that are read as ``stored``.
        nullable: whether nulls are allowed. For a top-level column the schema tells, not this attribute.
        children: the columns of the elements: one of lists, keys and items of maps.
    """

    params: TypeParams
    layout: ValueLayout
    type: pa.DataType
    stored: pa.DataType
    plan: Any
    nullable: bool
    children: tuple[Node, ...]

    def descendants(self) -> Iterator[Node]:
        """Yields all columns below this one, depth first, in the order in which they are stored."""
        for child in self.children:
            yield child
            yield from child.descendants()


def nodes_of(types: list[TypeParams]) -> list[Node]:
    """Returns the nodes of many types."""
    return by_structural_key(types, _KNOWN, node_of)


def node_of(params: TypeParams) -> Node:
    """Returns the node of a type; equal types share one."""
    key = structural_key(params)
    node = _KNOWN.get(key)
    if node is None:
        node = _node(params, params.to_arrow(), True)
        if key is not None:
            if len(_KNOWN) >= _MOST_TYPES:
                _KNOWN.clear()
            _KNOWN[key] = node
    return node


def flatten(node: Node, array: pa.Array) -> list[pa.Array]:
    """Returns the physical columns of an array: values or lengths, then those of each descendant.

    Raises:
        EncodeError: an element is null though its type allows none.
    """
    if not node.children:
        return [array]
    import pyarrow.compute as pc

    if len(node.children) == 1:
        lists, elements = array, [array.flatten()]
    else:
        entries = array.values
        lists = pa.Array.from_buffers(
            pa.list_(entries.type), len(array), array.buffers()[:2], array.null_count, array.offset, [entries]
        )
        flat = lists.flatten()
        elements = [flat.field(0), flat.field(1)]
    flattened = [pc.list_value_length(lists)]
    for child, values in zip(node.children, elements, strict=True):
        if values.null_count and not child.nullable:
            raise EncodeError(_NULL_ELEMENT)
        flattened += flatten(child, values)
    return flattened


def nest(node: Node, arrays: Iterator[pa.Array]) -> pa.Array:
    """Returns the array whose physical columns are the next of ``arrays``; the inverse of `flatten`.

    Raises:
        DecodeError: a length is negative, the lengths do not add up to the number of elements or exceed 2^31 - 1, or an
            element is null though its type allows none.
    """
    stored = next(arrays)
    if not node.children:
        return stored
    offsets = _offsets(stored)
    elements = [_element(child, nest(child, arrays)) for child in node.children]
    for values in elements:
        if len(values) != offsets[-1]:
            raise DecodeError(f"the lengths add up to {offsets[-1]} elements, {len(values)} are stored")
    if len(elements) == 1:
        inner = elements[0]
    else:
        inner = pa.StructArray.from_buffers(node.type.field(0).type, len(elements[0]), [None], 0, 0, elements)
    validity = stored.buffers()[0] if stored.null_count else None
    buffers = [validity, pa.py_buffer(offsets)]
    return pa.Array.from_buffers(node.type, len(stored), buffers, stored.null_count, 0, [inner])


def _element(child: Node, values: pa.Array) -> pa.Array:
    """Returns the elements after a check for nulls."""
    if values.null_count and not child.nullable:
        raise DecodeError(_NULL_ELEMENT)
    return values


def _offsets(lengths: pa.Array) -> Any:
    """Returns the int32 offsets of lists with the given lengths."""
    counts = (lengths.fill_null(0) if lengths.null_count else lengths).to_numpy()
    if len(counts) and counts.min() < 0:
        raise DecodeError("a length is negative")
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    if offsets[-1] > _MOST_ELEMENTS:
        raise DecodeError(f"{offsets[-1]} elements are more than an Arrow array holds")
    return offsets.astype(np.int32)


#: Nodes by structural_key; nested types have no key.
_KNOWN: dict[Any, Node] = {}
#: The most cached types: files may name any number of time zones.
_MOST_TYPES = 1024
#: The fields that are elements, by kind of type.
_ELEMENTS = {"ARRAY": ("element",), "MAP": ("key", "item")}


def _node(params: TypeParams, type: pa.DataType, nullable: bool) -> Node:
    """Returns a new node of a type."""
    names = _ELEMENTS.get(params.kind, ())
    children = tuple(_child(getattr(params, name)) for name in names)
    if len(children) == 2:
        # Arrow maps must not have null keys, whatever the file's type says.
        key, item = children
        children = (_node(key.params, key.type, False), item)
    stored = pa.int32() if children else type
    layout = layout_of(Value, params)
    return Node(params, layout, type, stored, column_plan(layout, stored), nullable, children)


def _child(element: Any) -> Node:
    """Returns the node of an element type."""
    params = element.type.params
    return _node(params, params.to_arrow(), bool(element.type.nullable))
