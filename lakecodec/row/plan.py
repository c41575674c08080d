"""Planning: finds the kernel for a type and its sort options by the structure of the declared shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from . import codecs
from .arrow_types import entry_type, plain_type, type_name
from .codecs import RowCodec
from .layout import Layout
from .literal import Form, Slot
from .nodes import (
    ArrayNode,
    BytesNode,
    ConstantNode,
    DictionaryNode,
    FixedNode,
    InternedNode,
    ListNode,
    LiteralNode,
    Node,
    PackedListNode,
    RunsNode,
    StructNode,
    UnionNode,
)
from .options import SortOptions
from .order.cells import Cell, Kind, Payload

#: Payloads of numbers by the transforms of their bytes before inversion.
_PAYLOADS: dict[tuple[type[RowCodec], ...], Payload] = {
    (): Payload.UNSIGNED,
    (codecs.FlipSign,): Payload.SIGNED,
    (codecs.IeeeOrder, codecs.FlipSign): Payload.FLOAT,
    (codecs.Canonical, codecs.IeeeOrder, codecs.FlipSign): Payload.CANONICAL_FLOAT,
    (codecs.NanOutside, codecs.IeeeOrder, codecs.FlipSign): Payload.OUTSIDE_FLOAT,
}
#: Block sizes that the kernels write: some narrow ones, then wide ones.
_NARROW, _WIDE = 8, 32


def plan(layout: Layout, type: pa.DataType, options: SortOptions) -> Node:
    """Returns the node of one column.

    Raises:
        ValueError: the layout has no shape for the type or for a nested type.
    """
    return node_of(Form.of(layout, type, options))


def node_of(form: Form) -> Node:
    """Returns the node of a form, a LiteralNode if no kernel has its structure.

    Raises:
        ValueError: the layout has no shape for a nested type.
    """
    kind = form.column.type
    for find in _FINDERS:
        found = find(form, kind)
        if found is not None:
            return found
    _require_inner(form)
    return LiteralNode(kind, plain_type(kind), form.null, form)


def _require_inner(form: Form) -> None:
    """Raises ValueError if the literal interpreter would meet a type without a shape."""
    for slot in form.fields:
        for codec in slot.codecs:
            for name in ("forms", "item", "value"):
                found = getattr(codec, name, ())
                inner = found.values() if isinstance(found, dict) else [found] if isinstance(found, Form) else found
                for each in inner:
                    _require_inner(each)


def _chain(slot: Slot) -> tuple[tuple[type[RowCodec], ...], bool]:
    """Returns the classes of a field's codecs without a final Invert, and whether that inverts the bytes."""
    steps = list(slot.codecs)
    invert = False
    if steps and type(steps[-1]) is codecs.Invert:
        invert = steps.pop().on  # type: ignore[attr-defined]
    return tuple(map(type, steps)), invert


def _constant_prefix(form: Form) -> tuple[bytes, list[Slot]]:
    """Returns the constant bytes that all values begin with, and the fields after them."""
    behind = list(form.fields)
    lead = b""
    while behind and behind[0].is_derived:
        slot = behind.pop(0)
        lead += form.constant(slot)
    return lead, behind


def _single(form: Form, *classes: type[RowCodec]) -> tuple[list[Any], bool] | None:
    """Returns the codecs of a shape of one field with codecs of exactly these classes, and whether the bytes are inverted."""
    if len(form.fields) == 1:
        kinds, invert = _chain(form.fields[0])
        if kinds == classes and not form.fields[0].is_derived:
            return list(form.fields[0].codecs), invert
    return None


def _null_byte(form: Form) -> int | None:
    """Returns the byte that is a null; None if a null has more bytes, or no shape of its own."""
    return form.null[0] if form.null_fields is not None and len(form.null) == 1 else None


def _constant(form: Form, kind: pa.DataType) -> Node | None:
    lead, behind = _constant_prefix(form)
    if behind or form.null_fields is not None:
        return None
    return ConstantNode(kind, plain_type(kind), lead)


