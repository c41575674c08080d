"""Values that lie: what a value's class overrides raises, returns nonsense or changes what is being written.

A lie stands in for a plain value. `Lie.honest` are the plain values that it may be taken for, where that can be said.
"""

from __future__ import annotations

import array
import gc
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st


class OwnError(Exception):
    """What the methods of hostile values raise; who calls them may pass it on."""


@dataclass(frozen=True)
class Lie:
    """A hostile value.

    Attributes:
        name: of what it does.
        value: to be written.
        honest: the plain values that it may be written as; None where any bytes are right that can be read.
        timed: whether what it does depends on when its methods are called, so that backends may differ.
    """

    name: str
    value: Any
    honest: tuple[Any, ...] | None = None
    timed: bool = False


#: What a lie does to the values around it while it is written; its argument says when: 0 for the first call.
Act = Callable[[], None]

#: Methods without which no instance can be made, held or freed.
_NEEDED = {
    "__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__doc__", "__dir__", "__del__",
    "__getattribute__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getstate__",
    "__class_getitem__", "__sizeof__", "__format__",
}  # fmt: skip
_NONSENSE = (-1, 10**30, "nonsense", None, b"\xff", 1.5, [1], object())


def _raises(*_: Any, **__: Any) -> Any:
    raise OwnError


@cache
def _subclass(base: type, nonsense: int | None) -> type:
    """Returns a subclass all of whose methods raise, or return nonsense."""
    result = None if nonsense is None else _NONSENSE[nonsense]

    def lies(*_: Any, **__: Any) -> Any:
        return result

    method = _raises if nonsense is None else lies
    names = [name for name in dir(base) if callable(getattr(base, name)) and name not in _NEEDED]
    return type(f"Lying{base.__name__.title()}", (base,), dict.fromkeys([*names, "__index__", "__buffer__"], method))


def _liar(plain: Any, name: str, method: Any) -> Any:
    return type(f"Lying{type(plain).__name__.title()}", (type(plain),), {name: method})(plain)


def _overridden(plain: Any) -> Iterator[Lie]:
    """A subclass's instances which hold what the plain value holds."""
    base = type(plain)
    storage = None if base in (list, tuple, dict, set) else (plain,)
    if base is int:
        storage = (plain, float(plain)) if abs(plain) < 2**1000 else (plain,)
    yield Lie(
        f"{base.__name__}, all raise",
        base.__new__(_subclass(base, None), plain)
        if base in (int, float, str, bytes, tuple)
        else _filled(base, None, plain),
        storage,
    )
    for index in range(len(_NONSENSE)):
        made = (
            base.__new__(_subclass(base, index), plain)
            if base in (int, float, str, bytes, tuple)
            else _filled(base, index, plain)
        )
        yield Lie(f"{base.__name__}, all return {_NONSENSE[index]!r:.20}", made, storage)


def _filled(base: Any, nonsense: int | None, plain: Any) -> Any:
    made = base.__new__(_subclass(base, nonsense))
    base.__init__(made, plain)
    return made


class Index:
    """An integer by its `__index__` alone."""

    def __init__(self, result: Any, act: Act | None = None) -> None:
        self.result = result
        self.act = act

    def __index__(self) -> Any:
        if self.act is not None:
            self.act()
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    __float__ = __index__


class ActingInt(int):
    """An int that acts when it is compared or computed with."""

    act: Act

    def _acts(self, *_: Any) -> Any:
        self.act()
        return NotImplemented

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __sub__ = __lshift__ = __rshift__ = __and__ = _acts  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        self.act()
        return int(self) == other

    def __hash__(self) -> int:
        return int.__hash__(self)


