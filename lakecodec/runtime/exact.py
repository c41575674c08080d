"""Plain numbers, texts and bytes from instances of subclasses, without their overridden methods."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any


def exact(value: Any) -> Any:
    """Returns the int, float, str or bytes that an instance of a subclass holds. Other values are returned
    unchanged."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes):
        return exact_bytes(value)
    if isinstance(value, float):
        return float.__float__(value)
    return int.__index__(value) if isinstance(value, int) and not isinstance(value, bool) else value


def exact_bytes(value: Any) -> bytes:
    """Returns the bytes that a bytes-like value holds.

    Raises:
        TypeError: it is not bytes-like.
    """
    return bytes.__getitem__(value, slice(None)) if isinstance(value, bytes) else bytes(memoryview(value))


def exact_text(argument: str, value: Any) -> str:
    """Returns the text that an argument holds.

    Raises:
        TypeError: it is not a str.
    """
    if not isinstance(value, str):
        raise TypeError(f"{argument}: a str is needed, not {type(value).__name__}")
    return str.__str__(value)


def items_of(values: Iterable[Any]) -> list[Any]:
    """Returns a list of the values that an iterable yields, however many its `__len__` says that there are."""
    # `list` and `tuple` would first allocate memory for as many values as `__len__` claims.
    return list(values) if type(values) in (list, tuple) else [value for value in values]  # noqa: C416


def exact_list(argument: str, values: Any, of: str = "names") -> list[Any]:
    """Returns a list of the values that an argument yields.

    Raises:
        TypeError: it is a single str, or not iterable.
    """
    if isinstance(values, str) or not hasattr(type(values), "__iter__"):
        kind = "one str" if isinstance(values, str) else type(values).__name__
        raise TypeError(f"{argument}: an iterable of {of} is needed, not {kind}")
    return items_of(values)


def exact_texts(argument: str, values: Any, of: str) -> tuple[str, ...]:
    """Returns a tuple of the texts that an argument yields.

    Raises:
        TypeError: it is a single str, not iterable, or yields something that is not a str.
    """
    if type(values) is not tuple and type(values) is not list:
        values = exact_list(argument, values, of)
    for value in values:
        if type(value) is not str:
            return tuple([exact_text(argument, value) for value in values])
    return tuple(values)


def exact_path(argument: str, value: Any) -> str:
    """Returns the text of a path or URL, with the options of a `StoreUrl`.

    Raises:
        TypeError: it is neither a str nor an os.PathLike of one.
    """
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str):
        raise TypeError(f"{argument}: a str or os.PathLike is needed, not {type(text).__name__}")
    return text


def check_type(argument: str, value: Any, cls: type) -> None:
    """Raises TypeError for an argument that is no instance of a class."""
    if not isinstance(value, cls):
        noun = "mapping" if cls is Mapping else cls.__name__
        raise TypeError(
            f"{argument}: {'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun} is needed, not {type(value).__name__}"
        )


def exact_int(argument: str, value: Any) -> int:
    """Returns the int that an argument holds or returns from its ``__index__``.

    Raises:
        TypeError: it is not an integer.
    """
    if not hasattr(type(value), "__index__"):
        raise TypeError(f"{argument}: an int is needed, not {type(value).__name__}")
    return int.__index__(operator.index(value))


def check_function(argument: str, function: Any, *values: object, or_: str = "") -> None:
    """Returns None.

    Args:
        values: such as the function will be called with.
        or_: what else the argument may be, as the error says it.

    Raises:
        TypeError: it cannot be called with so many values.
    """
    kind = f"a function of {len(values)} values" if callable(function) else "a function"
    try:
        inspect.signature(function).bind(*values)
    except TypeError:
        raise TypeError(f"{argument}: {or_}{kind} is needed, not {function!r}") from None
    except ValueError:
        pass  # A function in C may have no signature.
