"""The steps of writing a body, which `write_plan` puts in order and the writer prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .field_layout import FieldLayout, Rule
from .nodes import Node
from .record_layout import Derived


@dataclass(frozen=True, slots=True)
class Derive:
    """Computes a derived field, or what is derived of a field inside of it."""

    derived: Derived


@dataclass(frozen=True, slots=True)
class EncodeSeparately:
    """Steps on a writer of their own, whose bytes are kept: the field's part, or with ``raw`` the field before its codecs.

    Attributes:
        base: where that writer begins: `place`, where this one stands; so many bytes behind it; `zero`; or `unknown`.
    """

    field: FieldLayout
    raw: bool
    base: Node | str
    steps: tuple[WriteStep, ...]


@dataclass(frozen=True, slots=True)
class RawText:
    """Keeps the bytes of a text before its codecs."""

    field: FieldLayout


@dataclass(frozen=True, slots=True)
class RawList:
    """Keeps the elements of an `[i < n]` as they are before their codecs; ``by_value`` as in `Encode`."""

    field: FieldLayout
    by_value: bool


@dataclass(frozen=True, slots=True)
class ApplyCodecs:
    """Makes the field's part: its kept bytes after its codecs."""

    field: FieldLayout


@dataclass(frozen=True, slots=True)
class Encode:
    """Appends a field.

    Attributes:
        condition: the condition of its presence; None if it is always present.
        by_value: whether it, or each element, is present if its value is not None.
        from_raw: its elements are kept already as they are before their codecs.
    """

    field: FieldLayout
    condition: Node | None = None
    by_value: bool = False
    from_raw: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """Appends one element as it is before the codecs of its span; of a list the one at the index, ``through`` them."""

    field: FieldLayout
    through: bool = False


@dataclass(frozen=True, slots=True)
class TakeElement:
    """Takes the element at the index of a list whose elements have their own places."""

    field: FieldLayout


@dataclass(frozen=True, slots=True)
class Place:
    """Appends the part of a field that is encoded already."""

    field: FieldLayout


@dataclass(frozen=True, slots=True)
class Run:
    """Appends fields of fixed width at once."""

    fields: tuple[FieldLayout, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """Refuses values that break an invariant; without a field, one of the whole."""

    field: FieldLayout | None
    rule: Rule


@dataclass(frozen=True, slots=True)
class CheckPresence:
    """Refuses a field whose presence contradicts its condition, which depends on the field's own bytes."""

    field: FieldLayout


@dataclass(frozen=True, slots=True)
class CheckSize:
    """Refuses a field whose number of bytes differs from a size that is not derived from them."""

    field: FieldLayout
    condition: Node | None
    size: Node


WriteStep: TypeAlias = (
    Derive
    | EncodeSeparately
    | RawText
    | RawList
    | ApplyCodecs
    | Encode
    | Element
    | TakeElement
    | Place
    | Run
    | Check
    | CheckPresence
    | CheckSize
)
