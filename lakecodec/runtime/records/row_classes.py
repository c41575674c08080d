"""The classes that rows make: slots, constructors, and attributes that only readers and writers set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, dataclass_transform

from ..errors import CodecError, DecodeError, EncodeError, format_name
from ..fields import Row, Rows
from .derived_lists import list_getter, watched_getter
from .placed_numbers import placed_methods
from .read import reason
from .rows import (
    ComputedRow,
    Derived,
    Given,
    ParameterRow,
    PlacedRow,
    RecordRow,
    Settled,
    computed,
    derived,
    derived_slot,
    field,
    parameter,
    placed,
    slot_of,
    tag,
)


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
