"""Layouts of encodings, codecs and functions: what runs them takes them as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from ..model import Extension, Module
from ..paths import ANYTHING, of_parameter
from ..syntax import CodecDef, EncodingDef, Expr, Extern, FnDef, RecordField, Shape, Where, type_text
from ..syntax.walk import names
from .declared import CaseLayout, DeclarationLayout, DeclaredField, Lambda
from .expressions import UnsupportedExpression
from .fields import rule_of
from .scopes import DeclarationScope, declaration_scope
from .value_layout import value_layout


def lower_declaration(extension: Extension) -> DeclarationLayout:
    """Returns the layout of an encoding, codec or function; raises UnsupportedExpression for what has no meaning here."""
    syntax, scope = extension.syntax, declaration_scope(extension)
    parameters = tuple(
        (each.name, None if each.default is None else scope.lower(each.default)) for each in syntax.params
    )
    if isinstance(syntax, EncodingDef):
        attributes = tuple(syntax.attributes)
        cases = tuple(_case(shape, syntax, scope) for shape in syntax.shapes)
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


def check_columns(fields: Sequence[RecordField], module: Module) -> None:
    """Raises UnsupportedExpression where a field of a record holds values of an encoding that no kernel reads."""
    for field in fields:
        found = module.find(field.type.name)
        if not isinstance(found, Extension) or not isinstance(found.syntax, EncodingDef):
            continue
        over = found.module.find(found.syntax.over)
        if not isinstance(over, Extension):
            message = f"'{found.name}' is over {found.syntax.over}: a record holds values of encodings over a variant"
            raise UnsupportedExpression(message, field.type.location)
        names = {"any", *(case.name for case in over.syntax.cases)}
        for case, shape in zip(lower_declaration(found).cases, found.syntax.shapes, strict=True):
            if case.values is None and names & {name for name, _ in case.patterns}:
                message = (
                    f"no kernel reads these values of '{found.name}', which '{field.name}' holds: a shape is one number, "
                    "a bool8, a quotient and remainder, or bytes, utf8 or an integer behind the count of its bytes"
                )
                raise UnsupportedExpression(message, shape.location)


def _case(shape: Shape, encoding: EncodingDef, outer: DeclarationScope) -> CaseLayout:
    variables = max((pattern.variables for pattern in shape.patterns), key=len)
    scope = outer.with_names(variables)
    fields = _fields(shape.fields, scope)
    has_kernels = outer.module.find(encoding.over) is not None and shape.null_fields is None
    return CaseLayout(
        patterns=tuple((pattern.name, len(pattern.variables)) for pattern in shape.patterns),
        variables=variables,
        fields=fields,
        null_fields=None if shape.null_fields is None else _fields(shape.null_fields, scope),
        condition=None if shape.condition is None else scope.lower(shape.condition),
        values=value_layout(fields, big="big" in encoding.attributes, lower=lower_declaration) if has_kernels else None,
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
            repeated = True
            continue
        if dimension.kind == "until":
            until, repeated = Lambda((field.name,), own.lower(dimension.expression)), True
        else:
            is_list = dimension.variable is not None or count is not None
            count = inner.lower(dimension.expression)
            repeated = repeated or is_list or field.type.name not in ("bytes", "utf8", "text")
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
