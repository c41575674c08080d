"""Values of structs, unions and enums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from ...generator.lower.types import hashable
from ...generator.model import Enum, Field, ListOf, MapOf, Scalar, SetOf, Struct, Type
from ...generator.resolve.constants import distinct
from ..schema import Schema
from . import scalars
from .choices import Choices, Exhausted, Rejected
from .heights import ENDLESS, MOST_PARTS, least

_INTEGERS = {
    "i8": 8, "i16": 16, "i32": 32, "i64": 64, "sint32": 32, "sint64": 64, "sfixed32": 32, "sfixed64": 64, "uint32": 32,
    "uint64": 64, "fixed32": 32, "fixed64": 64,
}  # fmt: skip
_UNSIGNED = frozenset(("uint32", "uint64", "fixed32", "fixed64"))
#: The nesting of structs beyond which optional parts are left out.
_DEEP = 6
#: The deepest nesting of structs in a value.
_DEEPEST = 40
#: The largest size or count that a field takes from the declarations.
_MOST_SIZE = 4096


class StructSampler:
    """Makes values of Thrift's declarations."""

    def __init__(
        self,
        schema: Schema,
        choices: Choices,
        sizing: frozenset[tuple[str, str]] = frozenset(),
        numbers: Sequence[int] = (),
        compared: Mapping[tuple[str, str], Sequence[Any]] | None = None,
    ) -> None:
        """``sizing`` are the fields that say how long something is; ``numbers`` those that the declarations name, and
        ``compared`` what records compare a field with."""
        self._compared = compared or {}
        self._schema, self._choices, self._sizing = schema, choices, sizing
        self._sizes = list(dict.fromkeys((2, 0, 1, 16, *(each for each in numbers if 0 < each <= _MOST_SIZE))))
        self._depth = self._structs = 0

    def value(self, type_: Type, key: Any) -> Any:
        """Returns a value of a type; ``key`` names the place that it is for."""
        match type_:
            case Struct():
                return self.struct(type_)
            case Enum():
                number = self._choices.pick(key, [each.number for each in type_.members] or [0])
                return self._schema.class_of(type_)(number) if type_.members else number
            case ListOf():
                return [self.value(type_.value, (key, "element")) for _ in range(self._count(type_.value, key))]
            case SetOf():
                items = [self.value(type_.value, (key, "element")) for _ in range(self._count(type_.value, key))]
                return set(items) if hashable(type_.value) else distinct(items)
            case MapOf():
                count = max(self._count(type_.key, key), self._count(type_.value, key))
                keys = distinct([self.value(type_.key, (key, "key")) for _ in range(count)])
                pairs = [(each, self.value(type_.value, (key, "value"))) for each in keys]
                return dict(pairs) if hashable(type_.key) else pairs
            case Scalar():
                return self._scalar(type_.kind, key)

    def struct(self, struct: Struct) -> Any:
        """Returns a value of a struct, union or exception.

        Raises:
            Rejected: it must contain itself, or is too large.
        """
        if "lakecodec.codec" in struct.annotations:
            raise ValueError(f"type: {struct.name} has a codec of its own, which the IDL does not describe")
        if not self._depth and _height(struct) < ENDLESS and _count_of(struct) > MOST_PARTS:
            raise ValueError(f"type: a {struct.name} has more than {MOST_PARTS} structs")
        self._depth += 1
        self._structs += 1
        if self._depth > _DEEPEST:
            raise Rejected(f"{struct.name} must contain itself")
        if self._structs > MOST_PARTS:
            raise Exhausted(f"{struct.name} is one of too many structs")
        cls = self._schema.class_of(struct)
        if struct.is_union:
            field = self._member(struct)
            made = getattr(cls, field.python)
            value = made(self.value(field.type, (struct.name, field.name)))
        else:
            chosen = [field for field in struct.fields if self._is_present(struct, field)]
            value = cls(**{each.python: self.value(each.type, (struct.name, each.name)) for each in chosen})
            for field in struct.fields:
                # A field that is neither required nor optional gets its default if it is not set.
                if (
                    field not in chosen
                    and field.requiredness == "default"
                    and field.has_default
                    and not struct.is_protobuf
                ):
                    setattr(value, field.python, None)
        self._depth -= 1
        return value

    def _member(self, union: Struct) -> Field:
        if not union.fields:
            raise Rejected(f"{union.name} has no members")
        names = {field.name: field for field in union.fields}
        if self._depth > _DEEP:
            least = min(_height(field.type) for field in union.fields)
            names = {name: field for name, field in names.items() if _height(field.type) == least}
        return names[self._choices.pick((union.name, "member"), list(names))]

    def _is_present(self, struct: Struct, field: Field) -> bool:
        if field.requiredness == "required":
            return True
        if _height(field.type) + self._depth > _DEEPEST or (self._depth > _DEEP and _height(field.type)):
            return False
        return bool(self._choices.pick((struct.name, field.name, "present"), [False, True]))

    def _count(self, type_: Type, key: Any) -> int:
        height = _height(type_)
        if height >= ENDLESS or (height and self._depth > _DEEP):
            return 0
        return self._choices.pick((key, "count"), [1, 0, 2] if height else [2, 0, 1, 16])

    def _scalar(self, kind: str, key: Any) -> Any:
        match kind:
            case "bool":
                return bool(self._choices.pick(key, [False, True]))
            case "double" | "float":
                return scalars.floating(self._choices, key, 8 if kind == "double" else 4)
            case "string":
                named = [each for each in self._compared.get(key, ()) if isinstance(each, str)]
                return self._choices.pick((key, "named"), ["", *named]) or scalars.text(self._choices, key)
            case "binary":
                return scalars.raw(self._choices, key)
            case "uuid":
                return scalars.identifier(self._choices)
        if key in self._sizing:
            return self._choices.pick(key, self._sizes)
        wanted = [each for each in self._compared.get(key, ()) if isinstance(each, int)]
        return scalars.integer(self._choices, key, _INTEGERS[kind], kind not in _UNSIGNED, wanted)


@lru_cache(maxsize=1024)
def _height(type_: Type) -> int:
    """Returns the levels of structs that a value has at least."""
    return least(type_, _structs_inside, partial(_by, max), ENDLESS)[type_] if isinstance(type_, Struct) else 0


@lru_cache(maxsize=1024)
def _count_of(struct: Struct) -> int:
    """Returns the structs that a value has at least."""
    return least(struct, _structs_inside, partial(_by, _total), MOST_PARTS + 1)[struct]


def _by(joined: Callable[..., int], struct: Struct, known: Mapping[Struct, int]) -> int:
    inside = [known[each] if isinstance(each, Struct) else 0 for each in _needed(struct)]
    return 1 + (min if struct.is_union else joined)(inside, default=0)


def _total(counts: Iterable[int], default: int) -> int:
    return sum(counts, default)


def _structs_inside(struct: Struct) -> Iterator[Struct]:
    return (each for each in _needed(struct) if isinstance(each, Struct))


def _needed(struct: Struct) -> list[Type]:
    """Returns the types of the fields that every value of a struct has, or of all members of a union."""
    return [field.type for field in struct.fields if struct.is_union or field.requiredness == "required"]
