"""Encodings, codecs and functions: declarations as Python functions, and as data for kernels.

See runtime/declaration.py for what they return.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from ...runtime.value_layout import ValueLayout
from ..lower import nodes
from ..lower.declared import CaseLayout, DeclarationLayout
from ..lower.field_layout import FieldLayout
from ..lower.nodes import Node
from ..names import field_name, free_name, quoted, type_name
from .expressions import Atom, ExpressionPrinter
from .text import call, comment, docstring, listed, tupled, wrap


@dataclass(frozen=True, slots=True)
class DeclarationText:
    """The lines of a constant after ``comment``, or of a function's body after ``head`` and ``docstring``."""

    lines: list[str]
    comment: list[str] = field(default_factory=list)
    head: str = ""
    docstring: list[str] = field(default_factory=list)


def print_declaration(layout: DeclarationLayout, imports: set[str]) -> DeclarationText:
    """Returns the text of an encoding, codec or function."""
    return _Declaration(layout, _Printer(layout.extension.module, imports)).text()


class _Printer(ExpressionPrinter):
    def spell(self, node: Node) -> Node:
        if isinstance(node, nodes.FieldValue):
            return Atom(f"{self.runtime('_decl')}.Symbol({quoted(node.field)})")
        return super().spell(node)


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
        return self._constant(call(f"{runtime('_decl')}.Codec", *arguments, quoted(layout.target)))

    def _constant(self, value: str) -> DeclarationText:
        return DeclarationText(wrap(f"{self._name} = {value}"), comment(self._extension.doc))

    def _function(self, returns: str, lines: list[str]) -> DeclarationText:
        parameters = ", ".join(self._parameter(name, default) for name, default in self._layout.parameters)
        result = f"{self._printer.runtime('_decl')}.{returns}" if returns else "_Any"
        doc = docstring(self._extension.doc) if self._extension.doc else []
        return DeclarationText(lines, head=f"def {self._name}({parameters}) -> {result}:", docstring=doc)

    def _parameter(self, name: str, default: Node | None) -> str:
        return f"{self._argument(name)}: _Any{'' if default is None else f' = {self._printer.text(default)}'}"

    def _argument(self, name: str) -> str:
        return free_name(self._extension.module, field_name(name))

    def _head(self, names: Sequence[str]) -> str:
        return f"lambda {', '.join(map(self._argument, names))}:" if names else "lambda:"

    def _case(self, case: CaseLayout) -> str:
        head = self._head(case.variables)
        patterns = tupled(tupled([quoted(name), str(variables)]) for name, variables in case.patterns)
        if case.values is not None:
            arguments = [patterns, f"values={_values(case.values)}"]
        else:
            arguments = [patterns, self._fields_function(head, case.fields)]
        if case.null_fields is not None:
            arguments.append(f"null={self._fields_function(head, case.null_fields)}")
        if case.condition is not None:
            arguments.append(f"condition={head} {self._printer.text(case.condition)}")
        return call("_decl.Case", *arguments)

    def _fields_function(self, head: str, fields: Sequence[FieldLayout]) -> str:
        """Returns the function that maps a type's arguments to its fields."""
        return f"{head} {listed(map(self._field, fields))}" if fields or head != "lambda:" else "list"

    def _field(self, field: FieldLayout) -> str:
        arguments = [quoted(field.name), self._type(field)]
        if field.length is not None and field.length.value is not None:
            arguments.append(f"count={self._printer.text(field.length.value)}")
        if field.derivation is not None:
            arguments.append(f"derived={self._printer.text(field.derivation.condition)}")
        if field.codecs:
            arguments.append(f"via={listed(self._printer.text(codec.call) for codec in field.codecs)}")
        if field.rules:
            arguments.append(f"rules={listed(quoted(rule.message) for rule in field.rules)}")
        return call("_decl.Field", *arguments)

    def _type(self, field: FieldLayout) -> str:
        if field.target is None:
            return quoted(field.type)
        made = call(type_name(field.target.name), *self._printer.texts(field.arguments))
        return call("_decl.Reference", quoted(field.target.name), f"lambda: {made}")


def _values(layout: ValueLayout) -> str:
    """Returns the text of a layout without its default values."""
    parts = [f"_decl.Kind.{layout.kind.name}", str(layout.width)]
    for each in fields(ValueLayout)[len(parts) :]:
        value = getattr(layout, each.name)
        if value != each.default:
            parts.append(f"{each.name}={quoted(value) if isinstance(value, str) else value}")
    return call("_decl.ValueLayout", *parts)