def _number(form: Form, kind: pa.DataType) -> Node | None:
    """Returns the node of fixed-width values, with or without a present byte."""
    lead, values = _constant_prefix(form)
    width = form.column.width
    if not width or not values or len(lead) > 1 or any(slot.size is None or slot.is_derived for slot in values):
        return None
    chains = {_chain(slot) for slot in values}
    zeros = bytes(width + len(lead) - 1)
    if len(chains) != 1 or form.null_fields is None or form.null[1:] != zeros:
        return None
    ((kinds, invert),) = chains
    fixed: dict[str, Any] = {"width": width, "present": lead[0] if lead else -1, "null": form.null[0], "invert": invert}
    if type_name(kind) == "bool":
        if kinds not in ((), (codecs.Plus,)):
            return None
        add = sum(codec.add for codec in values[0].codecs if isinstance(codec, codecs.Plus))
        cell = Cell(Kind.FIXED, Payload.UNSIGNED if lead else Payload.COPY, **fixed)
        return FixedNode(kind, kind, form.null, cell, "bits", add=add)
    if not values[0].is_number:
        whole = len(values) == 1 and not kinds
        return FixedNode(kind, kind, form.null, Cell(Kind.FIXED, **fixed), "direct") if whole else None
    if not form.column.is_big or not all(slot.is_number for slot in values):
        return None
    if len(values) > 1 or width > 8:
        if kinds not in ((), (codecs.FlipSign,)):
            return None
        parts = tuple(slot.size for slot in values if slot.size is not None)
        return FixedNode(kind, kind, form.null, Cell(Kind.FIXED, **fixed), "parts", parts, bool(kinds))
    payload = _PAYLOADS.get(kinds)
    if payload is None:
        return None
    outside = [codec for codec in values[0].codecs if isinstance(codec, codecs.NanOutside)]
    last = outside[0].greatest != invert if outside else True
    return FixedNode(kind, kind, form.null, Cell(Kind.FIXED, payload, nan_last=last, **fixed), "direct")


def _packed_decimal(form: Form, kind: pa.DataType) -> Node | None:
    found = _single(form, codecs.PackedDecimal)
    if found is None or found[1] or form.null_fields is None:
        return None
    (packed,) = found[0][:1]
    if form.null[1:] != bytes(packed.width - 1):
        return None
    cell = Cell(Kind.FIXED, width=packed.width, null=form.null[0])
    return FixedNode(
        kind,
        kind,
        form.null,
        cell,
        "packed",
        value_bits=packed.bits,
        descending=packed.descending,
        high=0x80 * packed.first,
    )


def _strings(form: Form, kind: pa.DataType) -> Node | None:
    name, null = type_name(kind), _null_byte(form)
    if null is None or form.column.width or name.startswith(("list", "large_list", "map", "dictionary")):
        return None
    more: dict[str, Any] = {"null": null, "text": "utf8" in name, "wide": name.startswith("large")}
    cell = None
    if (found := _single(form, codecs.Blocks)) is not None:
        cell = _blocks(found[0][0], found[1], Kind.BLOCKS, **more)
    elif (found := _single(form, codecs.Terminated)) is not None:
        terminated = found[0][0]
        cell = Cell(Kind.TERMINATED, invert=found[1], shift=terminated.add, end=terminated.end, **more)
    elif (found := _single(form, codecs.Counted)) is not None and not found[1]:
        cell = Cell(Kind.COUNTED, more=found[0][0].long, **more)
    return None if cell is None else BytesNode(kind, kind, form.null, cell, name.endswith("view"))


def _blocks(blocks: codecs.Blocks | codecs.WrappedRows, invert: bool, kind: Kind, **more: Any) -> Cell | None:
    """Returns the cell of blocks, None for block sizes that the kernels do not support."""
    if isinstance(blocks, codecs.WrappedRows):
        blocks = blocks.blocks
    narrow = len(blocks.sizes) - 1
    if blocks.sizes != (_NARROW,) * narrow + (_WIDE,):
        return None
    return Cell(kind, invert=invert, narrow=narrow, empty=blocks.empty, filled=blocks.filled, **more)


def _present(form: Form, *classes: type[RowCodec]) -> tuple[Cell, Any] | None:
    """Returns the cell of a present byte, and the codec of the one field after it, which has codecs of exactly these classes."""
    lead, behind = _constant_prefix(form)
    if len(lead) != 1 or len(behind) != 1 or form.null_fields is None or _chain(behind[0]) != (classes, False):
        return None
    return Cell(Kind.FIXED, present=lead[0], null=form.null[0]), behind[0].codecs[0]


def _struct(form: Form, kind: pa.DataType) -> Node | None:
    found = _present(form, codecs.Children)
    if found is None:
        return None
    cell, children = found
    if form.null[1:] != b"".join(child.null for child in children.forms):
        return None
    return StructNode(kind, plain_type(kind), form.null, cell, tuple(map(node_of, children.forms)))


