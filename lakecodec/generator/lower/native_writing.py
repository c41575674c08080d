"""The order of writing for native writers: what is prepared before each field is appended, and what
is checked, from the steps of ``write_plan``.

A native writer appends the fields in order, computes derived values right before appending them, and checks at the
end. These layouts only have the differences from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from . import nodes
from .field_layout import FieldLayout, is_absent_or, own_value
from .native_tables import is_expressible
from .nodes import Node
from .record_layout import Derived, RecordLayout
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
    Place,
    RawList,
    RawText,
    Run,
    WriteStep,
)  # fmt: skip

#: (word, field): `derive` computes its value, `raw` encodes it before its codecs, `aside` encodes it.
Early = tuple[str, FieldLayout]


@dataclass(frozen=True, slots=True)
class WriterCheck:
    """A check of writers; of an element of ``field`` where the condition names the index."""

    field: FieldLayout | None
    condition: Node


@dataclass(slots=True)
class NativeWriting:
    """The order of writing a body, for its native writer.

    Attributes:
        before: the values and bytes to prepare before a field is appended, by the name of the field.
        open: clauses of a field that name what is computed only once the field is encoded: `present`, `size`, `count`,
            `length`; by the name of the field.
        checks: the invariants that writers check.
        late: the checks of writers alone: conditions and sizes that depend on the encoded field.
        is_possible: False if only the generated writer can write the body.
    """

    before: dict[str, list[Early]] = field(default_factory=dict)
    open: dict[str, set[str]] = field(default_factory=dict)
    checks: list[WriterCheck] = field(default_factory=list)
    late: list[WriterCheck] = field(default_factory=list)
    is_possible: bool = True


def native_writing(layout: RecordLayout) -> NativeWriting:
    """Returns the order of writing a body, for its native writer."""
    return _Order(layout).found


class _Order:
    """A walk through the steps of writing a body.

    Attributes:
        own: names of the fields that expressions of tables may use: the sequential ones, and those that are laid out as well.
        pending: prepared values that wait for the next appended field.
        ready: names of the fields whose values are computed.
    """

    def __init__(self, layout: RecordLayout) -> None:
        self.layout = layout
        self.order = WriteOrder(layout)
        self.own = {each.name for each in layout.fields if each.place is None}
        self.own |= set(layout.placing) if layout.native_places else set()
        self.found = NativeWriting()
        self.pending: list[Early] = []
        self.ready: set[str] = set()
        self.placed: set[str] = set()
        clauses = (node for each in layout.fields for node in each.clauses())
        self.found.is_possible = not any(
            isinstance(part, nodes.Encoded) for node in clauses for part in nodes.walk(node)
        )
        for step in _flat(layout.writing[""]):
            self._step(step)

    def _step(self, step: WriteStep) -> None:
        match step:
            case Derive(derived=derived):
                self.found.is_possible &= self._is_expressible(derived)
                self.ready.add(derived.field.name)
                self.pending.append(("derive", derived.field))
            case EncodeSeparately(field=each, raw=True) | RawText(field=each):
                self._encoded(each)
                self.pending.append(("raw", each))
            case EncodeSeparately(field=each) | ApplyCodecs(field=each):
                encode = (
                    [inside for inside in step.steps if isinstance(inside, Encode)]
                    if isinstance(step, EncodeSeparately)
                    else []
                )
                self._encoded(each, *encode)
                if each.name not in self.placed:
                    self.pending.append(("aside", each))
            case RawList():
                self.found.is_possible = False
            case Encode(field=each):
                self._encoded(each, step)
                self._put([each])
            case Place(field=each):
                self._put([each])
            case Run(fields=fields):
                self._put(fields)
            case Check(field=None, rule=rule) if rule not in self.layout.checks:
                self.found.late.append(WriterCheck(None, rule.condition))
            case Check(field=each, rule=rule):
                condition = rule.condition if each is None else is_absent_or(each, rule)
                checks = self.found.late if rule.implied else self.found.checks
                checks.append(WriterCheck(each, condition))
            case CheckPresence(field=each):
                given = nodes.is_given(own_value(each, element=each.indexed))
                assert each.presence is not None
                self.found.late.append(WriterCheck(each, nodes.Comparison(("==",), (given, each.presence))))
            case CheckSize(field=each) if step.condition is not None or "size" in self.found.open.get(each.name, ()):
                self._late_size(each, step.condition, step.size)

    def _late_size(self, each: FieldLayout, condition: Node | None, size: Node) -> None:
        index = nodes.ElementIndex() if each.by_element else None
        known: Node = nodes.Comparison(("==",), (nodes.Measure("size", each.name, each.attribute, index), size))
        if condition is not None:
            known = nodes.Logical("or", (nodes.Not(condition), known))
        if each.presence is not None:
            known = nodes.Logical("or", (nodes.is_null(own_value(each, element=each.by_element)), known))
        self.found.late.append(WriterCheck(each, known))

    def _put(self, fields: Sequence[FieldLayout]) -> None:
        for each in fields:
            before = self._pending_before(each) if len(fields) > 1 else self.pending
            self.pending = self.pending[len(before) :]
            if before and before[-1] in (("derive", each), ("aside", each)):
                before = before[:-1]
            if before and before[-1] == ("raw", each) and each.span_codecs:
                before = before[:-1]
            if before:
                self.found.before[each.name] = before
            self.placed.add(each.name)

    def _pending_before(self, each: FieldLayout) -> list[Early]:
        """Returns the pending steps up to a run's field's own value."""
        own = ("derive", each)
        return self.pending[: self.pending.index(own) + 1] if own in self.pending else []

    def _encoded(self, each: FieldLayout, *encode: Encode) -> None:
        """Finds the clauses that cannot be checked when a field is encoded."""
        if each.presence is not None and not nodes.span_words(each.presence) and any(step.by_value for step in encode):
            self._open(each, "present")
        clauses = {"size": each.size, "count": None, "length": None}
        if each.dimension is not None and each.dimension.kind in ("count", "index"):
            clauses["count"] = each.dimension.value
        if each.length is not None:
            clauses["length"] = each.length.value
        for clause, node in clauses.items():
            if node is not None and any(known.field.name not in self.ready for known in self.layout.derived_in(node)):
                self._open(each, clause)
                self.found.is_possible &= clause != "count" or each.derivation is None
        checked = self.order.checked_size(each) if each.by_element and encode else None
        if checked is not None and (checked[0] is not None or "size" in self.found.open.get(each.name, ())):
            self._late_size(each, *checked)

    def _is_expressible(self, derived: Derived) -> bool:
        """Returns whether tables can express how a value is computed."""
        setting = derived.setting
        if setting is not None and (setting.path or derived.field.indexed):
            return False
        if not self.own.issuperset(nodes.field_names(derived.value)):
            return False
        return is_expressible(derived.value, self.layout.module, laid_out=self.layout.native_places)

    def _open(self, each: FieldLayout, clause: str) -> None:
        self.found.open.setdefault(each.name, set()).add(clause)


def _flat(steps: Sequence[WriteStep]) -> Iterator[WriteStep]:
    """Yields the steps, those of a writer of its own before it."""
    for step in steps:
        if isinstance(step, EncodeSeparately):
            yield from (each for each in _flat(step.steps) if not isinstance(each, Encode | Element))
        yield step
