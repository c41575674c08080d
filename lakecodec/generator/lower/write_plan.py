"""The order in which a body is written: what is derived first, then each field at its place, then the checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from . import nodes
from .codec_shapes import read_back
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout
from .inner_values import needs_offset
from .nodes import Node
from .record_layout import RecordLayout
from .same_sizes import guessed
from .write_order import OF_READING
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
)
from .write_values import ValuePlanner, label_of, refuse_padding, settings_of


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


class _Planner(ValuePlanner):
    """Puts the steps of writing in order."""

    def __init__(self, layout: RecordLayout, whole: RecordLayout, only: FieldLayout | None) -> None:
        super().__init__(layout, whole, only)
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

    # ---- parts ----

    def encode_part(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field whose size must be known before its place is reached, or ``in_place`` when it is."""
        if field.name in self.parts:
            self._refuse_located(field)
            return
        if not in_place:
            refuse_padding(field)
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
            field, lambda: self.encode(field), raw=False, base="place" if in_place else self.distance(field)
        )

    def encode_raw(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""
        if field.name in self._without_codecs and self.valuing:
            self.refuse_circle(self.valuing[-1])
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
        base = "zero" if field.codecs else "place" if in_place else self.distance(field)
        self._separately(field, lambda: self.steps.append(Element(field)), raw=True, base=base)

    def encode_for_size(self, field: FieldLayout) -> None:
        """Encodes a field with numbers in it that are not known yet, on which its size does not depend."""
        for each in settings_of(field):
            if label_of(each) not in self.valuing:
                self.derive(each)
        if field.name in self.sized:
            return
        self.sized.add(field.name)
        waiting = self.waiting(field)
        self.steps += map(Derive, map(guessed, waiting))
        labels = set(map(label_of, waiting))
        self.valued |= labels
        self._separately(field, lambda: self.encode(field), raw=False, base=self.distance(field))
        self.valued -= labels

    def distance(self, field: FieldLayout) -> Node | str:
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
            return self.attempt(partial(self.prepare, width, field))
        return self.attempt(partial(self.encode_measured, [("size", field.name)], nodes.Constant(0)))

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
                self.deciding.add(field.name)
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
        if field.name in self.deciding and field.presence is not None and not nodes.span_words(field.presence):
            self.prepare(field.presence, field)
            self.steps.append(CheckPresence(field))
        if (checked := self.order.compared_size(field)) is not None:
            for node in checked:
                self.prepare(node, field)
            self.steps.append(CheckSize(field, *checked))
