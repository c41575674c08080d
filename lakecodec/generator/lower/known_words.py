"""Checks that clauses only use values that are known: those of the span while writing, places and elements while reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from . import nodes
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, is_absent_or
from .nodes import Node
from .record_layout import RecordLayout
from .write_order import WriteOrder
from .write_steps import (
    ApplyCodecs,
    Check,
    CheckPresence,
    CheckSize,
    Derive,
    Element,
    Encode,
    EncodeSeparately,
    RawList,
    WriteStep,
)

_UNKNOWN_REST = (
    "'rest' counts placed fields only on reading: measure the field that ends last, as by `offset(tail) + size(tail)`"
)


def check_known(layout: RecordLayout) -> None:
    """Checks that each clause of a body uses only values that are known when it is evaluated.

    Raises:
        UnsupportedExpression: a clause uses an unknown value; the error has the location.
    """
    for name in layout.placing:
        _check_placed(layout.by_name(name), layout)
    if layout.order is not None:
        _check_words(layout.order, ())
    body = layout.body if layout.located else layout
    for name, steps in layout.writing.items():
        only = layout.by_name(name) if name else None
        _WrittenWords(body if only is None else layout, only, _places_in_itself(layout)).check(steps)


def _places_in_itself(layout: RecordLayout) -> bool:
    return any(each.place is not None and not each.from_source for each in layout.fields)


def _check_words(node: Node | None, known: Collection[str]) -> None:
    """Refuses unknown words about the span."""
    for part in nodes.walk(node) if node is not None else ():
        if isinstance(part, nodes.SpanWord) and part.word not in known:
            raise _refusal(f"'{part.word}' is known only where bytes are read", part)


def _refusal(message: str, node: Node) -> UnsupportedExpression:
    assert node.location is not None
    return UnsupportedExpression(message, node.location)


# ---- reading placed fields ----


def _check_placed(field: FieldLayout, layout: RecordLayout) -> None:
    """Refuses unknown values when a field or element is read at its own place, without the fields before it."""
    rules = [rule for _, rule, _ in layout.placing[field.name].rules]
    conditions = [rule.condition if rule.setting is None else rule.setting.value for rule in rules]
    found = [field.place, field.alignment, field.size, field.presence, *_inside(field)]
    for node in (
        field.place,
        field.alignment,
        field.size,
        field.presence,
        *(each.value for each in field.dimensions if field.by_element),
    ):
        for part in nodes.walk(node) if node is not None else ():
            if isinstance(part, nodes.SpanWord) and part.word != "end":
                raise _refusal(
                    f"'{part.word}' is not known when a place is computed: use 'end', the record's size", part
                )
    for node in found:
        for measure in _unknown_measures(node):
            raise _refusal("a place can count from a field only if all fields before it have fixed sizes", measure)
    for node in conditions:
        for measure in _unknown_measures(node):
            what = f"the {measure.function} of '{measure.field}' is not known when '{field.name}' is read at its place"
            raise _refusal(
                f"{what}, by which this is checked: compute it from values, as by count({measure.field})", measure
            )
    if field.by_element:
        alone = [rule.condition for rule in field.rules if rule.of_element and rule in rules]
        for node in (*_inside(field), *alone):
            for part in _whole_lists(node, field.name):
                raise _refusal("an element that has its own place can be used only by its index", part)


def _unknown_measures(node: Node | None) -> Iterator[nodes.Measure]:
    found = nodes.measures(node) if node is not None else ()
    return (measure for measure in found if measure.fixed is None and measure.before is None)


def _inside(field: FieldLayout) -> Iterator[Node]:
    """Yields the dimensions, arguments, codecs and width that a field, or an element of it, is read with."""
    dimensions = field.dimensions if not field.by_element else (field.length,)
    yield from (each.value for each in dimensions if each is not None and each.value is not None)
    yield from field.arguments if field.coder is None else field.coder.arguments
    yield from (codec.call for codec in field.codecs)
    if field.width is not None:
        yield field.width


def _whole_lists(node: Node, name: str) -> Iterator[Node]:
    """Yields the nodes that use a field other than through the element at the index."""
    match node:
        case nodes.Item(base=nodes.FieldValue(field=own), index=nodes.ElementIndex()) if own == name:
            return
        case nodes.FieldValue(field=own) if own == name:
            yield node
    for each in nodes.children(node):
        yield from _whole_lists(each, name)


# ---- writing ----


class _WrittenWords:
    """The words that steps of writing need; a writer knows nothing about the span around a body."""

    def __init__(self, layout: RecordLayout, only: FieldLayout | None, places: bool) -> None:
        self.order = WriteOrder(layout, only)
        self.around = frozenset(("end",)) if layout.located else frozenset()
        self.places = places

    def check(self, steps: Sequence[WriteStep]) -> None:
        for step in steps:
            match step:
                case EncodeSeparately():
                    self.check(step.steps)
                case Derive():
                    self._derived(step)
                case Check(field=None):
                    self._check_outside(step.rule.condition)
                case Check(field=FieldLayout() as field):
                    self._check_following(is_absent_or(field, step.rule))
                case CheckPresence():
                    self._check_outside(step.field.presence)
                case CheckSize():
                    self._check_outside(step.condition, step.size)
                case ApplyCodecs():
                    self._check_outside(*(codec.call for codec in step.field.codecs))
                case Element():
                    self._element(step.field)
                case RawList():
                    self._list(step.field, step.by_value)
                case Encode():
                    self._check_outside(step.condition)
                    self._list(step.field, step.by_value)

    def _check_outside(self, *found: Node | None) -> None:
        for node in found:
            _check_words(node, self.around)

    def _check_following(self, *found: Node) -> None:
        """Checks the words of conditions on a field, in which `rest` is the bytes that follow the field."""
        for node in found:
            for part in nodes.walk(node) if self.places else ():
                if isinstance(part, nodes.SpanWord) and part.word == "rest":
                    raise _refusal(_UNKNOWN_REST, part)
            _check_words(node, self.around | {"rest"})

    def _derived(self, step: Derive) -> None:
        field, setting = step.derived.field, step.derived.setting
        if setting is not None:
            self._check_following(setting.value)
        else:
            self._check_following(
                step.derived.value, *(each.count for each in field.dimensions if each.kind == "index")
            )
        if setting is None or not setting.path:
            self._check_outside(field.presence)

    def _list(self, field: FieldLayout, by_value: bool) -> None:
        if field.by_element and not by_value:
            self._check_outside(field.presence)
        if field.by_element and (checked := self.order.checked_size(field)) is not None:
            self._check_outside(*checked)
        if field.coder is not None:
            self._check_outside(field.coder.initial)
        self._element(field)

    def _element(self, field: FieldLayout) -> None:
        self._check_outside(*(codec.call for codec in field.codecs))
        whole_list = field.dimension is not None and not field.by_element
        is_sized = field.size is not None and not field.span_codecs and not whole_list
        known = ("rest", "end", "at_end") if is_sized and self.order.has_checked_size(field) else self.around
        arguments = field.arguments if field.coder is None else field.coder.arguments
        for node in (field.width, *arguments):
            _check_words(node, known)
