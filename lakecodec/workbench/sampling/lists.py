"""Lists that keep their rules: without repetition, in order, or a permutation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout, Rule
from ...generator.lower.nodes import Node
from ...runtime.records.rows import store
from .choices import Choices


def arranged(
    value: Any, field: FieldLayout, rules: Sequence[Rule], choices: Choices, broken: Rule | None = None
) -> Any:
    """Returns a list whose elements are in the order, and as different, as `unique`, `ascending` and `is_permutation` ask.

    If one of these rules is to be ``broken``, two neighbouring elements are equal or in the wrong order.
    """
    if not isinstance(value, list):
        return value
    for function, name in _arrangements(field, rules):
        if function == "is_permutation":
            value[:] = choices.shuffled(range(len(value)))
        elif function == "ascending":
            value.sort(key=lambda each: _key(each, name))
    if broken in rules and len(value) > 1:
        place = choices.integer(0, len(value) - 2)
        for function, name in _arrangements(field, [rule for rule in rules if rule is broken]):
            if function == "ascending":
                value[place : place + 2] = value[place + 1], value[place]
            elif not name:
                value[place] = value[place + 1]
            elif value[place] is not value[place + 1]:
                store(value[place], name, getattr(value[place + 1], name))
    return value


def _arrangements(field: FieldLayout, rules: Sequence[Rule]) -> list[tuple[str, str]]:
    """Returns the functions that rules call with a field, and the attribute of its elements that they are about."""
    found = []
    for rule in rules:
        for part in nodes.walk(rule.condition):
            if (
                isinstance(part, nodes.Builtin)
                and part.operands
                and (path := _path(part.operands[0], field)) is not None
            ):
                found.append((part.name, path))
    return found


def _path(node: Node, field: FieldLayout) -> str | None:
    match node:
        case nodes.FieldValue(field=name):
            return "" if name == field.name else None
        case nodes.Attributes(base=nodes.FieldValue(field=name), name=attribute):
            return attribute if name == field.name else None
    return None


def _key(element: Any, name: str) -> Any:
    found = getattr(element, name) if name else element
    return found.encode() if isinstance(found, str) else found