def _numbers(plain: int, act: Act) -> Iterator[Lie]:
    yield Lie("__index__ returns it", Index(plain), (plain, float(plain)) if abs(plain) < 2**1000 else (plain,))
    for result in (OwnError(), TypeError(), "1", None, 10**40, -1, True):
        honest = (int(result),) if isinstance(result, int) else ()
        yield Lie(f"__index__ gives {result!r:.20}", Index(result), honest)
    yield Lie("__index__ acts", Index(plain, act), None, True)
    acting = ActingInt(plain)
    acting.act = act
    yield Lie("an int that acts", acting, None, True)
    yield Lie("__int__ and __index__ lie", _liar(plain, "__index__", lambda self: 7), (plain, float(plain)))
    yield Lie("__float__ lies", _liar(plain, "__float__", lambda self: 7.5), (plain, 7.5))
    yield Lie("__float__ is no float", _liar(plain, "__float__", lambda self: "7"), (plain,))


def _views(plain: bytes, act: Act) -> Iterator[Lie]:
    released = memoryview(bytearray(plain))
    released.release()
    yield Lie("a released view", released, ())
    yield Lie("every second byte of a view", memoryview(bytes(b for one in plain for b in (one, 0)))[::2], (plain,))
    yield Lie("a reversed view", memoryview(plain[::-1])[::-1], (plain,))
    yield Lie("a view of signed bytes", memoryview(plain).cast("b"), (plain,))
    yield Lie("a view of characters", memoryview(plain).cast("c"), (plain,))
    if plain and len(plain) % 2 == 0:
        yield Lie("a view of shorts", memoryview(array.array("H", plain)), (plain,))
        yield Lie("an array of shorts", array.array("H", plain), (plain,))
        yield Lie("a view of rows", memoryview(plain).cast("B", (len(plain) // 2, 2)), (plain,))
    if len(plain) == 1:
        yield Lie("a view without dimensions", memoryview(plain).cast("B", ()), (plain,))
    yield Lie("a bytearray", bytearray(plain), (plain,))
    yield Lie("a bytearray that is viewed", memoryview(bytearray(plain)), (plain,))

    class Buffer:
        def __buffer__(self, flags: int) -> memoryview:
            act()
            return memoryview(plain)

        def __release_buffer__(self, view: memoryview) -> None:
            act()

        def __bytes__(self) -> bytes:
            act()
            return plain

    yield Lie("__buffer__ acts", Buffer(), None, True)
    yield Lie(
        "__bytes__ and __buffer__ lie", _liar(plain, "__buffer__", lambda self, flags: memoryview(b"lie")), (plain,)
    )


def _texts(plain: str, act: Act) -> Iterator[Lie]:
    def encode(self: str, *_: Any) -> bytes:
        act()
        return b"lie"

    yield Lie("encode lies", _liar(plain, "encode", lambda self, *_: b"lie"), (plain,))
    yield Lie("encode acts", _liar(plain, "encode", encode), (plain,), True)
    yield Lie("a surrogate", "\ud800", ())


def _lists(plain: Any, act: Act) -> Iterator[Lie]:
    base = type(plain)

    def acting(self: Any) -> Any:
        for item in base.__iter__(self):
            yield item
            act()

    for count in (0, 1, 10**9, -1, 2**70):
        yield Lie(f"__len__ gives {count}", _liar(plain, "__len__", lambda self, count=count: count), (plain,))
    yield Lie("__iter__ gives less", _liar(plain, "__iter__", lambda self: iter(plain[:-1])), (plain, plain[:-1]))
    yield Lie(
        "__iter__ gives more",
        _liar(plain, "__iter__", lambda self: iter([*plain, *plain])),
        (plain, base([*plain, *plain])),
    )
    yield Lie("__iter__ gives objects", _liar(plain, "__iter__", lambda self: iter([object()])), (plain,))
    yield Lie("__iter__ gives a number", _liar(plain, "__iter__", lambda self: 5), (plain,))
    yield Lie("__iter__ acts", _liar(plain, "__iter__", acting), None, True)
    yield Lie("__getitem__ raises", _liar(plain, "__getitem__", _raises), (plain,))


def _dicts(plain: dict[Any, Any], act: Act) -> Iterator[Lie]:
    items = list(plain.items())

    def acting(self: Any) -> Any:
        for item in items:
            yield item
            act()

    results: list[tuple[str, Any, tuple[Any, ...]]] = [
        ("numbers", [2**40], ()), ("empty tuples", [()], ()), ("single ones", [(1,)], ()), ("three", [(1, 2, 3)], ()),
        ("lists", [list(item) for item in items], (plain,)), ("an iterator", iter(items), (plain, {})),
        ("texts", ["ab"], ()), ("None", None, ()), ("nothing", [], ({},)), ("itself", plain, ()),
        ("lying tuples", [_subclass(tuple, None).__new__(_subclass(tuple, None), item) for item in items], (plain,)),
    ]  # fmt: skip
    for name, result, honest in results:
        yield Lie(f"items gives {name}", _liar(plain, "items", lambda self, result=result: result), (plain, *honest))
    yield Lie("items raises", _liar(plain, "items", _raises), (plain,))
    yield Lie("items acts", _liar(plain, "items", acting), None, True)
    yield Lie("__len__ lies", _liar(plain, "__len__", lambda self: 10**9), (plain,))
    yield Lie("__iter__ and keys lie", _liar(plain, "keys", lambda self: [object()]), (plain,))


def lies(plain: Any, act: Act) -> list[Lie]:
    """Returns the lies that stand in for a plain value; ``act`` changes what is being written."""
    found: list[Lie] = [Lie("a loud object", Index(OwnError()), ())]
    base = type(plain)
    if isinstance(plain, int) and base is not bool:
        plain = int(plain)
        found += [*_overridden(plain), *_numbers(plain, act)]
    elif base is float:
        found += [*_overridden(plain), Lie("__float__ lies", _liar(plain, "__float__", lambda self: "x"), (plain,))]
        found += [Lie("__float__ acts", Index(plain, act), None, True)]
    elif base is bytes:
        found += [*_overridden(plain), *_views(plain, act)]
    elif base is str:
        found += [*_overridden(plain), *_texts(plain, act)]
    elif base in (list, tuple):
        found += [*_overridden(plain), *_lists(plain, act)]
    elif base is dict:
        found += [*_overridden(plain), *_dicts(plain, act)]
    elif base is set:
        found += [*_overridden(plain), Lie("__iter__ raises", _liar(plain, "__iter__", _raises), (plain,))]
    elif base is uuid.UUID:
        liar = type("LyingUUID", (uuid.UUID,), {"bytes": property(lambda self: b"short")})
        found.append(Lie("bytes are short", liar(bytes=plain.bytes), ()))
    return found


def acts(container: Any, key: Any, root: Any, write: Callable[[], Any]) -> list[tuple[str, Act]]:
    """Returns what lies may do to the container that they are in, and to the value that is being written."""
    busy = False

    def again() -> None:
        nonlocal busy
        if not busy:
            busy = True
            try:
                write()
            finally:
                busy = False

    def removed() -> None:
        if isinstance(container, list):
            container.clear()
        elif isinstance(container, dict):
            container.pop(key, None)
        elif isinstance(container, set):
            container.clear()
        elif hasattr(container, key):
            delattr(container, key)

    def replaced() -> None:
        if isinstance(container, list):
            container[:] = [None] * len(container)
        elif isinstance(container, dict):
            container[key] = [object()]
        elif not isinstance(container, set):
            setattr(container, key, None)
        gc.collect(0)

    def grown() -> None:
        if isinstance(container, list) and len(container) < 1000:
            container.append(b"grown")
        elif isinstance(container, dict) and len(container) < 1000:
            container[len(container)] = 1
        elif isinstance(container, set):
            container.add(len(container))
        else:
            repr(root)

    return [
        ("removes", removed),
        ("replaces", replaced),
        ("grows", grown),
        ("writes again", again),
        ("collects", gc.collect),
    ]  # type: ignore[list-item]


def hostile(plain: Any, act: Act = lambda: None) -> st.SearchStrategy[Lie]:
    """The lies that stand in for a plain value, as a strategy."""
    return st.sampled_from(lies(plain, act))
