"""The clauses of fields that check and derive their values."""

from __future__ import annotations

from typing import Any

from .ksy_expressions import Name, Use
from .ksy_kinds import Unsaid, bits_of_field
from .ksy_model import Attribute, KsyEnum, KsyType, number_of
from .ksy_names import attribute_name, member_name
from .ksy_page import Page
from .ksy_say import Context
from .ksy_words import Said, bytes_literal


class Rules:
    """The clauses of fields that check and derive their values."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def valid(self, made: KsyType, each: Attribute, said: Said, index: str) -> list[str]:
        """Returns the clauses of `valid`."""
        if not each.valid and not (each.contents is not None and each.repeat == "expr"):
            return []
        if (id(made), "valid", each.id) in self._page.choices.dropped:
            why = self._page.choices.dropped[id(made), "valid", each.id]
            self._page.note(each.line, f"the rule about {each.id} is not checked: {why}", "valid")
            return []
        kind = said.kind.element if each.repeat else said.kind
        item = said
        if each.repeat:
            item = Said(said.text if index else "each", kind)
        context = Context(made, ("valid", each.id), item=self._opened(item), index=index)
        try:
            rules = [self._rule(key, value, each, context) for key, value in each.valid.items()]
            if each.contents is not None and each.repeat == "expr":
                rules.append(f"{item.text} == {bytes_literal(each.contents)}")
        except Unsaid as error:
            self._page.choices.dropped[id(made), "valid", each.id] = str(error)
            return []
        if each.repeat and not index:
            name = said.text
            rules = [f"count(each in {name} where not ({rule})) == 0" for rule in rules]
        return [f"where {rule}" for rule in rules]

    def _opened(self, said: Said) -> Said:
        return self._page.speaker._opened(said)

    def _rule(self, key: str, value: Any, each: Attribute, context: Context) -> str:
        assert context.item is not None
        item = context.item.text
        match key:
            case "eq":
                return f"{item} == {self._page.speaker.value(value, context).closed}"
            case "min":
                return f"{item} >= {self._page.speaker.value(value, context).closed}"
            case "max":
                return f"{item} <= {self._page.speaker.value(value, context).closed}"
            case "any-of":
                return (
                    " or ".join(f"{item} == {self._page.speaker.value(one, context).closed}" for one in value)
                    or "false"
                )
            case "expr":
                return self._page.speaker.value(value, context).text
            case "in-enum" if value is True and isinstance(context.item.kind.of, KsyEnum):
                enum = context.item.kind.of
                called = self._page.reference(enum, context.type)
                return (
                    " or ".join(f"{item} == {called}.{member_name(name)}" for _, name, _, _ in enum.members) or "false"
                )
        raise Unsaid(f"`{key}` is not known")

    def derived(self, made: KsyType, each: Attribute) -> list[str]:
        """Returns `= ...` of a number that one field uses as its size or count, and nothing else does."""
        if (id(made), "derived", each.id) in self._page.choices.dropped or each.valid or each.enum or each.repeat:
            return []
        if each.condition is not None or each.is_instance or each not in made.seq:
            return []
        if (
            not isinstance(each.type, Use)
            or each.is_text
            or number_of(each.type.path[0]) is None
            or each.type.path[0][0] == "f"
        ):
            return []
        found = []
        for other in made.seq:
            as_count = isinstance(other.count, Name) and other.count.name == each.id
            as_size = isinstance(other.size, Name) and other.size.name == each.id
            if as_count or as_size:
                found.append((other, as_count))
        if len(found) != 1:
            return []
        other, as_count = found[0]
        if (as_count and other.size is not None and other.size == other.count) or other.condition is not None:
            return []
        if (id(made), other.id) in self._page.choices.left_out or (other.repeat and not as_count):
            return []
        if other.contents is not None or bits_of_field(other) is not None:
            return []
        measure = "count" if as_count else "size"
        return [f"= {measure}({attribute_name(other.id)})"]
