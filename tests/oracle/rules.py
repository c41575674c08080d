"""What the fields of a record must keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lakecodec.generator.syntax import Expr, RecordField
from lakecodec.generator.syntax.walk import names

from .expressions import Scope, compared
from .nodes import Missing, Refused


@dataclass(frozen=True, slots=True)
class Rule:
    """``= expr`` or ``where expr`` of a field."""

    field: RecordField
    expression: Expr
    message: str | None
    derived: bool
    #: The list inside whose elements the rule is about, and the name of their index.
    over: Expr | None = None
    variable: str | None = None

    def holds(self, scope: Scope) -> bool:
        """True once the rule has been looked at, False while a field is missing; Refused where it is broken."""
        try:
            for place, value in self._values(scope):
                own = scope if place is None else scope.also(**place)
                if value is not None and not self._is_kept(value, own):
                    raise Refused(f"{self.field.name}: {self.message or 'a rule is broken'}")
        except Missing:
            return False
        return True

    def _values(self, scope: Scope) -> Iterator[tuple[dict[str, int] | None, Any]]:
        """What the rule is about: the field's value, or each of its elements, with the number of the element."""
        assert scope.node is not None
        value = scope.node[self.field.name]
        if self.over is not None and self.variable is not None:
            if value is not None:
                for place in range(len(scope.also(**{self.variable: 0}).value(self.over))):
                    yield {self.variable: place}, value
            return
        variable = next((each.variable for each in self.field.dimensions if each.kind == "index"), None)
        about_elements = self.derived or any(name.name == variable for name in names(self.expression))
        if variable is None or value is None or not about_elements:
            yield None, value
        else:
            yield from (({variable: place}, each) for place, each in enumerate(value))

    def _is_kept(self, value: Any, scope: Scope) -> bool:
        wanted = scope.value(self.expression, getattr(value, "enum", None))
        if not self.derived:
            return bool(wanted)
        if isinstance(value, bytes) and isinstance(wanted, int):
            wanted = bytes([wanted]) * len(value)
        return compared("==", value, wanted)


def rules_of(field: RecordField, *, derived: bool = True) -> list[Rule]:
    """The rules of a field, with its derivation if wanted."""
    found = [
        Rule(
            field,
            each.condition,
            each.message,
            False,
            *((each.setting.over, each.setting.variable) if each.setting is not None else ()),
        )
        for each in field.invariants
    ]
    if derived and field.derived is not None:
        found.insert(0, Rule(field, field.derived, field.derived_message, True))
    return found
