"""Layouts of the values that an encoding has for one type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..declaration import Encoding
from ..memo import kept_with
from ..value_layout import MAX_INTEGER, MAX_LENGTH, Kind, ValueLayout

__all__ = ["MAX_INTEGER", "MAX_LENGTH", "Kind", "ValueLayout", "bound_attributes", "layout_of"]


def layout_of(encoding: Encoding | Callable[[], Encoding], type: Any) -> ValueLayout:
    """Returns the layout of an encoding's values of one type.

    Args:
        encoding: a generated encoding: the function if it has no parameters, or its result.
        type: an instance of a generated variant; its kind and fields choose the case.

    Raises:
        TypeError: no case fits the type, or no kernel reads its shape.
    """
    if isinstance(encoding, Encoding):
        return _chosen(encoding, type.kind, _arguments(type, _bound(encoding, type.kind)))
    kind = type.kind
    bound = _cached_bound(encoding, kind)
    return _cached(encoding, kind, _arguments(type, bound) if bound else ())


def bound_attributes(encoding: Callable[[], Encoding], type: Any) -> tuple[str, ...]:
    """Returns the attributes of a type that determine its layout together with its kind."""
    names: tuple[str, ...] = type.__slots__[: _cached_bound(encoding, type.kind)]
    return names


def _arguments(type: Any, count: int) -> tuple[Any, ...]:
    return tuple([getattr(type, name) for name in type.__slots__[:count]])


def _bound(encoding: Encoding, name: str) -> int:
    """Returns the number of a type's first arguments that can affect the choice of its shape."""
    counts = (count for case in encoding.cases for pattern, count in case.patterns if pattern in (name, "any"))
    return max(counts, default=0)


@kept_with
def _cached_bound(encoding: Callable[[], Encoding], name: str) -> int:
    return _bound(encoding(), name)


@kept_with
def _cached(encoding: Callable[[], Encoding], name: str, arguments: tuple[Any, ...]) -> ValueLayout:
    return _chosen(encoding(), name, arguments)


def _chosen(encoding: Encoding, name: str, arguments: tuple[Any, ...]) -> ValueLayout:
    case = encoding.case(name, *arguments)
    if case is None:
        raise TypeError(f"{encoding.name} has no case for {name}")
    if case.values is None:
        raise TypeError(f"{encoding.name}: no kernel reads the values of {name} as a column")
    return case.values
