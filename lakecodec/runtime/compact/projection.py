"""Field choices: dotted paths checked against the specs and merged into a tree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..spec import FieldSpec, Spec, TypeSpec
from ..suggest import no_such

#: A field name, with the wanted element numbers of a list in brackets.
_STEP = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+(?:,\d+)*)\])?\Z")

#: By field name: True for the whole field, or (element numbers, None for all; the elements' tree, True for all of it).
Tree = dict[str, Any]


def parse_fields(spec: Spec, paths: Iterable[str]) -> Tree:
    """Returns the tree of all ``paths`` together.

    Raises:
        KeyError: a path names a field that its struct does not have.
        ValueError: a path is malformed, or goes on below a value that has no fields.
    """
    tree: Tree = {}
    for path in paths:
        _add(tree, spec, re.split(r"\.(?![^\[]*\])", path), path)
    return tree


def _add(tree: Tree, spec: Spec, steps: list[str], path: str) -> None:
    match = _STEP.match(steps[0])
    if match is None:
        raise ValueError(f"fields: {path!r} is not a dotted path of field names")
    name = match[1]
    field = next((field for field in spec.fields if field.name == name), None)
    if field is None:
        known = [field.name for field in spec.fields]
        raise KeyError(f"fields: {path!r}: {spec.name}: {no_such(name, known, 'field')}")
    chosen = _indices(match[2], field, path)
    below = _spec_below(field.type)
    have = tree.get(name)
    if len(steps) == 1:
        if have is None or chosen is None:
            tree[name] = True if chosen is None else (chosen, True)
        elif have is not True:
            tree[name] = (_union(have[0], chosen), True)
        return
    if below is None or below.kind == "union":
        raise ValueError(f"fields: {path!r}: {spec.name}.{name} has no fields to choose from")
    if have is True:
        return
    indices, subtree = (chosen, {}) if have is None else (_union(have[0], chosen), have[1])
    if subtree is not True:
        _add(subtree, below, steps[1:], path)
    tree[name] = (indices, subtree)


def _indices(text: str | None, field: FieldSpec, path: str) -> frozenset[int] | None:
    if text is None:
        return None
    if field.type.kind != "list":
        raise ValueError(f"fields: {path!r}: {field.name} is not a list")
    return frozenset(map(int, text.split(",")))


def _union(left: frozenset[int] | None, right: frozenset[int] | None) -> frozenset[int] | None:
    return None if left is None or right is None else left | right


def _spec_below(type_: TypeSpec) -> Spec | None:
    """Returns the spec of the struct that a field holds, itself or as a list's elements."""
    inner = type_.value if type_.kind == "list" else type_
    if inner is None or inner.kind != "struct" or inner.cls is None:
        return None
    below: Spec = inner.cls.__spec__  # type: ignore[attr-defined]
    return below
