"""Layouts of fields and their elements, with expressions as nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ..builtin_names import FIXED_WIDTHS
from ..diagnostics import Location
from ..model import Enum, Extension, Record, Struct
from ..paths import Target
from . import nodes
from .nodes import Constant, Count, Node

FieldKind = Literal[
    "number", "varint", "bool8", "bytes", "utf8", "struct", "record", "bits", "values", "part", "column"
]
DimensionKind = Literal["count", "index", "rest", "until"]

#: The struct module's codes.
_CODES = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q", "f16": "e", "f32": "f",
    "f64": "d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dimension:
    """``value`` is the number of elements (`count`, `index`), the condition that ends the list (`until`), or None.

    ``grows``: the number is that of the elements so far, and one more until the list ends.
    """

    kind: DimensionKind
    value: Node | None
    grows: bool = False

    @property
    def count(self) -> Node:
        """The number of elements of a `count` or an `index`."""
        assert self.value is not None
        return self.value


@dataclass(frozen=True, slots=True)
class CodecCall:
    """A step of `via`.

    Attributes:
        call: the node of the codec: a call, a choice between two, or the identity.
        codec: the codec itself if it is called.
        arguments: arguments of the codec.
        slot: the number of the record's state with the codec for siblings; None if each call makes a new one.
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
        slot: the number of the record's state; None if each list has its own state or there is none.
    """

    codec: Extension
    arguments: tuple[Node, ...]
    initial: Node | None
    slot: int | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that a record computes when it is written, for a field or for one inside of it.

    Attributes:
        path: the attributes that lead there from the field, None for the element at the index; nothing for the field itself.
        value: the new value; with ``when`` a choice between that and the caller's.
        over: the list whose elements the index counts; None for the field itself.
        when: the condition under which the value is computed.
    """

    path: tuple[str | None, ...]
    value: Node
    over: Node | None = None
    when: Node | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition, and the message of the error if it does not hold.

    Attributes:
        text: the condition, in the IDL's words.
        after: the field after which it can be checked while reading: the last one that it needs.
        of_element: whether it is about each element of an `[i < n]`.
        setting: the setting that makes it true when the record is written.
        implied: whether it is true for all read values: the field that it counts, measures or selects was read with it,
            or a part of a number has no more bits.
    """

    condition: Node
    message: str
    text: str = ""
    after: str = ""
    of_element: bool = False
    setting: Setting | None = None
    implied: bool = False

    @property
    def is_told_by_itself(self) -> bool:
        """True if the IDL has no message of its own: it is the condition in the IDL's words."""
        return self.message in (self.text, f"{self.text} does not hold")


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """One field of a record, alternative or codec.

    Attributes:
        attribute: attribute of the Python object.
        slot: the attribute that readers and writers set; another one if the field is derived.
        kind: of one element; `record` stands for variants too, `column` for what only encodings hold.
        type: the wire type's name, or the name of what is referred to.
        target: the struct, record, variant or encoding that is referred to.
        arguments: arguments of the record, variant or encoding.
        width: bits of a packed number.
        dimension: the list's dimension; None for one element.
        length: of one element: bytes of a text, numbers of bits, encoded values.
        terminator: the bytes that end a text.
        enum: the enum whose members numbers become.
        codecs: the steps of `via` but the last one where that is ``coder``, in the order of writing.
        presence: the condition of the field, of each element with `[i < n]`.
        size: bytes of the field, of each element with `[i < n]`.
        place: the offset of a field that stands `at` a place of its own, of each element with `[i < n]`.
        alignment: number of which that offset is a multiple.
        from_source: that offset counts from the start of the source, or of the record ``origin`` around this one.
        derivation: the value that is computed on writing and verified on reading, and the rule that says so.
        rules: the invariants.
        keeps: whether the codecs' input is kept when reading, and written again for the same value.
        captures: measures that reading must keep: `start`, `size`, `raw_size`, `offset[]`, `size[]`, `raw_size[]`.
        fixed: fixed size of the field in bytes; None if it varies.
        smallest: least size of one element in bytes.
        shares_states: whether elements of the list share the states of their record's codecs.
        text: type and dimensions as in the IDL.
        bits: (attribute of the number, lowest bit, width) of a field that is part of a number in front of it.
        default: the constructor's default for the field.
        is_settled: whether it may be given, but is computed by records around this one, or under a condition.
        order: `be` or `le` of a number that has a byte order of its own, whatever its record's is.
    """

    name: str
    attribute: str
    slot: str
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
    origin: str = ""
    derivation: Rule | None = None
    rules: tuple[Rule, ...] = ()
    captures: frozenset[str] = frozenset()
    keeps: bool = False
    fixed: int | None = None
    smallest: int = 0
    shares_states: bool = False
    text: str = ""
    bits: tuple[str, int, int] | None = None
    default: Node | None = None
    order: str = ""
    alignment: Node | None = None
    is_settled: bool = False

    @property
    def by_element(self) -> bool:
        """True if presence, size and codecs are about each element of the list: `[i < n]`."""
        return self.dimension is not None and self.dimension.kind == "index"

    @property
    def whole_presence(self) -> Node | None:
        """The condition under which the field is there, with all of its elements."""
        return None if self.by_element else self.presence

    @property
    def element_presence(self) -> Node | None:
        """The condition under which an element of `[i < n]` is there."""
        return self.presence if self.by_element else None

    @property
    def indexed(self) -> bool:
        """True where the field has an `[i < n]`, be it the length of packed bits."""
        return any(each.kind == "index" for each in self.dimensions)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return tuple(each for each in (self.dimension, self.length) if each is not None)

    @property
    def span_codecs(self) -> bool:
        """True where the field is read in a span that its codecs decode; else they convert its text, or the coder's value."""
        is_text = self.kind in ("bytes", "utf8") and self.length is None and self.terminator is None
        is_whole = is_text and (self.dimension is None or self.by_element)
        return bool(self.codecs) and self.coder is None and self.size is not None and not is_whole

    @property
    def text_codecs(self) -> bool:
        """True where each text goes through the codecs by itself."""
        return bool(self.codecs) and self.coder is None and not self.span_codecs

    def measures_of(self, dimension: Dimension) -> frozenset[str]:
        """Returns the functions of the field, or of an element, that give what its dimension counts.

        The length of a text is about the bytes behind its codecs, which `count` does not see, or before those of a span.
        """
        if dimension is self.length and self.kind in ("bytes", "utf8"):
            return frozenset(("size",) if self.text_codecs else ("count",) if self.codecs else ("count", "size"))
        is_byte = self.kind == "bool8" or (self.kind == "number" and FIXED_WIDTHS[self.type] == 1)
        return frozenset(("count", "size") if is_byte and not self.codecs and self.coder is None else ("count",))

    @property
    def codes_text(self) -> bool:
        """True where a codec with fields takes and gives the text itself, not its bytes."""
        return (
            self.kind == "utf8"
            and self.coder is not None
            and self.coder.codec.syntax.result.name == "utf8"
            and not self.codecs
        )

    @property
    def codes_elements(self) -> bool:
        """True where each element of the list goes through the codecs by itself."""
        return self.dimension is not None and not (self.span_codecs and not self.by_element)

    @property
    def code(self) -> str | None:
        """The struct module's code of a number; None for other fields and with codecs."""
        return None if self.coder is not None or self.codecs else _CODES.get(self.type)

    @property
    def run_code(self) -> str | None:
        """The code of a field that can stand in a run of fixed width."""
        if self.dimension or self.codecs or self.coder or any((self.presence, self.size, self.place, self.order)):
            return None
        if self.kind == "bytes" and self.length is not None and (size := constant_count(self.length.value)):
            return f"{size}s"
        return self.code if self.kind == "number" else None

    @property
    def run_size(self) -> int:
        """Size in bytes of a field in a run of fixed width."""
        code = self.run_code or ""
        return int(code[:-1]) if code.endswith("s") else FIXED_WIDTHS[self.type]

    @property
    def is_plain_number(self) -> bool:
        """True if elements are numbers of fixed width without codecs."""
        return self.kind == "number" and self.code is not None and self.enum is None and self.size is None

    @property
    def is_row_expressible(self) -> bool:
        """True for a number, or a record without arguments, that is always present and has no rule: its row is
        complete."""
        clauses = (
            self.dimension, self.enum, self.codecs, self.coder, self.presence, self.size, self.place, self.derivation,
            self.rules, self.captures, self.bits, self.order, self.arguments, self.shares_states,
        )  # fmt: skip
        if any(clauses):
            return False
        if self.kind == "record":
            return not (isinstance(self.target, Record) and self.target.is_lazy)
        is_number = self.kind == "bool8" or (self.kind == "number" and self.code is not None)
        return is_number or (self.kind == "varint" and not self.type.endswith("9"))

    @property
    def ending(self) -> Node | None:
        """The condition of `[until e]`, true from the last element on; None if it depends on more than values."""
        if self.dimension is None or self.dimension.kind != "until" or self.dimension.value is None:
            return None
        of_bytes = nodes.SpanWord | nodes.Measure | nodes.PlacedMeasure | nodes.Encoded | nodes.Padding
        found = self.dimension.value
        return None if any(isinstance(part, of_bytes) for part in nodes.walk(found)) else found

    @property
    def counts_what_exists(self) -> bool:
        """True if the number of elements is a constant or the length of a list in memory, and so is already bounded."""
        value = None if self.dimension is None else self.dimension.value
        if isinstance(value, Count):
            return value.operand.kind.lists > 0 or value.operand.kind.kind not in ("bytes", "text")
        return isinstance(value, Constant)

    @property
    def is_open(self) -> bool:
        """True if the caller may omit its value, since it can be computed."""
        return any(not each.path for each in self.settings)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The values that are computed under a condition, of the field and of those inside of it."""
        return tuple(rule.setting for rule in self.rules if rule.setting is not None)

    def nodes(self) -> Iterator[Node]:
        """Yields all expressions of the field."""
        yield from self.clauses()
        if self.derivation is not None:
            yield self.derivation.condition
        yield from (rule.condition for rule in self.rules)

    def nodes_beside_place(self) -> Iterator[Node]:
        """Yields all expressions of the field but those of the bytes that it stands at."""
        return (each for each in self.nodes() if each not in (self.place, self.size, self.alignment))

    def clauses(self) -> Iterator[Node]:
        """Yields the expressions that determine the field's bytes: all except its derivation and rules."""
        yield from self.arguments
        yield from (each.value for each in self.dimensions if each.value is not None)
        yield from (
            each for each in (self.width, self.presence, self.size, self.place, self.alignment) if each is not None
        )
        yield from (part for codec in self.codecs for part in codec.arguments)
        if self.coder is not None:
            yield from self.coder.arguments


