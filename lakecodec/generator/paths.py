"""Types of expressions: the kinds of values, and the fields that paths such as `meta.row_groups.columns` reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .builtin_names import FLOAT_TYPES, TEXT_TYPES, WIRE_TYPES
from .model import Const, Definition, Enum, Extension, ListOf, MapOf, Module, Param, Record, Scalar, SetOf, Struct, Type
from .resolve.scope import BASE_TYPES
from .syntax import (
    CodecDef,
    ComputedDef,
    Dimension,
    EncodingDef,
    Expr,
    ParamDef,
    RecordField,
    VariantDef,
    WireType,
    type_text,
)

#: `any` is an unknown value. `names` leads to the members of an enum or the definitions of a module.
Kind = Literal["any", "null", "int", "float", "bool", "bytes", "text", "enum", "values", "object", "names"]

#: What declares an object or a member: holders of kinds.
Holder = Struct | Record | Extension | Enum | Module

_SCALARS = {"bool": "bool", "double": "float", "string": "text", "binary": "bytes", "uuid": "any"}


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of value, inside so many lists; an `object` is held by what declares its fields, an `enum` by the enum.

    ``others``: the declarations that an object may have instead, where a variant's alternatives or a condition choose.
    ``mixed``: the kinds of the branches of a condition, where they differ.
    """

    kind: Kind = "any"
    holder: Holder | None = None
    lists: int = 0
    others: tuple[Holder, ...] = ()
    mixed: tuple[Target, ...] = ()

    @property
    def objects(self) -> list[Target]:
        """One kind per declaration that the value may have."""
        if not self.others:
            return [self]
        holders: list[Holder | None] = [self.holder, *self.others]
        return [replace(self, holder=each, others=()) for each in holders]

    @property
    def is_number(self) -> bool:
        is_one = not self.lists and self.kind in ("any", "int", "float", "bool", "enum")
        return is_one and all(each.is_number for each in self.mixed)

    @property
    def is_float(self) -> bool:
        return not self.lists and self.kind == "float"

    @property
    def name(self) -> str:
        """The kind of the value in words, for messages."""
        if self.lists:
            return f"a list of {replace(self, lists=self.lists - 1).name.removeprefix('a ').removeprefix('an ')}"
        if self.mixed:
            return " or ".join(each.name for each in self.mixed)
        if self.holder is not None:
            return f"'{self.holder.name}'"
        return {"int": "an integer", "float": "a float", "bool": "a bool", "text": "a text", "values": "values"}.get(
            self.kind, self.kind
        )


ANYTHING = Target()
INTEGER = Target("int")
BOOLEAN = Target("bool")
TEXT = Target("text")
BYTES = Target("bytes")


def of_type(type_: Type) -> Target:
    match type_:
        case ListOf() | SetOf():
            inside = of_type(type_.value)
            return replace(inside, lists=inside.lists + 1)
        case Struct():
            return Target("object", type_)
        case Enum():
            return Target("enum", type_)
        case Scalar():
            return Target(_SCALARS.get(type_.kind, "int"))  # type: ignore[arg-type]
        case MapOf():
            return ANYTHING


def of_definition(definition: Definition | None) -> Target:
    """Returns the kind of the value of a module's name in an expression."""
    match definition:
        case Enum():
            return Target("names", definition)
        case Const():
            return of_type(definition.type)
        case _:
            return ANYTHING


def of_field(field: RecordField, module: Module) -> Target:
    """Returns the kind of a field's value: ``kind`` of a resolved field."""
    enum = enum_of(field)
    found = _of_type_name(field.type.name, module) if enum is None else Target("enum", enum)
    if found.kind == "values":
        return replace(found, lists=sum(dimension.kind != "count" for dimension in field.dimensions))
    return replace(found, lists=found.lists + len(list_dimensions(field)))


