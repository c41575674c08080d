"""Values of built-in types in the place of those of subclasses, whose methods may say something else than their contents.

Generated writers compute with the values of a record. An int whose ``+`` lies, or a list that counts otherwise than it iterates,
would make them write bytes that contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from operator import index as as_integer
from operator import is_
from typing import Any

from ..objects import Value
from ..struct_values import UnionValue
from .read import MAX_DEPTH
from .values import Fields

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
        _Plain(swaps).record(record, MAX_DEPTH)
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
    if isinstance(value, list | tuple):
        return list(iter(value))
    if hasattr(cls, "__index__"):
        try:
            return as_integer(value)
        except TypeError:
            return value
    return value


class _Plain:
    """Goes through records once, and notes what it exchanges."""

    def __init__(self, swaps: list[_Swap]) -> None:
        self._swaps = swaps
        self._seen: set[int] = set()

    def record(self, record: Any, depth: int) -> None:
        if depth < 0 or id(record) in self._seen:
            return
        self._seen.add(id(record))
        if isinstance(record, UnionValue):
            if record.kind is not None:
                self._exchange(record, "value", record.value, depth)
            return
        placed = getattr(record, "_placed", ())
        for name in record._settable():
            if name not in placed and type(value := getattr(record, name, None)) not in _LEFT:
                self._exchange(record, name, value, depth)
        if placed:
            for name, value in list(record._found.items()):
                self._exchange(record._found, name, value, depth)

    def _exchange(self, holder: Any, name: str, value: Any, depth: int) -> None:
        made = self._value(value, depth)
        if made is not value:
            _hold(holder, name, made)
            self._swaps.append((holder, name, value, made))

    def _value(self, value: Any, depth: int) -> Any:
        if isinstance(value, Value):
            self.record(value, depth - 1)
            return value
        made = plain(value)
        if type(made) is list or type(made) is tuple:
            return self._elements(made, depth)
        return made

    def _elements(self, values: Sequence[Any], depth: int) -> Sequence[Any]:
        if not values or depth < 0 or (type(values[0]) in _LEFT and _LEFT.issuperset(map(type, values))):
            return values
        if _are_records_of_plain_values(values):
            return values
        if all(isinstance(each, Value) for each in values):
            for each in values:
                self.record(each, depth - 2)
            return values
        made = [self._value(item, depth - 1) for item in values]
        return values if all(map(is_, made, values)) else made


def _are_records_of_plain_values(values: Sequence[Any]) -> bool:
    """Returns whether all are records of one class whose fields hold nothing that could lie."""
    first = values[0]
    if not isinstance(first, Fields) or hasattr(first, "_placed"):
        return False
    cls: Any = type(first)
    if cls._holds_plain is None or cls._holds_plain[0] is not cls:
        cls._holds_plain = (cls, _look_at(cls, first._settable()))
    try:
        return cls._holds_plain[1](values)  # type: ignore[no-any-return]
    except AttributeError:
        return False


def _look_at(cls: Any, names: Sequence[str]) -> Callable[[Sequence[Any]], bool]:
    """Returns a function that tells whether values are instances of a class that hold nothing but plain values.

    Looking at a field takes a third of the time that it takes without a function for the class.
    """
    found: dict[str, Any] = {"cls": cls, "left": _LEFT}
    for function, likely in (("strict", _LIKELY), ("lenient", {})):
        looks = ["type(each) is cls"]
        for name in names:
            row = cls.__rows__.get(name)
            kind = "" if row is None or not hasattr(row, "step") else row.step["type"]
            looks.append(f"type(each.{name}) {'is' if kind in likely else 'in'} {likely.get(kind, 'left')}")
        exec(f"def {function}(values): return all([{' and '.join(looks)} for each in values])", found)
    strict, lenient = found["strict"], found["lenient"]
    return lambda values: strict(values) or lenient(values)


def _hold(holder: Any, name: str, value: Any) -> None:
    if type(holder) is dict:
        holder[name] = value
    else:
        object.__setattr__(holder, name, value)
