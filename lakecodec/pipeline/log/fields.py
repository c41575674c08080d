"""Typed access to the fields of JSON objects that somebody else wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
_WORDS = {str: "a string", int: "an integer", bool: "true or false", dict: "an object", list: "a list"}


class FieldError(ValueError):
    """A field that is missing or not of its type."""


def required(fields: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """The field's value, of exactly the type ``kind``."""
    value = optional(fields, name, kind)
    if value is None:
        raise FieldError(f"{name!r} is missing")
    return value


def optional(fields: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    """The field's value; None when it is null or missing."""
    value = fields.get(name)
    if value is None:
        return None
    if type(value) is not kind:
        raise FieldError(f"{name!r} is not {_WORDS[kind]}")
    return value


def count(fields: Mapping[str, Any], name: str) -> int:
    """A required number that is not negative."""
    value = required(fields, name, int)
    if value < 0:
        raise FieldError(f"{name!r} is negative")
    return value


def texts(fields: Mapping[str, Any], name: str, *, nulls: bool = False) -> dict[str, Any] | None:
    """A map of strings to strings, with ``nulls`` to strings or null."""
    value = optional(fields, name, dict)
    if value is None:
        return None
    for key, text in value.items():
        if type(text) is not str and not (nulls and text is None):
            raise FieldError(f"{name}[{key!r}] is not a string")
    return value


def names(fields: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """A list of strings."""
    value = optional(fields, name, list)
    if value is None:
        return None
    for item in value:
        if type(item) is not str:
            raise FieldError(f"{name!r} has an item that is not a string")
    return tuple(value)
