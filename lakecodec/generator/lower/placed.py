"""Fields that records place with `at`: how each is found, what is checked once it has been read, and what cannot be placed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from ..model import Record
from ..syntax import Call, RecordField
from ..syntax.walk import called_name, names, walk
from . import nodes
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, Rule, constant_count
from .nodes import Node
from .record_layout import RecordLayout

#: The attributes that lead to a value that holds an offset. A number selects a fixed element, None the element at the
#: index.
Pointer: TypeAlias = tuple[str | int | None, ...]

#: The offset that is assigned to a field.
PLACE = nodes.Variable("place")


@dataclass(frozen=True, slots=True)
class Placing:
    """Place of a field that stands `at` an offset of its own, and the checks made once it is read.

    Attributes:
        pointer: leads to the value that holds its offset, which is that value itself or a sum or difference with others; empty
            where none does, or where that value is derived itself.
        pointed: what that value must be for the offset `PLACE`.
        places: whether places of other fields are computed from it.
        to_end: whether it is read with `end`, `rest` or `at_end`.
        takes: a size that does not depend on other fields; None if it does or is unknown.
        rules: (field, rule, is derivation) of what is checked once it has been read.
    """

    pointer: Pointer
    pointed: Node
    places: bool
    to_end: bool
    takes: Node | None
    rules: tuple[tuple[FieldLayout, Rule, bool], ...]


def placings(layout: RecordLayout) -> dict[str, Placing]:
    """Returns a dict of field -> how it is found, for the fields that are placed with `at`."""
    placed = [each for each in layout.fields if each.place is not None]
    clauses = [clause for each in placed for clause in (each.place, each.alignment, each.size) if clause is not None]
    places = {name for clause in clauses for name in nodes.field_names(clause)}
    found = {}
    for each in placed:
        _refuse_derived_place(each, layout)
        _refuse_derived_count(each, layout)
        found[each.name] = Placing(
            *_pointer(each, layout),
            places=each.name in places,
            to_end=any(map(nodes.span_words, each.nodes_beside_place())),
            takes=_known_size(each),
            rules=tuple(_rules(each, layout)),
        )
    return found


def _known_size(each: FieldLayout) -> Node | None:
    """Returns a size that does not depend on other fields."""
    if each.size is None or each.by_element:
        return None if each.fixed is None or each.by_element else nodes.Constant(each.fixed)
    varies = any(
        isinstance(part, nodes.FieldValue | nodes.Parameter | nodes.SpanWord) for part in nodes.walk(each.size)
    )
    return None if varies else each.size


# ---- offsets that other fields hold ----


def _pointer(each: FieldLayout, layout: RecordLayout) -> tuple[Pointer, Node]:
    """Returns the first value in the sum that can be set; of elements with places one that each of them has, if any."""
    assert each.place is not None
    found = [(node, value) for node, value in _solved(each.place, PLACE) if not any(layout.derived_in(node))]
    own = [(node, value) for node, value in found if each.by_element and nodes.names_index(node)]
    node, value = [*own, *found, (PLACE, PLACE)][0]
    return _path(node), value


def _path(node: Node) -> Pointer:
    """Returns the path to a value that can be set; empty for another node."""
    path: list[str | int | None] = []
    while not isinstance(node, nodes.FieldValue):
        match node:
            case nodes.Attribute(base=base, name=name):
                path.insert(0, name)
            case nodes.Last(base=nodes.Attributes(base=base, name=name)):
                path[:0] = [-1, name]
            case nodes.Last(base=base):
                path.insert(0, -1)
            case nodes.Item(base=nodes.Attributes(base=base, name=name), index=index) if _is_known(index):
                path[:0] = [constant_count(index), name]
            case nodes.Item(base=base, index=index) if _is_known(index):
                path.insert(0, constant_count(index))
            case _:
                return ()
        node = base
    return (node.attribute, *path)


def _is_known(index: Node) -> bool:
    """Returns whether an index is that of the element that is placed, or a constant."""
    return isinstance(index, nodes.ElementIndex) or (
        (constant_count(index) or 0) >= 0 and isinstance(index, nodes.Constant)
    )


def _solved(node: Node, wanted: Node) -> Iterator[tuple[Node, Node]]:
    """Yields (value that can be set, what it must be) for the parts of a sum, difference or multiple that must be ``wanted``."""
    if _path(node):
        yield node, wanted
    elif isinstance(node, nodes.Arithmetic) and node.operator in ("+", "-") and not nodes.span_words(node):
        inverse = "-" if node.operator == "+" else "+"
        yield from _solved(node.left, nodes.Arithmetic(inverse, wanted, node.right))
        first = (wanted, node.left) if node.operator == "+" else (node.left, wanted)
        yield from _solved(node.right, nodes.Arithmetic("-", *first))
    elif isinstance(node, nodes.Arithmetic) and node.operator == "*":
        for factor, unit in ((node.left, node.right), (node.right, node.left)):
            if (constant_count(unit) or 0) > 0:
                yield from _solved(factor, nodes.Arithmetic("//", wanted, unit))


def implied_alignment(place: Node | None) -> Node | None:
    """Returns the unit in which a place is counted, as 512 in `at first + sector * 512`, if all of its parts are multiples."""
    if place is None or isinstance(place, nodes.Constant):
        return None
    unit = _unit(place)
    return nodes.Constant(unit) if unit > 1 else None


def _unit(node: Node) -> int:
    match node:
        case nodes.Constant(value=int(number)):
            return number
        case nodes.Arithmetic(operator="+" | "-", left=left, right=right):
            return gcd(_unit(left), _unit(right))
        case nodes.Arithmetic(operator="*", left=left, right=right):
            return _unit(left) * _unit(right)
    return 1


# ---- rules ----


def _rules(field: FieldLayout, layout: RecordLayout) -> Iterator[tuple[FieldLayout, Rule, bool]]:
    """Yields the rules that need a placed field, without those that only repeat how it is found."""
    waiting = (found for found in layout.rules_after(field) if found[0].place is None)
    own = (
        (field, rule, False)
        for rule in field.rules
        if rule.setting is None or not _later_dependency(field, rule, layout)
    )
    late = (
        (other, rule, False)
        for other in layout.fields
        for rule in other.rules
        if other.place is not None and rule.setting is not None and _later_dependency(other, rule, layout) is field
    )
    for other, rule, is_derived in [*own, *late, *waiting]:
        derived = is_derived or rule.setting is not None
        counted = derived and field.dimension is not None and layout.counts_itself(field.dimension, field)
        match rule.condition if rule.setting is None else rule.setting.value:
            case nodes.PlacedMeasure(function="size", field=name) if derived and name == field.name:
                counted = _is_set(field.size, other, rule)
            case nodes.PlacedMeasure(function="offset", field=name) if derived and name == field.name:
                counted = _is_set(field.place, other, rule)
            case nodes.Count(operand=nodes.FieldValue(field=name)) if name == field.name:
                pass
            case _:
                counted = False
        # Where the field is absent, what it is found by is still compared with it.
        if not counted or (field.presence is not None and other is not field):
            yield other, rule, is_derived


def _is_set(node: Node | None, other: FieldLayout, rule: Rule) -> bool:
    """Returns whether an expression is the very value that is derived."""
    inside = () if rule.setting is None else rule.setting.path
    found = () if node is None else _path(node)
    return found[:1] == (other.attribute,) and [each for each in found[1:] if each is not None] == [
        each for each in inside if each is not None
    ]


def _later_dependency(field: FieldLayout, rule: Rule, layout: RecordLayout) -> FieldLayout | None:
    """Returns the last placed field that a setting of a placed field names and that cannot be found without that one."""
    assert rule.setting is not None
    placed = [each for each in layout.fields if each.place is not None and each is not field]
    named = {getattr(part, "field", "") for part in nodes.walk(rule.setting.value)}
    return next((each for each in reversed(placed) if each.name in named and _depends_on(each, field, layout)), None)


def _depends_on(field: FieldLayout, other: FieldLayout, layout: RecordLayout) -> bool:
    """Returns whether a field cannot be found and read without another one."""
    pending, seen = [field], [field]
    while pending:
        each = pending.pop()
        named = {getattr(part, "field", "") for node in _finding(each) for part in nodes.walk(node)}
        found = [each for each in layout.fields if each.name in named and each not in seen]
        if other in found:
            return True
        pending += found
        seen += found
    return False


def _finding(field: FieldLayout) -> Iterator[Node]:
    """Yields the expressions that must be known before a field is read, without those that others compute of it."""
    settings = [rule.condition for rule in field.rules if rule.setting is not None]
    yield from (node for node in field.nodes() if not any(node is each for each in settings))


# ---- refusals of placed fields ----


def check_placed(record: Record) -> None:
    """Raises UnsupportedExpression for a record that cannot be read field by field."""
    for each in record.fields:
        conditional = (where.setting for where in each.invariants if where.setting is not None)
        if each.at is not None and (each.derived is not None or not all(any(found.path) for found in conditional)):
            raise UnsupportedExpression("a field placed with `at` cannot be derived: give it a `where`", each.location)
    _refuse_checks(record)
    _refuse_cycles(record)
    _refuse_measures(record)


def _refuse_checks(record: Record) -> None:
    """Refuses checks of the whole record that need placed fields, which are read on first access."""
    placed = {each.name for each in record.fields if each.at is not None}
    for check in record.checks:
        found = next((name for name in names(check.condition) if name.name in placed), None)
        if found is not None or len(placed) == len(record.fields):
            message = "what is placed with `at` is read later: check it in a `where` of the field itself"
            raise UnsupportedExpression(message, check.condition if found is None else found)


def _refuse_cycles(record: Record) -> None:
    """Refuses fields that need themselves to be found, read or checked."""
    located = {each.name: each for each in record.fields if each.at is not None}

    def needed(each: RecordField) -> set[str]:
        rules = (where.condition for where in each.invariants if where.setting is None)
        clauses = (each.at, each.align, each.size, *(each.type.arguments or ()), *rules)
        used = {name.name for clause in clauses if clause is not None for name in names(clause)}
        return used & (set(located) - {each.name})

    for each in located.values():
        seen: set[str] = set()
        pending = list(needed(each))
        while pending:
            name = pending.pop()
            if name == each.name:
                raise UnsupportedExpression(f"'{each.name}' has a place that depends on itself", each.location)
            if name not in seen:
                seen.add(name)
                pending += needed(located[name])


def _refuse_derived_place(each: FieldLayout, layout: RecordLayout) -> None:
    """Refuses a place that is computed from the offset of the field itself, where writers put it at its place only."""
    assert each.place is not None
    depends = any(isinstance(part, nodes.Conditional) for part in nodes.walk(each.place))
    if depends or not (layout.gaps or each.from_source):
        return
    for part in (part for derived in layout.derived_in(each.place) for part in nodes.placed_measures(derived.value)):
        if (part.function, part.field) == ("offset", each.name) and part.location:
            why = f"'{each.name}' stands where this number says, and this number is the offset of '{each.name}'"
            message = f"{why}: do not derive it, since it is given, or None, which writers compute"
            raise UnsupportedExpression(message, part.location)


def _refuse_derived_count(each: FieldLayout, layout: RecordLayout) -> None:
    """Refuses a length that must be known before the field whose size it is computed from is written."""
    for dimension in (dimension for dimension in each.dimensions if not layout.counts_itself(dimension, each)):
        for derived in layout.derived_in(dimension.value):
            for part in () if isinstance(derived.value, nodes.Conditional) else nodes.placed_measures(derived.value):
                if (part.function, part.field) == ("size", each.name) and part.location:
                    why = f"the length of '{each.name}' is computed from this number, which needs the size of '{each.name}'"
                    raise UnsupportedExpression(f"{why}: `{each.name}[..] size n` takes n bytes", part.location)


def _refuse_measures(record: Record) -> None:
    """Refuses places that depend on the bytes at the place, or on those of sequential fields."""
    for each in record.fields:
        clauses = () if each.at is None else (each.at, each.align, each.size, each.present)
        for part in (part for expr in clauses if expr is not None for part in walk(expr)):
            if isinstance(part, Call) and called_name(part) in ("size", "raw_size"):
                raise UnsupportedExpression("fields placed with `at` have no measures: name what places them", part)
