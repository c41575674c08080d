"""Nodes of records, variants and codecs with fields, from the notes of their tracing readers."""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..generator.builtin_names import FIXED_WIDTHS
from ..generator.lower.field_layout import FieldLayout
from ..generator.lower.record_layout import ComputedLayout, RecordLayout
from ..generator.print.hints import kind_text
from ..runtime.columns import Bits, Values
from ..runtime.errors import CodecError, DecodeError, join_path
from ..runtime.protobuf.message import Message
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import MAX_DEPTH, UNREADABLE, reason
from ..runtime.records.reader import Reader
from ..runtime.records.record import Record, Variant
from ..runtime.records.source import Bytes, counted
from ..runtime.records.trail import Place
from .layouts import layout_of
from .messages import MessageNodes
from .stretches import Stretch, StretchNodes
from .structs import StructNodes
from .tracing import LONG, About, Failure, Note, Notes, TracingReader, read_body, read_placed
from .tree import Elements, Node, Tree
from .values import plain_values, value_nodes

Grow = Callable[[Node], Sequence[Node]]
#: The first step of a path: an element of a list.
_ELEMENT = re.compile(r"(?P<field>\w+)\[(?P<index>\d{1,18})\]")


def body(about: About, span: Reader, pos: int) -> Grow:
    """Returns the maker of the nodes of a record, variant, codec with fields, or struct at ``span.buf[pos]``."""
    cls = about[0]
    if issubclass(cls, LazyRecord):
        source = counted(span.buf if span.source is None else span.source)
        record = unread_record(cls, source, span.base + pos, len(span.buf) - pos, about[1], span.origins)
        record._depth = span.depth
        return lambda node: located(record, node)
    if issubclass(cls, Record):
        return lambda node: _read(about, span, pos, node)
    if issubclass(cls, Message):
        return lambda node: MessageNodes(node.tree, span.buf, span.base).message(cls, pos, len(span.buf), node.path)
    if hasattr(cls, "__custom__"):
        # The value is not stored as a struct.
        return lambda node: ()
    return lambda node: StructNodes(node.tree, span.buf, span.base).struct(cls.__spec__, pos, node.path)


def reach(about: About, span: Reader, pos: int) -> Callable[[Node, str], Node | None] | None:
    """Returns a function that finds a record of the list at ``span.buf[pos]`` without reading what follows it."""
    if not issubclass(about[0], Record) or issubclass(about[0], LazyRecord):
        return None
    return lambda node, path: _reached(about, span, pos, node, path)


def _reached(about: About, span: Reader, pos: int, node: Node, path: str) -> Node | None:
    step = _ELEMENT.match(path.removeprefix(node.path).removeprefix("."))
    if step is None:
        return None
    notes = read_body(about, span, pos, (step["field"], int(step["index"])))
    last = notes.found[-1] if notes.found else None
    if not isinstance(last, Note) or last[:2] != notes.wanted or notes.layout is None:
        return None
    field = notes.layout.by_name(last.field)
    if last.about is None or not issubclass(last.about[0], Record) or (field.span_codecs and not field.by_element):
        return None
    return _of_element(field, last, Node(node.tree, join_path(node.path, field.name), 0, 0, field.type))


def unread_record(
    cls: type[LazyRecord],
    source: Any,
    begin: int,
    size: int,
    arguments: Sequence[Any],
    origins: Mapping[str, tuple[int, int]] | None = None,
) -> LazyRecord:
    """Returns the unread record at an offset of a source. ``origins`` are the records around it."""
    made = cls._empty(tuple(arguments))
    made._open(source, begin, size, tuple(arguments), 0)
    made._origins = cls._with_own_origin(origins, begin, size)
    return made


