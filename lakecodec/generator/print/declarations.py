"""Encodings, codecs and functions: declarations as Python functions, and as data for kernels.

See runtime/declaration.py for what they return.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..expressions import names
from ..lower.expressions import UnsupportedExpression
from ..lower.fields import rule_of
from ..lower.scopes import DeclarationScope, declaration_scope
from ..model import Extension
from ..paths import ANYTHING, Target, of_parameter
from ..plan.names import field_name, type_name
from ..plan.text import call, comment, docstring
from ..plan.types import quoted
from ..syntax import (
    CodecDef,
    EncodingDef,
    Expr,
    Extern,
    FnDef,
    ParamDef,
    RecordField,
    Shape,
    Where,
    type_text,
)
from .expressions import ExpressionPrinter


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """Either ``value`` alone (an external codec), or a function of ``parameters`` that returns what ``body`` says."""

    name: str
    comment: list[str]
    docstring: list[str]
    parameters: str
    returns: str
    body: list[str]
    value: list[str]


def print_declaration(extension: Extension, imports: set[str]) -> DeclarationText:
    """Returns the text of an encoding, codec or function; raises UnsupportedExpression for what has no meaning here."""
    syntax = extension.syntax
    if not isinstance(syntax, FnDef) or isinstance(syntax.value, Extern):
        imports.add("_decl")
    if isinstance(syntax, EncodingDef):
        return _Declaration(extension, syntax.params, imports).encoding(syntax)
    if isinstance(syntax, CodecDef):
        return _Declaration(extension, syntax.params, imports).codec(syntax)
    assert isinstance(syntax, FnDef)
    return _Declaration(extension, syntax.params, imports).function(syntax)


class _Declaration:
    def __init__(self, extension: Extension, params: Sequence[ParamDef], imports: set[str]) -> None:
        self._extension = extension
        self._module = extension.module
        self._params = params
        self._scope = declaration_scope(extension)
        self._printer = ExpressionPrinter(extension.module, imports)

    def _render(self, scope: DeclarationScope, expr: Expr, wanted: Target = ANYTHING) -> str:
        return self._printer.text(scope.lower(expr, wanted))

    def _plan(self, returns: str, body: list[str]) -> DeclarationText:
        parameters = ", ".join(self._parameter(param) for param in self._params)
        doc = docstring(self._extension.doc) if self._extension.doc else []
        return DeclarationText(type_name(self._extension.name), [], doc, parameters, returns, body, [])

    def encoding(self, syntax: EncodingDef) -> DeclarationText:
        names = ", ".join(f'"{name}"' for name in syntax.attributes)
        body = ["_decl.Encoding("]
        body += [f'    "{syntax.name}",', f'    "{syntax.over}",', f"    ({names}{',' if names else ''}),", "    ["]
        for shape in syntax.shapes:
            body += _indented(self._case(shape), 8)
        return self._plan("_decl.Encoding", [*body, "    ],", ")"])

    def _case(self, shape: Shape) -> list[str]:
        variables = max((pattern.variables for pattern in shape.patterns), key=len)
        scope = self._scope.with_names(variables)
        bound = ", ".join(variables)
        head = f"lambda {bound}:" if bound else "lambda:"
        patterns = [f'("{pattern.name}", {len(pattern.variables)})' for pattern in shape.patterns]
        lines = ["_decl.Case(", *_indented(_tuple(patterns), 4)]
        lines += _indented(self._fields(head, shape.fields, scope), 4)
        if shape.null_fields is not None:
            lines += _indented(self._fields(f"null={head}", shape.null_fields, scope), 4)
        if shape.condition is not None:
            lines.append(f"    condition={head} {self._render(scope, shape.condition)},")
        return [*lines, "),"]

    def codec(self, syntax: CodecDef) -> DeclarationText:
        if syntax.fields is None and isinstance(syntax.value, Expr):
            if syntax.state is not None:
                raise UnsupportedExpression("a codec with state needs fields", syntax.state.location)
            return self._plan("_decl.Use", [self._render(self._scope, syntax.value)])
        names = ", ".join(f'"{param.name}"' for param in syntax.params)
        arguments = [
            f'"{syntax.name}"',
            f"({names}{',' if len(syntax.params) == 1 else ''})",
            f'"{syntax.result.name}"',
        ]
        name = type_name(syntax.name)
        if isinstance(syntax.value, Extern):
            arguments.append(quoted(syntax.value.target))
            lines = call(f"{name} = _decl.Codec", arguments, indent=0, end="")
        else:
            head = f"lambda {', '.join(field_name(param.name) for param in syntax.params)}:".replace(
                "lambda :", "lambda:"
            )
            bound = ["value", *([syntax.state.name] if syntax.state is not None else [])]
            fields = self._fields(f"fields={head}", syntax.fields or (), self._scope, bound)
            found = [*(field.name for field in syntax.fields or ()), *bound[1:]]
            value = self._render(self._scope.with_names(found), syntax.value)
            lines = [
                f"{name} = _decl.Codec(",
                *(f"    {argument}," for argument in arguments),
                *_indented(fields, 4),
                f"    value={head} lambda {', '.join(map(field_name, found))}: {value},",
                ")",
            ]
        return DeclarationText(name, comment(syntax.doc), [], "", "", [], lines)

    def function(self, syntax: FnDef) -> DeclarationText:
        if isinstance(syntax.value, Extern):
            name, target = type_name(syntax.name), quoted(syntax.value.target)
            return DeclarationText(name, comment(syntax.doc), [], "", "", [], [f"{name} = _decl.Function({target})"])
        result = of_parameter(type_text(syntax.result), self._module)
        return self._plan("_Any", [self._render(self._scope, syntax.value, result)])

    def _parameter(self, param: ParamDef) -> str:
        default = "" if param.default is None else f" = {self._render(self._scope, param.default)}"
        return f"{field_name(param.name)}: _Any{default}"

    def _fields(
        self, head: str, fields: Sequence[RecordField], scope: DeclarationScope, bound: Sequence[str] = ()
    ) -> list[str]:
        """Returns the fields of a shape, or of a codec, whose expressions see its value and state as ``bound``."""
        if not fields:
            return [f"{head} [],"]
        inner = scope.with_names([], [field.name for field in fields])
        lines = [f"{head} ["]
        for field in fields:
            lines += _indented(self._field(field, inner, bound), 4)
        return [*lines, "],"]

    def _field(self, field: RecordField, scope: DeclarationScope, bound: Sequence[str]) -> list[str]:
        """Returns a field as a `Field`; ``lambda`` bodies see the field's own value under its name."""
        own = scope.with_names([field.name, *bound], scope.siblings)
        arguments = [quoted(field.name), self._type(field, scope)]
        for dimension in field.dimensions:
            inner = scope if dimension.variable is None else scope.with_names([dimension.variable])
            if dimension.kind == "until" and dimension.expression is not None:
                arguments += [
                    f"until=lambda {field_name(field.name)}: {self._render(own, dimension.expression)}",
                    "repeated=True",
                ]
            elif dimension.expression is not None:
                arguments.append(f"count={self._render(inner, dimension.expression)}")
                if field.type.name not in ("bytes", "utf8", "text"):
                    arguments.append("repeated=True")
        if field.derived is not None:
            arguments.append(f"derived={self._derived(field.derived, scope, bound)}")
        if field.via:
            uses = [self._render(scope, step) for step in field.via]
            arguments.append(f"via=[{', '.join(uses)}]")
        if field.invariants:
            conditions = [self._condition(where, field, own, bound) for where in field.invariants]
            arguments.append(f"conditions=[{', '.join(conditions)}]")
        return call("_decl.Field", arguments, indent=16)

    def _type(self, field: RecordField, scope: DeclarationScope) -> str:
        found = self._module.find(field.type.name)
        if not isinstance(found, Extension):
            return quoted(field.type.name)
        arguments = ", ".join(self._render(scope, argument) for argument in field.type.arguments or ())
        return f'_decl.Reference("{found.name}", lambda: {type_name(found.name)}({arguments}))'

    def _derived(self, expr: Expr, scope: DeclarationScope, bound: Sequence[str]) -> str:
        """A constant, or a lambda over what only a value tells: fields of the shape, the value and state of a codec."""
        used = {name.name for name in names(expr)}
        needed = [name for name in (*bound, *sorted(scope.siblings)) if name in used]
        text = self._render(scope.with_names(needed, scope.siblings), expr)
        return f"lambda {', '.join(map(field_name, needed))}: {text}" if needed else text

    def _condition(self, where: Where, field: RecordField, scope: DeclarationScope, bound: Sequence[str]) -> str:
        used = {name.name for name in names(where.condition)}
        arguments = ", ".join(field_name(name) for name in (field.name, *(each for each in bound if each in used)))
        return f"(lambda {arguments}: {self._render(scope, where.condition)}, {quoted(rule_of(where))})"


def _tuple(items: Sequence[str]) -> list[str]:
    """Returns an argument that is a tuple."""
    return [f"({', '.join(items)}{',' if len(items) == 1 else ''}),"]


def _indented(lines: Sequence[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]
