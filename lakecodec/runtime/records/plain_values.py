"""Plain values in place of instances of subclasses of built-in types, whose methods may contradict their contents.

Generated writers compute with a record's values. An int with a wrong ``+``, or a list whose length contradicts its
iterator, would make them write bytes that contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from operator import index as as_integer
from typing import Any, NamedTuple

from ..objects import Value
from ..struct_values import UnionValue
from .read import MAX_DEPTH

#: Types whose values need no check.
_LEFT = frozenset((int, bool, float, str, bytes, type(None)))
#: The usual type of a field's values, by the field's kind.
_LIKELY = {
    "bool8": "bool", "bytes": "bytes", "utf8": "str", **dict.fromkeys(("f16", "f32", "f64"), "float"),
    **{f"{sign}{size}": "int" for sign in "ui" for size in (*range(8, 72, 8), "varint32", "varint64")},
}  # fmt: skip

#: The holder of a value, its name or key there, the old value and the new one.
_Swap = tuple[Any, str, Any, Any]


@contextmanager
def plain_values(record: Value) -> Iterator[None]:
    """Gives a record, and records inside, plain values while it is written; derived fields keep the written values."""
    swaps: list[_Swap] = []
    try:
        look = _Plain(swaps)
        look.all(record)
        if swaps:
            # Replacing values may have run code that changed checked ones. This pass gives the writer its own lists.
            _Plain(swaps, copies=True).all(record)
        yield
    finally:
        for holder, name, before, plain in reversed(swaps):
            held = holder.get(name) if type(holder) is dict else getattr(holder, name, None)
            if held is plain:
                _set(holder, name, before)


def plain(value: Any) -> Any:
    """Returns the plain value of a built-in subclass's instance, or an object's ``__index__``; other values unchanged."""
    cls = type(value)
    if cls in _LEFT or isinstance(value, Enum):
        return value
    if cls is memoryview or cls is bytearray:
        return bytes(value)
    if isinstance(value, int):
        return int.__index__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes):
        return bytes.__getitem__(value, slice(None))
    if isinstance(value, float):
        return float.__float__(value)
    if cls is list or cls is tuple:
        return value
    if isinstance(value, list | tuple):
        return list(iter(value))
    if hasattr(cls, "__index__"):
        try:
            return as_integer(value)
        except TypeError:
            return value
    return value


class _Plain:
    """A pass over records that notes what it exchanges; with ``copies`` it exchanges all lists that are not all plain."""

    def __init__(self, swaps: list[_Swap], *, copies: bool = False) -> None:
        self._swaps = swaps
        self._copies = copies
        self._seen: set[int] = set()
        #: Records to look at, with how many more levels are.
        self._waiting: list[tuple[Any, int]] = []

    def all(self, record: Any) -> None:
        """Looks at a record and those inside, one after the other: deep ones would need a deep stack."""
        self._waiting.append((record, MAX_DEPTH))
        while self._waiting:
            self.record(*self._waiting.pop())

    def record(self, record: Any, depth: int) -> None:
        if depth < 0 or id(record) in self._seen:
            return
        self._seen.add(id(record))
        try:
            _checks_of(record).one(record, self._exchange, depth)
        except AttributeError:
            for name in record._settable():
                self._exchange(record, name, getattr(record, name, None), depth)

    def _exchange(self, holder: Any, name: str, value: Any, depth: int) -> None:
        if isinstance(value, Value):
            self._waiting.append((value, depth - 1))
            return
        made = plain(value)
        if (type(made) is list or type(made) is tuple) and made:
            made = self._elements(made, depth)
        if made is not value:
            _set(holder, name, made)
            self._swaps.append((holder, name, value, made))

    def _elements(self, values: Sequence[Any], depth: int) -> Sequence[Any]:
        if depth < 0 or (type(values[0]) in _LEFT and _LEFT.issuperset(map(type, values))):
            return values
        if not self._copies and self._are_plain_records(values, depth):
            return values
        made, is_other = list(values), self._copies
        for index, each in enumerate(made):
            if type(each) in _LEFT:
                continue
            if isinstance(each, Value):
                self._waiting.append((each, depth - 1))
                continue
            item = plain(each)
            if (type(item) is list or type(item) is tuple) and item:
                item = self._elements(item, depth - 1)
            if item is not each:
                made[index], is_other = item, True
        return made if is_other else values

    def _are_plain_records(self, values: Sequence[Any], depth: int) -> bool:
        """Returns whether all values are records of one class with only plain values, enum members and records; looks at
        these once, since many may share them.
        """
        try:
            rest = _checks_of(values[0]).rest(values) if isinstance(values[0], Value) else None
        except AttributeError:
            return False
        if rest is None:
            return False
        inner = dict(zip(map(id, rest), rest, strict=True)).values()
        if not all(isinstance(each, Value | Enum) for each in inner):
            return False
        for each in inner:
            if isinstance(each, Value):
                self.record(each, depth - 3)
        return True


class _Checks(NamedTuple):
    """The functions that check instances of one class, three times as fast as general ones.

    Attributes:
        one: calls a function with an instance and the name and value of each field that is not plain.
        rest: returns the values of fields that are not plain; None if not all values are instances of the class.
    """

    one: Callable[[Any, Callable[..., None], int], None]
    rest: Callable[[Sequence[Any]], Sequence[Any] | None]


def _checks_of(record: Any) -> _Checks:
    """Returns the functions that check instances of a record's class."""
    cls = type(record)
    known = cls._looks
    if known is None or known[0] is not cls:
        known = cls._looks = (cls, _make_checks(cls, record))
    found: _Checks = known[1]
    return found


def _make_checks(cls: Any, record: Any) -> _Checks:
    if isinstance(record, UnionValue):
        return _Checks(_check_union, lambda values: None)
    if hasattr(cls, "_placed"):
        return _Checks(_check_placed, lambda values: None)
    kinds = {name: getattr(cls.__rows__.get(name), "step", {}).get("type", "") for name in record._settable()}
    likely = {name: _LIKELY[kind] for name, kind in kinds.items() if kind in _LIKELY}
    looks = {
        name: f"type(held := each.{name}) {f'is not {likely[name]} and type(held) ' if name in likely else ''}not in left"
        for name in kinds
    }
    plain = [f"type(each.{name}) {'is' if name in likely else 'in'} {likely.get(name, 'left')}" for name in kinds]
    are_plain = f"  if all([{' and '.join(['type(each) is cls', *plain])} for each in values]): return ()"
    lines = [
        "def one(each, see, depth):",
        *(f"  if {look}: see(each, {name!r}, held, depth)" for name, look in looks.items()),
        "  return",
        "def rest(values):",
        *([] if "record" in kinds.values() else [are_plain]),
        "  if {*map(type, values)} != {cls}: return None",
        "  found = []",
        *(f"  found += [held for each in values if {look}]" for look in looks.values()),
        "  return found",
    ]
    made: dict[str, Any] = {"cls": cls, "left": _LEFT}
    exec("\n".join(lines), made)
    return _Checks(made["one"], made["rest"])


def _check_union(union: Any, see: Callable[..., None], depth: int) -> None:
    if union.kind is not None:
        see(union, "value", union.value, depth)


def _check_placed(record: Any, see: Callable[..., None], depth: int) -> None:
    for name in record._settable():
        if name not in record._placed:
            see(record, name, getattr(record, name, None), depth)
    for name, value in list(record._found.items()):
        see(record._found, name, value, depth)


def _set(holder: Any, name: str, value: Any) -> None:
    if type(holder) is dict:
        holder[name] = value
    else:
        object.__setattr__(holder, name, value)
