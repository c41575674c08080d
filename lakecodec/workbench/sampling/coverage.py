"""Branches of a type that its samples do not have: alternatives, members, and fields that are there only sometimes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, ListOf, MapOf, Record, SetOf, Struct, Type
from ...runtime.errors import CodecError
from ..schema import Schema, TypeDefinition, schema_of
from .choices import SeededChoices
from .sampler import Sampler

#: The number of bytes after which no further samples are made.
_MOST_BYTES = 300_000


def unreached(type: Any, n: int = 300, seed: int = 0) -> list[str]:
    """Returns the branches of a type that none of ``n`` samples has: no sample reaches them, or very few do.

    A branch is an alternative, a member of a union or oneof (``Shape.BOX``), a field under a condition or an optional one
    (``Shelf.note``), or the absence of such a field (``Shelf.note absent``), also inside of other types.

    Args:
        type: a struct, union, record or variant of a generated module, or of one that was compiled at run time.
        n: the most samples; fewer are made where they are large, or have reached everything.
        seed: seed of the random choices.

    Raises:
        TypeError: ``type`` is no generated class.
        ValueError: no valid value was found, or the IDL that the class was generated from is not found.
    """
    schema = schema_of(type)
    sampler, size = Sampler(type, SeededChoices(seed), schema), 0
    left = dict.fromkeys(branches(schema, type))
    for number in range(n):
        # One sample is made in any case: a type without any has no branches that are reached.
        if number and (not left or size > _MOST_BYTES):
            break
        sample = sampler.sample()
        size += len(sample.data)
        for each in reached(schema, type, sample.value):
            left.pop(each, None)
    return list(left)


def branches(schema: Schema, type: Any) -> list[str]:
    """Returns the branches of a generated class, those of the types inside too, in the order of the declaration."""
    found: dict[str, None] = {}
    pending, seen = [schema.definition(type)], set()
    while pending:
        item = pending.pop(0)
        if item.name not in seen:
            seen.add(item.name)
            for name, inner in _parts(schema, item):
                found.update(dict.fromkeys(name))
                pending += inner
    return list(found)


def _parts(schema: Schema, item: TypeDefinition) -> Iterator[tuple[list[str], list[TypeDefinition]]]:
    """Yields the branches of each part of a declaration, and the types that it holds."""
    if isinstance(item, Struct):
        for each in item.fields:
            yield _of_member(item, each), list(_types(each.type))
    elif isinstance(item, Record | Extension):
        layout = schema.layout(item)
        for body in _bodies(layout):
            if isinstance(layout, VariantLayout):
                yield [body.spec_name], []
            for field in body.fields:
                target = field.target if field.kind in ("record", "struct") else None
                name = f"{body.spec_name}.{field.name}"
                yield _both(name) if field.presence is not None else [], [] if target is None else [target]


def _bodies(layout: RecordLayout | VariantLayout) -> list[RecordLayout]:
    return [layout] if isinstance(layout, RecordLayout) else [each.record for each in layout.alternatives]


def _of_member(struct: Struct, field: Any) -> list[str]:
    name = f"{struct.name}.{field.name}"
    if struct.kind in ("union", "oneof"):
        return [name]
    return _both(name) if field.requiredness == "optional" and not struct.is_protobuf else []


def _both(name: str) -> list[str]:
    return [name, f"{name} absent"]


def _types(type_: Type) -> Iterator[Struct]:
    match type_:
        case Struct():
            yield type_
        case ListOf() | SetOf():
            yield from _types(type_.value)
        case MapOf():
            yield from _types(type_.key)
            yield from _types(type_.value)


def reached(schema: Schema, type: Any, value: Any) -> Iterator[str]:
    """Yields the branches that a value of a generated class has."""
    yield from _reached(schema, schema.definition(type), value)


def _reached(schema: Schema, item: TypeDefinition, value: Any) -> Iterator[str]:
    if isinstance(item, Struct):
        for field in item.fields:
            inside = _member(item, field, value)
            is_there = inside is not None
            yield f"{item.name}.{field.name}" if is_there else f"{item.name}.{field.name} absent"
            if is_there:
                yield from _inside(schema, field.type, inside)
    elif isinstance(item, Record | Extension):
        layout = schema.layout(item)
        for body in _bodies(layout):
            if isinstance(layout, VariantLayout):
                if body.spec_name.rpartition(".")[2] != value.kind:
                    continue
                yield body.spec_name
            for each in body.fields:
                # A part that lies elsewhere in the file may be missing.
                with suppress(CodecError):
                    yield from _field(schema, body, each, getattr(value, each.attribute))


def _member(struct: Struct, field: Any, value: Any) -> Any:
    if struct.kind in ("union", "oneof"):
        return value.value if value.kind == field.python else None
    return getattr(value, field.python)


def _field(schema: Schema, body: RecordLayout, field: Any, value: Any) -> Iterator[str]:
    is_list = isinstance(value, list) and (field.by_element or field.kind in ("record", "struct"))
    for each in value if is_list else [value]:
        name = f"{body.spec_name}.{field.name}"
        yield name if each is not None else f"{name} absent"
        if each is not None and field.kind in ("record", "struct"):
            yield from _reached(schema, field.target, each)


def _inside(schema: Schema, type_: Type, value: Any) -> Iterator[str]:
    match type_:
        case Struct():
            yield from _reached(schema, type_, value)
        case ListOf() | SetOf():
            yield from _of_all(schema, type_.value, value)
        case MapOf():
            pairs = list(value.items()) if isinstance(value, dict) else list(value)
            yield from _of_all(schema, type_.key, [key for key, _ in pairs])
            yield from _of_all(schema, type_.value, [each for _, each in pairs])


def _of_all(schema: Schema, type_: Type, values: Iterable[Any]) -> Iterator[str]:
    if any(True for _ in _types(type_)):
        for each in values:
            yield from _inside(schema, type_, each)
