"""The lists of derived fields, as callers see them: an edit of an element would be lost, as one of the field would be."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NoReturn


class DerivedList(list[Any]):
    """A list of a derived field. It cannot be changed; copies and slices of it are lists of their own."""

    __slots__ = ()

    def _refuse(self, *arguments: Any, **named: Any) -> NoReturn:
        message = (
            "this list is derived from other values when its record is written, and cannot be changed: change those"
        )
        raise TypeError(message)

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, ([*self],)


def list_getter(slot: str, member: Any) -> Callable[[Any], Any]:
    """Returns the getter of a derived field that may be a list: the slot then holds one that refuses to be changed."""
    get = attrgetter(slot)

    def found(self: Any) -> Any:
        value = get(self)
        if type(value) is list:
            value = DerivedList(value)
            member.__set__(self, value)
        return value

    return found
