"""Layouts of bodies of fields: records, variants and their alternatives, codecs, and the `arrow` clauses of alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..diagnostics import Location
from ..model import Extension, Module
from .field_layout import Dimension, FieldLayout, Rule, Setting
from .nodes import (
    Attribute,
    CodecValue,
    Count,
    ElementIndex,
    FieldValue,
    InRange,
    Item,
    Measure,
    Node,
    PlacedMeasure,
    children,
    path_of,
    replaced,
    span_words,
    undone,
    walk,
)

if TYPE_CHECKING:
    from .placed import Placing
    from .write_steps import WriteStep


#: The rule that is broken if a codec's fields differ from those that would be written for the value.
OTHER_FORM = "this value would be written as other bytes: only codecs with `: normalizes` may read them"


@dataclass(frozen=True, slots=True)
class Derived:
    """The value of a field, or of one inside of it (``setting``), that is computed when the record is written."""

    field: FieldLayout
    value: Node
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class ParameterLayout:
    """A parameter: an attribute of values, an argument of the methods that read and write; ``type`` as in the IDL."""

    name: str
    attribute: str
    argument: str
    type: str
    default: Node | None


@dataclass(frozen=True, slots=True)
class ComputedLayout:
    """A computed attribute: a value of what was read or set, without bytes; ``text`` is its expression in the IDL."""

    name: str
    attribute: str
    value: Node
    text: str
    doc: str


@dataclass(frozen=True, slots=True)
class StateLayout:
    """State that siblings share: the state of a codec with fields, or an external codec that is made once."""

    field: str
    initial: Node | None
    codec: Extension | None


@dataclass(frozen=True)
class RecordLayout:
    """A body of fields: a record, an alternative of a variant, or a codec with fields.

    Attributes:
        name: name of the Python class.
        spec_name: name in the IDL.
        big: whether numbers are big-endian; with ``order`` only if that is true.
        checks: the rules of the whole.
        value: of a codec, computed from its fields; ``value_type`` is its type in the IDL.
        tag: the expression that selects this alternative.
        nests: whether values can contain others of their type.
        located: whether some fields are placed with `at`; they come after the others.
        gaps: whether placed fields can leave bytes between them; `overlaps`: whether they can share bytes.
        is_origin: whether places in records inside count from its start.
        normalizes: whether reading accepts other bytes than are written for the same value.
        reads_back: what is written is read again, since parts of it ask for the end of a span that goes on behind them.
        is_checked_by_writers: what that would show, native writers of records with places know.
        writing: the steps of writing the body, by ""; by their names, those of the fields that are placed with `at`.
        placing: how the fields that are placed with `at` are found, by their names.
        native_readable: whether tables can express how the body is read, so that it is read natively.
        native_places: whether they can express how its fields with places are laid out as well.
        computed: the attributes without bytes.
        unsettled: the keys of ``writing`` whose expressions use values inside of fields that may be written later.
        uses_arguments: whether expressions use values inside of fields that depend on the arguments of these.
    """

    name: str
    spec_name: str
    module: Module
    location: Location
    doc: str
    parameters: tuple[ParameterLayout, ...]
    fields: tuple[FieldLayout, ...]
    big: bool
    checks: tuple[Rule, ...] = ()
    states: tuple[StateLayout, ...] = ()
    value: Node | None = None
    value_type: str = ""
    tag: Node | None = None
    nests: bool = False
    order: Node | None = None
    gaps: bool = False
    overlaps: bool = False
    normalizes: bool = False
    is_origin: bool = False
    reads_back: bool = False
    is_checked_by_writers: bool = False
    writing: Mapping[str, Sequence[WriteStep]] = field(default_factory=dict, compare=False, repr=False)
    placing: Mapping[str, Placing] = field(default_factory=dict, compare=False, repr=False)
    native_readable: bool = True
    native_places: bool = False
    computed: tuple[ComputedLayout, ...] = ()
    unsettled: tuple[str, ...] = ()
    uses_arguments: bool = False

    @cached_property
    def located(self) -> bool:
        return self.gaps or self.is_origin or any(each.place is not None for each in self.fields)

    @property
    def body(self) -> RecordLayout:
        """The record without its placed fields: the fields that follow each other."""
        return replace(
            self, fields=tuple(each for each in self.fields if each.place is None), gaps=False, is_origin=False
        )

    def field(self, name: str) -> FieldLayout | None:
        return self._by_name.get(name)

    def by_name(self, name: str) -> FieldLayout:
        """Returns the field of a name. It must exist."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, FieldLayout]:
        return {each.name: each for each in self.fields}

    @cached_property
    def _by_attribute(self) -> dict[str | None, FieldLayout]:
        return {each.attribute: each for each in self.fields}

    def rules_of(self, layout: FieldLayout) -> Iterator[tuple[Rule, bool]]:
        """Yields (rule, is derivation) for the rules that are checked when a field is read.

        Those of a codec are what would be written for its value, which all of its fields tell, unless it normalizes.
        """
        if layout.derivation is not None and not layout.derivation.implied and self.value is None:
            yield layout.derivation, True
        yield from ((rule, False) for rule in layout.rules)
        if layout.derivation is not None and self.value is not None and not self.normalizes:
            rule = self._of_value(layout.derivation)
            if rule.condition != FieldValue(layout.name, layout.attribute, layout.slot, kind=rule.condition.kind):
                yield rule, True

    def is_exact(self, layout: FieldLayout) -> bool:
        """Returns whether the unused bits of a packed field must be 0: those of computed numbers are not kept."""
        return layout.kind == "bits" and layout.derivation is not None and not self.normalizes

    def _of_value(self, derivation: Rule) -> Rule:
        """Returns a derivation from a codec's value, as one from the fields that tell that value."""
        value = self.value.operand if isinstance(self.value, InRange) else self.value
        wanted = replaced(derivation.condition, lambda node: value if isinstance(node, CodecValue) else None)
        return replace(derivation, condition=wanted, after=self.fields[-1].name, message=OTHER_FORM)

    def rules_after(self, layout: FieldLayout) -> Iterator[tuple[FieldLayout, Rule, bool]]:
        """Yields (field, rule, is derivation) of what can be checked once a field has been read: its own rules, and those that
        waited for it.
        """
        yield from self._rules_after.get(layout.name, ())

    @cached_property
    def _rules_after(self) -> dict[str, list[tuple[FieldLayout, Rule, bool]]]:
        found: dict[str, list[tuple[FieldLayout, Rule, bool]]] = {}
        for each in self.fields:
            for rule, derived in self.rules_of(each):
                found.setdefault(rule.after, []).append((each, rule, derived))
        # The fields' own rules come first, since what a codec would write is computed from these fields.
        return {
            name: sorted(rules, key=lambda found: found[2] and self.value is not None) for name, rules in found.items()
        }

    def counts_itself(self, dimension: Dimension, layout: FieldLayout) -> bool:
        """Returns whether a dimension is derived from the field that has it, as exactly what the dimension counts."""
        functions = layout.measures_of(dimension)
        for each in self.derived_in(dimension.value):
            counted, value = undone(dimension.count, each.value)
            if not path_of(counted):
                continue
            match value:
                case Measure(function="raw_size", field=name, index=None):
                    # Bytes and texts are counted before their codecs.
                    return (
                        name == layout.name
                        and dimension is layout.length
                        and not (layout.dimension or layout.text_codecs)
                    )
                case (
                    Count(operand=FieldValue(field=name))
                    | Measure(function="size", field=name, index=None)
                    | PlacedMeasure(function="size", field=name, index=None)
                ):
                    is_whole = dimension is layout.dimension or layout.dimension is None
                    return (
                        name == layout.name
                        and is_whole
                        and ("count" if isinstance(value, Count) else "size") in functions
                    )
                case (
                    Count(operand=Item(base=FieldValue(field=name), index=ElementIndex()))
                    | Measure(function="size", field=name, index=ElementIndex())
                    | PlacedMeasure(function="size", field=name, index=ElementIndex())
                ):
                    is_own = name == layout.name and dimension is layout.length
                    return (
                        is_own
                        and ("count" if isinstance(value, Count) else "size") in functions
                        and isinstance(counted, Attribute | Item)
                    )
        return False

    def number_of(self, part: FieldLayout) -> FieldLayout:
        """Returns the number that a field of some of its bits is a part of."""
        assert part.bits is not None
        return self._by_attribute[part.bits[0]]

    def derived_in(self, node: Node | None) -> Iterator[Derived]:
        """Yields the derived fields that an expression depends on."""
        if node is None:
            return
        if (
            isinstance(node, Count)
            and (path := path_of(node.operand))
            and not any(isinstance(each, Item) for each in walk(node))
        ):
            # How many elements there are does not depend on what is derived inside of them.
            for derived in self.derived_in(node.operand):
                if derived.setting is None or len(derived.setting.path) < len(path):
                    yield derived
            return
        if not (path := path_of(node)):
            field = self.field(node.field) if isinstance(node, Measure) and node.is_encoded else None
            if field is not None and field.derivation is not None:
                yield Derived(field, field.derivation.condition)
            for child in children(node):
                yield from self.derived_in(child)
            return
        if (named := self._by_attribute.get(path[0])) is not None:
            if named.derivation is not None:
                yield Derived(named, named.derivation.condition)
            for setting in named.settings:
                if all(a == b for a, b in zip(setting.path, path[1:], strict=False)):
                    yield Derived(named, setting.value, setting)
        for part in walk(node):
            if isinstance(part, Item):
                yield from self.derived_in(part.index)

    def measures_rest_late(self, layout: FieldLayout) -> bool:
        """Returns whether a rule counts the bytes behind a field, but has to wait for other fields."""
        return any(
            rule.after != layout.name and span_words(rule.condition) & {"rest", "at_end"}
            for rule, _ in self.rules_of(layout)
        )


