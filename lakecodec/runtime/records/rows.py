"""Rows of records: one line per field in a generated class, from which constructor, slots, description and table are made.

``num_columns: int = derived("uvarint32", ("count", "columns"))`` says everything about a field once: how it is read and
written (arguments as the attributes of ``table.FieldStep``), and the value that it is derived from. Expressions are the
tuples of ``table.py``; a class, function or codec of the same module that comes later is given by its name.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar, dataclass_transform, overload

from ..docs import attribute_docs
from ..errors import CodecError, DecodeError, EncodeError, format_name
from ..fields import Row, Rows, idl_doc
from ..json_object import JsonObject
from ..spec import FieldSpec
from .derived_lists import list_getter, watched_getter
from .placed_numbers import placed_methods
from .read import reason

if TYPE_CHECKING:
    from .table import Expr, FieldTable, Table

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
        optional: whether its presence depends on a condition.
        from_source: whether the offset counts from the start of the source, or of the enclosing record ``origin``.
        places: whether places of other fields are computed from it.
        end: whether its arguments or rules depend on the size of the record.
        takes: its size in bytes, if the declaration fixes it.
        big: whether it is a big-endian number.
    """

    __slots__ = ("big", "each", "end", "from_source", "offset", "optional", "origin", "places", "takes")
    big: bool
    offset: tuple[str | int | None, ...]
    each: bool
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
    row.big = big
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


def _of_rows(rows: Mapping[str, Row]) -> dict[str, Any]:
    """Returns the class attributes made from its rows, without the slots."""
    given = tuple(name for name, row in rows.items() if isinstance(row, RecordRow) and row.init)
    found: dict[str, Any] = {"_given": given, "__match_args__": given, "_small_reads": [0]}
    parameters = {name: row for name, row in rows.items() if isinstance(row, ParameterRow)}
    if parameters:
        found["_parameters"] = tuple(parameters)
        found["_defaults"] = {name: row.default for name, row in parameters.items() if row.has_default}
        found["_take"] = _parameter_setter(tuple(parameters), tuple(found["_defaults"].values()))
    return found | {name: _computed_property(name, row) for name, row in rows.items() if isinstance(row, ComputedRow)}


def _parameter_setter(names: tuple[str, ...], defaults: tuple[Any, ...]) -> Any:
    """Returns the function that sets an instance's parameters from arguments; the last ones may have defaults."""
    found: dict[str, Any] = {"defaults": defaults}
    given = f"given + defaults[len(given) - {len(names)} or len(defaults):]" if defaults else "given"
    slots = ", ".join(f"self.{derived_slot(name)}" for name in names)
    exec(f"def _take(self, given): {slots}, = {given}", found)
    return found["_take"]


# A metaclass's docstring would become that of its classes.


@dataclass_transform(kw_only_default=True, field_specifiers=(field, derived, parameter, computed, tag))
class RecordRows(Rows):
    # The metaclass of records and variants: one slot per row, and one argument of the constructor per given field.

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: Any, /, **options: Any) -> Any:
        is_alternative = "kind" in options
        if is_alternative:
            namespace.setdefault("__slots__", ())
        rows = getattr(namespace, "rows", None)  # a plain dict, as passed to type(), has none
        if (is_alternative or rows) and not any(hasattr(base, "_has_constructor") for base in bases):
            namespace.setdefault("__init__", _first_init)
        fields = {attr: row for attr, row in (rows or {}).items() if isinstance(row, RecordRow)}
        for row in fields.values() if any(not getattr(base, "_hides_derived", True) for base in bases) else ():
            row.hidden = False
        made = super().__new__(mcs, name, bases, namespace, **options)
        for attr, row in fields.items():
            if row.hidden:
                type.__setattr__(made, attr, _derived_property(attr, row, vars(made)[derived_slot(attr)]))
            elif row.settled:
                type.__setattr__(made, attr, _settled_property(attr, row, vars(made)[derived_slot(attr)]))
        for attr, row in (rows or {}).items():
            if isinstance(row, ParameterRow):
                type.__setattr__(made, attr, _parameter_property(attr, vars(made)[derived_slot(attr)]))
        return made

    @classmethod
    def _made_of(mcs, rows: Mapping[str, Any]) -> dict[str, Any]:
        keeps = any(row.step.get("keeps") for row in rows.values() if isinstance(row, RecordRow))
        return {"__slots__": (*_slots(rows), *(["_stored"] if keeps else [])), **_of_rows(rows)}

    @property
    def __signature__(cls) -> inspect.Signature:
        if cls.__init__ is _first_init:  # type: ignore[misc]
            _make_constructor(cls)
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def _first_init(self: Any, *arguments: Any, **given: Any) -> None:
    """Makes the class's own constructor, which replaces this one."""
    _make_constructor(type(self))(self, *arguments, **given)


