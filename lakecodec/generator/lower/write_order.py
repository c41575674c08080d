"""Order of writing: the fields to encode before their place is reached, because sizes or offsets are derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from ..builtin_names import FIXED_WIDTHS
from ..model import Record
from ..names import field_name
from ..syntax import Call, Name
from . import nodes
from .field_layout import FieldLayout, Rule
from .nodes import Node
from .record_layout import RecordLayout
from .shapes import record_size

#: Values that are known only while bytes are read.
OF_READING = frozenset(("at_end", "end"))


class WriteOrder:
    """The needs of writing one body, or its one field ``only``: sizes, values and places that must be known earlier."""

    def __init__(self, layout: RecordLayout, only: FieldLayout | None = None) -> None:
        self.layout = layout
        self.only = only
        self._widths: dict[str, Node | None] = {}

    @cached_property
    def requested(self) -> set[tuple[str, str]]:
        """The (field, what) of all measures that the body's fields ask for."""
        clauses = [rule.condition for rule in self.layout.checks]
        clauses += [clause for each in self.layout.fields for clause in each.nodes()]
        return {(each.field, each.capture) for clause in clauses for each in nodes.measures(clause)}

    def kept_measures(self, wholes: Sequence[Rule]) -> dict[str, set[str]]:
        """Returns a dict of field -> its measures (`size`, `raw_size`) that clauses and invariants need, and ``wholes`` of the
        whole: what they measure is encoded once, and kept.
        """
        found: dict[str, set[str]] = {}
        rules = [
            (rule.condition, each.name) for each in self.layout.fields for rule in each.rules if rule.setting is None
        ]
        rules += [(rule.condition, self.layout.fields[0].name) for rule in wholes]
        needed = [each for condition, name in rules for each in self.needed(condition, name)]
        needed += [each for field in self.layout.fields for node in field.nodes() for each in self.measured(node)]
        for function, measured in needed:
            found.setdefault(measured, set()).add(function)
        return found

    def has_checked_size(self, field: FieldLayout) -> bool:
        """Returns whether a field always has a size that is not derived from its own bytes."""
        return (checked := self.checked_size(field)) is not None and checked[0] is None

    def checked_size(self, field: FieldLayout) -> tuple[nodes.Node | None, nodes.Node] | None:
        """Returns the declared size if it is not derived from the field's own bytes."""
        declared = self.declared_size(field)
        return None if declared is None or self.depends_on_encoded(declared[1], field.name) else declared

    def declared_size(self, field: FieldLayout) -> tuple[nodes.Node | None, nodes.Node] | None:
        """Returns the size that a field's bytes must have, and under which condition: `c ? n : rest` says it for `c` alone."""
        condition, size = None, field.size
        if isinstance(size, nodes.Conditional) and not nodes.span_words(size.condition):
            if nodes.span_words(size.otherwise):
                condition, size = size.condition, size.then
            elif nodes.span_words(size.then):
                condition, size = nodes.Not(size.condition), size.otherwise
        if size is None or self.only is not None or nodes.span_words(size):
            return None
        return condition, size

    def compared_size(self, field: FieldLayout) -> tuple[nodes.Node | None, nodes.Node] | None:
        """Returns the same where it is compared when the field, or the whole list, is written: not if it is derived to be
        what the field takes, and not for elements that are compared one by one.
        """
        declared = self.declared_size(field)
        if declared is None or not self.depends_on_encoded(declared[1], field.name):
            return None if field.by_element else declared
        return None if self._sums(declared[1]) == {field.name: 1} else declared

    def _sums(self, node: Node) -> dict[Node | str, int]:
        """Returns the terms of a sum with their factors: fields whose sizes are terms, and other nodes. Derived fields are
        replaced by their derivations.
        """
        match node:
            case nodes.Constant(value=int(value)):
                return {nodes.Constant(1): value} if value else {}
            case nodes.Measure(function="size", field=name, index=None | nodes.ElementIndex()):
                return {name: 1}
            case nodes.Arithmetic(operator="+" | "-" as sign, left=left, right=right):
                found = Counter(self._sums(left))
                found.update({each: n if sign == "+" else -n for each, n in self._sums(right).items()})
                return {each: n for each, n in found.items() if n}
            case nodes.FieldValue() | nodes.Attribute() | nodes.Item(index=nodes.ElementIndex()):
                named = nodes.path_of(node)[1:]
                for derived in self.layout.derived_in(node):
                    setting = derived.setting
                    path = setting.path if setting is not None else (None,) * len(named)
                    if path == named and (setting is None or setting.when is None):
                        return self._sums(derived.value)
        return {node: 1}

    def inside(self, field: FieldLayout) -> dict[str, Node]:
        """Returns the known words about a field's own span: its size is known unless it is derived from the field."""
        whole_list = field.dimension and not field.by_element
        if field.size is None or field.span_codecs or whole_list or not self.has_checked_size(field):
            return {}
        return {"rest": field.size, "end": field.size, "at_end": nodes.is_zero(field.size)}

    def needed(self, rule: Node, name: str) -> Iterator[tuple[str, str]]:
        """Yields (function, field) of the encoded fields that a rule about a field needs; `rest` is what follows it."""
        if "rest" in nodes.span_words(rule):
            yield from (("size", each.name) for each in self._after(name) if each.fixed is None)
        yield from self.measured(rule)

    def measured(self, node: Node) -> Iterator[tuple[str, str]]:
        """Yields (function, field) of the encoded fields that an expression measures."""
        for measure in nodes.measures(node):
            if measure.function == "offset":
                yield from (("size", each.name) for each in self.before(measure.field) if self.width(each) is None)
                if measure.index is not None:
                    yield "size", measure.field
            elif measure.fixed is None:
                yield measure.function, measure.field
        for part in nodes.walk(node):
            if isinstance(part, nodes.Encoded):
                yield from (("size", each) for each in part.fields)

    def depends_on_encoded(self, node: Node, encoded: str, seen: tuple[Node, ...] = ()) -> bool:
        """Returns whether what an expression names is derived from the encoded form of a field."""
        for each in self.layout.derived_in(node):
            if any(each.value is known for known in seen):
                continue
            if any(measured == encoded for _, measured in self.needed(each.value, each.field.name)):
                return True
            if nodes.measures_placed(each.value, encoded):
                return True
            if self.depends_on_encoded(each.value, encoded, (*seen, each.value)):
                return True
        return False

    def given(self, count: Node) -> Node:
        """Returns a count as it is known before the record that holds it is written: of ``head.n``, ``count(head.rows)``, or
        what sets it.
        """
        match count:
            case nodes.Attribute(base=nodes.FieldValue(field=name) as holder, name=own):
                held = self.layout.field(name)
                for setting in held.settings if held is not None and held.dimension is None else ():
                    if setting.path == (own,) and setting.when is None and isinstance(setting.value, nodes.Count):
                        return setting.value
                target = None if held is None else held.target
                if not isinstance(target, Record):
                    return count
                fields = {field_name(each.name): each for each in target.fields}
                match fields[own].derived if own in fields else None:
                    case Call(function=Name(name="count"), arguments=(Name(name=listed),)) if (
                        field_name(listed) in fields
                    ):
                        kind = fields[field_name(listed)].kind
                        return nodes.Count(nodes.Attribute(holder, field_name(listed), kind=kind), kind=count.kind)
        return count

    def offset(self, name: str, begin: Node) -> Node:
        """Returns the offset of a field whose body begins at ``begin``."""
        return self.sum_of([begin], self.before(name))

    def size_after(self, name: str) -> Node:
        return self.sum_of([], self._after(name))

    def width(self, field: FieldLayout) -> Node | None:
        """Returns the bytes of a field that has so many whatever its values are; None where they must be encoded first."""
        if field.name not in self._widths:
            self._widths[field.name] = _width(field)
        return self._widths[field.name]

    def counts_before(self, node: Node) -> Iterator[Node]:
        """Yields the numbers of elements that the offsets in an expression are computed from."""
        for measure in nodes.measures(node):
            for each in self.before(measure.field) if measure.function == "offset" else ():
                width = self.width(each)
                if width is not None and each.fixed is None:
                    yield width

    @cached_property
    def _places(self) -> dict[str, int]:
        return {each.name: place for place, each in enumerate(self.layout.fields)}

    def before(self, name: str) -> Sequence[FieldLayout]:
        return self.layout.fields[: self._places.get(name)]

    def _after(self, name: str) -> Sequence[FieldLayout]:
        return self.layout.fields[self._places.get(name, len(self.layout.fields)) + 1 :]

    def sum_of(self, first: list[Node], fields: Sequence[FieldLayout]) -> Node:
        """Returns the sum of the measures of fields whose sizes vary, and of the bytes of the others."""
        varying = (
            self.width(each) or nodes.Measure("size", each.name, each.attribute, None)
            for each in fields
            if each.fixed is None
        )
        terms = [*first, *varying]
        known = sum(each.fixed for each in fields if each.fixed is not None)
        if known or len(terms) == len(first):
            terms.append(nodes.Constant(known))
        found = terms[0]
        for term in terms[1:]:
            found = nodes.Arithmetic("+", found, term)
        return found


def _width(field: FieldLayout) -> Node | None:
    if field.fixed is not None:
        return nodes.Constant(field.fixed)
    if field.presence is None:
        return _width_where_present(field)
    if field.by_element or nodes.span_words(field.presence):
        return None
    width = _width_where_present(field)
    return None if width is None else nodes.Conditional(field.presence, width, nodes.Constant(0))


def _width_where_present(field: FieldLayout) -> Node | None:
    each = FIXED_WIDTHS[field.type] if field.is_plain_number else None
    if isinstance(field.target, Record) and field.size is None:
        each = record_size(field.target)
    if each is None or field.dimension is None:
        return None if each is None else nodes.Constant(each)
    if field.dimension.kind not in ("count", "index") or nodes.span_words(field.dimension.count):
        return None
    return nodes.Arithmetic("*", field.dimension.count, nodes.Constant(each))
