"""Values of built-in types in the place of those of subclasses, whose methods may say something else than their contents.

Generated writers compute with the values of a record. An int whose ``+`` lies, or a list that counts otherwise than it iterates,
would make them write bytes that contradict each other.
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

#: Types of which nothing is asked: their own, or left to those who write them.
_LEFT = frozenset((int, bool, float, str, bytes, type(None)))
#: What fields hold in most records, by their types.
_LIKELY = {
    "bool8": "bool", **dict.fromkeys(("f16", "f32", "f64"), "float"),
    **{f"{sign}{size}": "int" for sign in "ui" for size in (*range(8, 72, 8), "varint32", "varint64")},
}  # fmt: skip

#: What holds a value, under which name or key, what it held before and what it holds now.
_Swap = tuple[Any, str, Any, Any]


@contextmanager
def plain_values(record: Value) -> Iterator[None]:
    """Gives a record, and those in it, plain values while it is written; derived fields keep what was written."""
    swaps: list[_Swap] = []
    try:
        look = _Plain(swaps)
        look.record(record, MAX_DEPTH)
        if swaps:
            # What was exchanged may have run code that changed what had been looked at: lists are the writer's own from here on.
            _Plain(swaps, copies=True).record(record, MAX_DEPTH)
        yield
    finally:
        for holder, name, before, plain in reversed(swaps):
            held = holder.get(name) if type(holder) is dict else getattr(holder, name, None)
            if held is plain:
                _hold(holder, name, before)


def plain(value: Any) -> Any:
    """Returns the contents of an instance of a subclass of a built-in type, or an object's ``__index__``; others as they are."""
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
    """Goes through records once, and notes what it exchanges; ``copies`` exchanges all lists that hold more than plain values."""

    def __init__(self, swaps: list[_Swap], *, copies: bool = False) -> None:
        self._swaps = swaps
        self._copies = copies
        self._seen: set[int] = set()

    def record(self, record: Any, depth: int) -> None:
        if depth < 0 or id(record) in self._seen:
            return
        self._seen.add(id(record))
        try:
            _looks_at(record).one(record, self._exchange, depth)
        except AttributeError:
            for name in record._settable():
                self._exchange(record, name, getattr(record, name, None), depth)

    def _exchange(self, holder: Any, name: str, value: Any, depth: int) -> None:
        if isinstance(value, Value):
            self.record(value, depth - 1)
            return
        made = plain(value)
        if (type(made) is list or type(made) is tuple) and made:
            made = self._elements(made, depth)
        if made is not value:
            _hold(holder, name, made)
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
                self.record(each, depth - 2)
                continue
            item = plain(each)
            if (type(item) is list or type(item) is tuple) and item:
                item = self._elements(item, depth - 1)
            if item is not each:
                made[index], is_other = item, True
        return made if is_other else values


class _Looks(NamedTuple):
    """The functions that look at instances of one class, each of which takes a third of the time that it takes without.

    Attributes:
        one: calls a function with an instance, and name and value of each of its fields that holds no plain value.
        all: tells whether values are instances of the class that hold nothing but plain values.
    """

    one: Callable[[Any, Callable[..., None], int], None]
    all: Callable[[Sequence[Any]], bool]


def _looks_at(record: Any) -> _Looks:
    """Returns the functions that look at instances of a record's class."""
    cls = type(record)
    known = cls._looks
    if known is None or known[0] is not cls:
        known = cls._looks = (cls, _make_looks(cls, record))
    found: _Looks = known[1]
    return found


def _make_looks(cls: Any, record: Any) -> _Looks:
    if isinstance(record, UnionValue):
        return _Looks(_look_at_union, lambda values: False)
    if hasattr(cls, "_placed"):
        return _Looks(_look_at_placed, lambda values: False)
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
    return _Looks(made["one"], lambda values: are_strict(values) or are_lenient(values))


def _look_at_union(union: Any, see: Callable[..., None], depth: int) -> None:
    if union.kind is not None:
        see(union, "value", union.value, depth)


def _look_at_placed(record: Any, see: Callable[..., None], depth: int) -> None:
    for name in record._settable():
        if name not in record._placed:
            see(record, name, getattr(record, name, None), depth)
    for name, value in list(record._found.items()):
        see(record._found, name, value, depth)


def _are_records_of_plain_values(values: Sequence[Any]) -> bool:
    """Returns whether all are records of one class whose fields hold nothing that could lie."""
    try:
        return isinstance(values[0], Value) and _looks_at(values[0]).all(values)
    except AttributeError:
        return False


def _hold(holder: Any, name: str, value: Any) -> None:
    if type(holder) is dict:
        holder[name] = value
    else:
        object.__setattr__(holder, name, value)
