"""The order in which a body is written, so that every derived value can be computed.

Fields of which a size, an offset or a checksum is taken are encoded first, all others at their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from . import nodes
from .codec_shapes import read_back
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, Setting
from .inner_values import needs_offset, written_inside
from .nodes import Node
from .record_layout import Derived, RecordLayout
from .write_order import OF_READING, WriteOrder
from .write_steps import (
    ApplyCodecs,
    Check,
    CheckPresence,
    CheckSize,
    Derive,
    Element,
    Encode,
    EncodeSeparately,
    Place,
    RawList,
    RawText,
    Run,
    TakeElement,
    WriteStep,
)


def with_writing(layout: RecordLayout) -> RecordLayout:
    """Returns a layout with the steps of its writing, and of each field that is placed with `at`.

    Raises:
        UnsupportedExpression: no order computes all derived values.
    """
    plans = {each.name: _Planner(layout, layout, each) for each in layout.fields if each.place is not None}
    plans[""] = _Planner(layout.body if layout.located else layout, layout, None)
    for plan in plans.values():
        plan.run()
    writing = {name: tuple(plan.steps) for name, plan in plans.items()}
    return replace(
        layout, writing=writing, unsettled=tuple(name for name, plan in plans.items() if not plan.is_settled)
    )


class _Planner:
    """Puts the steps of writing in order.

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
        self._deciding: set[str] = set()
        self._valued: set[str] = set()
        self._valuing: list[str] = []
        self._without_codecs: list[str] = []
        self._locating: list[str] = []

    def run(self) -> None:
        """Finds the steps of writing a body; of a located record, of the one field ``only``, or an element of it."""
        if self.only is None:
            self.body()
        else:
            self.placed(self.only)

    # ---- bodies ----

    def body(self) -> None:
        wholes = self.layout.checks if self.layout.fields else ()
        late = [rule for rule in wholes if not nodes.span_words(rule.condition)]
        measured = self.order.kept_measures(late)
        fields = list(self.layout.fields)
        while fields:
            first = fields[0]
            if first.name in measured:
                if "raw_size" in measured[first.name]:
                    self.encode_raw(first, in_place=True)
                self.encode_part(first, in_place=True)
            run = self._run(fields, measured)
            for field in run or fields[:1]:
                self.value(field)
            if run:
                self.steps.append(Run(tuple(run)))
            else:
                run = [first]
                self._place(first)
            for field in run:
                self.written.add(field.name)
                self._checks(field)
            del fields[: len(run)]
        self.steps += [Check(None, rule) for rule in [*late, *read_back(self.layout)]]

    def placed(self, only: FieldLayout) -> None:
        if only.by_element:
            self.steps.append(TakeElement(only))
            self._needs(only)
            self.steps.append(Element(only, through=True))
        else:
            self.encode(only)
        self._checks(only)

    def _run(self, fields: list[FieldLayout], measured: Iterable[str]) -> list[FieldLayout]:
        run: list[FieldLayout] = []
        for field in fields if self.layout.order is None else ():
            if field.run_code is None or field.name in self.parts | set(measured):
                break
            run.append(field)
        return run

    def _place(self, field: FieldLayout) -> None:
        """Writes a field where it stands, encoded already or now."""
        if self.order.checked_size(field) is not None and not field.by_element:
            self.encode_part(field, in_place=True)
        if field.name not in self.parts and field.name not in self.raw:
            self.encode(field)
            return
        self.encode_part(field, in_place=True)
        self.steps.append(Place(field))

    # ---- values ----

    def value(self, field: FieldLayout) -> None:
        """Computes a derived field, after all that its derivation needs, and what is derived of the fields inside of it."""
        if field.derivation is not None and self.only is None:
            self._value(Derived(field, field.derivation.condition))
        for setting in field.settings:
            self._value(Derived(field, setting.value, setting))

    def _value(self, derived: Derived) -> None:
        field, setting, label = derived.field, derived.setting, _label(derived)
        if label in self._valued or (self.only is not None and field is not self.only):
            return
        if label in self._valuing:
            self._refuse_circle(label)
        self._valuing.append(label)
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
        self._valuing.pop()
        self._valued.add(label)
        self.steps.append(Derive(derived))

    def _refuse_circle(self, label: str) -> None:
        around = self._valuing[self._valuing.index(label) :]
        first = self.layout.by_name(around[0].split(".")[0])
        circle = " -> ".join([*around, label])
        message = f"what '{label}' is derived from depends on it: {circle}{self._remedy(label)}"
        raise UnsupportedExpression(message, first.location)

    def _remedy(self, label: str) -> str:
        """Returns the remedy for a length that is computed from the number that tells it, as the end of a message."""
        for field in self.layout.fields:
            if field.length is not None and label in map(_label, self.layout.derived_in(field.length.value)):
                return f"; `{field.name}[..] size n` takes a computed length n, and compares it"
            if field.dimension is not None and label in map(_label, self.layout.derived_in(field.dimension.value)):
                return f"; a dimension counts elements, as `count({field.name})` does: `{field.name}[..] size n` takes n bytes"
        return ""

    def prepare(self, node: Node | None, field: FieldLayout, *, besides: Setting | None = None) -> None:
        """Makes the values and parts ready that an expression needs; ``besides`` one that is known without it."""
        if node is None:
            return
        for derived in self.layout.derived_in(node):
            if derived.setting is not besides if derived.setting is not None else derived.field is not field:
                self._value(derived)
        if any(each.field.place is not None and each.field is not self.only for each in self.whole.derived_in(node)):
            self.is_settled = False
        self._decide_placed(node)
        for name in written_inside(node, field):
            if name != field.name or not field.dimension or self._valuing:
                self._write_inside(name)
        self._encode_measured(self.order.measured(node))

    def _decide_placed(self, node: Node) -> None:
        """Computes what decides the bytes of placed fields that an expression measures, which are encoded for that; what is
        computed from their sizes itself is found by encoding them again.
        """
        parts = [part for part in nodes.walk(node) if isinstance(part, nodes.PlacedMeasure) and part.function == "size"]
        for clause in (each for part in parts for each in self.whole.by_name(part.field).nodes_beside_place()):
            for derived in self.layout.derived_in(clause):
                self._attempt(partial(self._value, derived))

    def _write_inside(self, name: str) -> None:
        """Encodes a field whose inner values are needed, unless that needs them itself or its own offset."""
        if name in self.written or (name in self.parts and name not in self.encoding):
            return
        field = self.layout.field(name)
        is_late = field is None or self.only is not None or name in self.encoding or needs_offset(field)
        if is_late or not self._attempt(partial(self.encode_part, self.layout.by_name(name))):
            self.is_settled = False

    def _attempt(self, plan: Callable[[], None]) -> bool:
        """Adds steps, or none where no order computes all that they need; returns whether they were added."""
        steps, count = self.steps, len(self.steps)
        known = [(each, set(each)) for each in (self.parts, self.raw, self.encoding, self._deciding, self._valued)]
        valuing = list(self._valuing)
        try:
            plan()
        except UnsupportedExpression:
            self.steps, self._valuing = steps, valuing
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
        self._encode_measured(self.order.needed(rule, field.name))

    def _encode_measured(self, measures: Iterable[tuple[str, str]]) -> None:
        for function, name in measures:
            if function == "raw_size":
                self.encode_raw(self.layout.by_name(name))
            else:
                self.encode_part(self.layout.by_name(name))

    # ---- parts ----

    def encode_part(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field whose size must be known before its place is reached, or ``in_place`` when it is."""
        if field.name in self.parts:
            self._refuse_located(field)
            return
        if not in_place and any(isinstance(part, nodes.Padding) for node in field.nodes() for part in nodes.walk(node)):
            message = "padding is known only when it is written: nothing before it can measure it"
            raise UnsupportedExpression(message, field.location)
        self.value(field)
        is_sized = bool(field.codecs) and field.coder is None and field.size is not None and field.presence is None
        if not field.dimension and (field.name in self.raw or is_sized):
            self.encode_raw(field, in_place=in_place)
            self._prepare_codecs(field)
            self.parts.add(field.name)
            self.steps.append(ApplyCodecs(field))
            return
        self.parts.add(field.name)
        self._separately(
            field, lambda: self.encode(field), raw=False, base="place" if in_place else self._distance(field)
        )

    def encode_raw(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""
        if field.name in self._without_codecs and self._valuing:
            self._refuse_circle(self._valuing[-1])
        if field.name in self.raw:
            self._refuse_located(field)
            return
        if field.by_element:
            self.raw.add(field.name)
            self._needs(field, codecs=False)
            _, by_value = self._decided(field)
            self.steps.append(RawList(field, by_value))
            return
        if field.dimension or field.presence is not None:
            message = "`raw_size` takes a field that is always there, or an element of an [i < n]"
            raise UnsupportedExpression(message, field.location)
        self.raw.add(field.name)
        self._without_codecs.append(field.name)
        self._needs(field, codecs=False)
        self._without_codecs.pop()
        if field.kind in ("bytes", "utf8"):
            self.steps.append(RawText(field))
            return
        base = "zero" if field.codecs else "place" if in_place else self._distance(field)
        self._separately(field, lambda: self.steps.append(Element(field)), raw=True, base=base)

    def _distance(self, field: FieldLayout) -> Node | str:
        """Returns the number of bytes before a field that depends on its place; "unknown" if the field decides over them."""
        if not needs_offset(field) or self.encoding or self.only is not None:
            return "unknown"
        before = [each for each in self.order.before(field.name) if each.name not in self.written]
        self._locating.append(field.name)
        is_known = all(map(self._is_measured, before))
        self._locating.pop()
        return self.order.sum_of([], before) if is_known else "unknown"

    def _refuse_located(self, field: FieldLayout) -> None:
        if field.name in self._locating:
            raise UnsupportedExpression(f"what stands before '{field.name}' depends on its bytes", field.location)

    def _is_measured(self, field: FieldLayout) -> bool:
        """Returns whether the size of a field is known, or can be made known, before its place is reached."""
        width = self.order.width(field)
        if width is not None:
            return self._attempt(partial(self.prepare, width, field))
        return field.name in self.parts or self._attempt(partial(self.encode_part, field))

    def _separately(self, field: FieldLayout, encode: Callable[[], None], *, raw: bool, base: Node | str) -> None:
        around, self.steps = self.steps, []
        self.encoding.add(field.name)
        encode()
        self.encoding.discard(field.name)
        around.append(EncodeSeparately(field, raw, base, tuple(self.steps)))
        self.steps = around

    # ---- one field ----

    def _prepare_codecs(self, field: FieldLayout) -> None:
        for codec in field.codecs:
            self.prepare(codec.call, field)

    def _needs(self, field: FieldLayout, *, codecs: bool = True) -> None:
        """Makes ready what the encoding of a field needs."""
        self.value(field)
        for dimension in field.dimensions:
            if dimension.kind in ("count", "index") and not self.layout.counts_itself(dimension, field):
                self.prepare(dimension.value, field)
        inside = (*field.arguments, *([field.width] if field.width is not None else []))
        if field.size is not None and self.order.has_checked_size(field) and any(map(nodes.span_words, inside)):
            inside = (*inside, field.size)
        for node in inside:
            self.prepare(node, field)
        if codecs:
            self._prepare_codecs(field)
            for node in field.coder.arguments if field.coder is not None else ():
                self.prepare(node, field)

    def encode(self, field: FieldLayout) -> None:
        self.encoding.add(field.name)
        condition, by_value = self._decided(field)
        if field.codecs and (field.name, "raw_size[]") in self.order.requested:
            self.encode_raw(field)
        self._needs(field)
        self.steps.append(Encode(field, condition, by_value, field.name in self.raw))
        self.encoding.discard(field.name)

    def _decided(self, field: FieldLayout) -> tuple[Node | None, bool]:
        """Returns the condition, and whether the value decides in its place.

        It does where the condition itself depends on the field's bytes, or on the end of the span.
        """
        if field.presence is None:
            return None, False
        waits = self.order.depends_on_encoded(field.presence, field.name)
        if waits or nodes.span_words(field.presence):
            if waits and self.only is None:  # What is placed is checked once all is laid out.
                self._deciding.add(field.name)
            return None, True
        self.prepare(field.presence, field)
        return field.presence, False

    # ---- checks ----

    def _checks(self, field: FieldLayout) -> None:
        """The invariants that can be checked once ``field`` has been written."""
        waiting = [(each, rule) for each, rule, derived in self.layout.rules_after(field) if not derived]
        if self.only is not None:
            waiting = [found for found in waiting if found[0].place is None]
            waiting += [(self.only, rule) for rule in self.only.rules]
        for other, rule in waiting:
            spanned = nodes.span_words(rule.condition)
            if rule.setting is not None or spanned & OF_READING or (spanned and self.only is not None):
                continue
            if spanned:
                self.prepare_rule(rule.condition, other)
            if self.only is None or not self.only.by_element or (rule.of_element and other is self.only):
                self.steps.append(Check(other, rule))
        if field.name in self._deciding and field.presence is not None and not nodes.span_words(field.presence):
            self.prepare(field.presence, field)
            self.steps.append(CheckPresence(field))
        if (checked := self.order.compared_size(field)) is not None:
            for node in checked:
                self.prepare(node, field)
            self.steps.append(CheckSize(field, *checked))


def _label(derived: Derived) -> str:
    path = derived.setting.path if derived.setting else ()
    return ".".join([derived.field.name, *(each for each in path if each is not None)])
