"""Typed access to the fields of JSON objects written by others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")
_WORDS = {str: "a string", int: "an integer", bool: "true or false", dict: "an object", list: "a list"}


class FieldError(ValueError):
    """Raised for a field that is missing or has the wrong type."""


def required(fields: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Returns the field's value of exactly the type ``kind``; raises FieldError if it is missing, null or of another type."""
    value = optional(fields, name, kind)
    if value is None:
        raise FieldError(f"{name!r} is missing")
    return value


def optional(fields: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    """Returns the field's value; None if it is null or missing. Raises FieldError if it is of another type."""
    value = fields.get(name)
    if value is None:
        return None
    if type(value) is not kind:
        raise FieldError(f"{name!r} is not {_WORDS[kind]}")
    return value


def count(fields: Mapping[str, Any], name: str) -> int:
    """Returns a required integer that is not negative; errors as in `required`."""
    value = required(fields, name, int)
    if value < 0:
        raise FieldError(f"{name!r} is negative")
    return value


def texts(fields: Mapping[str, Any], name: str, *, nulls: bool = False) -> dict[str, Any] | None:
    """Returns an optional map of strings to strings; with ``nulls`` values may be null."""
    value = optional(fields, name, dict)
    if value is None:
        return None
    for key, text in value.items():
        if type(text) is not str and not (nulls and text is None):
            raise FieldError(f"{name}[{key!r}] is not a string")
    return value


def names(fields: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    """Returns an optional list of strings as a tuple."""
    value = optional(fields, name, list)
    if value is None:
        return None
    for item in value:
        if type(item) is not str:
            raise FieldError(f"{name!r} has an item that is not a string")
    return tuple(value)
