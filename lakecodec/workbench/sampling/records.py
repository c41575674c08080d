"""Values of records and variants, made in the order in which a reader meets their fields.

A field that is derived from a later one, such as a count, is chosen first, as if it had been read; what comes later is made
to fit. The writer derives it again, so that what does not fit is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count as counter
from typing import Any

from ...generator.builtin_names import FIXED_WIDTHS, FLOAT_TYPES
from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout, Rule
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Enum, Extension, Record, Struct
from ...runtime.records.rows import store
from . import scalars
from .choices import Choices, Exhausted, Rejected
from .comparisons import selections
from .elements import DEEP, FAILURES, MOST_BYTES, ElementSampler
from .expressions import Frame, Unknown
from .facts import Facts
from .heights import MOST_PARTS
from .lists import arranged

#: Attempts at a number or text before its record is given up, and attempts at a field with nested values.
_TRIES, _NESTED_TRIES = 24, 3
#: The place of a record that gets its place as a parameter.
_START = 1024
#: The deepest nesting of records in a value.
_DEEPEST = 60
#: The most elements of `[until e]`. A longer list gives up the value.
_MOST_UNTIL = 300


class RecordSampler(ElementSampler):
    """Makes values of records and variants; one for each attempt at a value.

    Args:
        structs: makes the structs that they hold.
        broken: a rule that the first value which it is about breaks.
    """

    def __init__(self, facts: Facts, choices: Choices, structs: Any, broken: Rule | None = None) -> None:
        super().__init__(facts, choices, structs)
        self._budget = MOST_PARTS
        self._broken = broken

    # ---- bodies ----

    def parameters(self, layout: RecordLayout | VariantLayout, kind: str = "") -> dict[str, Any]:
        """Returns values of a type's parameters, by their Python names; those that select ``kind``, if they do so directly."""
        found = {}
        for each in layout.parameters:
            if (
                isinstance(layout, VariantLayout)
                and _is_tag(layout, each.attribute)
                and (tags := self._tags(layout, kind))
            ):
                found[each.attribute] = self._choices.pick((layout.spec_name, each.attribute), tags)
            else:
                found[each.attribute] = self._parameter(layout, each.attribute, each.type)
                same = [value for value in found.values() if type(value) is int]
                if type(found[each.attribute]) is int and self._is_sizing(layout, each.attribute) and len(same) > 1:
                    # Sizes of a part and of the whole are often the same.
                    found[each.attribute] = self._choices.pick((layout.spec_name, each.attribute, "same"), same[::-1])
        return found

    def _parameter(self, layout: RecordLayout | VariantLayout, name: str, type_: str) -> Any:
        key = (layout.spec_name, name)
        if type_.startswith(("list<", "set<")):
            size = self._choices.pick((key, "count"), [2, 1, 3, 0])
            items = [self._parameter(layout, name, type_.partition("<")[2][:-1]) for _ in range(size)]
            return items if type_[0] == "l" else set(items)
        found = layout.module.find(type_)
        match found:
            case Enum():
                return self._structs.value(found, key)
            case Struct():
                return self._structs.struct(found)
            case Record() | Extension():
                return self._given(self._schema.layout(found))
        if type_ in ("bool", "bool8"):
            return bool(self._choices.pick(key, [False, True]))
        if type_ in ("string", "utf8", "text"):
            return scalars.text(self._choices, key)
        if type_ in ("bytes", "binary"):
            return scalars.raw(self._choices, key, _length_of(layout, name))
        if type_ in ("double", *FLOAT_TYPES):
            return scalars.floating(self._choices, key, 8)
        if (wanted := self._selecting(layout, name, type_)) and self._choices.pick((key, "selects"), [True, False]):
            return self._choices.pick(key, wanted)
        if self._is_sizing(layout, name):
            return self._choices.pick(key, [1, 0, 2, 3, 8, 512])
        if key in self._facts.placing:
            # This leaves room for data that it points back to.
            return self._choices.pick(key, [_START, 2 * _START])
        if self._choices.pick((key, "large"), [True, False]):
            return 1 << 30
        return self._choices.pick(key, list(dict.fromkeys((1, 0, 2, 5, *self._named()))))

    def _selecting(self, layout: RecordLayout | VariantLayout, name: str, type_: str) -> list[int]:
        """Returns the numbers for a parameter with which a variant has each of its alternatives, or a condition changes."""
        own = nodes.Parameter(name, name)
        conditions: list[Node] = []
        if isinstance(layout, VariantLayout):
            conditions += selections(layout)
        else:
            conditions += [node for field in layout.fields for node in field.nodes()]
        frame = Frame(layout.module, {})
        bits = 8 * FIXED_WIDTHS.get(type_, 8)
        low, high = scalars.bounds(bits, type_[0] == "i")
        found = [value for each in conditions for value in self._evaluator.solutions(each, own, frame)]
        return list(dict.fromkeys(each for each in found if isinstance(each, int) and low <= each <= high))

    def _given(self, layout: RecordLayout | VariantLayout) -> Any:
        """Returns a record or variant that is a parameter."""
        for attempt in range(_TRIES):
            depth = self._depth
            try:
                return self.body(layout, self.parameters(layout))
            except Exhausted:
                raise
            except Rejected:
                if attempt == _TRIES - 1:
                    raise
            self._depth = depth
        raise AssertionError(layout)

    def body(
        self,
        layout: RecordLayout | VariantLayout,
        parameters: dict[str, Any],
        around: tuple[Frame, dict[str, Node]] | None = None,
        kind: str = "",
    ) -> Any:
        """Returns a record, or a variant of the alternative that its parameters select.

        Args:
            parameters: by their Python names.
            around: the frame of the field that holds it, and its arguments.
            kind: the alternative, if a certain one is needed.
        """
        frame = Frame(layout.module, dict(parameters), around)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Rejected(f"{layout.spec_name} contains itself too deeply")
        extra: dict[str, Any] = {}
        if isinstance(layout, VariantLayout):
            layout, extra = self._alternative(layout, frame, kind)
        # Numbers and texts that contradict each other are cheap to generate again.
        tries = _TRIES if all(each.kind not in ("record", "struct") for each in layout.fields) else 1
        for left in reversed(range(tries)):
            try:
                made = self._filled(layout, frame, extra)
                break
            except Exhausted:
                raise
            except Rejected:
                if not left:
                    raise
                frame = Frame(layout.module, dict(parameters), around)
        self._depth -= 1
        return made

    def _alternative(self, variant: VariantLayout, frame: Frame, kind: str) -> tuple[RecordLayout, dict[str, Any]]:
        """Returns the alternative that the parameters select, and its tag if the constructor needs it."""
        try:
            tag = self._evaluator.value(variant.tag, frame)
        except Unknown:
            tag = self._choices.pick((variant.spec_name, "tag"), self._tags(variant) or [0])
        for each in variant.alternatives:
            tags = [self._evaluator.known(node, frame) for node in each.tags]
            if not each.tags or tag in tags:
                if kind not in ("", each.name):
                    break
                return each.record, {} if each.fixed else {"tag": tag}
        raise Rejected(f"{variant.spec_name} has no alternative for the tag {tag!r}")

    def _filled(self, layout: RecordLayout, frame: Frame, extra: dict[str, Any]) -> Any:
        """Returns a record whose fields are all made."""
        pending = list(layout.fields)
        while pending:
            for each in pending:
                if self._is_ready(each, pending, frame) or each is pending[-1]:
                    self._make(layout, each, frame)
                    pending.remove(each)
                    break
        for each in layout.fields:
            self._fitting.fit_size(each, frame)
            self._fitting.fit_place(each, frame)
        for each in layout.fields:
            if each.derivation is not None and not each.derivation.of_element:
                derived = self._evaluator.known(each.derivation.condition, frame)
                frame.values[each.attribute] = frame.values[each.attribute] if derived is None else derived
        cls = getattr(self._schema.python(layout.module), layout.name)
        made = cls(**{name: frame.values[name] for name in cls._given}, **extra)
        for name, value in frame.values.items():
            # Derived fields and parameters are set here, since other fields may use them before this one is written.
            if name not in cls._given:
                store(made, name, value)
        return made

    def start_of(self, layout: RecordLayout | VariantLayout, value: Any) -> int:
        """Returns the offset of a record whose fields are placed with `at`: 0 where its own fields hold the offsets."""
        assert isinstance(layout, RecordLayout)
        place = layout.fields[0].place
        if not layout.parameters or layout.gaps:
            return 0
        names = [*(each.attribute for each in layout.parameters), *(each.attribute for each in layout.fields)]
        known = None
        if place is not None and not any(isinstance(part, nodes.FieldValue) for part in nodes.walk(place)):
            known = self._evaluator.known(place, Frame(layout.module, {name: getattr(value, name) for name in names}))
        if isinstance(known, int) and 0 <= known <= MOST_BYTES:
            return known
        return 0

    def _is_ready(self, field: FieldLayout, pending: Sequence[FieldLayout], frame: Frame) -> bool:
        """Returns whether a field placed with `at` has the fields that its type and size need; other fields are in order."""
        if field.place is None:
            return True
        others = {each.name for each in pending if each is not field}
        count = None if field.dimension is None else field.dimension.value
        needed = [*field.arguments, *(() if count is None else [count])]
        return not any(name in others for node in needed for name in nodes.field_names(node))

    def _make(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> None:
        """Makes a field that keeps the rules which can be checked with it."""
        rules = self._facts.rules(layout, field)
        tries = _NESTED_TRIES if field.kind in ("record", "struct") or field.dimension is not None else _TRIES
        for attempt in range(tries):
            depth, broken = self._depth, self._broken
            self._budget -= 1
            if self._budget < 0:
                raise Exhausted(f"{layout.spec_name} needs too many attempts")
            frame.values.pop(field.attribute, None)
            frame.index = None
            try:
                value = self._value(layout, field, frame)
                frame.values[field.attribute] = arranged(value, field, rules, self._choices, self._broken)
                frame.index = None
                for rule in rules:
                    self._adjust(rule, field, frame)
                if self._keeps([rule for rule in rules if not rule.of_element], frame):
                    return
            except Exhausted:
                raise
            except Rejected:
                if attempt == tries - 1:
                    raise
            self._depth, self._broken = depth, broken
        raise Rejected(f"{layout.spec_name}.{field.name} has rules that no tried value satisfies")

    def _adjust(self, rule: Rule, field: FieldLayout, frame: Frame) -> None:
        """Sets an attribute that a rule names inside of a field or parameter to a nearby value with which the rule
        holds, if there is one."""
        condition = self._facts.condition(rule)
        can_be_mended = not rule.of_element and rule is not self._broken and self._facts.attributes(condition, field)
        if can_be_mended and not self._holds(rule, frame):
            self._solve(condition, field, frame, lambda: self._holds(rule, frame))

    def _solve(self, condition: Node, field: FieldLayout, frame: Frame, holds: Callable[[], Any]) -> bool:
        """Sets one attribute inside of a field or parameter so that a condition holds; returns whether there is one."""
        for part in self._facts.attributes(condition, field):
            before = self._evaluator.known(part, frame)
            for value in self._evaluator.solutions(condition, part, frame):
                self._fitting.assign(part, value, frame)
                if holds():
                    return True
            self._fitting.assign(part, before, frame)
        return False

    def _keeps(self, rules: Sequence[Rule], frame: Frame) -> bool:
        """Returns whether rules hold, up to one that is broken: no reader looks further."""
        for rule in rules:
            is_broken = rule is self._broken
            if not self._holds(rule, frame):
                return False
            if is_broken:
                break
        return True

    def _holds(self, rule: Rule, frame: Frame) -> bool:
        try:
            holds = bool(self._evaluator.value(self._facts.condition(rule), frame))
        except Unknown:
            return True
        except FAILURES:
            return False
        if rule is not self._broken:
            return holds
        if not holds:
            self._broken = None
        return not holds

    # ---- fields ----

    def _value(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        if field.whole_presence is not None and not self._is_present(layout, field, frame):
            return None
        if field.derivation is not None and not field.derivation.of_element:
            if field.length is not None and field.length.value is not None:
                # The count is checked before one value fills that many bytes.
                self._counted(field.length.value, (layout.spec_name, field.name), frame, field)
            try:
                return self._evaluator.value(field.derivation.condition, frame)
            except (Unknown, *FAILURES):
                if field.dimension is None and field.kind != "bits":
                    return self._early_value(layout, field, frame)
        if field.dimension is None:
            return self._element(layout, field, frame)
        return self._elements(layout, field, frame)

    def _is_present(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> bool:
        assert field.presence is not None
        try:
            return bool(self._evaluator.value(field.presence, frame))
        except Unknown:
            pass
        except FAILURES as error:
            raise Rejected(str(error)) from None
        if "at_end" in nodes.span_words(field.presence):
            # If no bytes are left, the following fields have none either.
            frame.over = frame.over or bool(self._choices.pick((layout.spec_name, field.name, "end"), [False, True]))
            frame.words["at_end"] = frame.over
            present = bool(self._evaluator.known(field.presence, frame))
            del frame.words["at_end"]
            return present
        return bool(self._choices.pick((layout.spec_name, field.name, "present"), [True, False]))

    def _elements(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> list[Any]:
        dimension = field.dimension
        assert dimension is not None
        key = (layout.spec_name, field.name)
        found: list[Any] = []
        frame.values[field.attribute] = found
        if dimension.kind in ("count", "index"):
            wanted = self._counted(dimension.count, key, frame, field)
        else:
            wanted = self._choices.pick((key, "count"), [1, 0, 2, 3] if self._depth < DEEP else [0])
        elements: Any = range(wanted)
        if dimension.kind == "until":
            elements = counter()
        rules = [rule for rule in (*field.rules, field.derivation) if rule is not None and rule.of_element]
        for index in elements:
            frame.index = index
            found.append(self._fitting_element(layout, field, frame, rules, found))
            if dimension.kind == "until":
                assert dimension.value is not None
                frame.index = None
                if self._ends(dimension.value, field, frame):
                    break
                if index > _MOST_UNTIL:
                    raise Rejected(f"{layout.spec_name}.{field.name} does not end")
        frame.index = None
        return found

    def _ends(self, condition: Node, field: FieldLayout, frame: Frame) -> bool:
        """Returns whether a list ends with the elements so far; some that could, are made to."""
        holds = partial(self._evaluator.known, condition, frame)
        if (found := holds()) or found is None:
            # Where the bytes behind decide, any element may be the last one: what is written is read back.
            return bool(found or self._choices.pick((field.name, field.location, "last"), [True, False]))
        return bool(
            self._facts.attributes(condition, field)
            and self._choices.pick((field.name, field.location, "end"), [True, False])
            and self._solve(condition, field, frame, holds)
        )

    def _fitting_element(
        self, layout: RecordLayout, field: FieldLayout, frame: Frame, rules: Sequence[Rule], found: list[Any]
    ) -> Any:
        for _ in range(_NESTED_TRIES if field.kind == "record" else _TRIES):
            value = self._indexed(layout, field, frame)
            if not rules:
                return value
            found.append(value)
            kept = self._keeps([rule for rule in rules if rule.after == field.name], frame)
            found.pop()
            if kept:
                return value
        raise Rejected(f"{layout.spec_name}.{field.name}: no element satisfies its rules")

    def _indexed(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        if field.element_presence is not None and not self._is_present(layout, field, frame):
            return None
        if field.derivation is not None:
            return self._early_value(layout, field, frame)
        return self._element(layout, field, frame)

    # ---- nested bodies ----

    def _nested(self, field: FieldLayout, frame: Frame) -> Any:
        assert isinstance(field.target, Record | Extension)
        inner = self._schema.layout(field.target)
        given: dict[str, Node] = {}
        parameters: dict[str, Any] = {}
        for place, parameter in enumerate(inner.parameters):
            node = field.arguments[place] if place < len(field.arguments) else parameter.default
            assert node is not None
            given[parameter.attribute] = node
            try:
                parameters[parameter.attribute] = self._evaluator.value(node, frame)
            except Unknown:
                # The size is not known yet. Any number that is large enough for the rules about it will do.
                is_place = (inner.spec_name, parameter.attribute) in self._facts.placing
                parameters[parameter.attribute] = _START if is_place else 1 << 40
            except FAILURES as error:
                raise Rejected(str(error)) from None
        index = frame.index
        made = self.body(inner, parameters, (frame, given))
        frame.index = index
        return made


def _length_of(layout: RecordLayout | VariantLayout, name: str) -> int | None:
    """Returns the number of bytes of a parameter that a field of a body must be equal to; None where it may be any."""
    for field in layout.fields if isinstance(layout, RecordLayout) else ():
        wanted = None if field.derivation is None else field.derivation.condition
        if isinstance(wanted, nodes.Parameter) and wanted.attribute == name:
            return field.fixed
    return None


def _is_tag(variant: VariantLayout, attribute: str) -> bool:
    return isinstance(variant.tag, nodes.Parameter) and variant.tag.attribute == attribute
