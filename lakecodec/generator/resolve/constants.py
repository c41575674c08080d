"""Constants and defaults of the IDL as Python values of their types."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from ...runtime.suggest import did_you_mean
from ..diagnostics import Diagnostics, Location
from ..model import Enum, EnumMember, ListOf, MapOf, Scalar, SetOf, Struct, Type
from ..syntax import ConstList, ConstMap, ConstRange, ConstReference, ConstValue, Literal_
from .scope import UNKNOWN, Scope

_BITS = {
    "i8": 8, "i16": 16, "i32": 32, "i64": 64, "sint32": 32, "sint64": 64, "sfixed32": 32, "sfixed64": 64,
}  # fmt: skip
_UNSIGNED_BITS = {"uint32": 32, "uint64": 64, "fixed32": 32, "fixed64": 64}

#: The most values of all ranges in constant lists per file.
_LONGEST_RANGE = 1 << 17
#: The most values per file that references to constants may repeat. 16 values of a range count as one.
_MOST_REPEATED = 1 << 16


class BadConstant(Exception):
    """Raised if a value does not fit its type, after the diagnostic was reported."""


def type_name(type_: Type, named: Callable[[Enum | Struct], str] = attrgetter("name")) -> str:
    """Returns the type as the IDL writes it; ``named`` gives the names of enums and structs."""
    match type_:
        case Scalar():
            return type_.kind
        case ListOf():
            return f"list<{type_name(type_.value, named)}>"
        case SetOf():
            return f"set<{type_name(type_.value, named)}>"
        case MapOf():
            return f"map<{type_name(type_.key, named)}, {type_name(type_.value, named)}>"
        case Enum() | Struct():
            return named(type_)


class Evaluator:
    """Converts values to types; references are followed and evaluated for the wanted type, as in Thrift."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._following: list[tuple[Scope, str]] = []
        self._circular: dict[Scope, set[str]] = {}
        self._repeated = 0
        self._ranged = 0
        self._outermost = Location("", 0, 0)

    def value(self, value: ConstValue, type_: Type, scope: Scope) -> Any:
        """Returns the Python value: int, float, str, bytes, bool, UUID, EnumMember, a list for lists and sets, a dict for maps
        (a list of pairs where keys are not hashable) and, by field name, for structs.

        Raises:
            BadConstant: the value does not fit; the diagnostic has been reported.
        """
        if isinstance(value, ConstReference):
            return self._reference(value, type_, scope)
        self._count(1)
        match type_:
            case Scalar():
                return self._scalar(value, type_)
            case Enum():
                return self._enum(value, type_)
            case ListOf() | SetOf():
                return self._list(value, type_, scope)
            case MapOf():
                return self._map(value, type_, scope)
            case Struct():
                return self._struct(value, type_, scope)

    # ---- references ----

    def _reference(self, reference: ConstReference, type_: Type, scope: Scope) -> Any:
        if reference.name in ("true", "false"):
            return self.value(Literal_(int(reference.name == "true"), reference.location), type_, scope)
        member = scope.enum_member(reference.name)
        if member is not None:
            return self._member(member, type_, reference, scope)
        found = scope.const(reference.name)
        if found is None and isinstance(type_, Enum) and (member := self._by_last_part(reference, type_, scope)):
            if "." not in reference.name:
                qualified = f"{type_.name}.{member.name}"
                raise self._bad(f"'{reference.name}' needs its enum in front: {qualified}", reference.location)
            return member
        if found is None and scope.is_broken(reference.name):
            raise BadConstant
        if found is None:
            raise self._bad(self._unknown(reference, type_, scope), reference.location)
        owner, definition = found
        key = (owner, definition.name)
        if definition.name in self._circular.get(owner, ()) or self._repeated > _MOST_REPEATED:
            raise BadConstant
        if key in self._following:
            circle = self._following[self._following.index(key) :]
            for each, circle_name in circle:
                self._circular.setdefault(each, set()).add(circle_name)
            names = " -> ".join(name for _, name in [*circle, key])
            raise self._bad(f"constant '{definition.name}' is defined by itself: {names}", definition.location)
        if not self._following:
            self._outermost = reference.location
        self._following.append(key)
        try:
            return self.value(definition.value, type_, owner)
        finally:
            self._following.pop()

    def _member(self, member: EnumMember, type_: Type, reference: ConstReference, scope: Scope) -> Any:
        if isinstance(type_, Enum):
            if member in type_.members:
                return member
            if (same := self._by_last_part(reference, type_, scope)) is not None:
                return same
            raise self._bad(f"'{reference.name}' is not a member of enum '{type_.name}'", reference.location)
        return self.value(Literal_(member.number, reference.location), type_, scope)

    def _by_last_part(self, reference: ConstReference, type_: Enum, scope: Scope) -> EnumMember | None:
        """Returns the member of the wanted enum, whatever its prefix is, as in Thrift."""
        qualifier, _, name = reference.name.rpartition(".")
        member = next((each for each in type_.members if each.name == name), None)
        if member is not None and qualifier:
            self._diagnostics.warning(
                f"'{qualifier}' is not '{type_.name}'; its own '{name}' is used, as in Thrift",
                reference.location,
            )
        return member

    def _unknown(self, reference: ConstReference, type_: Type, scope: Scope) -> str:
        if isinstance(type_, Enum):
            members = [each.name for each in type_.members]
            known = [*members, *(f"{type_.name}.{name}" for name in members), *scope.consts]
            hint = did_you_mean(reference.name, known)
            return f"'{reference.name}' is not a member of enum '{type_.name}'{hint}"
        return f"unknown constant '{reference.name}'{did_you_mean(reference.name, scope.constant_names())}"

    def _count(self, values: int) -> None:
        """Counts values that references repeat; each level of references can double them."""
        if self._following:
            self._repeated += values
            if self._repeated > _MOST_REPEATED:
                message = f"constants and defaults repeat more than {_MOST_REPEATED} values of other constants"
                raise self._bad(message, self._outermost)

    # ---- scalars and enums ----

    def _scalar(self, value: ConstValue, type_: Scalar) -> Any:
        if type_ is UNKNOWN:
            raise BadConstant
        content = value.value if isinstance(value, Literal_) else None
        kind = type_.kind
        if kind in _BITS and isinstance(content, int):
            return self._integer(content, kind, value.location)
        if kind in _UNSIGNED_BITS and isinstance(content, int):
            if not 0 <= content < 1 << _UNSIGNED_BITS[kind]:
                raise self._bad(f"{content} does not fit {kind}", value.location)
            return content
        if kind == "bool" and isinstance(content, int):
            if content not in (0, 1):
                word = "true" if content > 0 else "false"
                self._diagnostics.warning(
                    f"{content} is not a bool; it is read as {word}, as in Thrift", value.location
                )
            return content > 0
        if kind in ("double", "float") and isinstance(content, int | float):
            return self._double(content, value.location)
        if kind == "string" and isinstance(content, str):
            return content
        if kind == "binary" and isinstance(content, str | bytes):
            return content.encode() if isinstance(content, str) else content
        if kind == "uuid" and isinstance(content, str):
            try:
                return uuid.UUID(content)
            except ValueError:
                raise self._bad(f"'{content}' is not a UUID", value.location) from None
        raise self._mismatch(value, type_)

    def _integer(self, number: int, kind: str, location: Location) -> int:
        limit = 1 << (_BITS[kind] - 1)
        if limit <= number < 2 * limit and kind != "i64":
            wrapped = number - 2 * limit
            message = f"{number} does not fit {kind} ({-limit} to {limit - 1}); as in Thrift, its bits mean {wrapped}"
            self._diagnostics.warning(message, location)
            return wrapped
        if not -limit <= number < limit:
            raise self._bad(f"{number} does not fit {kind} ({-limit} to {limit - 1})", location)
        return number

    def _double(self, number: int | float, location: Location) -> float:
        made = float(number) if isinstance(number, float) or abs(number) < 1 << 64 else math.inf
        if math.isinf(made):
            raise self._bad("the number is too large for a double", location)
        return made

    def _enum(self, value: ConstValue, type_: Enum) -> EnumMember:
        if not isinstance(value, Literal_) or not isinstance(value.value, int):
            raise self._mismatch(value, type_)
        for member in type_.members:
            if member.number == value.value:
                return member
        raise self._bad(f"enum '{type_.name}' has no member with number {value.value}", value.location)

    # ---- containers and structs ----

    def _list(self, value: ConstValue, type_: ListOf | SetOf, scope: Scope) -> list[Any]:
        if value == ConstMap((), value.location):
            return []
        if not isinstance(value, ConstList):
            raise self._mismatch(value, type_)
        items: list[Any] = []
        failed = False
        for item in value.items:
            try:
                items += self._items(item, type_.value, scope)
            except BadConstant:
                failed = True
        if failed:
            raise BadConstant
        return distinct(items) if isinstance(type_, SetOf) else items

    def _items(self, item: ConstValue | ConstRange, type_: Type, scope: Scope) -> list[Any]:
        """Returns one item, or several for a range or for a string among small integers, which means its characters."""
        kind = type_.kind if isinstance(type_, Scalar) else ""
        if isinstance(item, ConstRange):
            if kind not in _BITS:
                raise self._bad(f"a range cannot make values of type {type_name(type_)}", item.location)
            if not 0 <= item.high - item.low < _LONGEST_RANGE:
                raise self._bad("the range is empty or too long", item.location)
            # Values of referenced constants are counted as repeated.
            self._ranged += 0 if self._following else item.high - item.low + 1
            if self._ranged > _LONGEST_RANGE:
                raise self._bad(f"the ranges of a file have more than {_LONGEST_RANGE} values", item.location)
            self._count((item.high - item.low) // 16)
            ends = [self._integer(end, kind, item.location) for end in (item.low, item.high)]
            return list(range(ends[0], ends[1] + 1))
        if kind == "i8" and isinstance(item, Literal_) and isinstance(item.value, str):
            if not item.value.isascii():
                raise self._bad("characters in bytes must be ASCII", item.location)
            return list(item.value.encode())
        return [self.value(item, type_, scope)]

    def _map(self, value: ConstValue, type_: MapOf, scope: Scope) -> dict[Any, Any] | list[tuple[Any, Any]]:
        if value == ConstList((), value.location):
            return {} if isinstance(type_.key, Scalar | Enum) else []
        if not isinstance(value, ConstMap):
            raise self._mismatch(value, type_)
        pairs = [
            (self.value(key, type_.key, scope), self.value(item, type_.value, scope)) for key, item in value.entries
        ]
        return dict(pairs) if isinstance(type_.key, Scalar | Enum) else pairs

    def _struct(self, value: ConstValue, type_: Struct, scope: Scope) -> dict[str, Any]:
        if not isinstance(value, ConstMap):
            raise self._mismatch(value, type_)
        fields = {field.name: field for field in type_.fields}
        made: dict[str, Any] = {}
        for key, item in value.entries:
            name = key.value if isinstance(key, Literal_) else None
            if not isinstance(name, str):
                raise self._bad(f"the keys of a value of {type_.kind} '{type_.name}' must be field names", key.location)
            if name not in fields:
                raise self._bad(f"'{type_.name}' has no field '{name}'{did_you_mean(name, fields)}", key.location)
            made[name] = self.value(item, fields[name].type, scope)
        if type_.is_union and len(made) != 1:
            raise self._bad(f"a value of {type_.kind} '{type_.name}' sets exactly one field", value.location)
        return made

    # ---- errors ----

    def _mismatch(self, value: ConstValue, type_: Type) -> BadConstant:
        return self._bad(f"expected a value of type {type_name(type_)}, found {_described(value)}", value.location)

    def _bad(self, message: str, location: Location) -> BadConstant:
        self._diagnostics.error(message, location)
        return BadConstant(message)


def distinct(items: list[Any]) -> list[Any]:
    """Returns the items without duplicates of earlier ones; they need not be hashable."""
    found: list[Any] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


def _described(value: ConstValue) -> str:
    match value:
        case ConstList():
            return "a list"
        case ConstMap():
            return "a map"
        case ConstReference():
            return f"'{value.name}'"
        case Literal_():
            return str(value.value) if isinstance(value.value, int | float) else f'"{value.value!s}"'