def located(record: LazyRecord, node: Node) -> list[Node]:
    """Returns the nodes of the fields of a record some of whose fields are placed with `at`."""
    assert record._source is not None
    found: list[Node] = []
    if record._sequential:
        size = min(record._size, record._source.size - record._begin)
        base, source = record._begin, record._source
        try:
            span = Reader(
                source.read(base, size),
                base=base,
                source=source,
                depth=record._depth,
                borrows=True,
                origins=record._origins,
            )
        except DecodeError as error:
            node.error = node.error or _as_decode_error(error, node.path)
            return []
        found = _read((type(record), record._arguments or (), None), span, 0, node)
    layout = layout_of(type(record))
    assert layout is not None
    for field in layout.fields:
        if field.place is not None:
            found += _placed(record, field, layout, node)
    if layout.computed and not record._sequential:
        found += _computed(layout, node)
    return sorted(_clipped(found), key=lambda each: each.offset)


def _clipped(nodes: list[Node]) -> Iterator[Node]:
    """Yields nodes, those of padding without the zeros that end the field before."""
    ends = sorted(each.end for each in nodes if each.kind != "padding" and not each.is_away)
    for each in nodes:
        if each.kind == "padding":
            before = bisect_right(ends, each.end)
            first = max(each.offset, ends[before - 1] if before else 0)
            if first == each.end:
                continue
            each.offset, each.size = first, each.end - first
            each.name = f"(padding at {first})"
            each.path = join_path(each.path, each.name)
        yield each


def _placed(record: LazyRecord, field: FieldLayout, layout: RecordLayout, node: Node) -> list[Node]:
    """Returns the node of a placed field, or of each of its elements that have places of their own."""
    row = record._placed[field.attribute]
    found: list[Node] = []
    try:
        whole = record._of_bytes()
        whole._depth = record._depth
        indexes: Sequence[int | None] = range(whole._count(field.attribute)) if row.each else (None,)
        for index in indexes:
            if whole._has(field.attribute, index):
                made = _placed_one(whole, field, index, layout, node)
                found += made
                # A damaged count may be huge, so the search ends after the first element that cannot be found.
                if made and made[-1].size == 0 and made[-1].error is not None:
                    break
    except UNREADABLE as error:
        found.append(_unlocatable(field, field.name, error, node))
    return found


def _unlocatable(field: FieldLayout, step: str, error: Exception, node: Node) -> Node:
    """Returns the node of a field that cannot be found."""
    lost = _field_node(node.tree, join_path(node.path, step), field, min(node.end, _offset_of(error)), 0)
    lost.error = _as_decode_error(error, join_path(node.path, step))
    return lost


def _placed_one(
    record: LazyRecord,
    field: FieldLayout,
    index: int | None,
    layout: RecordLayout,
    node: Node,
) -> list[Node]:
    step = field.name if index is None else f"{field.name}[{index}]"
    try:
        if record._depth < 1:
            raise DecodeError(f"records are nested more than {MAX_DEPTH} deep", offset=node.offset)
        offset, size = record.span(field.attribute, index)
        assert record._source is not None
        data = record._source.read(offset, size)
        pad, zeros = record._padding(field.attribute, index) if field.alignment is not None else (offset, 0)
    except UNREADABLE as error:
        return [_unlocatable(field, step, error, node)]
    span = Reader(
        data, base=offset, source=record._source, depth=record._depth - 1, borrows=True, origins=record._origins
    )
    notes = read_placed(record, layout, field.name, index, span)
    made = _nodes(layout, notes, span, node)
    if not made:
        made = [_field_node(node.tree, join_path(node.path, step), field, offset, size)]
    if index is not None:
        made[0].name, made[0].path = step, join_path(node.path, step)
    if field.size is not None or (field.fixed is not None and not field.by_element):
        made[0].offset, made[0].size = offset, size
    # The field may lie outside of the node: a field of a record that is pointed to.
    made[0].is_away = not node.offset <= offset <= made[0].end <= node.end
    if zeros and not made[0].is_away:
        made.insert(0, Node(node.tree, node.path, pad, zeros, "bytes", kind="padding"))
    return made


def _read(about: About, span: Reader, pos: int, node: Node) -> list[Node]:
    notes = read_body(about, span, pos)
    if notes.layout is None:
        if notes.failure is not None:
            node.error = node.error or _as_decode_error(notes.failure.error, node.path, span)
        return []
    return _nodes(notes.layout, notes, span, node)


