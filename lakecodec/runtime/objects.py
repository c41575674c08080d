"""The base of all generated values: conversion to dicts and JSON, changed copies, short displays."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self

from .errors import DecodeError, EncodeError, format_name
from .exact import exact
from .plain import json_object
from .short import ShortRepr, html_cell, html_table
from .spec import Spec
from .stack import again, roomy, too_deep
from .suggest import hint


class Value(ShortRepr):
    """Base class of generated values. Subclasses define which attributes callers set, and their plain form."""

    __slots__ = ()
    __spec__: ClassVar[Spec]
    #: Cache of (class, function that checks its instances' values before they are written); subclasses ignore it.
    _looks: ClassVar[tuple[type, Any] | None] = None

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        try:
            return self._equals(other)
        except RecursionError as error:
            return bool(again(error, self._equals, other))

    __hash__ = object.__hash__

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        begun = len(memo)
        try:
            return self._copied(memo)
        except RecursionError as error:
            # What was begun is not whole.
            while len(memo) > begun:
                memo.popitem()
            made: Self = again(error, self._copied, memo)
            return made

    def _copied(self, memo: dict[int, Any]) -> Self:
        reduced: Any = self.__reduce_ex__(4)
        make, arguments, state = (*reduced, None)[:3]
        made: Self = make(*copy.deepcopy(arguments, memo))
        memo[id(self)] = made
        for attributes in state if isinstance(state, tuple) else (state,):
            for name, value in (attributes or {}).items():
                object.__setattr__(made, name, copy.deepcopy(value, memo))
        return made

    def to_dict(self) -> dict[str, Any]:
        """Returns the value as nested dicts with the IDL's names; absent fields, and derived ones of records, are left out.

        Bytes and UUIDs stay unchanged. Enum members become their names, unions and variants ``{member: value}``, and
        maps with unhashable keys become lists of pairs.

        Raises:
            EncodeError: the value contains itself.
        """
        found: dict[str, Any] = _shown(self, self._plain, False)
        return found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Returns the value of a dict in the form of `to_dict`.

        Raises:
            EncodeError: something is unknown, missing or of the wrong type; the error's path says where.
        """
        return cls._checked(data, False)

    @classmethod
    def _checked(cls, data: Any, json: bool) -> Self:
        try:
            made: Self = roomy(cls._of_plain, data, json)
            return made
        except EncodeError as error:
            error.format = format_name(cls)
            raise
        except RecursionError:
            raise too_deep(cls) from None

    def to_json(self, indent: int | None = None) -> str:
        """Returns the value as JSON text: like `to_dict`, with bytes as base64, and NaN, infinities and UUIDs as text.

        Args:
            indent: as in ``json.dumps``; None for one line.

        Raises:
            EncodeError: the value contains itself.
        """
        return str(_shown(self, self._to_json, exact(indent)))

    def _to_json(self, indent: int | None) -> str:
        import json

        data = self._plain(True)
        text = json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)
        try:
            text.encode()
        except UnicodeEncodeError:
            return json.dumps(data, indent=indent, allow_nan=False)
        return text

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Returns the value of a JSON text in the form of `to_json`.

        Raises:
            DecodeError: ``text`` is not JSON.
            EncodeError: it does not describe a value of this class; the error's path says where.
        """
        import json

        try:
            data = roomy(partial(json.loads, object_pairs_hook=json_object), text)
        except json.JSONDecodeError as error:
            rule = f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
            raise DecodeError(rule, format=format_name(cls)) from None
        except (ValueError, RecursionError) as error:
            # Raised for bytes that are not text, numbers of thousands of digits, and thousands of levels.
            raise DecodeError(f"not JSON: {error}", format=format_name(cls)) from None
        return cls._checked(data, True)

    def replace(self, **changes: Any) -> Self:
        """Returns a shallow copy with other values of some fields.

        Raises:
            TypeError: ``changes`` name something that callers do not set.
        """
        known = self._settable()
        for name in changes:
            if name not in known:
                raise TypeError(f"{name}: {type(self).__name__} has no such field{hint(name, known)}")
        made = copy.copy(self)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def __replace__(self, **changes: Any) -> Self:
        return self.replace(**changes)

    def _repr_html_(self) -> str:
        head, parts = self._repr_parts()
        spec = getattr(self, "__spec__", None)
        docs = {} if spec is None else {field.attr: field.doc for field in spec.fields}
        rows = [(name, html_cell(value), docs.get(name, "").partition("\n\n")[0]) for name, value in parts]
        return html_table(head, rows)

    def _plain(self, json: bool) -> Any:
        raise NotImplementedError

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        raise NotImplementedError

    def _equals(self, other: Any) -> bool:
        """Returns whether an object of the same class is equal."""
        return self is other

    def _settable(self) -> Sequence[str]:
        """Returns the attributes that callers set."""
        raise NotImplementedError


def byte_size(data: Any) -> int:
    """Returns the number of bytes of a bytes-like object."""
    return len(data) if data.__class__ is bytes else memoryview(data).nbytes


def _shown(value: Value, show: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the result of a method that shows a value; one that contains itself is refused."""
    try:
        return roomy(show, *arguments)
    except RecursionError:
        raise too_deep(type(value)) from None