def of_parameter(type_name: str, module: Module) -> Target:
    if inside := re.fullmatch(r"(?:list|set)<(.*)>", type_name):
        found = of_parameter(inside[1], module)
        return replace(found, lists=found.lists + 1)
    return _of_type_name(type_name, module)


def of_wire_type(type_: WireType, module: Module) -> Target:
    return _of_type_name(type_.name, module)


def list_dimensions(field: RecordField) -> tuple[Dimension, ...]:
    """Returns the dimensions that are lists: the last one of bytes and text is a length, unless something ends them."""
    last = field.dimensions[-1:]
    is_text = field.type.name in TEXT_TYPES and last and last[0].kind in ("count", "rest") and field.until is None
    return field.dimensions[:-1] if is_text and own_codec(field) is None else field.dimensions


def own_codec(field: RecordField) -> Extension | None:
    """Returns the codec with fields that reads a field's bytes itself: the last one of its `via`."""
    return field.called[-1] if field.called and has_fields(field.called[-1]) else None


def enum_of(field: RecordField) -> Enum | None:
    """Returns the enum of a field that has `via enum(E)`."""
    return next((each for each in field.called if isinstance(each, Enum)), None)


def has_fields(found: Definition | None) -> bool:
    """Returns whether a definition is a codec with fields."""
    return isinstance(found, Extension) and isinstance(found.syntax, CodecDef) and found.syntax.fields is not None


def common(kinds: Sequence[Target]) -> Target:
    """Returns the kind of a value that has one of several; any if they differ by more than the kind of number or object."""
    first, *others = kinds
    if all(each == first for each in others):
        return first
    if all((each.kind, each.lists) == ("object", first.lists) for each in kinds):
        holders = dict.fromkeys(each.holder for kind in kinds for each in kind.objects if each.holder is not None)
        return replace(first, others=tuple(each for each in holders if each is not first.holder))
    if all(each.is_number and each.kind != "any" for each in kinds):
        return next((each for each in kinds if each.is_float), INTEGER)
    return ANYTHING


def member(target: Target, name: str) -> Target | None:
    """Returns the kind of `.name`; None if there is no such member. A member of a list is that of its elements."""
    if target.others:
        found_in = [member(each, name) for each in target.objects]
        return None if None in found_in else common([each for each in found_in if each is not None])
    match target.holder:
        case Enum():
            known = target.kind == "names" and any(each.name == name for each in target.holder.members)
            return Target("enum", target.holder) if known else None
        case Module():
            found = target.holder.constant(name) or target.holder.find(name)
            return None if found is None else of_definition(found)
        case Struct():
            types = {field.name: field.type for field in target.holder.fields}
            reached = of_type(types[name]) if name in types else None
        case Record():
            reached = _lookup(name, target.holder.fields, target.holder.params, target.holder.module)
        case Extension():
            syntax: VariantDef = target.holder.syntax
            reached = _lookup(name, fields_of(target.holder), syntax.params, target.holder.module)
        case None:
            return ANYTHING if target.kind == "any" else None
    return None if reached is None else replace(reached, lists=reached.lists + target.lists)


def member_names(target: Target) -> list[str]:
    match target.holder:
        case Enum():
            return [each.name for each in target.holder.members]
        case Module():
            return [each.name for each in target.holder.definitions]
        case Struct():
            return [each.name for each in target.holder.fields]
        case Record() | Extension():
            bodies = bodies_of(target.holder)
            return [name for body in bodies for part in body for name in (each.name for each in part)]
        case None:
            return []


def field_lists(body: Record | Extension) -> list[Sequence[RecordField]]:
    """Returns the fields of a record or a codec, and of each alternative of a variant."""
    match body:
        case Record():
            return [body.fields]
        case Extension(syntax=VariantDef(cases=cases)):
            return [case.fields or () for case in cases]
        case Extension(syntax=CodecDef(fields=tuple() as fields)):
            return [fields]
    return []