def _nodes(layout: RecordLayout, notes: Notes, span: Reader, parent: Node) -> list[Node]:
    """Returns the fields that were read, and the one where reading ended."""
    found: list[Node] = []
    pending: list[Note] | Stretch = []
    for note in notes.found:
        if isinstance(note, Stretch):
            pending = note
            continue
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
    return [*found, *_computed(layout, parent)]


def _computed(layout: RecordLayout, parent: Node) -> list[Node]:
    """Returns the nodes of a record's computed attributes, which have no bytes and come last."""
    return [_computed_node(each, parent) for each in layout.computed]


def _computed_node(each: ComputedLayout, parent: Node) -> Node:
    def look() -> Any:
        try:
            return getattr(parent.value, each.attribute, None)
        except CodecError:
            return None

    path = join_path(parent.path, each.name)
    type_ = kind_text(each.value.kind)
    return Node(
        parent.tree, path, parent.end, 0, type_, name=each.name, doc=each.doc, rules=[f"= {each.text}"],
        kind="computed", look=look,
    )  # fmt: skip


def _of_field(field: FieldLayout, note: Note, elements: list[Note] | Stretch, parent: Node) -> Node:
    node = _field_node(
        parent.tree,
        join_path(parent.path, field.name),
        field,
        note.span.base + note.start,
        note.stop - note.start,
        None if isinstance(elements, Stretch) else note.value,
    )
    if field.dimension is None or (field.place is not None and field.by_element):
        _fill(node, field, note)
    elif field.span_codecs and not field.by_element and isinstance(note.inner, Reader):
        _open_view(node, note.inner.buf, field, lambda root: _list(field, note, elements, root), field.text)
    else:
        node._grow = lambda node: _list(field, note, elements, node)
        node.count = len(elements) if isinstance(elements, Stretch) else None
        if isinstance(elements, Stretch) or (node.size > LONG and any(each.about is not None for each in elements)):
            node._look = lambda: [each.value for each in node.children if each.kind == "field"]
    return node


def _copied(about: About, span: Reader, pos: int) -> Any:
    """Returns the record, or the result of a codec with fields, at ``span.buf[pos]``, with copies of long bytes."""
    cls, arguments, states = about
    own = Reader(
        span.buf,
        pos,
        first=span.first,
        base=span.base,
        decoded=span.decoded,
        depth=span.depth,
        source=span.source,
        origins=span.origins,
    )
    state = {} if states is None else {"state": list(states)}
    return own.reading(lambda: own.body_with(cls, arguments, state))


def _list(field: FieldLayout, note: Note, elements: list[Note] | Stretch, node: Node) -> Sequence[Node]:
    """Returns the elements of a list: those that the tracing cursor noted, or numbers of one width."""
    if not elements and field.is_plain_number and not field.by_element and note.value:
        return _numbers(field, note, node)
    if isinstance(elements, Stretch):
        return StretchNodes(elements, lambda each: _read_again(_of_element(field, each, node), each))
    return [_of_element(field, each, node) for each in elements]


def _read_again(node: Node, note: Note) -> Node:
    """Returns the node of an element, of a variant with its value, which says which alternative it is."""
    if note.about is not None and issubclass(note.about[0], Variant) and 0 < node.size <= LONG:
        _ = node.value
    return node


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
    elif field.span_codecs and isinstance(inner, Reader):
        grow = None if about is None else body(about, inner, 0)
        _open_view(node, inner.buf, field, grow, field.type, value)
    elif about is not None:
        span = inner if isinstance(inner, Reader) else note.span
        node._grow = body(about, span, note.start)
        node._reach = reach(about, span, note.start)
        if (node.size > LONG or value is None) and issubclass(about[0], Record):
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
        bits=None if field.bits is None else field.bits[1:],
        value=value,
    )


# ---- damaged bytes ----


