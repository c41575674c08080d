"""The types that can be streamed: the end of a value must follow from the bytes before it."""

from __future__ import annotations

from collections.abc import Iterator

from .diagnostics import Diagnostics
from .magic import magic_of
from .model import Definition, Extension, Record, Struct
from .paths import field_lists, own_codec, parameter_names
from .syntax import Expr, RecordField, VariantDef
from .syntax.walk import called_name, span_words


def unstreamable(definition: Definition | None) -> str | None:
    """Returns the reason why values of a definition cannot be read from a stream; None if they can."""
    if isinstance(definition, Struct):
        if definition.is_protobuf:
            return "a message ends where its bytes do"
        return next(_of_struct(definition, definition.name), None)
    return next(_of_body(definition, set()), None) if isinstance(definition, Record | Extension) else None


def markers(definition: Definition | None) -> tuple[bytes, ...]:
    """Returns the possible first bytes, all of one length, of a definition's values; empty if it fixes none."""
    found = magic_of(definition) if isinstance(definition, Record) else ()
    return next((each.values for each in found if each.offset == 0), ())


def check_streams(definition: Record | Extension, diagnostics: Diagnostics) -> None:
    """Reports a definition with `: streams` that cannot be streamed."""
    attributes = (
        definition.attributes if isinstance(definition, Record) else getattr(definition.syntax, "attributes", {})
    )
    if "streams" in attributes and (reason := unstreamable(definition)) is not None:
        diagnostics.error(f"'{definition.name}' cannot be streamed: {reason}", definition.location)


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
        yield f"{path} needs `{word}`: {'the bytes after it' if word == 'peek' else 'where the bytes end'}"
