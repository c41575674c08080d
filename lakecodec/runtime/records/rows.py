"""Rows of records: one line per field in a generated class, from which constructor, slots, description and table are made.

``num_columns: int = derived("uvarint32", ("count", "columns"))`` says everything about a field once: how it is read and
written (arguments as the attributes of ``table.FieldStep``), and the value that it is derived from. Expressions are the
tuples of ``table.py``; a class, function or codec of the same module that comes later is given by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from ..docs import attribute_docs
from ..fields import Row, idl_doc
from ..json_object import JsonObject
from ..spec import FieldSpec

if TYPE_CHECKING:
    from .table import Expr

_T = TypeVar("_T")


class RecordRow(Row):
    """A field of a record.

    Attributes:
        step: the arguments of its ``FieldTable``; None if tables cannot describe the record.
        hidden: whether only readers and writers set the field, in a slot of its own.
        settled: whether records around this one compute the field, or its own under a condition; a caller's edit is noted.
    """

    __slots__ = ("hidden", "settled", "step")
    step: dict[str, Any]
    hidden: bool
    settled: bool

    def spec(self, cls: Any, attr: str, names: Mapping[str, Any]) -> FieldSpec:
        return self.numbered(cls, attr, 1 + [*_own(cls)].index(attr))

    def numbered(self, cls: Any, attr: str, number: int) -> FieldSpec:
        """Returns the description of a field, numbered by its position in its record."""
        return FieldSpec(
            self.name or attr,
            number,
            self.type,
            "required",
            self.default,
            lambda: attribute_docs(cls).get(attr, ""),
            attr,
        )


class OwnSlot(property):
    """The attribute of a field whose slot has a name of its own.

    Attributes:
        attribute: its name; None where callers do not get what the slot holds.
        member: the descriptor of the slot.
    """

    attribute: str | None
    member: Any


class Derived(OwnSlot):
    """The attribute of a derived field: it can be read, and only readers and writers set it, in its slot."""


class Settled(OwnSlot):
    """The attribute of a settled field: a caller's edit is noted."""


class Given(OwnSlot):
    """The attribute of a parameter: it can be read, and only what passes arguments sets it, in its slot."""


def derived_slot(attribute: str) -> str:
    """Returns the slot of a derived field or a parameter.

    It has no two underscores in front, which Python would change in a class.
    """
    return f"_{attribute}_" if attribute[0] != "_" else f"_own{attribute}_"


def slot_of(attribute: str, row: Row) -> str:
    """Returns the slot of a field or parameter."""
    has_own = isinstance(row, ParameterRow) or (isinstance(row, RecordRow) and (row.hidden or row.settled))
    return derived_slot(attribute) if has_own else attribute


def store(value: Any, attribute: str, found: Any) -> None:
    """Sets a field of a record, also a derived one, or a member of a JSON object, without noting an edit."""
    if isinstance(value, JsonObject):
        value._store(attribute, found)
    else:
        row = getattr(type(value), "__rows__", {}).get(attribute)
        setattr(value, attribute if row is None else slot_of(attribute, row), found)


class PlacedRow(RecordRow):
    """A field that is placed with `at`.

    Attributes:
        offset: path to the value with its offset, if another field has it: attributes, element numbers, and None for
            the index of the element that is placed.
        each: whether elements have their own places.
        grows: whether their count is that of the elements so far, and one more until the list ends.
        optional: whether its presence depends on a condition.
        from_source: whether the offset counts from the start of the source, or of the enclosing record ``origin``.
        places: whether places of other fields are computed from it.
        end: whether its arguments or rules depend on the size of the record.
        takes: its size in bytes, if the declaration fixes it.
        big: whether it is a big-endian number.
    """

    __slots__ = ("big", "each", "end", "from_source", "grows", "offset", "optional", "origin", "places", "takes")
    big: bool
    offset: tuple[str | int | None, ...]
    each: bool
    grows: bool
    optional: bool
    from_source: bool
    origin: str
    places: bool
    end: bool
    takes: int | None


class ParameterRow(Row):
    """A parameter of a record or variant: an attribute that is not an argument of the constructor."""

    __slots__ = ("has_default",)
    has_default: bool


class ComputedRow(Row):
    """An attribute without bytes: ``value`` computes it from an object, ``text`` is its expression in the IDL."""

    __slots__ = ("text", "value")
    text: str
    value: Callable[[Any], Any]


class TagRow(Row):
    """The tag of an alternative that has several."""

    __slots__ = ()