@dataclass_transform(kw_only_default=True, field_specifiers=(field, derived, parameter, computed, placed))
class PlacedRows(RecordRows):
    # The metaclass of lazy records: a slot per sequential field, a property per placed field.

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: Any, /, **options: Any) -> Any:
        for attr, row in getattr(namespace, "rows", {}).items():
            for method, made in placed_methods(attr, row) if isinstance(row, PlacedRow) else ():
                namespace.setdefault(method, made)
        return super().__new__(mcs, name, bases, namespace, **options)

    @classmethod
    def _made_of(mcs, rows: Mapping[str, Any]) -> dict[str, Any]:
        placed = {name: row for name, row in rows.items() if isinstance(row, PlacedRow)}
        others = {name: row for name, row in rows.items() if not isinstance(row, PlacedRow | ComputedRow)}
        return {
            **_of_rows(rows),
            **{name: _property(name) for name in placed},
            "__slots__": _slots(others),
            "_placed": placed,
            "_sequential": tuple(name for name, row in others.items() if isinstance(row, RecordRow)),
        }


def _slots(rows: Mapping[str, Any]) -> tuple[str, ...]:
    slots = tuple(slot_of(name, row) for name, row in rows.items() if not isinstance(row, ComputedRow))
    is_noted = any(isinstance(row, RecordRow) and row.settled for row in rows.values())
    return (*slots, "_edited") if is_noted else slots


def _property(name: str) -> property:
    return property(lambda self: self._get(name), lambda self, value: self._assign(name, value))


def _computed_property(name: str, row: ComputedRow) -> property:
    def value(self: Any) -> Any:
        try:
            return row.value(self)
        except CodecError as error:
            if isinstance(error, DecodeError | EncodeError):
                raise
            raise DecodeError(error.rule, format=format_name(type(self)), path=row.name or name) from error
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            why = reason(error)
            if isinstance(error, AttributeError) and error.obj is self:
                unset = [each for each in getattr(self, "_parameters", ()) if derived_slot(each) == error.name]
                why = f"{unset[0]} is known only after reading or writing" if unset else why
            rule = f"cannot evaluate {row.text} ({why})"
            raise DecodeError(rule, format=format_name(type(self)), path=row.name or name) from None

    refuse = _refusing(name, f"is computed ({row.text}) and cannot be set or deleted")
    return property(value, refuse, refuse, name)


def _refusing(attr: str, why: str) -> Callable[..., None]:
    """Returns the setter, and deleter, of an attribute that callers must leave alone."""

    def refuse(self: Any, value: Any = None) -> None:
        raise AttributeError(f"{attr} of {type(self).__name__} {why}", name=attr, obj=self)

    return refuse


def _settled_property(attr: str, row: RecordRow, member: Any) -> Settled:
    def note(self: Any, value: Any) -> None:
        member.__set__(self, value)
        self._edited = {**getattr(self, "_edited", {}), attr: value}

    slot, is_list = derived_slot(attr), "[" in str(row.type)
    made = Settled(watched_getter(attr, slot) if is_list else attrgetter(slot), note, member.__delete__)
    made.attribute, made.member = None if is_list else attr, member
    return made


def _parameter_property(attr: str, member: Any) -> Given:
    remedy = "what the record around computes it from can, and `to_bytes` takes it as an argument"
    refuse = _refusing(attr, f"is a parameter, and cannot be set or deleted: {remedy}")
    made = Given(attrgetter(derived_slot(attr)), refuse, refuse)
    made.attribute, made.member = attr, member
    return made


def _derived_property(attr: str, row: RecordRow, member: Any) -> Derived:
    refuse = _refusing(attr, "is derived from other values when it is written, and cannot be set or deleted: set those")
    is_one_text = row.step["type"] in ("bytes", "utf8") and "dimension" not in row.step
    slot, is_list = derived_slot(attr), "[" in str(row.type) and not is_one_text
    made = Derived(list_getter(slot, member) if is_list else attrgetter(slot), refuse, refuse)
    made.attribute, made.member = None if is_list else attr, member
    return made


