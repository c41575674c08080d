"""Rules for records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .builtin_names import ATTRIBUTES, WIRE_TYPES
from .check_names import ExpressionChecker, report_duplicates, report_unknown_types, type_names
from .diagnostics import Diagnostics, Location
from .expressions import names
from .model import Extension, Param, Record, Struct
from .paths import SCALAR, Target, of_field, of_parameter
from .scope import kind_of
from .suggest import argument_count, did_you_mean
from .syntax import EncodingDef, Expr, ParamDef, RecordField, VariantDef, WireType


def check_record(record: Record, diagnostics: Diagnostics) -> None:
    _RecordChecker(record, diagnostics).run()


class _RecordChecker:
    def __init__(self, record: Record, diagnostics: Diagnostics) -> None:
        self._record = record
        self._module = record.module
        self._diagnostics = diagnostics
        self._expressions = ExpressionChecker(record.module, diagnostics)
        self._local: dict[str, Target] = {
            param.name: of_parameter(param.type_name, record.module) for param in record.params
        }
        self._local |= {field.name: of_field(field, record.module) for field in record.fields}

    def run(self) -> None:
        report_duplicates(
            [
                *((param.name, param.location) for param in self._record.params),
                *((field.name, field.location) for field in self._record.fields),
            ],
            "field",
            self._diagnostics,
        )
        for param in self._record.params:
            self._check_parameter(param)
        self._check_attributes()
        for check in self._record.checks:
            self._expressions.check(check.condition, self._local)
        for place, field in enumerate(self._record.fields):
            self._check_type(field.type, self._scope(field))
            self._check_dimensions(field)
            self._check_clauses(field)
            self._check_order(field, self._record.fields[place + 1 :])

    # ---- types ----

    def _check_parameter(self, param: Param) -> None:
        report_unknown_types(param.type_name, param.location, self._module, self._diagnostics)
        if param.default is not None:
            self._expressions.check(param.default, {})

    def _check_type(self, type_: WireType, local: dict[str, Target]) -> None:
        for expression in (*type_.type_arguments, *(type_.arguments or ())):
            self._expressions.check(expression, local)
        if type_.name == "bits" and len(type_.type_arguments) != 1:
            self._error("'bits' has its width in angle brackets: bits<3>", type_.location)
        if type_.name in WIRE_TYPES:
            return
        found = self._module.find(type_.name)
        if found is None:
            self._unknown_type(type_.name, type_.location)
        elif isinstance(found, Record):
            self._check_arguments(type_, found.params)
        elif isinstance(found, Extension) and isinstance(found.syntax, VariantDef):
            self._check_arguments(type_, found.syntax.params)
        elif isinstance(found, Extension) and isinstance(found.syntax, EncodingDef):
            return
        elif not isinstance(found, Struct):
            self._error(
                f"'{type_.name}' is {kind_of(found, article=True)}, which has no bytes of its own", type_.location
            )

    def _check_arguments(self, type_: WireType, params: Sequence[Param | ParamDef]) -> None:
        least = sum(param.default is None for param in params)
        given = len(type_.arguments or ())
        if not least <= given <= len(params):
            self._error(f"'{type_.name}' takes {argument_count(least, len(params))}, not {given}", type_.location)

    def _unknown_type(self, name: str, location: Location) -> None:
        if name in self._module.broken:
            return
        known = [*WIRE_TYPES, *type_names(self._module)]
        self._error(f"unknown type '{name}'{did_you_mean(name, known)}", location)

    # ---- clauses ----

    def _check_attributes(self) -> None:
        for name, arguments in self._record.attributes.items():
            if name not in ATTRIBUTES:
                hint = did_you_mean(name, ATTRIBUTES)
                self._error(f"unknown attribute '{name}' of a record{hint}", self._record.location)
            for argument in arguments:
                self._expressions.check(argument, {})
        if {"big", "little"} <= set(self._record.attributes):
            self._error("a record is big-endian or little-endian, not both", self._record.location)

    def _check_dimensions(self, field: RecordField) -> None:
        for dimension in field.dimensions:
            if dimension.expression is not None:
                self._expressions.check(dimension.expression, self._scope(field))
        for dimension in field.dimensions[:-1]:
            if dimension.kind in ("rest", "until"):
                self._error("only the last dimension can be open", dimension.location)

    def _check_clauses(self, field: RecordField) -> None:
        scope = self._scope(field)
        for expression in _expressions(field):
            self._expressions.check(expression, scope)
        for codec in field.via:
            self._expressions.codec(codec, scope)

    def _check_order(self, field: RecordField, later: Sequence[RecordField]) -> None:
        """What decides where and whether a field is read must have been read before it."""
        unread = {each.name for each in later if each.at is None} | {field.name}
        for clause, expression in _deciding(field):
            for name in names(expression):
                if name.name == field.name:
                    self._error(f"the {clause} of '{field.name}' uses the field itself", name.location)
                elif name.name in unread:
                    self._error(f"the {clause} of '{field.name}' uses '{name.name}', read later", name.location)

    def _scope(self, field: RecordField) -> dict[str, Target]:
        variables = {each.variable: SCALAR for each in field.dimensions if each.variable is not None}
        return {**self._local, **variables}

    def _error(self, message: str, location: Location) -> None:
        self._diagnostics.error(message, location)


def _expressions(field: RecordField) -> Iterator[Expr]:
    for expression in (field.derived, field.present, field.at, field.size):
        if expression is not None:
            yield expression
    yield from (where.condition for where in field.invariants)


def _deciding(field: RecordField) -> Iterator[tuple[str, Expr]]:
    counts = (each for each in field.dimensions if each.kind in ("count", "index"))
    yield from (("count", each.expression) for each in counts if each.expression is not None)
    for clause, expression in (("condition", field.present), ("position", field.at), ("size", field.size)):
        if expression is not None:
            yield clause, expression
