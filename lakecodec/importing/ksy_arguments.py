"""The parameters of types, and their arguments where the types are used."""

from __future__ import annotations

from .ksy_byte_orders import Orders
from .ksy_expressions import Expr, Member, Name, Use
from .ksy_kinds import InexpressibleError, UseSite, bits_of_field, named
from .ksy_known import Context
from .ksy_model import Attribute, KsyType
from .ksy_names import parameter_name
from .ksy_numbers import number_of
from .ksy_orders import order_owner
from .ksy_page import Page


class Arguments:
    """The parameters of types, and their arguments where the types are used."""

    def __init__(self, page: Page, orders: Orders) -> None:
        self._page = page
        self._orders = orders

    def parameters(self, made: KsyType) -> str:
        found = []
        for each in made.params:
            try:
                kind = self._page.translator.kind_of(made, each.id)
                assert kind is not None
                found.append(f"{self._page.parameter_type(kind, made)} {parameter_name(each.id)}")
            except InexpressibleError as error:
                self._page.choices.left_out.setdefault((id(made), each.id), str(error))
                found.append(f"i64 {parameter_name(each.id)}")
        for need in self._page.translator.needs.get(made, {}).values():
            try:
                found.append(f"{self._page.parameter_type(need.kind, made)} {parameter_name(need.name)}")
            except InexpressibleError:
                self._page.choices.refused.add((id(made), need.path))
        order = order_owner(made)
        if order is not None and order is not made:
            found.append("bool is_big")
        if self._page.spans.is_whole(made) and self._page.spans.is_part(made):
            found.append("bool whole = true")
        return f"({', '.join(found)})" if found else ""

    def given(self, found: KsyType, site: UseSite, context: Context) -> str:
        """Returns the arguments that a type gets where it is used."""
        arguments = list(site.use.arguments)
        if len(arguments) != len(found.params):
            raise InexpressibleError(f"'{found.name}' takes {len(found.params)} arguments")
        made = [
            self._argument(each, param, found, context) for each, param in zip(arguments, found.params, strict=True)
        ]
        for need in list(self._page.translator.needs.get(found, {}).values()):
            user = Context(site.holder, context.user, index=context.index)
            try:
                made.append(self._argument_for(need.path, found, site, user))
                met = self._page.met_needs.setdefault((id(site.holder), site.attribute.id), [])
                met.append((found, need.path, made[-1]))
            except InexpressibleError:
                # The element that needs it raises an error and is omitted.
                self._page.choices.refused.add((id(found), need.path))
                self._page.translator.needs[found].pop(need.path)
        owner = order_owner(found)
        if owner is not None and owner is not found:
            own = order_owner(site.holder)
            if own is not owner:
                raise InexpressibleError(f"the byte order of '{found.name}' is not known here")
            made.append(self._orders.is_big(owner, context) if own is site.holder else "is_big")
        sized = self._page.spans.is_whole(site.holder) if self._page.types.is_choice(site.holder) else site.is_sized
        if self._page.spans.is_whole(found) and self._page.spans.is_part(found) and not sized:
            made.append("false")
        return f"({', '.join(made)})" if made else ""

    def _argument(self, expr: Expr, param: Attribute, found: KsyType, context: Context) -> str:
        kind = self._page.translator.kind_of(found, param.id)
        assert kind is not None
        translated = self._page.translator.translate(expr, context)
        if translated.kind.is_wrapped:
            translated = self._page.translator.value(expr, context)
        if kind.name in ("io", "any") or translated.kind.name == "io":
            raise InexpressibleError(f"'{param.id}' of '{found.name}' cannot be {kind.name}")
        return translated.text

    def _argument_for(self, path: tuple[str, ...], found: KsyType, site: UseSite, context: Context) -> str:
        """Returns the argument with which a holder meets a need of a type inside it."""
        if path[0] == "_index":
            return self._page.translator.translate(Name("_index"), context).text
        if path[0] == "_root":
            if site.holder.outer is None and site.holder.variant is None:
                self._check_order(site, path[1], found, path)
            return self._page.translator.translate(_chained(Name("_root"), path[1:]), context).text
        parent = site.attribute.parent
        if parent is False:
            raise InexpressibleError("it has no parent")
        if isinstance(parent, Expr) and found.variant is None:
            expr = _chained(parent, path[1:])
        elif path[1] == "_io":
            expr = Member(Name("_io"), path[2])
        else:
            expr = _chained(Name(path[1]), path[2:])
            self._check_order(site, path[1], found, path)
        return self._page.translator.translate(expr, context).text

    def _is_about_elements_before(self, site: UseSite, users: set[tuple[str, str]], found: KsyType) -> bool:
        """Returns whether a type uses the list that contains it while the list is read: later, it would be the whole list."""
        read = [each for each in found.seq if ("field", each.id) in users]
        return bool(site.attribute.repeat) and len(read) == len(users) and not any(map(_has_arguments, read))

    def _check_order(self, site: UseSite, name: str, found: KsyType, path: tuple[str, ...]) -> None:
        """Raises InexpressibleError if a type needs a field that its holder reads later, or a value computed from it."""
        names = [each.id for each in site.holder.seq]
        users = (
            self._page.translator.needs[found][path].users
            if path in self._page.translator.needs.get(found, {})
            else set()
        )
        own = {site.attribute.id}
        unread = set() if name in own and self._is_about_elements_before(site, users, found) else own
        if site.attribute.id in names:
            unread |= set(names[names.index(site.attribute.id) + 1 :])
        pending, seen = [name], set()
        while pending:
            each = pending.pop()
            if each in unread:
                raise InexpressibleError(f"'{each}' is read later")
            attribute = site.holder.instances.get(each)
            if attribute is None or each in seen:
                continue
            seen.add(each)
            pending += named(attribute)

    def refuse_argument(self, holder: KsyType, name: str, text: str) -> bool:
        """Refuses a need whose argument begins a text; returns whether there is such a need."""
        met = self._page.met_needs.get((id(holder), name), [])
        found = [(id(each), path) for each, path, translated in met if text.startswith(translated)]
        self._page.choices.refused.update(found)
        return bool(found)


def _has_arguments(each: Attribute) -> bool:
    is_number = isinstance(each.type, Use) and (bits_of_field(each) or number_of(each.type.path[0])) is not None
    return not (each.type is None or each.is_text or is_number)


def _chained(expr: Expr, names: tuple[str, ...]) -> Expr:
    for each in names:
        expr = Member(expr, each)
    return expr
