"""Definitions of one file: from syntax nodes to the objects of the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...runtime.suggest import did_you_mean
from ..column_types import with_arguments
from ..diagnostics import Diagnostics
from ..model import (
    Const,
    Definition,
    Enum,
    EnumMember,
    Extension,
    Field,
    Param,
    Record,
    Service,
    Struct,
    Table,
)
from ..syntax import (
    CodecDef,
    ConstDef,
    EncodingDef,
    EnumDef,
    FieldDef,
    File,
    FnDef,
    ParamDef,
    RecordDef,
    SenumDef,
    ServiceDef,
    StructDef,
    TableDef,
    TypedefDef,
    VariantDef,
    type_text,
)
from ..syntax import Definition as SyntaxDefinition
from ..words import is_reserved
from .computed import Expander
from .constants import BadConstant, Evaluator, type_name
from .field_ids import field_ids, field_numbers, report_shared_ids
from .fields import resolve_fields
from .messages import set_zero_defaults
from .scope import Scope, kind_of
from .services import ServiceChecker


def define(file: File, scope: Scope, diagnostics: Diagnostics) -> None:
    """Fills the scope and its module with what the file defines; names may be used before they are defined."""
    _Definer(file, scope, diagnostics).run()


class _Definer:
    def __init__(self, file: File, scope: Scope, diagnostics: Diagnostics) -> None:
        self._file = file
        self._scope = scope
        self._module = scope.module
        self._diagnostics = diagnostics
        self._evaluator = Evaluator(diagnostics)
        #: The syntax nodes and model objects of definitions whose fields or members are not filled in yet.
        self._structs: list[tuple[StructDef, Struct]] = []
        self._services: list[tuple[ServiceDef, Service]] = []
        self._defaults: list[tuple[FieldDef, Field]] = []
        #: Lines of definitions, by (namespace, name).
        self._seen: dict[tuple[str, str], int] = {}

    def run(self) -> None:
        for node in self._file.definitions:
            if self._is_new(node):
                self._declare(node)
        for name in self._scope.typedefs:
            self._module.typedefs[name] = self._scope.typedef(name, self._diagnostics)
        for struct_node, struct in self._structs:
            struct.fields = self._fields(struct_node.fields, struct)
        for service_node, service in self._services:
            ServiceChecker(self._scope, self._diagnostics).run(service_node, service)
        made = dict(self._scope.definitions)
        self._find_origins()
        for node in self._file.definitions:
            if isinstance(node, ConstDef) and self._scope.consts.get(node.name) is node:
                self._add_const(node)
            elif isinstance(node, TableDef):
                self._add_table(node)
            elif node.name in made and made[node.name].location == node.location:
                self._module.definitions.append(made[node.name])
        for field_node, field in self._defaults:
            self._set_default(field_node, field)
        for _, struct in self._structs:
            if struct.kind == "message":
                set_zero_defaults(struct)
        texts = TypedefTexts(self._scope, self._diagnostics)
        for definition in self._module.definitions:
            if isinstance(definition, Record | Table):
                texts.replace_in(definition)
            resolve_fields(definition)

    def _find_origins(self) -> None:
        """Marks the records that are origins of places in other records."""
        for record in [each for each in self._scope.definitions.values() if isinstance(each, Record)]:
            for field in (field for field in record.fields if field.origin):
                origin = self._scope.definitions.get(field.origin)
                if isinstance(origin, Record):
                    origin.is_origin = True
                else:
                    what = "from the start of its record, `from source`, or from a record of this file"
                    self._diagnostics.error(f"a place counts {what}, not from '{field.origin}'", field.location)

    # ---- first pass: names ----

    def _is_new(self, node: SyntaxDefinition) -> bool:
        if is_reserved(node.name):
            self._diagnostics.error(f"'{node.name}' is a reserved word and cannot be a name", node.location)
        # As in Thrift, a constant may have the name of a type.
        is_thrift = isinstance(node, TypedefDef | SenumDef | EnumDef | StructDef | ServiceDef)
        kind = "constant" if isinstance(node, ConstDef) else "type" if is_thrift else "extension"
        kinds = ("type", "constant", "extension") if kind == "extension" else (kind, "extension")
        line = next((self._seen[each, node.name] for each in kinds if (each, node.name) in self._seen), None)
        if line is None:
            self._seen[kind, node.name] = node.location.line
            return True
        self._diagnostics.error(f"'{node.name}' is defined twice, first in line {line}", node.location)
        return False

    def _declare(self, node: SyntaxDefinition) -> None:
        match node:
            case ConstDef():
                self._scope.consts[node.name] = node
            case TypedefDef() | SenumDef():
                self._scope.typedefs[node.name] = node
            case TableDef():
                pass
            case _:
                self._scope.definitions[node.name] = self._shell(node)

    def _shell(
        self, node: EnumDef | StructDef | ServiceDef | RecordDef | VariantDef | EncodingDef | CodecDef | FnDef
    ) -> Definition:
        """Returns the model object of a definition, without the fields of a struct, whose types may not be known yet."""
        name, module, location, doc = node.name, self._module, node.location, node.doc
        match node:
            case EnumDef():
                return Enum(name, module, location, _members(node), doc, node.annotations)
            case StructDef():
                struct = Struct(name, node.kind, module, location, [], doc, node.annotations)
                self._structs.append((node, struct))
                return struct
            case ServiceDef():
                functions = [function.name for function in node.functions]
                service = Service(name, module, location, doc, functions)
                self._services.append((node, service))
                return service
            case RecordDef():
                params = [_param(param) for param in node.params]
                fields, computed, checks = Expander(module, self._diagnostics).record(node)
                return Record(
                    name, module, location, params, node.attributes, list(checks), list(fields), doc, list(computed)
                )
            case VariantDef():
                return Extension(
                    name, "variant", module, location, Expander(module, self._diagnostics).variant(node), doc
                )
            case EncodingDef():
                return Extension(name, "encoding", module, location, node, doc)
            case CodecDef():
                return Extension(name, "codec", module, location, node, doc)
            case FnDef():
                return Extension(name, "fn", module, location, node, doc)

    # ---- second pass: fields, constants, tables ----

    def _fields(self, nodes: Sequence[FieldDef], struct: Struct) -> list[Field]:
        fields: list[Field] = []
        ids = field_numbers(nodes) if struct.is_protobuf else field_ids(nodes, self._diagnostics)
        report_shared_ids(nodes, ids, self._diagnostics)
        for node, number in zip(nodes, ids, strict=True):
            if is_reserved(node.name, field=True):
                self._diagnostics.error(f"'{node.name}' is a reserved word and cannot be a name", node.location)
            field = Field(
                node.name,
                number,
                self._scope.type_of(node.type, self._diagnostics, message=struct.is_protobuf),
                "default" if struct.is_union else node.requiredness,
                node.location,
                doc=node.doc,
                annotations={**node.type.annotations, **node.annotations},
                explicit_id=node.id is not None and (node.id > 0 or struct.is_protobuf),
                by_reference=node.by_reference,
                id_location=node.id_location,
            )
            if struct.is_union and node.requiredness != "default":
                message = f"'{node.requiredness}' means nothing for a member of a {struct.kind} and is ignored"
                self._diagnostics.warning(message, node.location)
            fields.append(field)
            if node.default is not None:
                self._defaults.append((node, field))
        return fields

    def _set_default(self, node: FieldDef, field: Field) -> None:
        assert node.default is not None
        try:
            field.default = self._evaluator.value(node.default, field.type, self._scope)
        except BadConstant:
            return
        field.has_default = True

    def _add_const(self, node: ConstDef) -> None:
        type_ = self._scope.type_of(node.type, self._diagnostics)
        try:
            value = self._evaluator.value(node.value, type_, self._scope)
        except BadConstant:
            self._module.broken.add(node.name)
            return
        const = Const(node.name, type_, value, node.location, node.doc)
        self._scope.definitions.setdefault(node.name, const)
        self._module.definitions.append(const)

    def _add_table(self, node: TableDef) -> None:
        source = self._scope.find(node.source)
        if isinstance(source, Record) or (isinstance(source, Struct) and not source.is_protobuf):
            table = Table(
                node.name, self._module, node.location, source, list(node.loops), list(node.columns), node.doc
            )
            self._scope.definitions[node.name] = table
            self._module.definitions.append(table)
            return
        if source is None and self._scope.is_broken(node.source):
            return
        if source is None:
            known = [name for name, item in self._scope.definitions.items() if isinstance(item, Record | Struct)]
            message = f"unknown record or struct '{node.source}'{did_you_mean(node.source, known)}"
        else:
            message = f"a table starts from a record or a struct; '{node.source}' is {kind_of(source, article=True)}"
        self._diagnostics.error(message, node.source_location)


def _param(node: ParamDef) -> Param:
    return Param(node.name, type_text(node.type), node.location, node.default)


def _members(node: EnumDef) -> list[EnumMember]:
    """Returns the members; one without a number gets its predecessor's number plus one, the first gets 0."""
    members: list[EnumMember] = []
    previous = -1
    for member in node.members:
        previous = previous + 1 if member.number is None else member.number
        members.append(
            EnumMember(member.name, previous, member.location, member.doc, member.annotations, member.number_location)
        )
    return members


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
        return type_name(scope.typedef(rest, self._diagnostics), self._qualified) if rest in scope.typedefs else name

    def _qualified(self, type_: Enum | Struct) -> str:
        includes = self._scope.module.includes
        return next((f"{prefix}." for prefix, module in includes.items() if module is type_.module), "") + type_.name
