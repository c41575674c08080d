"""Nodes of records, variants and codecs with fields, from what their tracing readers tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..generator.builtin_names import FIXED_WIDTHS
from ..generator.lower.field_layout import FieldLayout
from ..generator.lower.record_layout import RecordLayout
from ..runtime.columns import Bits, Values
from ..runtime.errors import CodecError, DecodeError, join_path
from ..runtime.protobuf.message import Message
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import MAX_DEPTH, UNREADABLE, reason
from ..runtime.records.record import Record
from ..runtime.records.source import Bytes, counted
from ..runtime.records.span import Span
from .messages import MessageNodes
from .notes import About, Note, Notes, collect
from .structs import StructNodes
from .tracers import LONG, tracer_of
from .tree import Elements, Node, Tree
from .values import plain_values, value_nodes

Grow = Callable[[Node], Sequence[Node]]


def body(about: About, span: Span, pos: int) -> Grow:
    """Returns the maker of the nodes of a record, variant, codec with fields, or struct at ``span.buf[pos]``."""
    cls = about[0]
    if issubclass(cls, LazyRecord):
        source = counted(span.buf if span.source is None else span.source)
        record = unread(cls, source, span.base + pos, len(span.buf) - pos, about[1])
        record._depth = span.depth
        return lambda node: located(record, node)
    if issubclass(cls, Record):
        return lambda node: _read(about, span, pos, node)
    if issubclass(cls, Message):
        return lambda node: MessageNodes(node.tree, span.buf, span.base).message(cls, pos, len(span.buf), node.path)
    if hasattr(cls, "__custom__"):
        # Stored as something else than a struct.
        return lambda node: ()
    return lambda node: StructNodes(node.tree, span.buf, span.base).struct(cls.__spec__, pos, node.path)


def unread(cls: type[LazyRecord], source: Any, begin: int, size: int, arguments: Sequence[Any]) -> LazyRecord:
    """Returns the record at an offset of a source, of which nothing has been read."""
    made = cls._empty(tuple(arguments))
    made._open(source, begin, size, tuple(arguments))
    return made


def located(record: LazyRecord, node: Node) -> list[Node]:
    """Returns the nodes of the fields of a record some of whose fields are placed with `at`."""
    assert record._source is not None
    found: list[Node] = []
    if record._sequential:
        size = min(record._size, record._source.size - record._begin)
        base, source = record._begin, record._source
        try:
            span = Span(source.read(base, size), base=base, source=source, depth=record._depth, borrows=True)
        except DecodeError as error:
            node.error = node.error or _as_decode_error(error, node.path)
            return []
        found = _read((type(record), record._arguments or (), None), span, 0, node)
    for name, read in tracer_of(type(record)).placed.items():
        found += _placed(record, name, read, node)
    return sorted(found, key=lambda each: each.offset)


def _placed(record: LazyRecord, name: str, read: Callable[..., Any], node: Node) -> list[Node]:
    """Returns the node of a placed field, or of each of its elements that have places of their own."""
    layout = tracer_of(type(record)).layout
    assert layout is not None
    field, row = layout.by_name(name), record._placed[layout.by_name(name).attribute]
    indexes: Sequence[int | None] = (None,)
    found: list[Node] = []
    try:
        whole = record._of_bytes()
        whole._depth = record._depth
        if row.each:
            indexes = range(getattr(whole, f"_count_{field.attribute}")())
        is_given = getattr(whole, f"_given_{field.attribute}", lambda *_: True)
        for index in indexes:
            if is_given(*([] if index is None else [index])):
                made = _placed_one(whole, field, index, read, layout, node)
                found += made
                # A damaged count has no end: behind an element that cannot be found none is looked for.
                if made and made[0].size == 0 and made[0].error is not None:
                    break
    except UNREADABLE as error:
        found.append(_lost(field, name, error, node))
    return found


def _lost(field: FieldLayout, step: str, error: Exception, node: Node) -> Node:
    """Returns the node of a field that cannot be found."""
    lost = _field_node(node.tree, join_path(node.path, step), field, min(node.end, _offset_of(error)), 0)
    lost.error = _as_decode_error(error, join_path(node.path, step))
    return lost


def _placed_one(
    record: LazyRecord,
    field: FieldLayout,
    index: int | None,
    read: Callable[..., Any],
    layout: RecordLayout,
    node: Node,
) -> list[Node]:
    step = field.name if index is None else f"{field.name}[{index}]"
    try:
        if record._depth < 1:
            raise DecodeError(f"records are nested more than {MAX_DEPTH} deep", offset=node.offset)
        offset, size = record.span(field.attribute, index)
        if size == 0 and field.presence is not None:
            return []
        assert record._source is not None
        data = record._source.read(offset, size)
    except UNREADABLE as error:
        return [_lost(field, step, error, node)]
    span = Span(data, base=offset, source=record._source, depth=record._depth - 1, borrows=True)
    notes = collect(lambda notes: read(record, span, index, note=notes))
    made = _nodes(layout, notes, span, node)
    if not made:
        made = [_field_node(node.tree, join_path(node.path, step), field, offset, size)]
    if index is not None:
        made[0].name, made[0].path = step, join_path(node.path, step)
    if field.size is not None or (field.fixed is not None and not field.by_element):
        made[0].offset, made[0].size = offset, size
    # What follows it in memory may be elsewhere: a field of a record that is pointed to.
    made[0].is_away = not node.offset <= offset <= made[0].end <= node.end
    return made


def _read(about: About, span: Span, pos: int, node: Node) -> list[Node]:
    notes = collect(lambda notes: notes.read(about, span, pos))
    if notes.layout is None or (not notes.found and notes.failure is not None and not notes.failure.names):
        if notes.failure is not None:
            node.error = node.error or _as_decode_error(notes.failure.error, node.path, span)
        return []
    return _nodes(notes.layout, notes, span, node)


def _nodes(layout: RecordLayout, notes: Notes, span: Span, parent: Node) -> list[Node]:
    """Returns the fields that were read, and the one where reading ended."""
    found: list[Node] = []
    pending: list[Note] = []
    for note in notes.found:
        if note.element is not None:
            pending.append(note)
            continue
        field = layout.by_name(note.field)
        if note.value is not None or note.stop > note.start:
            found.append(_of_field(field, note, pending, parent))
        pending = []
    if notes.failure is not None:
        _fail(layout, notes, pending, found, span, parent)
    return found


def _of_field(field: FieldLayout, note: Note, elements: list[Note], parent: Node) -> Node:
    node = _field_node(
        parent.tree,
        join_path(parent.path, field.name),
        field,
        note.span.base + note.start,
        note.stop - note.start,
        note.value,
    )
    if field.dimension is None or (field.place is not None and field.by_element):
        _fill(node, field, note)
    elif field.span_codecs and not field.by_element and isinstance(note.inner, Span):
        _open_view(node, note.inner.buf, field, lambda root: _list(field, note, elements, root), field.text)
    else:
        node._grow = lambda node: _list(field, note, elements, node)
        if node.size > LONG and any(each.about is not None for each in elements):
            node._look = lambda: [each.value for each in node.children if each.kind == "field"]
    return node


def _copied(about: About, span: Span, pos: int) -> Any:
    """Returns the record, or what a codec with fields gives, at ``span.buf[pos]``, with copies of long bytes."""
    cls, arguments, states = about
    own = Span(span.buf, start=span.start, base=span.base, decoded=span.decoded, depth=span.depth, source=span.source)
    return cls._read(own, pos, *arguments, **({} if states is None else {"state": list(states)}))[0]


def _list(field: FieldLayout, note: Note, elements: list[Note], node: Node) -> Sequence[Node]:
    """Returns the elements of a list: those that were told of, or numbers of one width."""
    if not elements and field.is_plain_number and note.value:
        return _numbers(field, note, node)
    return [_of_element(field, each, node) for each in elements]


def _of_element(field: FieldLayout, note: Note, parent: Node) -> Node:
    step = f"[{note.element}]"
    offset, size = note.span.base + note.start, note.stop - note.start
    node = _field_node(parent.tree, f"{parent.path}{step}", field, offset, size, note.value, name=step)
    _fill(node, field, note)
    return node


def _numbers(field: FieldLayout, note: Note, node: Node) -> Elements:
    width, values, start = FIXED_WIDTHS[field.type], note.value, note.span.base + note.start

    def make(index: int) -> Node:
        step = f"[{index}]"
        path = f"{node.path}{step}"
        return Node(node.tree, path, start + index * width, width, field.type, name=step, value=values[index])

    return Elements(len(values), make)


def _bits(bits: Bits, field: FieldLayout, node: Node) -> Elements:
    def make(index: int) -> Node:
        first, step = index * bits.width, f"[{index}]"
        last = max(first, first + bits.width - 1)
        offset, size = node.offset + first // 8, last // 8 - first // 8 + 1
        path = f"{node.path}{step}"
        shape = (first % 8, bits.width)
        return Node(
            node.tree, path, offset, size if bits.width else 0, field.type, name=step, bits=shape, value=bits[index]
        )

    return Elements(bits.count, make)


def _fill(node: Node, field: FieldLayout, note: Note) -> None:
    """Gives a node of one element its parts, or its view."""
    inner, about, value = note.inner, note.about, note.value
    if field.text_codecs and inner is not None:
        _open_view(node, inner, field, None, field.type, value)
    elif field.span_codecs and isinstance(inner, Span):
        grow = None if about is None else body(about, inner, 0)
        _open_view(node, inner.buf, field, grow, field.type, value)
    elif about is not None:
        span = inner if isinstance(inner, Span) else note.span
        node._grow = body(about, span, note.start)
        if node.size > LONG and issubclass(about[0], Record):
            node._look = lambda: _copied(about, span, note.start)
    elif isinstance(value, Bits):
        node._grow = lambda node: _bits(value, field, node)
    elif isinstance(value, Values) and field.length is None:
        node._look = lambda: plain_values(value)[0]
    elif isinstance(value, Values):
        node._grow = lambda node: value_nodes(value, node)


def _open_view(node: Node, data: Any, field: FieldLayout, grow: Grow | None, type_: str, value: Any = None) -> None:
    codec = ", ".join(each.codec.name for each in field.codecs if each.codec is not None)
    view = Tree(Bytes(data), type_, codec or "codec")
    view.root = Node(view, node.path, 0, view.data.size, type_, name=node.name, doc=node.doc, value=value, grow=grow)
    node._view = view


def _field_node(
    tree: Tree, path: str, field: FieldLayout, offset: int, size: int, value: Any = None, name: str = ""
) -> Node:
    rules = [rule.text for rule in (field.derivation, *field.rules) if rule is not None]
    type_ = field.type if name else field.text or field.type
    return Node(
        tree,
        path,
        offset,
        size,
        type_,
        name=name or field.name,
        doc=field.doc or getattr(field.target, "doc", ""),
        rules=rules,
        value=value,
    )


# ---- damaged bytes ----


def _fail(layout: RecordLayout, notes: Notes, pending: list[Note], found: list[Node], span: Span, parent: Node) -> None:
    """Marks the field that broke a rule, or adds the one where reading ended."""
    assert notes.failure is not None
    error, names = notes.failure
    told = _as_decode_error(error, parent.path, span)
    field = layout.field(names.get("field", ""))
    known = None if field is None or pending else next((each for each in found if each.name == field.name), None)
    if known is not None:
        known.error = told
        return
    if field is None:
        read = {each.name for each in found}
        field = next((each for each in layout.fields if each.name not in read), None)
        if field is None:
            parent.error = parent.error or told
            return
        names = {**names, "field_at": names.get("start", 0), "about": None, "inner": None}
    found.append(_failed(field, told, names, pending, parent))


def _failed(field: FieldLayout, error: DecodeError, names: dict[str, Any], pending: list[Note], parent: Node) -> Node:
    """Returns the node of a field whose reading ended in an error."""
    span, inner, about = names["span"], names.get("inner"), names.get("about")
    is_inside = field.span_codecs and inner is span and "outer" in names
    place = names["outer"] if is_inside else span
    start = names.get("field_at", names.get("start", 0))
    stop = names["stop"] if is_inside and not field.by_element else start
    note = Note(field.name, None, place, start, stop, None, inner, about)
    if field.dimension is None:
        node = _of_field(field, note, [], parent)
    else:
        elements = _read_numbers(field, place, names) if field.is_plain_number else list(pending)
        if names.get("index") is not None:
            at = names.get("item_at", start)
            elements.append(
                Note(field.name, names["index"], place, at, names["stop"] if is_inside else at, None, inner, about)
            )
        node = _of_field(field, note, elements, parent)
    node.error = error
    if node.size == 0:
        _measure(node, error, len(place.buf) + place.base)
    return node


def _read_numbers(field: FieldLayout, span: Span, names: dict[str, Any]) -> list[Note]:
    """Returns notes of the numbers in front of the one where reading ended."""
    width, start = FIXED_WIDTHS[field.type], names.get("begin", 0)
    items: list[Any] = names.get("items") or []
    # Of another list, where this one is read in one step.
    if getattr(names.get("obj"), field.attribute, None) is not items:
        return []
    places = range(start, start + len(items) * width, width)
    return [
        Note(field.name, number, span, at, at + width, value)
        for number, (at, value) in enumerate(zip(places, items, strict=True))
    ]


def _measure(node: Node, error: DecodeError, end: int) -> None:
    """Gives a node as many bytes as its parts explain, or up to the failing byte."""
    grown = () if node._grow is None else list(node._grow(node))
    if grown and grown[-1].size == 0 and grown[-1].bits is None:
        grown[-1].error = grown[-1].error or error
        _measure(grown[-1], error, end)
    if grown:
        # Gaps are found when the size is final.
        node._grow = lambda node: grown
        node.size = max((each.end for each in grown if not each.is_away), default=node.offset) - node.offset
        return
    short = "bytes are needed" in error.rule or error.offset is None or not node.offset <= error.offset < end
    node.size = max(0, end - node.offset if short else (error.offset or 0) - node.offset + 1)


def _offset_of(error: Exception) -> int:
    return getattr(error, "offset", None) or 0


def _as_decode_error(error: Exception, path: str, span: Span | None = None) -> DecodeError:
    """Returns an error of a body as one of the tree: with the whole path, and the offset in the tree's data."""
    rule = error.rule if isinstance(error, CodecError) else f"what the bytes say cannot be computed: {reason(error)}"
    inner = error.path if isinstance(error, CodecError) else ""
    offset = error.offset if isinstance(error, CodecError) else None
    if offset is not None and span is not None and not hasattr(error, "within"):
        offset += span.base
    return DecodeError(rule, path=join_path(path, inner) if inner else path, offset=offset)