def _array(form: Form, kind: pa.DataType) -> Node | None:
    found = _present(form, codecs.Elements)
    if found is None:
        return None
    cell, elements = found
    null_elements = len(form.null) > 1
    if null_elements and form.null[1:] != elements.item.null * kind.list_size:
        return None
    child = node_of(elements.item)
    return ArrayNode(kind, plain_type(kind), form.null, cell, child, kind.list_size, null_elements)


def _wrapped_list(form: Form, kind: pa.DataType) -> Node | None:
    found, null = _single(form, codecs.WrappedRows), _null_byte(form)
    if found is None or null is None:
        return None
    ((wrapped, *_), invert) = found
    cell = _blocks(wrapped, invert, Kind.LIST, null=null)
    if cell is None:
        return None
    nodes = tuple(map(node_of, wrapped.cells))
    if len(nodes) == 1:
        return ListNode(kind, plain_type(kind), form.null, cell, nodes[0])
    entries = entry_type(kind)
    null_entry = b"".join(node.null for node in nodes)
    return ListNode(
        kind, plain_type(kind), form.null, cell, StructNode(entries, plain_type(entries), null_entry, None, nodes)
    )


def _packed_list(form: Form, kind: pa.DataType) -> Node | None:
    found, null = _single(form, codecs.PackedRows, codecs.Blocks), _null_byte(form)
    if found is None or null is None or pa.types.is_map(kind):
        return None
    ((rows, blocks, *_), invert) = found
    cell = _blocks(blocks, invert, Kind.BLOCKS, null=null)
    if cell is None:
        return None
    return PackedListNode(kind, plain_type(kind), form.null, cell, node_of(rows.item))


def _sequence(form: Form, kind: pa.DataType) -> Node | None:
    found, null = _single(form, codecs.Sequence), _null_byte(form)
    if found is None or null is None or found[1]:
        return None
    (sequence, *_) = found[0]
    cell = Cell(Kind.SEQUENCE, null=null, more=sequence.more, end=sequence.end)
    return ListNode(kind, plain_type(kind), form.null, cell, node_of(sequence.item))


def _union(form: Form, kind: pa.DataType) -> Node | None:
    if type_name(kind) != "union" or len(form.fields) != 2 or form.null_fields is not None:
        return None
    (kinds, invert), chosen = _chain(form.fields[0]), _chain(form.fields[1])
    if kinds or chosen != ((codecs.Selected,), False):
        return None
    (selected, *_) = form.fields[1].codecs
    assert isinstance(selected, codecs.Selected)
    if selected.type_id != form.fields[0].name:
        return None
    children = tuple(map(node_of, selected.forms.values()))
    return UnionNode(kind, plain_type(kind), form.null, Cell(Kind.FIXED, width=1, invert=invert), children)


def _dictionary(form: Form, kind: pa.DataType) -> Node | None:
    found = _single(form, codecs.Hydrated)
    if found is None or found[1] or form.null_fields is not None:
        return None
    values = node_of(found[0][0].value)
    return DictionaryNode(kind, values.result, values.null, values)


def _interned(form: Form, kind: pa.DataType) -> Node | None:
    found, null = _single(form, codecs.Interned), _null_byte(form)
    if found is None or null is None:
        return None
    ((interned, *_), invert) = found
    values = node_of(interned.value)
    if not isinstance(values, FixedNode | BytesNode):
        raise ValueError(f"fields: the {form.column.layout.name} layout has no dictionary of {kind.value_type}")
    cell = Cell(Kind.TERMINATED, null=null, invert=invert, end=interned.end)
    return InternedNode(kind, values.result, form.null, cell, interned.present, values)


def _runs(form: Form, kind: pa.DataType) -> Node | None:
    found = _single(form, codecs.ValueRow, codecs.Blocks)
    if found is None or form.null_fields is not None:
        return None
    ((row, blocks, *_), invert) = found
    cell = _blocks(blocks, invert, Kind.BLOCKS)
    if cell is None:
        return None
    child = node_of(row.value)
    return RunsNode(kind, child.result, form.null, cell, child)


_FINDERS: tuple[Callable[[Form, pa.DataType], Node | None], ...] = (
    _number,
    _strings,
    _struct,
    _wrapped_list,
    _sequence,
    _dictionary,
    _array,
    _packed_decimal,
    _constant,
    _union,
    _runs,
    _packed_list,
    _interned,
)
