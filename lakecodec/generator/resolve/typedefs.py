"""Typedefs in records and tables, whose types stay text in the model: the text of what they stand for."""

from __future__ import annotations

import re
from dataclasses import replace

from ..column_types import with_arguments
from ..diagnostics import Diagnostics
from ..model import Enum, ListOf, MapOf, Record, Scalar, SetOf, Struct, Table, Type
from .scope import Scope


class TypedefTexts:
    def __init__(self, scope: Scope, diagnostics: Diagnostics) -> None:
        self._scope = scope
        self._diagnostics = diagnostics

    def replace_in(self, definition: Record | Table) -> None:
        """Replaces the typedefs that a record or table names."""
        if isinstance(definition, Record):
            for param in definition.params:
                param.type_name = self._replaced(param.type_name)
            definition.fields = [
                replace(field, type=replace(field.type, name=self._replaced(field.type.name)))
                for field in definition.fields
            ]
        else:
            definition.columns = [
                column
                if with_arguments(column.type_name)
                else replace(column, type_name=self._replaced(column.type_name))
                for column in definition.columns
            ]

    def _replaced(self, text: str) -> str:
        return re.sub(r"[A-Za-z_][\w.]*", lambda match: self._of_name(match[0]), text)

    def _of_name(self, name: str) -> str:
        scope, rest = self._scope.owner(name)
        return self._text(scope.typedef(rest, self._diagnostics)) if rest in scope.typedefs else name

    def _text(self, type_: Type) -> str:
        match type_:
            case Scalar():
                return type_.kind
            case ListOf():
                return f"list<{self._text(type_.value)}>"
            case SetOf():
                return f"set<{self._text(type_.value)}>"
            case MapOf():
                return f"map<{self._text(type_.key)}, {self._text(type_.value)}>"
            case Enum() | Struct():
                return self._prefix(type_) + type_.name

    def _prefix(self, type_: Enum | Struct) -> str:
        includes = self._scope.module.includes
        return next((f"{prefix}." for prefix, module in includes.items() if module is type_.module), "")
