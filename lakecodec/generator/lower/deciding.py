"""The values that decide how a field is written, which errors name when they contradict it."""

from __future__ import annotations

from collections.abc import Iterator

from . import nodes
from .field_layout import FieldLayout
from .nodes import Node
from .record_layout import RecordLayout


def deciding(layout: RecordLayout) -> dict[str, list[str]]:
    """Returns the paths of the values that the clauses of fields name, by the fields' attributes.

    A path has attributes and ``[]`` for the element at the index. A derived field, a computed attribute or what `with`
    computes inside of a field stands for what it is computed from.
    """
    computed = {each.attribute: each.value for each in layout.computed}
    for each in layout.fields:
        if each.derivation is not None:
            computed[each.attribute] = each.derivation.condition
        computed |= {each.attribute + _text(setting.path): setting.value for setting in each.settings if setting.path}
    found = {each.attribute: _paths(each, computed) for each in layout.fields}
    whole = [path for rule in layout.checks for path in _paths_in(rule.condition, computed, ())]
    return {name: paths for name, paths in {**found, "": [*dict.fromkeys(whole)]}.items() if paths}


def _paths(field: FieldLayout, computed: dict[str, Node]) -> list[str]:
    given = [rule.condition for rule in field.rules if rule.setting is None]
    given += [setting.value for setting in field.settings if not setting.path]
    derived = None if field.derivation is None else field.derivation.condition
    parts = (*field.clauses(), *([] if derived is None or _is_count(derived) else [derived]), *given)
    paths = [path for node in parts for path in _paths_in(node, computed, (field.attribute,))]
    return [path for path in dict.fromkeys(paths) if path.partition(".")[0].removesuffix("[]") != field.attribute]


def _is_count(node: Node) -> bool:
    """Returns whether a value is a count or a size of a field: its errors are about that field."""
    match node:
        case nodes.Count(operand=nodes.FieldValue(kind=kind)):
            return kind.kind != "values"
        case nodes.Measure():
            return True
    return False


def _paths_in(node: Node, computed: dict[str, Node], inside: tuple[str, ...]) -> Iterator[str]:
    """Yields the paths in an expression; ``inside`` are the computed names that are being replaced."""
    base, path = _base_of(node)
    match base:
        case nodes.FieldValue(attribute=name) | nodes.Parameter(attribute=name):
            known = next((each for each in (name + path, name) if each in computed and each not in inside), None)
            if known is None:
                yield name + path
            else:
                yield from _paths_in(computed[known], computed, (*inside, known))
        case nodes.Measure(attribute=name) | nodes.PlacedMeasure(attribute=name):
            yield name
        case nodes.Encoded(attributes=names):
            yield from names
    for part in _operands(node):
        yield from _paths_in(part, computed, inside)


def _text(path: tuple[str | None, ...]) -> str:
    return "".join("[]" if each is None else f".{each}" for each in path)


def _base_of(node: Node) -> tuple[Node, str]:
    """Returns the value that a chain of attributes begins with, and the path from it as far as it has one."""
    match node:
        case nodes.Attribute(base=base, name=name):
            found, path = _base_of(base)
            return found, f"{path}.{name}"
        case nodes.Item(base=base, index=nodes.ElementIndex()):
            found, path = _base_of(base)
            return found, f"{path}[]"
        case nodes.Attributes(base=base) | nodes.Item(base=base) | nodes.Last(base=base) | nodes.Slice(base=base):
            return _base_of(base)[0], ""
    return node, ""


def _operands(node: Node) -> Iterator[Node]:
    """Yields the operands of a node that are not on the chain of attributes that it ends."""
    if isinstance(node, nodes.Attribute | nodes.Attributes | nodes.Item | nodes.Last | nodes.Slice):
        yield from (part for part in nodes.children(node) if part is not node.base)
        yield from _operands(node.base)
    else:
        yield from nodes.children(node)
