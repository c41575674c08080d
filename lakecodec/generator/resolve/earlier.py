"""Earlier elements of a list: what the list's own name means in the arguments of its elements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..paths import list_dimensions
from ..syntax import Binary, Call, Compare, Dimension, Expr, Index, Literal_, Name, RecordField, Slice, Ternary
from ..syntax.walk import called_name, is_before, names, rebuilt

#: Functions of a field's bytes, which are not available for earlier elements.
_OF_BYTES = ("encoded", "offset", "raw_size", "size")


def with_earlier(field: RecordField) -> RecordField:
    """Returns a field in which the arguments of elements and of their codecs name earlier elements by their index, which is
    called `count(x)` where it has no name.
    """
    field = _growing(field)
    lists = list_dimensions(field)
    # Codecs of a list in one span apply to the whole list.
    via = field.via if field.size is None or (lists and lists[0].kind == "index") else ()
    arguments = field.type.arguments or ()
    if not lists or not any(name.name == field.name for each in (*arguments, *via) for name in names(each)):
        return field
    variable = lists[0].variable or f"count({field.name})"
    found = tuple(_rewritten(each, field.name, variable) for each in arguments)
    steps = tuple(_rewritten(each, field.name, variable) for each in via) or field.via
    if (found, steps) == (arguments, field.via):
        return field
    dimensions: tuple[Dimension, ...] = (replace(lists[0], variable=variable), *field.dimensions[1:])
    type_ = replace(field.type, arguments=found) if found else field.type
    return replace(field, type=type_, via=steps, dimensions=dimensions)


def _growing(field: RecordField) -> RecordField:
    """Returns a field with `[until e]` whose place names the elements before, so that each has its own, as one with `[i < n]`."""
    lists = list_dimensions(field)
    if not lists or lists[0].kind != "until" or lists[0].expression is None or field.at is None:
        return field
    if not any(name.name == field.name for name in names(field.at)):
        return field
    where, variable = lists[0].location, f"count({field.name})"
    count = Call(Name("count", where), (Name(field.name, where),), where)
    more = Binary("+", count, Literal_(1, where), where)
    is_begun = Compare((">",), (count, Literal_(0, where)), where)
    wanted = Ternary(Binary("and", is_begun, lists[0].expression, where), count, more, where)
    found = {
        clause: _rewritten(expression, field.name, variable)
        for clause in ("at", "align", "size", "present")
        if (expression := getattr(field, clause)) is not None
    }
    grown = replace(lists[0], kind="index", expression=wanted, variable=variable, grows=True)
    return replace(field, dimensions=(grown, *field.dimensions[1:]), **found)


def _rewritten(expression: Expr, own: str, variable: str) -> Any:
    def change(node: Any) -> Any:
        match node:
            case Call(function=Name(name="count"), arguments=(Name(name=name),)) if name == own:
                return Name(variable, node.location)
            case Call(function=Name(name="last"), arguments=(Name(name=name) as base,)) if name == own:
                before = Binary("-", Name(variable, node.location), Literal_(1, node.location), node.location)
                return Index(base, before, node.location)
            case Index(base=Name(name=name) as base) if name == own:
                index = rebuilt(node.index, change)
                return Index(base if is_before(index, variable) else previous_elements(base), index, node.location)
            case Call() if called_name(node) in _OF_BYTES:
                return node
            case Name(name=name) if name == own:
                return previous_elements(node)
        return None

    def previous_elements(base: Name) -> Slice:
        return Slice(base, None, Name(variable, base.location), base.location)

    return rebuilt(expression, change)