def _fail(
    layout: RecordLayout, notes: Notes, pending: list[Note] | Stretch, found: list[Node], span: Reader, parent: Node
) -> None:
    """Marks the field that broke a rule, or adds the one where reading ended."""
    failure = notes.failure
    assert failure is not None
    told = _as_decode_error(failure.error, parent.path, span)
    name = failure.at.name if isinstance(failure.at, Place) else failure.at
    field = layout.field(name)
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
        failure = failure._replace(about=None)
    found.append(_failed(field, told, failure, pending, parent))


def _failed(
    field: FieldLayout, error: DecodeError, failure: Failure, pending: list[Note] | Stretch, parent: Node
) -> Node:
    """Returns the node of a field whose reading ended in an error."""
    reader = failure.reader
    assert reader is not None
    inner = reader if reader.outer is not None and isinstance(reader.outer, TracingReader) else None
    is_inside = inner is not None and field.span_codecs
    place: Any = reader if inner is None else reader.outer
    start = failure.start if inner is None else place.begun
    stop = reader.stop if is_inside else start
    at = failure.at if inner is None else reader.of
    index = at.index if isinstance(at, Place) else None
    note = Note(field.name, None, place, start, stop, None, inner, failure.about)
    if field.dimension is None:
        node = _of_field(field, note, [], parent)
    else:
        elements = pending if isinstance(pending, Stretch) else list(pending)
        if index is not None and field.is_plain_number and not field.by_element and not elements:
            elements = _read_numbers(field, place, start, index)
        if not is_inside or field.by_element:
            first = min(elements[0].start, start) if elements else start
            note = note._replace(start=first, stop=first)
        if index is not None:
            elements.append(
                Note(field.name, index, place, start, stop if is_inside else start, None, inner, failure.about)
            )
        node = _of_field(field, note, elements, parent)
    node.error = error
    if node.size == 0:
        _measure(node, error, len(place.buf) + place.base)
    return node


def _read_numbers(field: FieldLayout, span: Reader, stop: int, count: int) -> list[Note]:
    """Returns notes of the numbers of one width in front of the one where reading ended."""
    width = FIXED_WIDTHS[field.type]
    start = stop - count * width
    if start < 0:
        return []
    codes = struct.Struct(f"<{field.code}")
    return [
        Note(field.name, number, span, at, at + width, codes.unpack_from(span.buf, at)[0])
        for number, at in enumerate(range(start, stop, width))
    ]


def _measure(node: Node, error: DecodeError, end: int) -> None:
    """Gives a node as many bytes as its parts explain, or up to the failing byte."""
    made = () if node._grow is None else node._grow(node)
    grown = made if isinstance(made, StretchNodes) else [each for each in made if each.kind != "computed"]
    if grown and grown[-1].size == 0 and grown[-1].bits is None:
        grown[-1].error = grown[-1].error or error
        _measure(grown[-1], error, end)
    if grown:
        # Gaps are found once the size is final.
        node._grow = lambda node: grown
        shown = grown[-1:] if isinstance(grown, StretchNodes) else grown
        node.size = max((each.end for each in shown if not each.is_away), default=node.offset) - node.offset
        return
    short = "unexpected end" in error.rule or error.offset is None or not node.offset <= error.offset < end
    node.size = max(0, end - node.offset if short else (error.offset or 0) - node.offset + 1)


def _offset_of(error: Exception) -> int:
    return getattr(error, "offset", None) or 0


def _as_decode_error(error: Exception, path: str, span: Reader | None = None) -> DecodeError:
    """Returns an error of a body as one of the tree: with the whole path, and the offset in the tree's data."""
    rule = error.rule if isinstance(error, CodecError) else f"cannot evaluate this field's expression: {reason(error)}"
    inner = error.path if isinstance(error, CodecError) else ""
    offset = error.offset if isinstance(error, CodecError) else None
    if offset is not None and span is not None and not hasattr(error, "within"):
        offset += span.base
    return DecodeError(rule, path=join_path(path, inner) if inner else path, offset=offset)
