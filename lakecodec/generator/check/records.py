"""Rules for records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..builtin_names import ATTRIBUTES
from ..diagnostics import Diagnostics, Location
from ..infer import Inference
from ..model import Extension, Record
from ..paths import Target, of_parameter
from ..syntax import Expr, RecordField, VariantDef
from ..words import attribute_hint
from .bodies import BodyChecker
from .computed import check_computed_cycles
from .contradictions import check_contradictions
from .names import report_unknown_types
from .peeking import check_peeks


def check_record(record: Record, diagnostics: Diagnostics) -> None:
    module = record.module
    expressions = Inference(module, diagnostics)
    params = {param.name: of_parameter(param.type_name, module) for param in record.params}
    body = BodyChecker(module, record.fields, params, diagnostics, holder=record, computed=record.computed)
    for param in record.params:
        report_unknown_types(param.type_name, param.location, module, diagnostics)
        if param.default is not None:
            expressions.check(param.default, {})
    check_attributes(record.attributes, "record", record.location, expressions, diagnostics, params)
    check_peeks((), [each.condition for each in record.checks], diagnostics)
    for check in record.checks:
        expressions.check(check.condition, body.local)
    _check_origins(record, diagnostics)
    body.run((param.name, param.location) for param in record.params)
    check_contradictions(record.fields, body.local, diagnostics)
    check_computed_cycles(record, diagnostics)


def _check_origins(record: Record, diagnostics: Diagnostics) -> None:
    """Reports places that count from the start of a record that never contains this one."""
    for field in record.fields:
        origin = record.module.find(field.origin) if field.origin else None
        if isinstance(origin, Record) and record not in _contained(origin):
            message = f"no '{origin.name}' can contain '{record.name}', so no place counts from its start"
            diagnostics.error(message, field.location)


def _contained(record: Record) -> set[object]:
    """Returns the records and variants that values of a record can contain."""
    found: set[object] = set()
    pending: list[object] = [record]
    while pending:
        each = pending.pop()
        fields: list[RecordField] = []
        if isinstance(each, Record):
            fields = each.fields
        elif isinstance(each, Extension) and isinstance(each.syntax, VariantDef):
            fields = [field for case in each.syntax.cases for field in case.fields or ()]
        held = {each.module.find(field.type.name) for field in fields if isinstance(each, Record | Extension)}
        pending += [other for other in held if isinstance(other, Record | Extension) and other not in found]
        found |= held
    return found


def check_attributes(
    attributes: dict[str, list[Expr]],
    kind: str,
    location: Location,
    expressions: Inference,
    diagnostics: Diagnostics,
    params: Mapping[str, Target] = MappingProxyType({}),
) -> None:
    """Reports unknown attributes of a declaration of a ``kind`` (`record`) with the parameters ``params``."""
    for name, arguments in attributes.items():
        if name not in ATTRIBUTES:
            diagnostics.error(f"unknown attribute '{name}' of a {kind}{attribute_hint(name)}", location)
        for argument in arguments:
            expressions.check(argument, params if name == "big" else {})
        if name in ("normalizes", "streams") and arguments:
            diagnostics.error(f"'{name}' takes no value", arguments[0].location)
        if len(arguments) > 1:
            diagnostics.error(f"'{name}' takes one value", arguments[1].location)
    if {"big", "little"} <= set(attributes):
        diagnostics.error(f"a {kind} cannot be both big-endian and little-endian", location)
