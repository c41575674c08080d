"""Damaged samples: valid bytes in which one field was changed, moved, repeated, left out or cut.

The reader itself tells which field a byte belongs to: the field that it names when the data ends at this byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout, Rule
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Definition, Enum, Extension, ListOf, MapOf, Record, SetOf, Struct
from ...runtime.errors import DecodeError
from ..schema import Schema, schema_of
from .broken import RuleBreaker
from .choices import SeededChoices
from .expressions import Frame
from .sampler import Sample, facts_of, sample_list

Kind = Literal[
    "count", "length", "tag", "magic", "value", "order", "missing", "repeated", "truncation", "left over", "rule"
]
#: The most bytes per sample that are tried one by one to find their fields.
_MOST_TRACED = 1500
#: The varint of another length that replaces a varint: 2**31 - 1.
_LARGE_VARINT = b"\xff\xff\xff\xff\x07"


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that were valid but for one change.

    Attributes:
        data: the changed bytes.
        kind: the role of the changed field, or the kind of change.
        path: of the field, empty for the whole.
        offset: of the first changed byte.
        parameters: that the bytes are read with.
    """

    data: bytes
    kind: Kind
    path: str
    offset: int
    parameters: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class _Span:
    path: str
    start: int
    end: int


def damaged(type: Any, n: int = 10, seed: int = 0, schema: Schema | None = None) -> list[Damaged]:
    """Returns ``n`` damaged encodings of a generated class, the same ones for the same seed.

    Each has one change in one field: counts, lengths, tags and magics become one more, one less, zero or the maximum;
    neighbours swapped, a field left out, repeated or that of another element, bytes cut off or left over; or breaks one rule and
    keeps all others. A reader may still accept some, as another value; it must do nothing worse.

    Args:
        type: a struct, union, record or variant of a generated module.

    Raises:
        TypeError: ``type`` is no generated class, or an enum, which has no bytes of its own.
        ValueError: no valid value was found, or ``n`` is negative.
        ValueError: the IDL that the class was generated from is not found.
    """
    if n < 0:
        raise ValueError(f"n: {n} is negative")
    schema = schema_of(type) if schema is None else schema
    definition = schema.definition(type)
    if isinstance(definition, Enum):
        raise TypeError(f"type: {type.__name__} is an enum, which has no bytes of its own")
    random = Random(seed)
    roles = _Roles(schema)
    found: list[Damaged] = []
    batch = 0
    breaker = RuleBreaker(type, schema, SeededChoices(seed))
    while len(found) < n:
        found += broken(breaker, breaker.rules[batch : batch + 4])
        for sample in sample_list(type, 4, seed + batch, schema):
            changes = [
                *_changes(sample, list(_spans(type, sample)), definition, roles),
                *_unselected(sample, definition, schema),
            ]
            # A sample has more values than counts, so some of each kind are taken.
            kinds = list(dict.fromkeys(each.kind for each in changes))
            for kind in kinds:
                found.append(random.choice([each for each in changes if each.kind == kind]))
        batch += 4
    # Every kind occurs early. The seed decides the order.
    return random.sample(found, len(found))[:n]


def broken(breaker: RuleBreaker, rules: Iterable[Rule]) -> Iterator[Damaged]:
    """Yields bytes that break one of the rules each; none for those that no bytes were found for."""
    for rule in rules:
        found = breaker.breaking(rule)
        if found is not None:
            sample, error = found
            yield Damaged(sample.data, "rule", error.path, error.offset or 0, sample.parameters)


def _spans(cls: Any, sample: Sample) -> Iterator[_Span]:
    """Yields the fields of a sample in their order; within a long one only some of the bytes are tried."""
    size, start = min(len(sample.data), _MOST_TRACED), 0
    paths: dict[int, str] = {}

    def path_at(position: int) -> str:
        if position not in paths:
            paths[position] = _stopped_at(cls, sample, position)
        return paths[position]

    while start < size:
        path, inside, step = path_at(start), start, 1
        while inside + step < size and path_at(inside + step) == path:
            inside, step = inside + step, 2 * step
        outside = min(inside + step, size)
        while outside - inside > 1:
            middle = (inside + outside) // 2
            if path_at(middle) == path:
                inside = middle
            else:
                outside = middle
        # Bytes after the last one that was tried belong to the last field.
        yield _Span(path, start, outside if outside < size else len(sample.data))
        start = outside


def _stopped_at(cls: Any, sample: Sample, position: int) -> str:
    """Returns the path of the field that misses the byte at a position."""
    try:
        cls.from_bytes(sample.data[:position], *sample.parameters)
    except DecodeError as error:
        return error.path
    return ""


