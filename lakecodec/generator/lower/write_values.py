"""The values that are derived when a body is written, in an order in which each can be computed.

Fields of which a size, an offset or a checksum is taken are encoded first, all others at their place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial

from . import nodes
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, Setting
from .inner_values import needs_offset, written_inside
from .nodes import Node
from .record_layout import Derived, RecordLayout
from .same_sizes import has_same_size
from .write_order import WriteOrder
from .write_steps import Derive, WriteStep


class ValuePlanner(ABC):
    """Puts the steps of what is derived in order.

    Attributes:
    whole: the layout with all fields that are placed with `at`, of which ``layout`` may have none.
    steps: those so far.
    parts: the fields that are encoded already; ``raw``: as they are before their codecs.
    """

    def __init__(self, layout: RecordLayout, whole: RecordLayout, only: FieldLayout | None) -> None:
        self.layout = layout
        self.whole = whole
        self.only = only
        self.order = WriteOrder(layout, only)
        self.steps: list[WriteStep] = []
        self.parts: set[str] = set()
        self.raw: set[str] = set()
        self.written: set[str] = set()
        self.encoding: set[str] = set()
        self.is_settled = True
        self.deciding: set[str] = set()
        self.valued: set[str] = set()
        self.valuing: list[str] = []
        self.sized: set[str] = set()

    def value(self, field: FieldLayout) -> None:
        """Computes a derived field, after all that its derivation needs, and what is derived of the fields inside of it."""
        if field.derivation is not None and self.only is None:
            self.derive(Derived(field, field.derivation.condition))
        for each in settings_of(field):
            self.derive(each)

    def derive(self, derived: Derived) -> None:
        field, setting, label = derived.field, derived.setting, label_of(derived)
        if label in self.valued or (self.only is not None and field is not self.only):
            return
        if label in self.valuing:
            self.refuse_circle(label)
        self.valuing.append(label)
        value = derived.value
        if isinstance(value, nodes.Conditional) and setting is not None and setting.when is not None:
            # If the value is not computed, the field keeps the caller's value.
            self.prepare(setting.when, field, besides=setting)
            value = value.then
        self.prepare_rule(value.byte if isinstance(value, nodes.Fill) else value, field)
        is_whole = setting is None or not setting.path
        for dimension in field.dimensions if is_whole else ():
            if dimension.kind in ("count", "index") and not self.layout.counts_itself(dimension, field):
                self.prepare_rule(dimension.count, field)
        if field.presence is not None and is_whole:
            self.prepare(field.presence, field)
        self.valuing.pop()
        self.valued.add(label)
        self.steps.append(Derive(derived))

    def refuse_circle(self, label: str) -> None:
        around = self.valuing[self.valuing.index(label) :]
        first = self.layout.by_name(around[0].split(".")[0])
        circle = " -> ".join([*around, label])
        message = f"what '{label}' is derived from depends on it: {circle}{self._remedy(label)}"
        raise UnsupportedExpression(message, first.location)

    def _remedy(self, label: str) -> str:
        """Returns the remedy for a length that is computed from the number that tells it, as the end of a message."""
        for field in self.layout.fields:
            if field.length is not None and label in map(label_of, self.layout.derived_in(field.length.value)):
                return f"; `{field.name}[..] size n` takes a computed length n, and compares it"
            if field.dimension is not None and label in map(label_of, self.layout.derived_in(field.dimension.value)):
                return f"; a dimension counts elements, as `count({field.name})` does: `{field.name}[..] size n` takes n bytes"
        return ""

    def prepare(self, node: Node | None, field: FieldLayout, *, besides: Setting | None = None) -> None:
        """Makes the values and parts ready that an expression needs; ``besides`` one that is known without it."""
        if node is None:
            return
        for derived in self.layout.derived_in(node):
            if derived.setting is not besides if derived.setting is not None else derived.field is not field:
                if label_of(derived) not in self.valued:
                    refuse_padding(derived.field)
                self.derive(derived)
        if any(each.field.place is not None and each.field is not self.only for each in self.whole.derived_in(node)):
            self.is_settled = False
        self._decide_placed(node)
        for name in written_inside(node, field):
            if name != field.name or not field.dimension or self.valuing:
                self._write_inside(name)
        self.encode_measured(self.order.measured(node), node)

    def _decide_placed(self, node: Node) -> None:
        """Computes what decides the bytes of placed fields that an expression measures, which are encoded for that; what is
        computed from their sizes itself is found by encoding them again.
        """
        parts = [part for part in nodes.placed_measures(node) if part.function == "size"]
        for clause in (each for part in parts for each in self.whole.by_name(part.field).nodes_beside_place()):
            for derived in self.layout.derived_in(clause):
                self.attempt(partial(self.derive, derived))

    def _write_inside(self, name: str) -> None:
        """Encodes a field whose inner values are needed, unless that needs them itself or its own offset."""
        if name in self.written or (name in self.parts and name not in self.encoding):
            return
        field = self.layout.field(name)
        is_late = field is None or self.only is not None or name in self.encoding
        if (
            is_late
            or self._is_displaced(self.layout.by_name(name))
            or not self.attempt(partial(self.encode_part, self.layout.by_name(name)))
        ):
            self.is_settled = False

    def _is_displaced(self, field: FieldLayout) -> bool:
        """Returns whether the bytes of a field depend on where it stands, which is not known yet."""
        return needs_offset(field) and self.distance(field) == "unknown"

    def attempt(self, plan: Callable[[], None]) -> bool:
        """Adds steps, or none where no order computes all that they need; returns whether they were added."""
        steps, count = self.steps, len(self.steps)
        sets = (self.parts, self.raw, self.encoding, self.deciding, self.valued, self.sized)
        known = [(each, set(each)) for each in sets]
        valuing = list(self.valuing)
        try:
            plan()
        except UnsupportedExpression:
            self.steps, self.valuing = steps, valuing
            del self.steps[count:]
            for each, before in known:
                each.clear()
                each.update(before)
            return False
        return True

    def prepare_rule(self, rule: Node, field: FieldLayout) -> None:
        """The same for what a field must be, which can count the bytes behind it."""
        self.prepare(rule, field)
        for width in self.order.counts_before(rule):
            self.prepare(width, field)
        self.encode_measured(self.order.needed(rule, field.name), rule)

    def encode_measured(self, measures: Iterable[tuple[str, str]], node: Node) -> None:
        needs_bytes = any(isinstance(part, nodes.Encoded) for part in nodes.walk(node))
        for function, name in measures:
            field = self.layout.by_name(name)
            waiting = [] if field.name in self.parts else self.waiting(field)
            if function == "raw_size":
                self.encode_raw(field)
            elif waiting and not needs_bytes and all(map(has_same_size, waiting)):
                self.encode_for_size(field)
            else:
                self.encode_part(field)

    def waiting(self, field: FieldLayout) -> list[Derived]:
        """Returns the values inside of a field whose computation has led to it."""
        return [each for each in settings_of(field) if label_of(each) in self.valuing]

    @abstractmethod
    def encode_part(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field whose size must be known before its place is reached, or ``in_place`` when it is."""

    @abstractmethod
    def encode_raw(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""

    @abstractmethod
    def encode_for_size(self, field: FieldLayout) -> None:
        """Encodes a field with numbers in it that are not known yet, on which its size does not depend."""

    @abstractmethod
    def distance(self, field: FieldLayout) -> Node | str:
        """Returns the number of bytes before a field that depends on its place; "unknown" if the field decides over them."""


def refuse_padding(field: FieldLayout) -> None:
    if any(isinstance(part, nodes.Padding) for node in field.nodes() for part in nodes.walk(node)):
        remedy = f"put '{field.name}' into a record of its own"
        message = f"padding is known only when it is written: nothing before it can measure it; {remedy}"
        raise UnsupportedExpression(message, field.location)


def settings_of(field: FieldLayout) -> list[Derived]:
    return [Derived(field, each.value, each) for each in field.settings]


def label_of(derived: Derived) -> str:
    path = derived.setting.path if derived.setting else ()
    return ".".join([derived.field.name, *(each for each in path if each is not None)])
