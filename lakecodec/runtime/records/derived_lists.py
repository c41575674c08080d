"""The lists of computed fields, as callers see them: an edit of an element would be lost, as one of the field would be."""

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


class Watched(list[Any]):
    """The elements of a list, ``values``, when a caller got it."""

    __slots__ = ("values",)

    def __init__(self, values: list[Any]) -> None:
        super().__init__(values)
        self.values = values

    def is_changed(self) -> bool:
        """Returns whether the list has other elements now."""
        return self != self.values


def watched_getter(name: str, slot: str) -> Callable[[Any], Any]:
    """Returns the getter of a field that may be computed: changes in its list are edits of the field."""
    get = attrgetter(slot)

    def found(self: Any) -> Any:
        value = get(self)
        if type(value) is list:
            edited = getattr(self, "_edited", {})
            known = edited.get(name)
            is_left = type(known) is Watched and known.values is not value and not known.is_changed()
            if known is None or is_left:
                self._edited = {**edited, name: Watched(value)}
        return value

    return found


def edit_of(record: Any, name: str) -> Any:
    """Returns the value that a caller has given a field that may be computed; None without an edit."""
    edit = getattr(record, "_edited", {}).get(name)
    if type(edit) is not Watched:
        return edit
    return edit.values if edit.is_changed() else None


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
