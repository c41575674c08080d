"""Style rules for IDL files. They warn; a manifest switches them off by name, for all targets or for one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from .diagnostics import Diagnostics, Location
from .model import Const, Definition, Enum, Extension, Module, Record, Service, Struct, Table
from .resolve.scope import kind_of
from .syntax import CodecDef, VariantDef
from .words import FOREIGN_KEYWORDS, THRIFT_KEYWORDS

FieldStyle = Literal["snake_case", "camelCase", "any"]


@dataclass(frozen=True, slots=True)
class LintRules:
    """The lint rules that are switched on.

    Attributes:
        type_names: structs, unions, exceptions, enums, records, variants and encodings are CamelCase.
        field_names: fields (those of variants and codecs too), columns, tables, functions and codecs are snake_case;
            `camelCase` allows both, `any` switches the rule off. Members of unions may be UPPER_CASE.
        member_names: enum members, constants and alternatives of variants are UPPER_CASE.
        portable_names: no name is a word that some implementations of Thrift refuse.
        docs: every definition, field of a struct and enum member has a doc comment.
        id_order: the ids of a struct's fields rise from field to field.
        reused_ids: no id stands in a hole that earlier fields left, where it may have had another meaning.
        unused_includes: every included file is used.
    """

    type_names: bool = True
    field_names: FieldStyle = "snake_case"
    member_names: bool = True
    portable_names: bool = True
    docs: bool = True
    id_order: bool = True
    reused_ids: bool = True
    unused_includes: bool = True


ALL_RULES = LintRules()

_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
_UPPER = re.compile(r"[A-Z][A-Z0-9_]*")
_FIELD_STYLES = {
    "snake_case": re.compile(r"[a-z_][a-z0-9_]*"),
    "camelCase": re.compile(r"[a-z_][A-Za-z0-9_]*"),
    "any": re.compile(r".*"),
}


def lint(module: Module, diagnostics: Diagnostics, rules: LintRules = ALL_RULES) -> None:
    """Adds a warning for each place where the module breaks a rule; included modules are linted on their own."""
    _Linter(module, rules, diagnostics).run()


class _Linter:
    def __init__(self, module: Module, rules: LintRules, diagnostics: Diagnostics) -> None:
        self._module = module
        self._rules = rules
        self._warn = diagnostics.warning

    def run(self) -> None:
        if self._rules.unused_includes:
            for prefix, location in self._module.unused_includes.items():
                self._warn(f"the included file '{prefix}' is not used", location)
        for definition in self._module.definitions:
            self._name(definition)
            if self._rules.docs and not definition.doc:
                self._warn(f"{kind_of(definition)} '{definition.name}' has no doc comment", definition.location)
            match definition:
                case Enum():
                    self._enum(definition)
                case Struct():
                    self._struct(definition)
                case Record():
                    self._field_names((field.name, field.location) for field in definition.fields)
                case Extension() if isinstance(definition.syntax, VariantDef):
                    self._variant(definition.syntax)
                case Extension() if isinstance(definition.syntax, CodecDef):
                    self._field_names((field.name, field.location) for field in definition.syntax.fields or ())
                case Table():
                    self._field_names((column.name, column.location) for column in definition.columns)
                case _:
                    pass

    def _name(self, definition: Definition) -> None:
        name, location = definition.name, definition.location
        match definition:
            case Const():
                self._member_name(name, location)
            case Table():
                self._field_names([(name, location)])
            case Extension() if definition.kind in ("fn", "codec"):
                self._field_names([(name, location)])
            case Enum() | Struct() | Record() | Extension():
                if self._rules.type_names and not _CAMEL.fullmatch(name):
                    self._warn(f"'{name}' is not CamelCase", location)
            case Service():
                return
        if isinstance(definition, Enum | Struct | Const):
            self._portable_name(name, location)

    def _enum(self, enum: Enum) -> None:
        for member in enum.members:
            self._member_name(member.name, member.location)
            self._portable_name(member.name, member.location)
            if self._rules.docs and not member.doc:
                self._warn(f"member '{member.name}' has no doc comment", member.location)

    def _variant(self, variant: VariantDef) -> None:
        for case in variant.cases:
            self._member_name(case.name, case.location)
            self._field_names((field.name, field.location) for field in case.fields or ())

    def _struct(self, struct: Struct) -> None:
        is_union = struct.is_union
        self._field_names(
            (field.name, field.location) for field in struct.fields if not (is_union and _UPPER.fullmatch(field.name))
        )
        for field in struct.fields:
            if field.name not in THRIFT_KEYWORDS:
                self._portable_name(field.name, field.location)
            if self._rules.docs and not field.doc:
                self._warn(f"field '{field.name}' has no doc comment", field.location)
        for message, location, rule in _id_findings(struct):
            if self._rules.id_order if rule == "id_order" else self._rules.reused_ids:
                self._warn(message, location)

    # ---- names ----

    def _field_names(self, names: Iterable[tuple[str, Location]]) -> None:
        style = self._rules.field_names
        for name, location in names:
            if not _FIELD_STYLES[style].fullmatch(name):
                self._warn(f"'{name}' is not {style}", location)

    def _member_name(self, name: str, location: Location) -> None:
        if self._rules.member_names and not _UPPER.fullmatch(name):
            self._warn(f"'{name}' is not UPPER_CASE", location)

    def _portable_name(self, name: str, location: Location) -> None:
        if self._rules.portable_names and name in FOREIGN_KEYWORDS:
            self._warn(f"some implementations of Thrift refuse the name '{name}'", location)


def _id_findings(struct: Struct) -> Iterator[tuple[str, Location, str]]:
    """Ids below those before them: in a hole between two of them, or only out of order."""
    before: list[int] = []
    for field in struct.fields:
        if not field.explicit_id:
            continue
        place = field.id_location or field.location
        if before and field.id < max(before):
            lower = max((each for each in before if each < field.id), default=None)
            if lower is None:
                yield f"id {field.id} comes after id {max(before)}", place, "id_order"
            else:
                higher = min(each for each in before if each > field.id)
                message = f"id {field.id} was left out between {lower} and {higher}; old data may use it otherwise"
                yield message, place, "reused_ids"
        before.append(field.id)