def _changes(sample: Sample, spans: list[_Span], definition: Definition, roles: _Roles) -> Iterator[Damaged]:
    data, parameters = sample.data, sample.parameters
    before_it: dict[str, bytes] = {}
    for place, span in enumerate(spans):
        own = data[span.start : span.end]
        before, behind = data[: span.start], data[span.end :]
        kind = roles.of(definition, span.path)
        named = [each for each in roles.texts if len(each) == len(own)]
        large = (_LARGE_VARINT,) if kind in ("count", "length") and own[-1] < 128 else ()
        for changed in dict.fromkeys((*_changed(own), *named, *large)):
            if changed != own:
                yield Damaged(before + changed + behind, kind, span.path, span.start, parameters)
        # The value of the same field in another element breaks rules about unique or ascending names.
        key = re.sub(r"\d+", "", span.path)
        if before_it.get(key, own) != own:
            yield Damaged(before + before_it[key] + behind, "repeated", span.path, span.start, parameters)
        before_it[key] = own
        yield Damaged(before + behind, "missing", span.path, span.start, parameters)
        yield Damaged(before + own + own + behind, "repeated", span.path, span.end, parameters)
        yield Damaged(before + own[: len(own) // 2], "truncation", span.path, span.start + len(own) // 2, parameters)
        if place + 1 < len(spans):
            other = data[span.end : spans[place + 1].end]
            if other != own:
                rest = data[spans[place + 1].end :]
                yield Damaged(before + other + own + rest, "order", span.path, span.start, parameters)
    yield Damaged(data + b"\0", "left over", "", len(data), parameters)


def _unselected(sample: Sample, definition: Definition, schema: Schema) -> Iterator[Damaged]:
    """Yields a variant whose parameters select none of its alternatives."""
    layout = schema.layout(definition) if isinstance(definition, Record | Extension) else None
    if not isinstance(layout, VariantLayout) or not isinstance(layout.tag, nodes.Parameter) or layout.otherwise:
        return
    frame = Frame(layout.module, {})
    known = [facts_of(schema).evaluator.known(tag, frame) for each in layout.alternatives for tag in each.tags]
    numbers = [int(each) for each in known if isinstance(each, int)]
    if numbers and len(numbers) == len(known):
        place = [each.attribute for each in layout.parameters].index(layout.tag.attribute)
        given = (*sample.parameters[:place], max(numbers) + 1, *sample.parameters[place + 1 :])
        yield Damaged(sample.data, "tag", "", 0, given)


def _changed(own: bytes) -> Iterator[bytes]:
    """Yields other values of a field: neighbours in both byte orders, zero, all bits, the sign alone."""
    for place in {0, len(own) - 1}:
        for step in (1, -1, 2):
            yield own[:place] + bytes([(own[place] + step) % 256]) + own[place + 1 :]
        yield own[:place] + bytes([own[place] ^ 0x80]) + own[place + 1 :]
    yield bytes(len(own))
    yield b"\xff" * len(own)
    yield b"\xff" * (len(own) - 1) + b"\x7f"


class _Roles:
    """Roles of fields, by their paths."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        facts = facts_of(schema)
        self._sizing = facts.sizing
        #: The texts in the declarations, which replace magics.
        self.texts = facts.texts

    def of(self, definition: Definition, path: str) -> Kind:
        """Returns the role of the field at a path of a definition."""
        inside: list[Definition] = [definition]
        kind: Kind = "tag" if isinstance(definition, Struct) else "value"
        for name in re.sub(r"\[\d+\]", "", path).split("."):
            found = [each for item in inside for each in self._fields(item) if each[0] == name]
            if not found:
                return kind
            _, kind, target = found[0]
            inside = [] if target is None else [target]
        return kind

    def _fields(self, item: Definition) -> Iterator[tuple[str, Kind, Definition | None]]:
        """Yields the name, the purpose and the type of each field of a definition."""
        if isinstance(item, Struct):
            for each in item.fields:
                inner = each.type
                while isinstance(inner, ListOf | SetOf | MapOf):
                    inner = inner.value
                kind: Kind = "count" if inner is not each.type else "value"
                yield each.name, kind, inner if isinstance(inner, Struct) else None
        elif isinstance(item, Record | Extension):
            layout = self._schema.layout(item)
            bodies = [layout] if isinstance(layout, RecordLayout) else [each.record for each in layout.alternatives]
            for body in bodies:
                for field in body.fields:
                    yield field.name, self._kind(body, field), field.target

    def _kind(self, body: RecordLayout, field: FieldLayout) -> Kind:
        match None if field.derivation is None else field.derivation.condition:
            case nodes.Attribute(name="tag"):
                return "tag"
            case nodes.Constant() | nodes.Global() | nodes.Encode():
                return "magic"
            case nodes.Count():
                return "count"
            case nodes.Measure():
                return "length"
        if (body.spec_name, field.attribute) in self._sizing:
            return "length"
        return "value"
