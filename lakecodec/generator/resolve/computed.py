"""Computed attributes, `let name = expr;`: where their own body names them, what they are computed from takes their place.

Everything behind sees fields and parameters alone. What another body says of them, `header.area`, is left to lowering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..diagnostics import Diagnostics
from ..syntax import ComputedDef, Expr, Literal_, RecordField, VariantDef, Where
from ..syntax.walk import children, names, substituted
from .earlier import with_earlier

#: Parts of one expression, and how deep they lie in each other, with all that it is computed from.
MOST_PARTS = 2_000
_DEEPEST = 60

Fields = tuple[RecordField, ...]


def expanded(
    fields: Fields, computed: Sequence[ComputedDef], checks: tuple[Where, ...], diagnostics: Diagnostics
) -> tuple[Fields, tuple[ComputedDef, ...], tuple[Where, ...]]:
    """Returns a body's fields, computed attributes and checks without names of computed attributes, or of earlier elements."""
    if not computed:
        return tuple(map(with_earlier, fields)), (), checks
    values: dict[str, Expr] = {}
    waiting = {each.name: each for each in computed}
    while waiting:
        ready = [each for each in waiting.values() if not any(name.name in waiting for name in names(each.value))]
        if not ready:
            first = _on_circle(waiting)
            diagnostics.error(f"'{first.name}' is computed from itself", first.location)
            ready = [replace(first, value=Literal_(0, first.location))]
        for each in ready:
            del waiting[each.name]
            value: Expr = substituted(each.value, values)
            if not is_bounded(value):
                message = (
                    f"'{each.name}' is computed from too much: with all that it names, it has over {MOST_PARTS} parts"
                )
                diagnostics.error(f"{message}, or over {_DEEPEST} in each other", each.location)
                value = Literal_(0, each.location)
            values[each.name] = value
    found = tuple(replace(each, value=values[each.name]) for each in computed)
    return tuple(map(with_earlier, substituted(fields, values))), found, substituted(checks, values)


def expanded_variant(variant: VariantDef, diagnostics: Diagnostics) -> VariantDef:
    """Returns a variant whose alternatives have no names of computed attributes in their fields."""
    cases = []
    for case in variant.cases:
        fields, computed, _ = expanded(case.fields or (), case.computed, (), diagnostics)
        cases.append(case if case.fields is None else replace(case, fields=fields, computed=computed))
    return replace(variant, cases=tuple(cases))


def is_bounded(value: Expr) -> bool:
    """Returns whether an expression has as many parts as later stages can follow."""
    level, count = [value], 0
    for _ in range(_DEEPEST):
        count += len(level)
        if not level or count > MOST_PARTS:
            break
        level = [part for each in level for part in children(each)]
    return not level and count <= MOST_PARTS


def _on_circle(waiting: dict[str, ComputedDef]) -> ComputedDef:
    """Returns one of the attributes that wait for each other and lies on a circle."""
    seen: set[str] = set()
    current = next(iter(waiting))
    while current not in seen:
        seen.add(current)
        current = next(name.name for name in names(waiting[current].value) if name.name in waiting)
    return waiting[current]
