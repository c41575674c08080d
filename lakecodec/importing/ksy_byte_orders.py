"""The byte order of a type in the words of the IDL."""

from __future__ import annotations

from .ksy_expressions import Name, parts_of
from .ksy_kinds import InexpressibleError
from .ksy_known import Context
from .ksy_model import KsyType, Switch
from .ksy_orders import fixed_order, order_owner
from .ksy_page import Page


class Orders:
    """The byte order of a type in the words of the IDL."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def order(self, made: KsyType, context: Context) -> str:
        owner = order_owner(made)
        if owner is None:
            return "big" if fixed_order(made) == "be" else ""
        if owner is not made:
            return "big(is_big)"
        try:
            return f"big({self.is_big(made, context)})"
        except InexpressibleError as error:
            for each in made.seq[:1]:
                self._page.omit(made, each.id, f"its byte order is not known: {error}")
            return ""

    def is_big(self, made: KsyType, context: Context) -> str:
        switch = made.endian
        assert isinstance(switch, Switch)
        on = self._on(made, switch, context)
        big = [key for key, order in switch.cases if order == "be"]
        little = [key for key, order in switch.cases if order == "le"]
        if None in big:
            return (
                " and ".join(f"{on} != {self._page.translator.value(key, context).closed}" for key in little if key)
                or "true"
            )
        return (
            " or ".join(f"{on} == {self._page.translator.value(key, context).closed}" for key in big if key) or "false"
        )

    def _on(self, made: KsyType, switch: Switch, context: Context) -> str:
        """Returns the value that determines a byte order, which has to be known before the type is read."""
        for part in parts_of(switch.on):
            instance = made.instances.get(part.name) if isinstance(part, Name) else None
            if instance is not None and instance.pos is not None:
                raise InexpressibleError(f"'{instance.id}' is read at a place inside of the type")
        return self._page.translator.value(switch.on, context).closed

    def known_orders(self, made: KsyType) -> str:
        """Returns the rule that a byte order is one of the cases of its switch."""
        if not isinstance(made.endian, Switch) or any(key is None for key, _ in made.endian.cases):
            return ""
        context = Context(made, ("order", ""))
        try:
            on = self._on(made, made.endian, context)
            cases = [
                self._page.translator.value(key, context).closed for key, _ in made.endian.cases if key is not None
            ]
        except InexpressibleError:
            return ""
        return " where " + " or ".join(f"{on} == {case}" for case in cases) + ' else "unknown byte order"'
