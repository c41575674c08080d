"""The clauses of fields that check and derive their values."""

from __future__ import annotations

from typing import Any

from .ksy_expressions import Binary, Expr, Member, Name, Use, parts_of
from .ksy_kinds import InexpressibleError, bits_of_field
from .ksy_known import Context
from .ksy_model import Attribute, KsyEnum, KsyType
from .ksy_names import attribute_name, member_name
from .ksy_numbers import number_of
from .ksy_page import Page
from .ksy_words import Translated, bytes_literal


class Rules:
    """The clauses of fields that check and derive their values."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def valid(self, made: KsyType, each: Attribute, translated: Translated, index: str) -> list[str]:
        """Returns the clauses of `valid`."""
        if not each.valid and not (each.contents is not None and each.repeat == "expr"):
            return []
        if (id(made), "valid", each.id) in self._page.choices.dropped:
            why = self._page.choices.dropped[id(made), "valid", each.id]
            self._page.note(each.line, f"the rule about {each.id} is not checked: {why}", "valid")
            return []
        kind = translated.kind.element if each.repeat else translated.kind
        item = translated
        if each.repeat:
            item = Translated(translated.text if index else "each", kind)
        context = Context(made, ("valid", each.id), item=self._opened(item), index=index)
        try:
            rules = [self._rule(key, value, each, context) for key, value in each.valid.items()]
            if each.contents is not None and each.repeat == "expr":
                rules.append(f"{item.text} == {bytes_literal(each.contents)}")
        except InexpressibleError as error:
            self._page.choices.dropped[id(made), "valid", each.id] = str(error)
            return []
        if each.repeat and not index:
            name = translated.text
            rules = [f"count(each in {name} where not ({rule})) == 0" for rule in rules]
        return [f"where {rule}" for rule in rules]

    def _opened(self, translated: Translated) -> Translated:
        return self._page.translator._opened(translated)

    def _rule(self, key: str, value: Any, each: Attribute, context: Context) -> str:
        assert context.item is not None
        item = context.item.text
        match key:
            case "eq":
                return f"{item} == {self._page.translator.value(value, context).closed}"
            case "min":
                return f"{item} >= {self._page.translator.value(value, context).closed}"
            case "max":
                return f"{item} <= {self._page.translator.value(value, context).closed}"
            case "any-of":
                return (
                    " or ".join(f"{item} == {self._page.translator.value(one, context).closed}" for one in value)
                    or "false"
                )
            case "expr":
                return self._page.translator.value(value, context).text
            case "in-enum" if value is True and isinstance(context.item.kind.of, KsyEnum):
                enum = context.item.kind.of
                called = self._page.reference(enum, context.type)
                return (
                    " or ".join(f"{item} == {called}.{member_name(name)}" for _, name, _, _ in enum.members) or "false"
                )
        raise InexpressibleError(f"`{key}` is not known")

    def derived(self, made: KsyType, each: Attribute) -> list[str]:
        """Returns `= ...` of a number that one field uses as its size or count; `with ...` of a record with such a number."""
        if (id(made), "derived", each.id) in self._page.choices.dropped or each.repeat or each.condition is not None:
            return []
        if each.is_instance or each not in made.seq or not isinstance(each.type, Use) or each.is_text:
            return []
        if _is_open_number(each):
            found = self._measure(made, each, Name(each.id))
            return [f"= {found}"] if found else []
        inner = self._page.types.find(each.type.path, made)
        if inner is None or self._page.types.wrapped(made, each) is not None or each.process is not None:
            return []
        settings = []
        for part in inner.seq:
            if part.repeat or part.condition is not None or not _is_open_number(part) or self.derived(inner, part):
                continue
            if (id(inner), part.id) not in self._page.choices.left_out:
                found = self._measure(made, each, Member(Name(each.id), part.id))
                settings += [f"{attribute_name(part.id)} = {found}"] if found else []
        return [f"with {', '.join(settings)}"] if settings else []

    def _measure(self, made: KsyType, each: Attribute, number: Expr) -> str:
        """Returns the expression of a number that is the size or count of one field, or part of it; else empty."""
        found = []
        for other in made.seq:
            for word, expr in (("count", other.count), ("size", other.size)):
                if expr is not None and number in parts_of(expr):
                    found.append((other, word, expr))
        direct = [one for one in found if one[2] == number]
        if len(direct or found) != 1:
            return ""
        other, word, expr = (direct or found)[0]
        if other.condition is not None or other.contents is not None or bits_of_field(other) is not None:
            return ""
        if (id(made), other.id) in self._page.choices.left_out or (other.repeat and word == "size"):
            return ""
        if not direct and other.type is None and other.process is None and other.pad is None:
            word = "count"
        try:
            return self._solved(expr, number, f"{word}({attribute_name(other.id)})", Context(made, ("field", each.id)))
        except InexpressibleError:
            return ""

    def _solved(self, expr: Expr, number: Expr, measure: str, context: Context) -> str:
        """Returns a number, solved from an expression that equals a measure; empty if the expression is not a sum with it."""
        if expr == number:
            return measure
        if not isinstance(expr, Binary) or expr.operator not in ("+", "-") or number in parts_of(expr.right):
            return ""
        other = self._page.translator.value(expr.right, context).closed
        return self._solved(expr.left, number, f"{measure} {'-' if expr.operator == '+' else '+'} {other}", context)


def _is_open_number(each: Attribute) -> bool:
    """Returns whether a field is an integer without rules."""
    path = each.type.path if isinstance(each.type, Use) and not each.is_text else ("",)
    return number_of(path[0]) is not None and path[0][0] != "f" and not each.valid and not each.enum
