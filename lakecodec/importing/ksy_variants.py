"""The variants that stand for types with `switch-on`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .ksy_arguments import Arguments
from .ksy_byte_orders import Orders
from .ksy_choices import Lines, Owner
from .ksy_expressions import Expr, Use
from .ksy_fields import Fields
from .ksy_kinds import InexpressibleError
from .ksy_known import Context
from .ksy_model import Attribute, KsyType, Switch
from .ksy_names import member_name
from .ksy_page import Page


class Variants:
    """The variants that stand for types with `switch-on`."""

    def __init__(self, page: Page, fields: Fields, orders: Orders, arguments: Arguments) -> None:
        self._page = page
        self._fields = fields
        self._orders = orders
        self._arguments = arguments

    def variant(self, made: KsyType, name: str) -> Lines:
        attribute = made.seq[0]
        holder = made.holder
        assert holder is not None
        assert made.variant is not None
        switch = attribute.type
        assert isinstance(switch, Switch)
        self._page.writable[name] = None
        owner: Owner = (made, ("type", ""))
        context = Context(made, ("field", "value"))
        try:
            on = self._page.translator.value(switch.on, context).text
            order = self._orders.order(made, context)
            cases = list(self._cases(made, switch, attribute, context))
        except InexpressibleError as error:
            self._page.omit(holder, made.variant.id, f"{error}")
            return []
        shown = f" : {order}" if order else ""
        head = f"variant {name}{self._arguments.parameters(made)} on {on}{shown} {{"
        return [("", None), (head, owner), *((case, owner) for case in cases), ("}", owner)]

    def _cases(self, made: KsyType, switch: Switch, attribute: Attribute, context: Context) -> Iterator[str]:
        is_whole = self._page.spans.is_whole(made)
        groups: dict[Any, list[Expr | None]] = {}
        for key, use in switch.cases:
            groups.setdefault(use, []).append(key)
        if not any(None in keys for keys in groups.values()):
            groups.setdefault("absent", []).append(None)
        taken: set[str] = set()
        last = ""
        for use, keys in groups.items():
            tags = [self._page.translator.value(key, context).text for key in keys if key is not None]
            if use == "absent" and not is_whole:
                name, body = "absent", ""
            else:
                name, body = self._alternative(made, None if use == "absent" else use, attribute, context)
            while name in taken:
                name += "_"
            taken.add(name)
            if None in keys:
                last = f"else: {name} {{ {body} }};"
                if tags:
                    yield f"{', '.join(tags)}: {name}_ {{ {body} }};"
            else:
                yield f"{', '.join(tags)}: {name} {{ {body} }};"
        yield last

    def _alternative(self, made: KsyType, use: Use | None, attribute: Attribute, context: Context) -> tuple[str, str]:
        if use is None:
            if not self._page.spans.is_whole(made):
                raise InexpressibleError("a case without a type cannot be expressed here")
            return "raw", "bytes value[..];"
        one = replace(attribute, type=use, is_text=use.path in (("str",), ("strz",)), condition=None)
        if one.is_text or use.path == ("bytes",):
            one = replace(one, size_eos=self._page.spans.is_whole(made), type=use if one.is_text else None)
            if use.path == ("strz",):
                one = replace(one, terminator=b"\0")
        lines = self._fields.field(made, one)
        return member_name(use.path[-1]), lines[0][0]