@dataclass(frozen=True, slots=True)
class ArrowHole:
    """A place of an Arrow type that a field of the alternative fills; a nested type is that of a ``variant``."""

    number: int
    variant: Extension | None


@dataclass(frozen=True, slots=True)
class ArrowShape:
    """An Arrow type with holes: its name in lower case, and its arguments."""

    name: str
    arguments: tuple[ArrowShape | ArrowHole | Node, ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """A new value of a class, by its attributes; the variable ``bound`` has what stands in the holes."""

    module: Module
    cls: str
    arguments: tuple[tuple[str, Node | Construction], ...]


@dataclass(frozen=True, slots=True)
class ArrowLayout:
    """An `arrow` clause.

    Attributes:
        values: what fills the holes.
        made: the value that stands for a type; None where a type does not tell all fields.
        condition: when the clause is meant.
    """

    shape: ArrowShape
    values: tuple[Node, ...]
    made: Construction | None
    condition: Node | None


@dataclass(frozen=True, slots=True)
class AlternativeLayout:
    """One alternative of a variant.

    Attributes:
        name: in the IDL.
        record: its fields.
        tags: that select it; none for `else`.
        constant: all of them are constants.
        arrow: its clauses about Arrow types.
        native_readable: tables have words for its tags.
    """

    name: str
    record: RecordLayout
    tags: tuple[Node, ...]
    constant: bool
    arrow: tuple[ArrowLayout, ...] = ()
    native_readable: bool = True

    @property
    def fixed(self) -> bool:
        """True where there is one tag, which a value need not remember."""
        return len(self.tags) == 1 and self.constant


@dataclass(frozen=True, slots=True)
class VariantLayout:
    """A variant.

    Attributes:
        tag: the expression over the parameters that selects an alternative.
        constant: all tags are constants: alternatives are looked up in a table.
        native_readable: tables have words for what selects an alternative.
    """

    name: str
    spec_name: str
    module: Module
    location: Location
    doc: str
    parameters: tuple[ParameterLayout, ...]
    tag: Node
    constant: bool
    alternatives: tuple[AlternativeLayout, ...] = field(default=())
    native_readable: bool = True

    @property
    def otherwise(self) -> str:
        """The class of `else`; empty where there is none."""
        return next((each.record.name for each in self.alternatives if not each.tags), "")