def fields_of(body: Record | Extension) -> list[RecordField]:
    """Returns the fields of a body, of a variant those of all alternatives."""
    return [field for fields in field_lists(body) for field in fields]


def clauses_of(field: RecordField) -> Iterator[Expr]:
    """Yields the expressions that decide the bytes of a field, except alignment, arguments of its type, and rules."""
    found = (field.derived, field.present, field.at, field.size, *(each.expression for each in field.dimensions))
    yield from (each for each in found if each is not None)
    yield from field.via


def parameter_names(body: Record | Extension) -> list[str]:
    return [each.name for each in (body.params if isinstance(body, Record) else body.syntax.params)]


def bodies_of(holder: Record | Extension) -> list[tuple[Sequence[RecordField], Sequence[ComputedDef]]]:
    """Returns the fields and computed attributes of a record; of a variant, those of each alternative."""
    if isinstance(holder, Record):
        return [(holder.fields, holder.computed)]
    return [(case.fields or (), case.computed) for case in getattr(holder.syntax, "cases", ())]


def computed_of(target: Target, name: str) -> ComputedDef | None:
    """Returns the computed attribute of that name of a record, or of the first alternative of a variant that has it."""
    if not isinstance(target.holder, Record | Extension):
        return None
    return next((each for _, found in bodies_of(target.holder) for each in found if each.name == name), None)


def names_of(holder: Record | Extension, fields: Sequence[RecordField]) -> dict[str, Target]:
    """Returns the kinds of a body's parameters and fields."""
    module, params = holder.module, holder.params if isinstance(holder, Record) else holder.syntax.params
    texts = {each.name: each.type_name if isinstance(each, Param) else type_text(each.type) for each in params}
    kinds = {name: of_parameter(text, module) for name, text in texts.items()}
    return kinds | {each.name: each.kind for each in fields}


def element(target: Target) -> Target | None:
    """Returns an element of a list, or a byte of bytes; None for what has no elements."""
    if target.lists:
        return replace(target, lists=target.lists - 1)
    if target.kind == "bytes":
        return INTEGER
    return ANYTHING if target.kind == "any" else None


def type_names(module: Module) -> Iterator[str]:
    """Yields the names of a module and those it includes that have bytes of their own."""
    for prefix, each in [("", module), *((f"{key}.", value) for key, value in module.includes.items())]:
        for item in each.definitions:
            if isinstance(item, Record | Struct) or (
                isinstance(item, Extension) and item.kind in ("variant", "encoding")
            ):
                yield prefix + item.name


def _lookup(
    name: str, fields: list[RecordField], params: list[Param] | tuple[ParamDef, ...], module: Module
) -> Target | None:
    if found := [field.kind for field in fields if field.name == name]:
        return common(found)
    for param in params:
        if param.name == name:
            return of_parameter(param.type_name if isinstance(param, Param) else type_text(param.type), module)
    return None


def _of_type_name(name: str, module: Module) -> Target:
    if name in BASE_TYPES and isinstance(base := BASE_TYPES[name], Scalar) and name not in WIRE_TYPES:
        return of_type(base)
    if name in WIRE_TYPES:
        if name in ("native", "text"):
            return ANYTHING
        return Target({"bytes": "bytes", "utf8": "text", "bool8": "bool"}.get(name, _number(name)))  # type: ignore[arg-type]
    if name in module.typedefs:
        return of_type(module.typedefs[name])
    found = module.find(name)
    match found:
        case Enum():
            return Target("enum", found)
        case Struct() | Record():
            return Target("object", found)
        case Extension() if isinstance(found.syntax, VariantDef):
            return Target("object", found)
        case Extension() if isinstance(found.syntax, EncodingDef):
            return Target("values")
        case Extension() if isinstance(found.syntax, CodecDef):
            return ANYTHING
    return ANYTHING


def _number(name: str) -> Kind:
    return "float" if name in FLOAT_TYPES else "int"