def constant_count(node: Node | None) -> int | None:
    return node.value if isinstance(node, Constant) and isinstance(node.value, int) else None


def element_target(found: Target, indexed: bool) -> Target:
    """Returns the kind of a derivation's value: an element for `[i < n]`."""
    return replace(found, lists=found.lists - 1) if indexed and found.lists else found


def own_value(field: FieldLayout, *, element: bool = False) -> Node:
    """Returns the value of a field, or its element at the index."""
    own = nodes.FieldValue(field.name, field.attribute, field.slot)
    return nodes.Item(own, nodes.ElementIndex(), checked=False) if element else own


def verified(field: FieldLayout, rule: Rule) -> Node:
    """Returns the condition that a derived field has the value that would be written.

    Bytes that one number fills are as many as there are.
    """
    wanted, each = rule.condition, own_value(field, element=rule.of_element)
    if isinstance(wanted, nodes.Fill):
        wanted = nodes.Fill(wanted.byte, nodes.Builtin("len", (own_value(field),)), kind=wanted.kind)
    code = _CODES.get(field.type, "d" if wanted.kind.kind == "float" else "")
    same: Node = nodes.Comparison(("==",), (each, wanted))
    if code in ("e", "f", "d"):
        same = nodes.Builtin("same_float", (nodes.Constant(f"<{code}"), each, wanted))
    elif wanted.kind.lists:
        same = nodes.Builtin("same_elements", (each, wanted))
    return same if field.presence is None else nodes.Logical("or", (nodes.is_null(each), same))


def is_absent_or(field: FieldLayout, rule: Rule) -> Node:
    """Returns an invariant as a condition; an absent field, or element, breaks none."""
    is_inside = rule.setting is not None and rule.setting.over is not None
    if field.presence is None or is_inside or (field.indexed and not rule.of_element):
        return rule.condition
    return nodes.Logical("or", (nodes.is_null(own_value(field, element=rule.of_element)), rule.condition))
