"""The types that can be streamed: where a value ends must show in the bytes before its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..generator.model import Extension, Record, Struct
from ..generator.paths import field_lists, own_codec, parameter_names
from ..generator.syntax import Expr, RecordField, VariantDef
from ..generator.syntax.walk import called_name, span_words
from ..runtime.memo import kept_with
from .schema import schema_of


def unstreamable(cls: Any) -> str | None:
    """Returns the reason for which values of a generated class cannot be read from a stream; None where they can."""
    return _reason(cls)


@kept_with
def _reason(cls: Any) -> str | None:
    found = schema_of(cls).definition(cls)
    if isinstance(found, Struct):
        return "a message ends where its bytes do" if found.is_protobuf else next(_of_struct(found, found.name), None)
    return next(_of_body(found, set()), None) if isinstance(found, Record | Extension) else None


def _of_body(body: Record | Extension, seen: set[int]) -> Iterator[str]:
    """Yields the parts of a record, a variant or a codec that depend on the end of the bytes, in words."""
    if id(body) in seen:
        return
    seen.add(id(body))
    params = parameter_names(body)
    if isinstance(body, Record):
        if {"gaps", "overlaps"} & set(body.attributes):
            yield f"{body.name} has bytes between its parts"
        for check in body.checks:
            yield from _of_expression(check.condition, {*params, *(each.name for each in body.fields)}, body.name)
    elif isinstance(body.syntax, VariantDef):
        yield from _of_expression(body.syntax.tag, set(params), body.name)
    for fields in field_lists(body):
        own = {*params, *(each.name for each in fields)}
        for field in fields:
            yield from _of_field(field, own, f"{body.name}.{field.name}", seen)


def _of_field(field: RecordField, own: set[str], path: str, seen: set[int]) -> Iterator[str]:
    if field.at is not None:
        yield f"{path} is placed with `at`"
        return
    outside = [field.present, field.size, field.derived, *(each.condition for each in field.invariants)]
    if field.size is None or (field.dimensions and field.dimensions[0].kind == "index"):
        outside += [each.expression for each in field.dimensions]
        outside += field.type.arguments or ()
    for expression in outside:
        if expression is not None:
            yield from _of_expression(expression, own, path)
    if field.size is not None:
        return
    if any(each.kind == "rest" for each in field.dimensions):
        yield f"{path} goes on to the end of the bytes"
    if field.via and own_codec(field) is None and _is_protobuf(field.via):
        yield f"{path} is a message, which ends where its bytes do"
    for found in field.called:
        if isinstance(found, Extension):
            yield from _of_body(found, seen)
    held = field.target
    if isinstance(held, Struct):
        yield from _of_struct(held, path)
    if isinstance(held, Record | Extension):
        yield from _of_body(held, seen)


def _of_struct(struct: Struct, path: str) -> Iterator[str]:
    if "lakecodec.codec" in struct.annotations:
        yield f"{path} has a codec of its own"


def _is_protobuf(via: tuple[Expr, ...]) -> bool:
    return any(called_name(step) == "protobuf" for step in via)


def _of_expression(expression: Expr, own: set[str], path: str) -> Iterator[str]:
    for word in sorted(span_words(expression, own)):
        yield f"{path} needs `{word}`: {'bytes behind it' if word == 'peek' else 'where the bytes end'}"
