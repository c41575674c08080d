"""Computed attributes, `let name = expr;`: their names in their own body are replaced by their expressions.

Later stages see fields and parameters only. Uses from other bodies, `header.area`, are left to lowering.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass, replace

from ..diagnostics import Diagnostics, Location
from ..model import Module
from ..syntax import (
    ComputedDef,
    Expr,
    Literal_,
    Name,
    RecordDef,
    RecordField,
    VariantDef,
    Where,
)
from ..syntax.walk import children, names, substituted, walk

#: The limits of one expression with everything that it is computed from: its number of parts, and its depth.
MOST_PARTS = 2_000
_DEEPEST = 60
#: The most expression parts per file that may replace the names of computed attributes.
MOST_IN_ALL = 200_000
TOO_MANY = (
    f"computed attributes expand to over {MOST_IN_ALL} parts of expressions in total: "
    "use fewer, or move what they are computed from into functions"
)

Fields = tuple[RecordField, ...]


class Expander:
    """Replaces the names of computed attributes in bodies by their expressions.

    Args:
        module: counts the parts of expressions that replace names, whose number is limited per file.
    """

    def __init__(self, module: Module, diagnostics: Diagnostics) -> None:
        self._module = module
        self._diagnostics = diagnostics

    def record(self, node: RecordDef) -> tuple[Fields, tuple[ComputedDef, ...], tuple[Where, ...]]:
        """Returns the fields, computed attributes and checks of a record."""
        return self._body(node.fields, node.computed, node.checks)

    def variant(self, node: VariantDef) -> VariantDef:
        """Returns a variant with the fields and computed attributes of its alternatives."""
        cases = []
        for case in node.cases:
            fields, computed, _ = self._body(case.fields or (), case.computed, ())
            cases.append(case if case.fields is None else replace(case, fields=fields, computed=computed))
        return replace(node, cases=tuple(cases))

    def _body(
        self, fields: Fields, computed: Sequence[ComputedDef], checks: tuple[Where, ...]
    ) -> tuple[Fields, tuple[ComputedDef, ...], tuple[Where, ...]]:
        if computed:
            values: dict[str, Expr] = {}
            for each in self._in_order(computed):
                values[each.name] = self._value(each, values)
            sizes = {name: sum(1 for _ in walk(value)) for name, value in values.items()}
            self._module.computed_parts += sum(sizes.get(name.name, 0) for name in _named((*fields, *checks)))
            if self._module.computed_parts > MOST_IN_ALL:
                # Later stages would visit each part.
                values = {each.name: Literal_(0, each.location) for each in computed}
                self._diagnostics.error(TOO_MANY, computed[0].location)
            fields, checks = substituted(fields, values), substituted(checks, values)
            computed = [replace(each, value=values[each.name]) for each in computed]
        return tuple(fields), tuple(computed), checks

    def _value(self, each: ComputedDef, values: dict[str, Expr]) -> Expr:
        value: Expr = substituted(each.value, values)
        if is_bounded(value):
            return value
        message = f"'{each.name}' has too large an expression: with all that it uses, it has over {MOST_PARTS} parts"
        self._diagnostics.error(f"{message}, or over {_DEEPEST} in each other", each.location)
        return Literal_(0, each.location)

    def _in_order(self, computed: Sequence[ComputedDef]) -> Iterator[ComputedDef]:
        """Yields attributes after those that they use. A cycle is an error; one of its attributes then gets a
        constant."""
        waiting = {each.name: each for each in computed}
        needs = {each.name: {name.name for name in names(each.value)} & set(waiting) for each in computed}
        users: dict[str, list[str]] = {name: [] for name in waiting}
        for name, needed in needs.items():
            for each in needed:
                users[each].append(name)
        ready = [name for name in reversed(waiting) if not needs[name]]
        while waiting:
            if ready:
                found = waiting.pop(ready.pop())
            else:
                circular = _on_circle(next(iter(waiting)), needs)
                found = waiting.pop(circular)
                self._diagnostics.error(f"'{circular}' is computed from itself", found.location)
                found = replace(found, value=Literal_(0, found.location))
            yield found
            for user in users[found.name]:
                needs[user].discard(found.name)
                if user in waiting and not needs[user]:
                    ready.append(user)


def _named(nodes: object) -> Iterator[Name]:
    """Yields the names in nodes of the syntax."""
    pending = [nodes]
    while pending:
        node = pending.pop()
        if isinstance(node, Name):
            yield node
        elif isinstance(node, tuple):
            pending += node
        elif is_dataclass(node) and not isinstance(node, Location | type):
            pending += [getattr(node, each.name) for each in dataclass_fields(node)]


def _on_circle(start: str, needs: dict[str, set[str]]) -> str:
    """Returns an attribute on a cycle that is reachable from ``name``."""
    seen: set[str] = set()
    while start not in seen:
        seen.add(start)
        start = min(needs[start])
    return start


def is_bounded(value: Expr) -> bool:
    """Returns whether an expression is small enough for later stages."""
    level, count = [value], 0
    for _ in range(_DEEPEST):
        count += len(level)
        if not level or count > MOST_PARTS:
            break
        level = [part for each in level for part in children(each)]
    return not level and count <= MOST_PARTS
