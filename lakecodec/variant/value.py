"""One variant: its value as Python, as JSON, or a part of it."""

from __future__ import annotations

import json
from typing import Any

from ..generated.variant import Body
from ..runtime.variant_paths import steps_of
from . import scalars
from .reading import Walk, end_of, fields_of, head, names_of


class Variant:
    """A semi-structured value: the metadata with names, and the value's bytes.

    Values are decoded on access. Variants are equal if both byte strings are equal.

    Args:
        metadata: the names of fields, encoded.
        value: the value, encoded.

    Raises:
        TypeError: an argument is not bytes.
    """

    __slots__ = ("metadata", "value")

    def __init__(self, metadata: bytes, value: bytes) -> None:
        for name, given in (("metadata", metadata), ("value", value)):
            if not isinstance(given, bytes | bytearray | memoryview):
                raise TypeError(f"{name}: bytes are needed, not {type(given).__name__}")
        self.metadata = bytes(metadata)
        self.value = bytes(value)

    @property
    def type(self) -> str:
        """The kind of value: ``object``, ``array``, ``string``, ``boolean``, or a primitive type such as ``int8``, ``decimal4``.

        Raises:
            DecodeError: the bytes are not a value.
        """
        return kind_name(head(self.value, 0)[0])

    def to_python(self) -> Any:
        """Returns the value as dicts, lists and scalars of Python; timestamps of nanoseconds are `numpy.datetime64`.

        Raises:
            DecodeError: the bytes are not a variant, or Python cannot hold a value.
        """
        return Walk(self.metadata, self.value, scalars.to_python, _python).visit(0)

    def to_json(self) -> str:
        """Returns the value as text of JSON: times as texts, bytes in base64, decimals with all digits.

        Raises:
            DecodeError: the bytes are not a variant.
        """
        text: str = Walk(self.metadata, self.value, scalars.to_json, _json).visit(0)
        return text

    def get(self, path: str) -> Variant | None:
        """Returns the part at a path such as ``$.a[0].b``, None where there is none. A part that is null is a `Variant`.

        Raises:
            DecodeError: the bytes on the way are not a variant.
            ValueError: the path is not one.
        """
        at = find(names_of(self.metadata), self.value, steps_of(path))
        return None if at is None else Variant(self.metadata, self.value[at : end_of(self.value, at)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variant):
            return NotImplemented
        return (self.metadata, self.value) == (other.metadata, other.value)

    def __hash__(self) -> int:
        return hash((self.metadata, self.value))

    def __repr__(self) -> str:
        return f"Variant({self.metadata!r}, {self.value!r})"


def kind_name(body: Any) -> str:
    """Returns the name of a value's kind; both forms of a boolean and of a string have one name."""
    if isinstance(body, Body.TRUE | Body.FALSE):
        return "boolean"
    return "string" if isinstance(body, Body.SHORT_STRING) else body.kind.lower()


def find(names: tuple[str, ...], value: bytes, steps: list[str | int]) -> int | None:
    """Returns the offset of the part of a value at a path, None where there is none.

    Raises:
        DecodeError: the bytes on the way are not a value.
    """
    at = 0
    for step in steps:
        body, start = head(value, at)
        if isinstance(step, str) and isinstance(body, Body.OBJECT):
            places = dict(fields_of(body, start, names))
            if step not in places:
                return None
            at = places[step]
        elif isinstance(step, int) and isinstance(body, Body.ARRAY) and step < len(body.offsets) - 1:
            at = start + body.offsets[step]
        else:
            return None
    head(value, at)
    return at


def _python(parts: list[Any], names: list[str] | None) -> Any:
    return parts if names is None else dict(zip(names, parts, strict=True))


def _json(parts: list[Any], names: list[str] | None) -> str:
    if names is None:
        return f"[{','.join(parts)}]"
    return "{" + ",".join(f"{json.dumps(name)}:{part}" for name, part in zip(names, parts, strict=True)) + "}"
