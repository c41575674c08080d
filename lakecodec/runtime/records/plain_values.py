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
    "bool8": "bool", **dict.fromkeys(("f16", "f32", "f64"), "float"),
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
        if not self._copies and _are_records_of_plain_values(values):
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


class _Checks(NamedTuple):
    """The functions that check instances of one class, three times as fast as general ones.

    Attributes:
        one: calls a function with an instance and the name and value of each field that is not plain.
        all: returns whether all values are instances of the class with only plain values.
    """

    one: Callable[[Any, Callable[..., None], int], None]
    all: Callable[[Sequence[Any]], bool]


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
        return _Checks(_check_union, lambda values: False)
    if hasattr(cls, "_placed"):
        return _Checks(_check_placed, lambda values: False)
    kinds = {name: getattr(cls.__rows__.get(name), "step", {}).get("type", "") for name in record._settable()}
    likely = {name: _LIKELY[kind] for name, kind in kinds.items() if kind in _LIKELY}
    one = [
        f"  if type(held := each.{name}) {f'is not {likely[name]} and type(held) ' if name in likely else ''}not in left:"
        f" see(each, {name!r}, held, depth)"
        for name in kinds
    ]
    strict = [f"type(each.{name}) {'is' if name in likely else 'in'} {likely.get(name, 'left')}" for name in kinds]
    lenient = [f"type(each.{name}) in left" for name in kinds]
    made: dict[str, Any] = {"cls": cls, "left": _LEFT}
    exec("\n".join(["def one(each, see, depth):", *one, "  return"]), made)
    for name, looks in (("strict", strict), ("lenient", lenient)):
        exec(
            f"def {name}(values): return all([{' and '.join(['type(each) is cls', *looks])} for each in values])", made
        )
    are_strict, are_lenient = made["strict"], made["lenient"]
    return _Checks(made["one"], lambda values: are_strict(values) or are_lenient(values))


def _check_union(union: Any, see: Callable[..., None], depth: int) -> None:
    if union.kind is not None:
        see(union, "value", union.value, depth)


def _check_placed(record: Any, see: Callable[..., None], depth: int) -> None:
    for name in record._settable():
        if name not in record._placed:
            see(record, name, getattr(record, name, None), depth)
    for name, value in list(record._found.items()):
        see(record._found, name, value, depth)


def _are_records_of_plain_values(values: Sequence[Any]) -> bool:
    """Returns whether all values are records of one class with only plain values."""
    try:
        return isinstance(values[0], Value) and _checks_of(values[0]).all(values)
    except AttributeError:
        return False


def _set(holder: Any, name: str, value: Any) -> None:
    if type(holder) is dict:
        holder[name] = value
    else:
        object.__setattr__(holder, name, value)
