"""Layouts of encodings, codecs and functions, which the runtime takes as data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..graph import computed_once
from ..model import Extension, Module
from ..names import field_name
from ..paths import ANYTHING, of_parameter
from ..syntax import CodecDef, EncodingDef, Extern, FnDef, RecordField, Shape, type_text
from . import nodes
from .declared import CaseLayout, DeclarationLayout
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, Rule
from .fields import codec_call, lower_dimension, rule_of
from .scopes import DeclarationScope, declaration_scope
from .shapes import kind_of, lists_of
from .value_layout import value_layout


@computed_once
def lower_declaration(extension: Extension) -> DeclarationLayout:
    """Returns the layout of an encoding, a function or a codec without fields.

    Raises:
        UnsupportedExpression: an expression has no meaning here.
    """
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
    if isinstance(syntax, CodecDef) and syntax.state is not None:
        raise UnsupportedExpression("a codec with state needs fields", syntax.state.location)
    result = ANYTHING if isinstance(syntax, CodecDef) else of_parameter(type_text(syntax.result), extension.module)
    return made_of(value=scope.lower(syntax.value, result))


def check_shapes(layout: DeclarationLayout) -> None:
    """Raises UnsupportedExpression for a shape of an encoding that neither a kernel nor a format reads."""
    for case in layout.cases:
        for field in (*case.fields, *(case.null_fields or ())) if case.values is None else ():
            is_rest = field.length is not None and field.length.kind == "rest"
            if field.dimension is not None or is_rest:
                message = "a shape holds one value: a list belongs to a record"
            elif field.derivation is not None and any(nodes.field_names(field.derivation.condition)):
                message = f"no kernel reads this shape, in which '{field.name}' is computed from another field"
            else:
                continue
            raise UnsupportedExpression(message, field.location)


def check_columns(fields: Sequence[RecordField], module: Module) -> None:
    """Raises UnsupportedExpression if a field of a record holds values of an encoding that no kernel reads."""
    for field in fields:
        found = field.target
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
                    "a bool8, a quotient and remainder, or bytes, utf8 or an integer after the count of its bytes"
                )
                raise UnsupportedExpression(message, shape.location)


def _case(shape: Shape, encoding: EncodingDef, outer: DeclarationScope) -> CaseLayout:
    variables = max((pattern.variables for pattern in shape.patterns), key=len)
    scope = outer.with_names(variables)
    fields = _fields(shape.fields, scope)
    null_fields = None if shape.null_fields is None else _fields(shape.null_fields, scope)
    has_kernels = outer.module.find(encoding.over) is not None and null_fields is None
    values = value_layout(fields, big="big" in encoding.attributes) if has_kernels else None
    return CaseLayout(
        patterns=tuple((pattern.name, len(pattern.variables)) for pattern in shape.patterns),
        variables=variables,
        fields=fields,
        null_fields=null_fields,
        condition=None if shape.condition is None else scope.lower(shape.condition),
        values=values,
    )


def _fields(fields: Sequence[RecordField], outer: DeclarationScope) -> tuple[FieldLayout, ...]:
    scope = outer.with_fields([field.name for field in fields if field.name not in outer.kinds])
    return tuple(_field(field, scope) for field in fields)


def _field(field: RecordField, scope: DeclarationScope) -> FieldLayout:
    """Returns a field of a shape; its rules see its own value under its name."""
    own = scope.with_fields([field.name])
    lists, length = lists_of(field)
    return FieldLayout(
        name=field.name,
        attribute=field_name(field.name),
        slot=field_name(field.name),
        location=field.location,
        doc=field.doc,
        kind=kind_of(field) or "column",
        type=field.type.name,
        target=field.target if isinstance(field.target, Extension) else None,
        arguments=tuple(map(scope.lower, field.type.arguments or ())),
        dimension=lower_dimension(lists[0], scope) if lists else None,
        length=None if length is None else lower_dimension(length, scope),
        codecs=tuple(codec_call(step, scope) for step in field.via),
        derivation=None if field.derived is None else Rule(scope.lower(field.derived), ""),
        rules=tuple(Rule(own.lower(where.condition), rule_of(where)) for where in field.invariants),
    )
