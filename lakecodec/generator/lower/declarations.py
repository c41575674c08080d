"""Layouts of encodings, codecs and functions: declarations that kernels take as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from ..model import Extension
from ..paths import ANYTHING, of_parameter
from ..syntax import CodecDef, EncodingDef, Expr, Extern, FnDef, RecordField, Shape, Where, type_text
from ..syntax.walk import names
from .expressions import UnsupportedExpression
from .fields import rule_of
from .nodes import Node
from .scopes import DeclarationScope, declaration_scope


@dataclass(frozen=True, slots=True)
class Lambda:
    """An expression over names that are bound when it is evaluated; a plain value without any."""

    names: tuple[str, ...]
    value: Node


@dataclass(frozen=True, slots=True)
class DeclaredField:
    """A field of a shape, or of a codec that is known as data.

    Attributes:
        reference: the encoding or codec that its type names, and the arguments.
        until: ends a list, over an element; ``count`` is the number of elements, or of bytes; ``repeated``: it is a list.
        conditions: what must hold, and what an error says.
    """

    name: str
    type: str
    reference: tuple[Extension, tuple[Node, ...]] | None
    until: Lambda | None
    count: Node | None
    repeated: bool
    derived: Lambda | None
    via: tuple[Node, ...]
    conditions: tuple[tuple[Lambda, str], ...]


@dataclass(frozen=True, slots=True)
class CaseLayout:
    """A shape of an encoding: patterns as (name, number of variables), ``variables``, over which the rest is evaluated."""

    patterns: tuple[tuple[str, int], ...]
    variables: tuple[str, ...]
    fields: tuple[DeclaredField, ...]
    null_fields: tuple[DeclaredField, ...] | None
    condition: Node | None


@dataclass(frozen=True, slots=True)
class DeclarationLayout:
    """A declaration: one of ``target``, ``cases``, ``fields`` or ``value`` says what it is.

    Attributes:
        parameters: (name, default).
        result: the type in the IDL of what a codec decodes to.
        target: of an extern.
        cases: of an encoding, over values of the type ``over`` with ``attributes``.
        fields: of a codec; ``made`` is the value that they stand for.
        value: what a function, or a codec that names others, computes.
    """

    kind: Literal["encoding", "codec", "function"]
    extension: Extension
    parameters: tuple[tuple[str, Node | None], ...]
    result: str = ""
    target: str = ""
    over: str = ""
    attributes: tuple[str, ...] = ()
    cases: tuple[CaseLayout, ...] = ()
    fields: tuple[DeclaredField, ...] = ()
    made: Lambda | None = None
    value: Node | None = None


def lower_declaration(extension: Extension) -> DeclarationLayout:
    """Returns the layout of an encoding, codec or function; raises UnsupportedExpression for what has no meaning here."""
    syntax, scope = extension.syntax, declaration_scope(extension)
    parameters = tuple(
        (each.name, None if each.default is None else scope.lower(each.default)) for each in syntax.params
    )
    if isinstance(syntax, EncodingDef):
        cases, attributes = tuple(_case(shape, scope) for shape in syntax.shapes), tuple(syntax.attributes)
        return DeclarationLayout(
            "encoding", extension, parameters, over=syntax.over, attributes=attributes, cases=cases
        )
    assert isinstance(syntax, CodecDef | FnDef)
    if isinstance(syntax, CodecDef):
        made_of = partial(DeclarationLayout, "codec", extension, parameters, syntax.result.name)
    else:
        made_of = partial(DeclarationLayout, "function", extension, parameters)
    if isinstance(syntax.value, Extern):
        return made_of(target=syntax.value.target)
    if isinstance(syntax, CodecDef) and syntax.fields is not None:
        state = () if syntax.state is None else (syntax.state.name,)
        own = tuple(each.name for each in syntax.fields) + state
        made = Lambda(own, scope.with_names(own).lower(syntax.value))
        fields = _fields(syntax.fields, scope, ("value", *state))
        return made_of(fields=fields, made=made)
    if isinstance(syntax, CodecDef) and syntax.state is not None:
        raise UnsupportedExpression("a codec with state needs fields", syntax.state.location)
    result = ANYTHING if isinstance(syntax, CodecDef) else of_parameter(type_text(syntax.result), extension.module)
    return made_of(value=scope.lower(syntax.value, result))


def _case(shape: Shape, outer: DeclarationScope) -> CaseLayout:
    variables = max((pattern.variables for pattern in shape.patterns), key=len)
    scope = outer.with_names(variables)
    return CaseLayout(
        patterns=tuple((pattern.name, len(pattern.variables)) for pattern in shape.patterns),
        variables=variables,
        fields=_fields(shape.fields, scope),
        null_fields=None if shape.null_fields is None else _fields(shape.null_fields, scope),
        condition=None if shape.condition is None else scope.lower(shape.condition),
    )


def _fields(
    fields: Sequence[RecordField], scope: DeclarationScope, bound: Sequence[str] = ()
) -> tuple[DeclaredField, ...]:
    """Returns the fields of a shape, or of a codec, whose expressions see its value and state as ``bound``."""
    inner = scope.with_names([], [field.name for field in fields])
    return tuple(_field(field, inner, bound) for field in fields)


def _field(field: RecordField, scope: DeclarationScope, bound: Sequence[str]) -> DeclaredField:
    """Returns a field; its conditions see its own value under its name."""
    bound = (*bound, *(each.variable for each in field.dimensions if each.variable is not None))
    own = scope.with_names([field.name, *bound], scope.siblings)
    until, count, repeated = None, None, False
    for dimension in field.dimensions:
        inner = scope if dimension.variable is None else scope.with_names([dimension.variable])
        if dimension.expression is None:
            continue
        if dimension.kind == "until":
            until, repeated = Lambda((field.name,), own.lower(dimension.expression)), True
        else:
            count = inner.lower(dimension.expression)
            repeated = repeated or field.type.name not in ("bytes", "utf8", "text")
    found = scope.module.find(field.type.name)
    arguments = tuple(scope.lower(argument) for argument in field.type.arguments or ())
    derived = None
    if field.derived is not None:
        needed = _used(field.derived, (*bound, *sorted(scope.siblings)))
        derived = Lambda(needed, scope.with_names(needed, scope.siblings).lower(field.derived))
    return DeclaredField(
        name=field.name,
        type=field.type.name,
        reference=(found, arguments) if isinstance(found, Extension) else None,
        until=until,
        count=count,
        repeated=repeated,
        derived=derived,
        via=tuple(map(scope.lower, field.via)),
        conditions=tuple((_condition(where, field, own, bound), rule_of(where)) for where in field.invariants),
    )


def _condition(where: Where, field: RecordField, own: DeclarationScope, bound: Sequence[str]) -> Lambda:
    return Lambda((field.name, *_used(where.condition, bound)), own.lower(where.condition))


def _used(expr: Expr, found: Iterable[str]) -> tuple[str, ...]:
    """Returns those of some names that an expression uses."""
    used = {name.name for name in names(expr)}
    return tuple(name for name in found if name in used)