@overload
def field(type: str, wire: str = ..., *, default: _T, name: str = ..., settled: bool = ..., **step: Any) -> _T: ...
@overload
def field(type: str, wire: str = ..., *, name: str = ..., settled: bool = ..., **step: Any) -> Any: ...
def field(type: str, wire: str = "", *, default: Any = None, name: str = "", settled: bool = False, **step: Any) -> Any:
    """Returns the row of a field that the caller sets.

    Args:
        type: type and dimensions as in the IDL.
        wire: the wire type of an element, if it differs from ``type``.
        default: None for a field that can be absent.
        name: the IDL's name if Python reserves it.
        settled: as in `RecordRow`.
        step: further attributes of `FieldTable`; ``record``, ``struct``, ``values`` and ``coder`` name its target.
    """
    return _row(type, wire, default, name, step, init=True, settled=settled)


def derived(
    type: str, value: Expr, wire: str = "", *, init: Literal[False] = False, name: str = "", **step: Any
) -> Any:
    """Returns the row of a field that is computed from others when it is written, and verified when it is read.

    Args:
        value: the expression that computes it; ``("unknown",)`` if only the generated writer can.
    """
    return _row(type, wire, None, name, {"derived": value, **step}, init=False)


def placed(
    type: str,
    offset: tuple[str | int | None, ...] = (),
    *,
    each: bool = False,
    grows: bool = False,
    optional: bool = False,
    from_source: bool = False,
    places: bool = False,
    end: bool = False,
    takes: int | None = None,
    big: bool = False,
    origin: str = "",
    default: Any = None,
    name: str = "",
    **step: Any,
) -> Any:
    """Returns the row of a field that is placed with `at`; arguments as the attributes of `PlacedRow`.

    Args:
        step: attributes of `FieldTable` as in `field`, if native writers can lay the record out.
    """
    row = PlacedRow(type, default=default, init=True, name=name)
    row.hidden, row.settled, row.offset, row.each, row.optional = False, False, offset, each, optional
    row.step = _table_arguments(type, step.pop("wire", ""), {"big": big, **step}) if step else {}
    row.from_source, row.places, row.end, row.takes, row.origin = from_source, places, end, takes, origin
    row.big, row.grows = big, grows
    return row


def parameter(default: Any = ..., *, init: Literal[False] = False) -> Any:
    """Returns the row of a parameter of the declaration."""
    row = ParameterRow("", default=None if default is ... else default, init=False)
    row.has_default = default is not ...
    return row


def computed(type: str, value: Callable[[Any], Any], text: str, *, init: Literal[False] = False, name: str = "") -> Any:
    """Returns the row of a computed attribute; arguments as the attributes of `ComputedRow`."""
    row = ComputedRow(type, init=False, name=name)
    row.value, row.text = value, text
    return row


def inlined(parameters: str, body: Expr) -> Callable[..., Expr]:
    """Returns an IDL function for rows' expressions: a call becomes its body with the arguments bound to names."""
    names = parameters.split()
    return lambda *arguments: ("let", tuple(zip(names, arguments, strict=True)), body)


def tag(*, default: Any) -> Any:
    """Returns the row of the tag of an alternative with several tags; ``default`` is the tag of new values."""
    return TagRow("", default=default)


def _row(
    type: str, wire: str, default: Any, name: str, step: dict[str, Any], *, init: bool, settled: bool = False
) -> RecordRow:
    row = RecordRow(type, default=default, init=init, name=name)
    row.hidden, row.settled = not init, settled
    row.step = _table_arguments(type, wire, step)
    return row


def _table_arguments(type: str, wire: str, step: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a field's `FieldTable`."""
    step["type"] = wire or type
    for kind in ("record", "struct", "values", "coder"):
        if (target := step.pop(kind, None)) is not None:
            step["target"] = target
            if kind == "coder":
                step["coded"] = True
            else:
                step["type"] = kind
    if "count" in step:
        step.setdefault("dimension", "count")
    return step


def field_specs(cls: Any, names: Mapping[str, Any]) -> Sequence[FieldSpec]:
    """Returns the descriptions of a record's fields, or of a variant's alternatives."""
    if cls.__kind__ == "variant" and not hasattr(cls, "kind"):
        return [
            FieldSpec(each.kind, number, each, "optional", None, idl_doc(each))
            for number, each in enumerate(cls._all, 1)
        ]
    return [row.numbered(cls, attr, number) for number, (attr, row) in enumerate(_own(cls).items(), 1)]


def computed_specs(cls: Any) -> Sequence[FieldSpec]:
    """Returns the descriptions of a record's computed attributes."""
    rows = {attr: row for attr, row in cls.__rows__.items() if isinstance(row, ComputedRow)}
    return [
        FieldSpec(row.name or attr, number, row.type, "default", None, _doc_of(cls, attr), attr)
        for number, (attr, row) in enumerate(rows.items(), 1)
    ]


def _doc_of(cls: Any, attr: str) -> Callable[[], str]:
    return lambda: attribute_docs(cls).get(attr, "")


def _own(cls: Any) -> dict[str, RecordRow]:
    return {attr: row for attr, row in cls.__rows__.items() if isinstance(row, RecordRow)}
