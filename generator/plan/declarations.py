"""Plans of encodings, variants, codecs and functions: declarations as Python functions that return data.

Formats run them by kernels of their own, so nothing is lowered to reading and writing here; see runtime/declaration.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Extension, Module
from ..syntax import (
    Call,
    CodecDef,
    EncodingDef,
    Extern,
    FnDef,
    Name,
    ParamDef,
    RecordField,
    Shape,
    VariantCase,
    VariantDef,
    Where,
)
from . import types
from .expressions import Scope, UnsupportedExpression, text_of
from .names import field_name, type_name
from .text import call, comment, docstring

_FUNCTIONS = ("contains", "count")


@dataclass(frozen=True, slots=True)
class DeclarationPlan:
    """Either ``value`` alone (an external codec), or a function of ``parameters`` that returns what ``body`` says."""

    name: str
    comment: list[str]
    docstring: list[str]
    parameters: str
    returns: str
    body: list[str]
    value: list[str]


def plan_declaration(extension: Extension) -> DeclarationPlan:
    """The plan of an encoding, variant, codec or function; raises UnsupportedExpression for what has no meaning here."""
    syntax = extension.syntax
    if isinstance(syntax, EncodingDef):
        return _Declaration(extension, syntax.params).encoding(syntax)
    if isinstance(syntax, VariantDef):
        return _Declaration(extension, syntax.params).variant(syntax)
    if isinstance(syntax, CodecDef):
        return _Declaration(extension, syntax.params).codec(syntax)
    assert isinstance(syntax, FnDef)
    return _Declaration(extension, syntax.params).function(syntax)


class _DeclarationScope(Scope):
    def __init__(self, module: Module, local: Sequence[str]) -> None:
        super().__init__(module)
        self._local = frozenset(local)

    def with_names(self, names: Sequence[str]) -> _DeclarationScope:
        return _DeclarationScope(self.module, [*self._local, *names])

    def local(self, name: str) -> str | None:
        if name in self._local:
            return field_name(name)
        found = self.module.find(name)
        if isinstance(found, Extension):
            takes_nothing = not found.syntax.params and found.kind == "codec"
            return f"{type_name(name)}()" if takes_nothing else type_name(name)
        return "_decl.WIDTH" if name == "width" else None

    def call(self, function: str, expr: Call) -> str:
        arguments = ", ".join(self.render(argument) for argument in expr.arguments)
        if function in _FUNCTIONS:
            return f"_decl.{function}({arguments})"
        if isinstance(self.module.find(function), Extension):
            return f"{type_name(function)}({arguments})"
        raise UnsupportedExpression(f"{function!r} is not a function that declarations know", expr)


class _Declaration:
    def __init__(self, extension: Extension, params: Sequence[ParamDef]) -> None:
        self._extension = extension
        self._module = extension.module
        self._names = [field_name(param.name) for param in params]
        self._scope = _DeclarationScope(extension.module, [param.name for param in params])

    def _plan(self, returns: str, body: list[str]) -> DeclarationPlan:
        parameters = ", ".join(f"{name}: _Any" for name in self._names)
        doc = docstring(self._extension.doc) if self._extension.doc else []
        return DeclarationPlan(type_name(self._extension.name), [], doc, parameters, returns, body, [])

    def encoding(self, syntax: EncodingDef) -> DeclarationPlan:
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
            lines.append(f"    condition={head} {scope.render(shape.condition)},")
        return [*lines, "),"]

    def variant(self, syntax: VariantDef) -> DeclarationPlan:
        body = ["_decl.Variant(", f'    "{syntax.name}",', "    ["]
        for case in syntax.cases:
            body += _indented(self._alternative(case), 8)
        return self._plan("_decl.Variant", [*body, "    ],", ")"])

    def _alternative(self, case: VariantCase) -> list[str]:
        tags = [self._scope.render(tag) for tag in case.tags]
        fields = self._fields("lambda:", case.fields or (), self._scope)
        return ["_decl.Alternative(", f'    "{case.name}",', *_indented(_tuple(tags), 4), *_indented(fields, 4), "),"]

    def codec(self, syntax: CodecDef) -> DeclarationPlan:
        if isinstance(syntax.value, Extern):
            names = ", ".join(f'"{param.name}"' for param in syntax.params)
            arguments = [f'"{syntax.name}"', f"({names}{',' if len(syntax.params) == 1 else ''})"]
            arguments += [f'"{syntax.result.name}"', types.quoted(syntax.value.target)]
            name = type_name(syntax.name)
            lines = call(f"{name} = _decl.Codec", arguments, indent=0, end="")
            return DeclarationPlan(name, comment(syntax.doc), [], "", "", [], lines)
        if syntax.fields is not None or syntax.state is not None:
            raise UnsupportedExpression(
                f"codec {syntax.name}: a codec with fields or state is parsed, but this version does not compile it",
                Name("", syntax.location),
            )
        return self._plan("_decl.Use", [self._scope.render(syntax.value)])

    def function(self, syntax: FnDef) -> DeclarationPlan:
        if isinstance(syntax.value, Extern):
            raise UnsupportedExpression(
                f"fn {syntax.name}: an external function is parsed, but this version does not compile it",
                Name("", syntax.location),
            )
        return self._plan("_Any", [self._scope.render(syntax.value)])

    def _fields(self, head: str, fields: Sequence[RecordField], scope: _DeclarationScope) -> list[str]:
        if not fields:
            return [f"{head} [],"]
        lines = [f"{head} ["]
        for field in fields:
            lines += _indented(self._field(field, scope), 4)
        return [*lines, "],"]

    def _field(self, field: RecordField, scope: _DeclarationScope) -> list[str]:
        """A field as a `Field`; ``lambda`` bodies see the field's own value under its name."""
        own = scope.with_names([field.name])
        arguments = [types.quoted(field.name), self._type(field, scope)]
        for dimension in field.dimensions:
            inner = scope if dimension.variable is None else scope.with_names([dimension.variable])
            if dimension.kind == "until" and dimension.expression is not None:
                arguments += [
                    f"until=lambda {field_name(field.name)}: {own.render(dimension.expression)}",
                    "repeated=True",
                ]
            elif dimension.expression is not None:
                arguments.append(f"count={inner.render(dimension.expression)}")
                if field.type.name not in ("bytes", "utf8", "text"):
                    arguments.append("repeated=True")
        if field.derived is not None:
            arguments.append(f"derived={own.render(field.derived)}")
        if field.via:
            uses = [scope.render(step) for step in field.via]
            arguments.append(f"via=[{', '.join(uses)}]")
        if field.invariants:
            conditions = [self._condition(where, field, own) for where in field.invariants]
            arguments.append(f"conditions=[{', '.join(conditions)}]")
        for expr in (field.at, field.size, field.present):
            if expr is not None:
                raise UnsupportedExpression("`at`, `size` and `if` belong to records, not to declared shapes", expr)
        return call("_decl.Field", arguments, indent=16)

    def _type(self, field: RecordField, scope: _DeclarationScope) -> str:
        found = self._module.find(field.type.name)
        if not isinstance(found, Extension):
            return types.quoted(field.type.name)
        arguments = ", ".join(scope.render(argument) for argument in field.type.arguments or ())
        return f'_decl.Reference("{found.name}", lambda: {type_name(found.name)}({arguments}))'

    def _condition(self, where: Where, field: RecordField, scope: _DeclarationScope) -> str:
        rule = where.message or f"{text_of(where.condition)} does not hold"
        return f"(lambda {field_name(field.name)}: {scope.render(where.condition)}, {types.quoted(rule)})"


def _tuple(items: Sequence[str]) -> list[str]:
    """An argument that is a tuple."""
    return [f"({', '.join(items)}{',' if len(items) == 1 else ''}),"]


def _indented(lines: Sequence[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]
