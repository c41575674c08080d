"""Fields of records that hold no records: numbers, texts, packed numbers, encoded values, and derived fields."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from ...generator.builtin_names import FIXED_WIDTHS, FLOAT_TYPES, VARINT_BITS
from ...generator.lower import nodes
from ...generator.lower.bodies import codec_class
from ...generator.lower.field_layout import FieldCodec, FieldLayout, Rule
from ...generator.lower.nodes import Node
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, Struct
from ...generator.names import type_name
from ...runtime.columns import layout_of
from ...runtime.errors import CodecError
from ...runtime.records.functions import count
from ...runtime.records.writer import Writer
from . import scalars
from .choices import Choices, Rejected
from .columns import encoded_values
from .expressions import Frame, Unknown
from .facts import Facts

#: The nesting of records beyond which values are as flat as possible.
DEEP = 6
#: The most elements of a list whose field states the length: of records, of numbers, of bytes.
_MOST_RECORDS, MOST_NUMBERS, MOST_BYTES = 60, 9000, 70000
#: The number of bytes between two offsets of a sample.
_ROOM = 64
#: The errors of an expression that has no value for the current fields.
FAILURES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class ElementSampler:
    """Makes single fields of a body.

    Args:
        structs: makes the structs that they hold.
    """

    def __init__(self, facts: Facts, choices: Choices, structs: Any) -> None:
        self._facts, self._choices, self._structs = facts, choices, structs
        self._schema, self._evaluator = facts.schema, facts.evaluator
        self._fitting = facts.fitting
        self._depth = 0
        self._broken: Rule | None = None
        #: The number of offsets that were assigned to fields which locate others.
        self._offsets = 0

    def _counted(self, node: Node, key: Any, frame: Frame, field: FieldLayout) -> int:
        """Returns the number of elements that a dimension gives."""
        try:
            found = self._evaluator.value(node, frame)
        except Unknown:
            return self._choices.pick((key, "count"), [1, 0, 2, 3])
        except FAILURES as error:
            raise Rejected(str(error)) from None
        most = {"record": _MOST_RECORDS, "struct": _MOST_RECORDS, "bytes": MOST_BYTES, "utf8": MOST_BYTES}
        if not isinstance(found, int) or not 0 <= found <= most.get(field.kind, MOST_NUMBERS):
            raise Rejected(f"{field.name}: {found} elements")
        return int(found)

    # ---- derived fields ----

    def _early_value(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        """Returns a value of a field that is derived from fields without a value yet."""
        assert field.derivation is not None
        node = field.derivation.condition
        key = (layout.spec_name, field.name)
        frame_index = frame.index
        try:
            match node:
                case nodes.Attribute(base=base, name="tag"):
                    options = self._tag_options(layout, base)
                    if options:
                        return self._enum(field, self._choices.pick(key, options))
                case nodes.Int():
                    return self._choices.pick(key, [0, 1] if self._depth < DEEP else [0])
            if field.kind in ("bytes", "utf8"):
                return self._element(layout, field, frame)
            return self._number(layout, field, frame)
        finally:
            frame.index = frame_index

    def _tag_options(self, layout: RecordLayout, base: Node) -> list[int]:
        """Returns the tags of the variant that a field holds; deep inside, those that end soonest."""
        name = next((part.field for part in nodes.walk(base) if isinstance(part, nodes.FieldValue)), "")
        owner = layout.field(name)
        if owner is None or not isinstance(owner.target, Extension):
            return []
        variant = self._schema.layout(owner.target)
        assert isinstance(variant, VariantLayout)
        return self._tags(variant, shallow=self._depth >= DEEP)

    def _tags(self, variant: VariantLayout, kind: str = "", *, shallow: bool = False) -> list[Any]:
        heights = [self._facts.height(each.record) for each in variant.alternatives]
        frame = Frame(variant.module, {})
        tags = [[self._evaluator.known(node, frame) for node in each.tags] for each in variant.alternatives]
        every = [tag for own in tags for tag in own if tag is not None]
        found: list[Any] = []
        for each, own, height in zip(variant.alternatives, tags, heights, strict=True):
            if (shallow and height > min(heights)) or kind not in ("", each.name):
                continue
            found += [tag for tag in own if tag is not None]
            found += _other_tags(every) if not own else []
        return found

    # ---- elements ----

    def _element(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        key = (layout.spec_name, field.name)
        match field.kind:
            case "record":
                return self._nested(field, frame)
            case "struct":
                assert isinstance(field.target, Struct)
                return self._structs.struct(field.target)
            case "values":
                return self._encoded(layout, field, frame)
            case "bits":
                return self._bits(layout, field, frame)
            case "bytes" | "utf8":
                return self._text(layout, field, frame)
            case "bool8":
                return bool(self._choices.pick(key, [False, True]))
        return self._number(layout, field, frame)

    def _number(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        key = (layout.spec_name, field.name)
        if field.type in FLOAT_TYPES:
            return scalars.floating(self._choices, key, FIXED_WIDTHS[field.type])
        if field.enum is not None and field.derivation is None:
            known = [each.number for each in field.enum.members]
            if self._broken in field.rules:
                known.append(max(known, default=0) + 1)
            return self._enum(field, self._choices.pick(key, known or [0]))
        bits, signed = self._width(field, frame)
        low, high = scalars.bounds(bits, signed)
        wanted = [each for each in self._solutions(layout, field, frame) if low <= each <= high]
        if field.coder is not None:
            # The results of the codec for other numbers are unknown.
            candidates = list(dict.fromkeys((*wanted, 0, 1, 2, 7)))
            return self._choices.pick(key, self._encodable(field.coder, candidates, frame) or candidates)
        if field.derivation is None and (layout.spec_name, field.attribute) in self._facts.placing:
            # Each element is placed after the previous one, with room for its bytes.
            self._offsets += 1
            offset = _ROOM * self._offsets
            return self._choices.pick(key, [*([offset] if low <= offset <= high else ()), 0, *wanted][:3])
        if field.derivation is not None or self._is_sizing(layout, field.attribute):
            near = [each for each in wanted if each <= MOST_NUMBERS or each - low < 1 << 8]
            most = 4 if self._depth < DEEP else 2
            small = self._of_counts(field, frame, most) or list(range(most))
            named = [each for each in self._named() if each <= MOST_NUMBERS] if field.derivation is None else []
            options = {"small": small, "solved": near or wanted, "named": named}
            kinds = ["small", *(name for name, each in options.items() if each)]
            found = options[self._choices.pick((key, "kind"), kinds)]
            return self._choices.pick(key, [each for each in found if low <= each <= high] or [0])
        return scalars.integer(self._choices, key, bits, signed, wanted)

    def _encodable(self, coder: FieldCodec, values: Sequence[int], frame: Frame) -> list[int]:
        """Returns the values that a codec without state has bytes for; none where its arguments are not known."""
        if coder.codec.syntax.state is not None:
            return []
        arguments = [self._evaluator.known(each, frame) for each in coder.arguments]
        if any(each is None for each in arguments):
            return []
        cls = getattr(self._schema.python(coder.codec.module), codec_class(coder.codec))
        found = []
        for value in values:
            try:
                Writer().coded("", cls, value, *arguments)
            except CodecError:
                continue
            found.append(value)
        return found

    def _of_counts(self, field: FieldLayout, frame: Frame, most: int) -> list[int]:
        """Returns the values of a derived number for the first counts of a list that comes later; empty for other numbers."""
        condition = None if field.derivation is None else field.derivation.condition
        counted = (
            []
            if condition is None
            else [each.operand for each in nodes.walk(condition) if isinstance(each, nodes.Count)]
        )
        found: list[int] = []
        if len(counted) == 1 and isinstance(counted[0], nodes.FieldValue) and counted[0].attribute not in frame.values:
            assert condition is not None
            for count in range(most):
                frame.values[counted[0].attribute] = [0] * count
                value = self._evaluator.known(condition, frame)
                found += [value] if isinstance(value, int) else []
            del frame.values[counted[0].attribute]
        return found

    def _solutions(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> list[int]:
        """Returns the numbers that a field needs for the conditions of a body, and for the tags of its variants."""
        own = nodes.FieldValue(field.name, field.attribute, field.slot)
        conditions, variants = self._facts.conditions_on(layout, field)
        found = [n for each in conditions for n in self._evaluator.solutions(each, own, frame) if isinstance(n, int)]
        for variant in variants:
            found += [tag for tag in self._tags(variant, shallow=self._depth >= DEEP) if isinstance(tag, int)]
        found += [each for each in self._facts.compared_with(layout, field) if isinstance(each, int)]
        return list(dict.fromkeys(int(each) for each in found))

    def _width(self, field: FieldLayout, frame: Frame) -> tuple[int, bool]:
        if field.coder is not None:
            result = field.coder.codec.syntax.result.name
            return 8 * FIXED_WIDTHS.get(result, 8), result[:1] == "i"
        if field.bits is not None:
            return field.bits[2], False
        if field.kind == "varint":
            return VARINT_BITS[field.type], field.type[0] in "si"
        if field.type == "bool8":
            return 1, False
        return 8 * FIXED_WIDTHS[field.type], field.type[0] == "i"

    def _enum(self, field: FieldLayout, number: Any) -> Any:
        if field.enum is None:
            return number
        cls = self._schema.class_of(field.enum)
        return cls(number) if number in {each.number for each in field.enum.members} else number

    def _text(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        key = (layout.spec_name, field.name)
        size: int | None = None
        if field.length is not None and field.length.kind in ("count", "index") and field.length.value is not None:
            size = self._counted(field.length.value, key, frame, field)
        elif field.length is None and field.size is not None and not field.codecs and field.coder is None:
            known = self._evaluator.known(field.size, frame)
            size = known if isinstance(known, int) and 0 <= known <= MOST_BYTES else None
        if size is None:
            own = nodes.Count(nodes.FieldValue(field.name, field.attribute, field.slot))
            conditions, _ = self._facts.conditions_on(layout, field)
            near = [n for each in conditions for n in self._evaluator.solutions(each, own, frame) if isinstance(n, int)]
            wanted = [n for each in conditions for n in self._evaluator.solutions(each, own.operand, frame)]
            wanted += self._facts.compared_with(layout, field)
            near += [count(each) for each in wanted if isinstance(each, str | bytes)]
            size = self._choices.pick((key, "size"), [3, 0, 1, 9, *(n for n in dict.fromkeys(near) if 0 <= n < 300)])
        named = [each for each in self._facts.texts if len(each) == size and field.terminator not in (each,)]
        if named and (chosen := self._choices.pick((key, "named"), [b"", *named])):
            try:
                return chosen.decode() if field.kind == "utf8" else chosen
            except UnicodeDecodeError:
                pass
        value: Any
        if field.kind == "utf8":
            value = scalars.text(self._choices, key, size)
        else:
            value = scalars.raw(self._choices, key, size)
        if field.terminator is not None:
            ending: Any = field.terminator.decode() if field.kind == "utf8" else field.terminator
            value = value.replace(ending, value[:0])
        return value

    def _bits(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        assert field.width is not None
        assert field.length is not None
        assert field.length.value is not None
        key = (layout.spec_name, field.name)
        count = self._counted(field.length.value, key, frame, field)
        try:
            width = self._evaluator.value(field.width, frame)
        except (Unknown, *FAILURES) as error:
            raise Rejected(str(error)) from None
        if not 0 <= width <= 64:
            raise Rejected(f"{field.name}: numbers of {width} bits")
        if field.derivation is not None:
            made = []
            for index in range(count):
                frame.index = index
                chosen = self._early_bits(layout, field)
                made.append(chosen if chosen >> width == 0 else 0)
            frame.index = None
            return made
        most = (1 << width) - 1
        for rule in field.rules:
            solved = self._evaluator.solutions(
                rule.condition, nodes.FieldValue(field.name, field.attribute, field.slot), frame
            )
            limits = [each for each in solved if isinstance(each, int) and each >= 0]
            most = min([most, max(limits)]) if limits else most
        options = list(dict.fromkeys(each for each in (0, 1, most, most // 2) if each <= most))
        return [self._choices.pick(key, options) for _ in range(count)]

    def _early_bits(self, layout: RecordLayout, field: FieldLayout) -> int:
        assert field.derivation is not None
        key = (layout.spec_name, field.name)
        match field.derivation.condition:
            case nodes.Attribute(base=base, name="tag"):
                options = self._tag_options(layout, base)
                return int(self._choices.pick(key, options or [0]))
        return self._choices.pick(key, [0, 1])

    def _encoded(self, layout: RecordLayout, field: FieldLayout, frame: Frame) -> Any:
        """Returns encoded values of the type that the last argument gives."""
        assert isinstance(field.target, Extension)
        key = (layout.spec_name, field.name)
        count = 1
        if field.length is not None and field.length.value is not None:
            count = self._counted(field.length.value, key, frame, field)
        try:
            *arguments, type_ = (self._evaluator.value(node, frame) for node in field.arguments)
            encoding = getattr(self._schema.python(field.target.module), type_name(field.target.name))
            shape = layout_of(encoding(*arguments) if arguments else encoding, type_)
        except (Unknown, *FAILURES) as error:
            raise Rejected(str(error)) from None
        return encoded_values(shape, count, key, self._choices)

    # ---- names in the declaration ----

    def _is_sizing(self, layout: RecordLayout | VariantLayout, attribute: str) -> bool:
        return (layout.spec_name, attribute) in self._facts.sizing

    def _named(self) -> list[int]:
        return [each + step for each in self._facts.numbers for step in (0, -1, 1)]

    def _nested(self, field: FieldLayout, frame: Frame) -> Any:
        """Returns the record or variant that a field holds."""
        raise NotImplementedError


def _other_tags(known: Sequence[Any]) -> list[Any]:
    """Returns tags that no alternative has: numbers behind all others, texts and bytes that differ from one in the last sign."""
    if all(isinstance(tag, int) for tag in known):
        return [max(known, default=0) + step for step in (1, 3, 4, 40)]
    changed = (_changed(tag, bit) for tag in known if isinstance(tag, bytes | str) and tag for bit in (1, 2, 4))
    return list(islice((tag for tag in changed if tag not in known), 2))


def _changed(tag: Any, bit: int) -> Any:
    """Returns a text or bytes whose last sign has another bit."""
    return tag[:-1] + (chr(ord(tag[-1]) ^ bit) if isinstance(tag, str) else bytes([tag[-1] ^ bit]))
