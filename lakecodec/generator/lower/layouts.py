"""Layouts: what printers, dumps and tables are made from. One dataclass a thing, expressions as nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ..builtin_names import FIXED_WIDTHS
from ..diagnostics import Location
from ..model import Enum, Extension, Module, Record, Struct
from ..paths import Target
from .arrow_layouts import ArrowLayout
from .nodes import (
    Attribute,
    Constant,
    Count,
    ElementIndex,
    FieldValue,
    Item,
    Measure,
    Node,
    children,
    path_of,
    span_words,
    walk,
)

if TYPE_CHECKING:
    from .write_steps import WriteStep

FieldKind = Literal["number", "varint", "bool8", "bytes", "utf8", "struct", "record", "bits", "values", "part"]
DimensionKind = Literal["count", "index", "rest", "until"]

#: The struct module's codes.
_CODES = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f16": "e", "f32": "f",
    "f64": "d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dimension:
    """``value`` is the number of elements (`count`, `index`), the condition that ends the list (`until`), or None."""

    kind: DimensionKind
    value: Node | None

    @property
    def count(self) -> Node:
        """The number of elements of a `count` or an `index`."""
        assert self.value is not None
        return self.value


@dataclass(frozen=True, slots=True)
class CodecCall:
    """A step of `via`.

    Attributes:
        call: gives the codec: a call, a choice between two, or the identity.
        codec: the codec itself where it is called.
        arguments: of the codec.
        slot: the number of the record's state that keeps the codec for siblings; None where it is made anew.
    """

    call: Node
    codec: Extension | None
    arguments: tuple[Node, ...]
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class FieldCodec:
    """A codec with fields, which reads and writes the bytes of an element itself.

    Attributes:
        arguments: without the state.
        initial: the first value of its state; None for a codec without one.
        slot: the number of the record's state; None where each list has a state of its own, or there is none.
    """

    codec: Extension
    arguments: tuple[Node, ...]
    initial: Node | None
    slot: int | None


@dataclass(frozen=True, slots=True)
class Setting:
    """What a record computes of a field, or of one inside of it, when it is written.

    Attributes:
        path: the attributes that lead there from the field, None for the element at the index; nothing for the field itself.
        value: what it becomes: with ``when`` a choice between that and the value that was given.
        over: the list inside whose elements the index counts; None where it is the field itself.
        when: the condition under which the value is computed.
    """

    path: tuple[str | None, ...]
    value: Node
    over: Node | None = None
    when: Node | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition, and what an error says where it does not hold.

    Attributes:
        after: the field after which it can be checked while reading: the last one that it needs.
        of_element: about each element of an `[i < n]`.
        setting: makes it hold when the record is written.
        evident: it holds of whatever was read, since the field that it counts was read by it.
    """

    condition: Node
    message: str
    after: str = ""
    of_element: bool = False
    setting: Setting | None = None
    evident: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """The value of a field, or of one inside of it (``setting``), that is computed when the record is written."""

    field: FieldLayout
    value: Node
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """One field of a record, alternative or codec.

    Attributes:
        attribute: of the Python object.
        kind: of one element; `record` stands for variants too.
        type: the wire type's name, or the name of what is referred to.
        target: the struct, record, variant or encoding that is referred to.
        arguments: of the record, variant or encoding.
        width: bits of a packed number.
        dimension: what makes a list; None for one element.
        length: of one element: bytes of a text, numbers of bits, encoded values.
        terminator: the bytes that end a text.
        enum: whose members numbers become.
        codecs: the steps of `via` but the last one where that is ``coder``, in the order of writing.
        presence: the condition of the field, of each element with `[i < n]`.
        size: bytes of the field, of each element with `[i < n]`.
        place: the offset of a field that stands `at` a place of its own, of each element with `[i < n]`.
        from_source: that offset counts from the start of the source, not from that of the record.
        derivation: the value that is computed on writing and verified on reading, and the rule that says so.
        rules: the invariants.
        captures: measures that reading must keep: `start`, `size`, `raw_size`, `offset[]`, `size[]`, `raw_size[]`.
        fixed: bytes that the field always takes; None where that varies.
        smallest: bytes that one element takes at least.
        shares_states: elements of the list share the states of their record's codecs.
        text: type and dimensions as the IDL has them.
        bits: (attribute of the number, lowest bit, width) of a field that is part of a number in front of it.
    """

    name: str
    attribute: str
    location: Location
    doc: str
    kind: FieldKind
    type: str
    target: Record | Struct | Extension | None = None
    arguments: tuple[Node, ...] = ()
    width: Node | None = None
    dimension: Dimension | None = None
    length: Dimension | None = None
    terminator: bytes | None = None
    enum: Enum | None = None
    codecs: tuple[CodecCall, ...] = ()
    coder: FieldCodec | None = None
    presence: Node | None = None
    size: Node | None = None
    place: Node | None = None
    from_source: bool = False
    derivation: Rule | None = None
    rules: tuple[Rule, ...] = ()
    captures: frozenset[str] = frozenset()
    fixed: int | None = None
    smallest: int = 0
    shares_states: bool = False
    text: str = ""
    bits: tuple[str, int, int] | None = None

    @property
    def by_element(self) -> bool:
        """True where presence, size and codecs are about each element of the list: `[i < n]`."""
        return self.dimension is not None and self.dimension.kind == "index"

    @property
    def indexed(self) -> bool:
        """True where the field has an `[i < n]`, be it the length of packed bits."""
        return any(each.kind == "index" for each in self.dimensions)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return tuple(each for each in (self.dimension, self.length) if each is not None)

    @property
    def span_codecs(self) -> bool:
        """Whether the codecs make the span that the field is read in; else a text goes through them, or the coder's value."""
        is_text = self.kind in ("bytes", "utf8") and self.length is None and self.terminator is None
        is_whole = is_text and (self.dimension is None or self.by_element)
        return bool(self.codecs) and self.coder is None and self.size is not None and not is_whole

    @property
    def text_codecs(self) -> bool:
        """True where each text goes through the codecs by itself."""
        return bool(self.codecs) and self.coder is None and not self.span_codecs

    @property
    def code(self) -> str | None:
        """The struct module's code of a number; None for what has none, or goes through codecs."""
        return None if self.coder is not None or self.codecs else _CODES.get(self.type)

    @property
    def run_code(self) -> str | None:
        """The code of a field that can stand in a run of fixed width."""
        if self.dimension or self.codecs or self.coder or any((self.presence, self.size, self.place)):
            return None
        if self.kind == "bytes" and self.length is not None and (size := constant_count(self.length.value)):
            return f"{size}s"
        return self.code if self.kind == "number" else None

    @property
    def run_size(self) -> int:
        """Bytes of a field that stands in a run of fixed width."""
        code = self.run_code or ""
        return int(code[:-1]) if code.endswith("s") else FIXED_WIDTHS[self.type]

    @property
    def is_plain_number(self) -> bool:
        """True where elements are numbers of fixed width as they stand."""
        return self.kind == "number" and self.code is not None and self.enum is None and self.size is None

    @property
    def counts_what_exists(self) -> bool:
        """True where the number of elements is a constant, or that of a list in memory, and so bounded already."""
        value = None if self.dimension is None else self.dimension.value
        if isinstance(value, Count):
            return value.operand.kind.lists > 0 or value.operand.kind.kind not in ("bytes", "text")
        return isinstance(value, Constant)

    @property
    def is_open(self) -> bool:
        """True where its value may be left open, since it can be computed."""
        return any(not each.path for each in self.settings)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is computed of it under a condition, and of the fields inside of it."""
        return tuple(rule.setting for rule in self.rules if rule.setting is not None)

    def nodes(self) -> Iterator[Node]:
        """Yields all expressions of the field."""
        yield from self.arguments
        yield from (each.value for each in self.dimensions if each.value is not None)
        yield from (each for each in (self.width, self.presence, self.size, self.place) if each is not None)
        yield from (part for codec in self.codecs for part in codec.arguments)
        if self.coder is not None:
            yield from self.coder.arguments
        if self.derivation is not None:
            yield self.derivation.condition
        yield from (rule.condition for rule in self.rules)


@dataclass(frozen=True, slots=True)
class ParameterLayout:
    """A parameter: an attribute of values, an argument of the methods that read and write; ``type`` as in the IDL."""

    name: str
    attribute: str
    argument: str
    type: str
    default: Node | None


@dataclass(frozen=True, slots=True)
class StateLayout:
    """State that siblings share: the state of a codec with fields, or an external codec that is made once."""

    field: str
    initial: Node | None
    codec: Extension | None


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """A body of fields: a record, an alternative of a variant, or a codec with fields.

    Attributes:
        name: of the Python class.
        spec_name: in the IDL.
        big: numbers are big-endian; with ``order`` they are so where that holds.
        checks: what must hold of the whole.
        value: of a codec, computed from its fields; ``value_type`` is its type in the IDL.
        tag: what selects the alternative that this is.
        nests: values can contain others of their type.
        located: some fields are placed with `at`; they stand behind the others.
        gaps: what is placed can leave bytes between; `overlaps`: it can share some.
        writing: the steps of writing the body, by ""; by their names, those of the fields that are placed with `at`.
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
    writing: Mapping[str, Sequence[WriteStep]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def located(self) -> bool:
        return self.gaps or any(each.place is not None for each in self.fields)

    @property
    def body(self) -> RecordLayout:
        """The record without what is placed with `at`: fields that follow each other."""
        return replace(self, fields=tuple(each for each in self.fields if each.place is None), gaps=False)

    def field(self, name: str) -> FieldLayout | None:
        return next((each for each in self.fields if each.name == name), None)

    def by_name(self, name: str) -> FieldLayout:
        """Returns the field of that name, which there is."""
        return next(each for each in self.fields if each.name == name)

    def rules_of(self, layout: FieldLayout) -> Iterator[tuple[Rule, bool]]:
        """Yields what a field must keep when it is read, and whether it is the derivation.

        The fields of a codec take every value from which the codec's own follows, so theirs are not verified.
        """
        if layout.derivation is not None and not layout.derivation.evident and self.value is None:
            yield layout.derivation, True
        yield from ((rule, False) for rule in layout.rules)

    def rules_after(self, layout: FieldLayout) -> Iterator[tuple[FieldLayout, Rule, bool]]:
        """The rules that can be checked once a field has been read: its own, and earlier ones that waited for it."""
        for other in self.fields[: self.fields.index(layout) + 1]:
            for rule, derived in self.rules_of(other):
                if rule.after == layout.name:
                    yield other, rule, derived

    def counts_itself(self, dimension: Dimension, layout: FieldLayout) -> bool:
        """Returns whether a dimension is derived from the very field that has it."""
        for each in self.derived_in(dimension.value) if path_of(dimension.value) else ():
            match each.value:
                case Count(operand=FieldValue(field=name)) | Measure(function="size", field=name, index=None):
                    return name == layout.name
                case (
                    Count(operand=Item(base=FieldValue(field=name), index=ElementIndex()))
                    | Measure(function="size", field=name, index=ElementIndex())
                ):
                    return name == layout.name and isinstance(dimension.value, Attribute | Item)
        return False

    def derived_in(self, node: Node | None) -> Iterator[Derived]:
        """Yields what an expression names that is computed when the record is written, from what it names itself."""
        if node is None:
            return
        if not (path := path_of(node)):
            field = self.field(node.field) if isinstance(node, Measure) else None
            if field is not None and field.derivation is not None:
                yield Derived(field, field.derivation.condition)
            for child in children(node):
                yield from self.derived_in(child)
            return
        for field in (each for each in self.fields if each.attribute == path[0]):
            if field.derivation is not None:
                yield Derived(field, field.derivation.condition)
            for setting in field.settings:
                if all(a == b for a, b in zip(setting.path, path[1:], strict=False)):
                    yield Derived(field, setting.value, setting)
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
class AlternativeLayout:
    """One alternative of a variant.

    Attributes:
        name: in the IDL.
        record: its fields.
        tags: that select it; none for `else`.
        constant: all of them are constants.
        arrow: its clauses about Arrow types.
    """

    name: str
    record: RecordLayout
    tags: tuple[Node, ...]
    constant: bool
    arrow: tuple[ArrowLayout, ...] = ()

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

    @property
    def otherwise(self) -> str:
        """The class of `else`; empty where there is none."""
        return next((each.record.name for each in self.alternatives if not each.tags), "")


def constant_count(node: Node | None) -> int | None:
    return node.value if isinstance(node, Constant) and isinstance(node.value, int) else None


def element_target(found: Target, indexed: bool) -> Target:
    """Returns the kind of the value that a derivation gives: an element for `[i < n]`."""
    return Target(found.kind, found.holder, found.lists - 1) if indexed and found.lists else found
