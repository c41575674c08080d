"""Encodings, codecs and functions: declarations as Python functions, and as data for kernels.

See runtime/declaration.py for what they return.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from ...runtime.value_layout import ValueLayout
from ..lower.declared import CaseLayout, DeclarationLayout, DeclaredField, Lambda
from ..lower.nodes import Node
from ..names import field_name, quoted, type_name
from .expressions import ExpressionPrinter
from .text import call, comment, docstring, listed, tupled, wrap


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """The lines of a constant, with ``comment`` in front of it; or of a function's body behind ``head`` and ``docstring``."""

    lines: list[str]
    comment: list[str] = field(default_factory=list)
    head: str = ""
    docstring: list[str] = field(default_factory=list)


def print_declaration(layout: DeclarationLayout, imports: set[str]) -> DeclarationText:
    """Returns the text of an encoding, codec or function."""
    return _Declaration(layout, ExpressionPrinter(layout.extension.module, imports)).text()


class _Declaration:
    def __init__(self, layout: DeclarationLayout, printer: ExpressionPrinter) -> None:
        self._layout = layout
        self._printer = printer
        self._extension = layout.extension
        self._name = type_name(layout.extension.name)

    def text(self) -> DeclarationText:
        layout, runtime, name = self._layout, self._printer.runtime, quoted(self._extension.name)
        if layout.kind == "encoding":
            cases = listed(map(self._case, layout.cases))
            made = call(
                f"{runtime('_decl')}.Encoding", name, quoted(layout.over), tupled(map(quoted, layout.attributes)), cases
            )
            return self._function("Encoding", wrap(f"return {made}", 4))
        if layout.value is not None:
            returns = "Use" if layout.kind == "codec" else ""
            return self._function(returns, [f"return {self._printer.text(layout.value)}"])
        if layout.kind == "function":
            return self._constant(call(f"{runtime('_decl')}.Function", quoted(layout.target)))
        arguments = [name, tupled(quoted(name) for name, _ in layout.parameters), quoted(layout.result)]
        if layout.made is None:
            return self._constant(call(f"{runtime('_decl')}.Codec", *arguments, quoted(layout.target)))
        raise AssertionError(layout.extension.name)

    def _constant(self, value: str) -> DeclarationText:
        return DeclarationText(wrap(f"{self._name} = {value}"), comment(self._extension.doc))

    def _function(self, returns: str, lines: list[str]) -> DeclarationText:
        parameters = ", ".join(self._parameter(name, default) for name, default in self._layout.parameters)
        result = f"{self._printer.runtime('_decl')}.{returns}" if returns else "_Any"
        doc = docstring(self._extension.doc) if self._extension.doc else []
        return DeclarationText(lines, head=f"def {self._name}({parameters}) -> {result}:", docstring=doc)

    def _parameter(self, name: str, default: Node | None) -> str:
        return f"{field_name(name)}: _Any{'' if default is None else f' = {self._printer.text(default)}'}"

    def _lambda(self, found: Lambda) -> str:
        return f"{_head(found.names)} {self._printer.text(found.value)}"

    def _case(self, case: CaseLayout) -> str:
        head = _head(case.variables)
        patterns = tupled(tupled([quoted(name), str(variables)]) for name, variables in case.patterns)
        if case.values is not None:
            arguments = [patterns, f"values={_values(case.values)}"]
        else:
            arguments = [patterns, self._made(head, case.fields)]
        if case.null_fields is not None:
            arguments.append(f"null={self._made(head, case.null_fields)}")
        if case.condition is not None:
            arguments.append(f"condition={head} {self._printer.text(case.condition)}")
        return call("_decl.Case", *arguments)

    def _made(self, head: str, fields: Sequence[DeclaredField]) -> str:
        """Returns the function of a type's arguments that gives the fields."""
        return f"{head} {listed(map(self._field, fields))}" if fields or head != "lambda:" else "list"

    def _field(self, field: DeclaredField) -> str:
        arguments = [quoted(field.name), self._type(field)]
        if field.until is not None:
            arguments.append(f"until={self._lambda(field.until)}")
        if field.count is not None:
            arguments.append(f"count={self._printer.text(field.count)}")
        if field.repeated:
            arguments.append("repeated=True")
        if (derived := field.derived) is not None:
            arguments.append(f"derived={self._lambda(derived) if derived.names else self._printer.text(derived.value)}")
        if field.via:
            arguments.append(f"via={listed(self._printer.texts(field.via))}")
        if field.conditions:
            rules = (tupled([self._lambda(condition), quoted(rule)]) for condition, rule in field.conditions)
            arguments.append(f"conditions={listed(rules)}")
        return call("_decl.Field", *arguments)

    def _type(self, field: DeclaredField) -> str:
        if field.reference is None:
            return quoted(field.type)
        found, arguments = field.reference
        made = call(type_name(found.name), *self._printer.texts(arguments))
        return call("_decl.Reference", quoted(found.name), f"lambda: {made}")


def _values(layout: ValueLayout) -> str:
    """Returns the text of a layout, without what is as it is by default."""
    parts = [f"_decl.Kind.{layout.kind.name}", str(layout.width)]
    for each in fields(ValueLayout)[len(parts) :]:
        value = getattr(layout, each.name)
        if value != each.default:
            parts.append(f"{each.name}={quoted(value) if isinstance(value, str) else value}")
    return call("_decl.ValueLayout", *parts)


def _head(names: Sequence[str]) -> str:
    return f"lambda {', '.join(map(field_name, names))}:" if names else "lambda:"
