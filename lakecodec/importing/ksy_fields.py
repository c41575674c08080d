"""The fields of a type in the words of the IDL."""

from __future__ import annotations

from dataclasses import replace

from .ksy_arguments import Arguments
from .ksy_choices import Lines, Owner
from .ksy_elements import Element, Elements
from .ksy_expressions import Given, Use
from .ksy_kinds import InexpressibleError, UseSite, is_ended, needs_index
from .ksy_known import Context
from .ksy_model import Attribute, KsyType
from .ksy_names import attribute_name
from .ksy_page import Page
from .ksy_rules import Rules
from .ksy_words import Translated, bytes_literal


class Fields:
    """The fields of a type in the words of the IDL."""

    def __init__(self, page: Page, arguments: Arguments, rules: Rules, elements: Elements) -> None:
        self._page = page
        self._arguments = arguments
        self._rules = rules
        self._elements = elements

    def is_ended(self, made: KsyType, each: Attribute) -> bool:
        """Returns whether a field ends at a terminator in a way that `until` cannot express."""
        return each.terminator is not None and not each.repeat and is_ended(each, self._elements.terminator(made, each))

    def ended(self, made: KsyType, each: Attribute) -> Lines:
        """Returns a field that ends at the next terminator, and the terminator as a field if it is not part of it."""
        assert each.terminator is not None
        if each.include and not each.consume:
            raise InexpressibleError("a terminator that is part of a field and is read again cannot be expressed")
        mark = self._elements.terminator(made, each)
        shown = bytes_literal(mark)
        found = f"ahead({shown}){f' + {len(mark)}' if each.include else ''}"
        if not each.eos_error:
            found = f"ahead({shown}) < 0 ? rest : {found}"
        elif each.include:
            found = f"ahead({shown}) < 0 ? -1 : {found}"
        lines = self.field(made, replace(each, terminator=None, size=Given(found), id=each.id))
        if each.include or not each.consume:
            return lines
        name = attribute_name(f"{each.id.lstrip('_')}_end")
        while made.attribute(name) is not None:
            name += "_"
        conditions = [] if each.eos_error else ["not at_end"]
        if each.condition is not None:
            conditions.insert(0, self._page.translator.value(each.condition, Context(made, ("field", each.id))).closed)
        condition = f" if {' and '.join(conditions)}" if conditions else ""
        rule = f" = {shown}" if each.eos_error else f" where {name} == {shown}"
        end = f"bytes {name}[{len(mark)}]{condition}{rule};"
        return [*lines, (end, (made, ("field", each.id)))]

    def field(self, made: KsyType, each: Attribute, place: str = "") -> Lines:
        """Returns the lines of a field; ``place`` are its clauses of position."""
        name = attribute_name(each.id)
        owner: Owner = (made, ("field", each.id))
        context = Context(made, ("field", each.id))
        dimension, index = "", ""
        inner = self._page.types.wrapped(made, each)
        is_record = inner is not None and not self._page.types.is_choice(inner)
        if each.repeat == "expr":
            if each.count is None:
                raise InexpressibleError("it is repeated without `repeat-expr`")
            count = self._page.translator.number(each.count, context)
            if not is_record and needs_index(each):
                index = "i"
                while made.attribute(index) is not None:
                    index += "i"
                dimension = f"[{index} < {count.closed}]"
            else:
                dimension = f"[{count.text if '<' not in count.text else f'({count.text})'}]"
        elif each.repeat == "eos":
            dimension = "[..]"
        elif each.repeat == "until":
            if each.until is None:
                raise InexpressibleError("it is repeated without `repeat-until`")
            item = Translated(f"last({name})", self._page.types.kind(each, made).element)
            condition = self._page.translator.value(each.until, replace(context, item=item)).text
            dimension = f"[until {condition}]"
        elif each.repeat:
            raise InexpressibleError(f"`repeat: {each.repeat}` is not known")
        is_open = each.repeat in ("eos", "until")
        inside = replace(context, index=f"count({name})" if is_open else index)
        if is_record:
            assert inner is not None
            element = Element(
                self._page.reference(inner, made)
                + self._arguments.given(inner, UseSite(made, each, Use(()), False, False), inside)
            )
        else:
            element = self._elements.element(made, each, inside, inner)
        clauses = list(element.clauses)
        if each.condition is not None:
            clauses.append(f"if {self._page.translator.value(each.condition, context).text}")
        span = element.size
        if place:
            clauses.insert(0, place)
            if span == "rest" and " from " not in place:
                # How much is left is known only where bytes are read.
                span = f"end - ({place.removeprefix('at ')})"
        translated = Translated(f"{name}[{index}]" if index else name, self._page.types.kind(each, made))
        clauses += self._contents(each, element)
        clauses += self._rules.valid(made, each, translated, index)
        clauses += self._rules.derived(made, each)
        text = f"{element.type} {name}{dimension}{element.length}{f' size {span}' if span else ''}"
        return [(" ".join([text, *clauses]) + ";", owner)]

    def _contents(self, each: Attribute, element: Element) -> list[str]:
        if each.contents is None:
            return []
        if each.repeat:
            return []
        return [f"= {bytes_literal(each.contents)}"]

    def place_in_row(self, made: KsyType, place: int) -> str:
        """Returns the clause of a field that needs a placed field: it is placed too, with all fields behind it."""
        if not any((id(made), each.id) in self._page.choices.placed for each in made.seq[: place + 1]):
            return ""
        return f"at {self._page.translator.sizes.bits_before(made, place) // 8}"