def _make_constructor(cls: type) -> Any:
    """Sets the constructor of the class with the rows of ``cls``; missing fields are None."""
    owner: Any = next(base for base in cls.__mro__ if vars(base).get("__init__") is _first_init)
    rows = {name: row for name, row in vars(owner).get("__rows__", {}).items() if slot_of(name, row) in owner.__slots__}
    set_rows = {name: row for name, row in rows.items() if not isinstance(row, ParameterRow)}
    given = {name: row for name, row in set_rows.items() if row.init}
    values = {slot_of(name, row): name if name in given else None for name, row in set_rows.items()}
    body = "\n".join(f"    self.{slot} = {value}" for slot, value in values.items()) or "    pass"
    head = f"self, *, {', '.join(f'{name}=None' for name in given)}" if given else "self"
    names: dict[str, Any] = {}
    exec(f"def __init__({head}):\n{body}", names)
    made: Any = names["__init__"]
    made.__kwdefaults__ = {name: row.default for name, row in given.items()} or None
    made.__annotations__ = {name: owner.__annotations__[name] for name in given} | {"return": None}
    made.__module__, made.__qualname__ = owner.__module__, f"{owner.__qualname__}.__init__"
    owner.__init__ = made
    return made


def table_of(cls: Any) -> Table | None:
    """Returns the table that drives native readers and writers; None for records that tables cannot describe."""
    known = cls._known_table
    if known is None or known[0] is not cls:
        known = cls._known_table = (cls, _table(cls))
    table: Table | None = known[1]
    return table


def _table(cls: Any) -> Table | None:
    owner = next((base for base in cls.__mro__ if vars(base).get("__rows__")), cls)
    names = vars(sys.modules[owner.__module__])
    if cls.__kind__ == "variant" and not hasattr(cls, "kind"):
        return _choice(cls, names)
    body = cls._body
    if body is None:
        return None
    from .table import RecordTable

    rows = cls.__rows__
    steps = [_step(name, row, names) for name, row in rows.items() if type(row) is RecordRow]
    whole = {name: resolved(value, names) if name in _EXPRESSIONS else value for name, value in body.items()}
    if any(isinstance(row, TagRow) for row in rows.values()):
        whole["tag"] = resolved(cls._on, names)
    whole["nests"] = cls._nests
    placed = {name: row for name, row in rows.items() if type(row) is PlacedRow and cls._is_laid_out}
    whole["placed"] = [_step(name, row, names) for name, row in placed.items() if row.step]
    return RecordTable(steps, params=cls._parameters, defaults=tuple(cls._defaults.values()), **whole)


def _choice(cls: Any, names: Mapping[str, Any]) -> Table | None:
    """Returns the table of a variant; None if it or one of its alternatives has none."""
    alternatives = getattr(cls, "_all", [])
    if cls._on is None or any(each._body is None for each in alternatives):
        return None
    from .table import VariantTable

    whole = {"params": cls._parameters, "defaults": tuple(cls._defaults.values()), "otherwise": cls._otherwise}
    on = resolved(cls._on, names)
    if cls._chain:
        chain = [(resolved(tag, names), each) for each in alternatives for tag in each._tags]
        return VariantTable(on, chain=chain, **whole)
    return VariantTable(on, table=dict(cls._alternatives), **whole)


#: Arguments of steps and of whole records that hold expressions, or sequences of them.
_EXPRESSIONS = frozenset((
    "align", "arguments", "at", "checks", "codecs", "count", "derived", "length", "order", "present", "sets", "size", "tag",
    "value", "verifies", "width", "write_checks",
))  # fmt: skip


def _step(name: str, row: RecordRow, names: Mapping[str, Any]) -> FieldTable:
    from .table import FieldTable

    step = {key: value for key, value in row.step.items() if key != "owners"}
    found = {key: resolved(value, names) if key in _EXPRESSIONS else value for key, value in step.items()}
    found["given"] = row.init and "derived" in found
    if isinstance(found.get("target"), str):
        found["target"] = look_up(found["target"], names)
    return FieldTable(name, **found)


def resolved(expr: Expr, names: Mapping[str, Any]) -> Expr:
    """Returns an expression, or a sequence of them, with functions and codecs in place of their names."""
    if isinstance(expr, list):
        return [resolved(each, names) for each in expr]
    if not isinstance(expr, tuple) or not expr:
        return expr
    word, *operands = expr
    match word:
        case "text":
            return expr
        case "call":
            function, *arguments = operands
            found = look_up(function, names) if isinstance(function, str) else function
            return ("call", found, *(resolved(each, names) for each in arguments))
        case int():
            codec, *arguments = operands
            return (word, look_up(codec, names), *(resolved(each, names) for each in arguments))
        case "let":
            pairs = tuple((name, resolved(each, names)) for name, each in operands[0])
            return ("let", pairs, resolved(operands[1], names))
    return (resolved(word, names), *(resolved(each, names) for each in operands))


def look_up(name: Any, names: Mapping[str, Any]) -> Any:
    """Returns the object that a module calls ``name``, a path that may have dots; anything but a text is itself."""
    if not isinstance(name, str):
        return name
    first, *rest = name.split(".")
    return reduce(getattr, rest, names[first])


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
