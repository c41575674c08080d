"""Rules for variants, encodings, codecs and functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...runtime.suggest import did_you_mean
from ..diagnostics import Diagnostics, report_duplicates
from ..infer import Inference, accepts
from ..model import Extension, Module
from ..paths import ANYTHING, INTEGER, Target, of_parameter, of_wire_type
from ..syntax import (
    CodecDef,
    EncodingDef,
    Expr,
    Extern,
    FnDef,
    Literal_,
    Member,
    Name,
    ParamDef,
    RecordField,
    Shape,
    VariantDef,
    type_text,
)
from ..syntax.walk import names
from .bodies import BodyChecker
from .computed import check_computed_cycles
from .contradictions import check_contradictions
from .extern_parameters import check_parameters
from .names import check_codec, report_unknown_types
from .peeking import check_peeks, check_tag
from .records import check_attributes


def check_extension(extension: Extension, diagnostics: Diagnostics) -> None:
    syntax = extension.syntax
    assert isinstance(syntax, VariantDef | EncodingDef | CodecDef | FnDef)
    module = extension.module
    _check_params(syntax.params, module, diagnostics)
    local = {param.name: of_parameter(type_text(param.type), module) for param in syntax.params}
    match syntax:
        case VariantDef():
            _check_variant(extension, local, diagnostics)
        case EncodingDef():
            _check_encoding(syntax, module, local, diagnostics)
        case CodecDef():
            _check_codec(syntax, module, local, diagnostics)
        case FnDef():
            _check_function(syntax, module, local, diagnostics)


def _check_params(params: Sequence[ParamDef], module: Module, diagnostics: Diagnostics) -> None:
    report_duplicates(((param.name, param.location) for param in params), "parameter", diagnostics)
    for param in params:
        report_unknown_types(type_text(param.type), param.type.location, module, diagnostics)
        if param.default is not None:
            Inference(module, diagnostics).check(param.default, {})


def _check_variant(extension: Extension, local: dict[str, Target], diagnostics: Diagnostics) -> None:
    variant: VariantDef = extension.syntax
    module = extension.module
    expressions = Inference(module, diagnostics)
    for field in (field for case in variant.cases for field in case.fields or ()):
        if field.at is not None:
            message = "fields of alternatives cannot be placed with `at`: put them into a record of their own"
            diagnostics.error(message, field.at.location)
    report_duplicates(((case.name, case.location) for case in variant.cases), "case", diagnostics)
    check_attributes(variant.attributes, "variant", variant.location, expressions, diagnostics, local)
    wanted = expressions.check(variant.tag, local)
    check_tag(variant.tag, diagnostics)
    seen: dict[object, str] = {}
    for number, case in enumerate(variant.cases):
        if not case.tags and number + 1 < len(variant.cases):
            diagnostics.error("`else` must be the last case", case.location)
        for tag in case.tags:
            found = expressions.check(tag, local, wanted)
            texts = {wanted.kind, found.kind} == {"bytes", "text"}
            if not accepts(wanted, found) and not texts:
                diagnostics.error(f"the tag must be {wanted.name}, not {found.name}", tag.location)
            key = tag.value if isinstance(tag, Literal_) else getattr(tag, "name", None)
            if key is not None and key in seen and isinstance(tag, Literal_ | Name | Member):
                diagnostics.error(f"'{seen[key]}' already has this tag", tag.location)
            seen.setdefault(key, case.name)
        params = [(param.name, param.location) for param in variant.params]
        body = BodyChecker(module, case.fields or (), local, diagnostics, holder=extension, computed=case.computed)
        body.run(params)
        check_contradictions(case.fields or (), body.local, diagnostics)
    check_computed_cycles(extension, diagnostics)


def _check_codec(codec: CodecDef, module: Module, local: dict[str, Target], diagnostics: Diagnostics) -> None:
    result = of_wire_type(codec.result, module)
    before = [(param.name, param.location) for param in codec.params]
    for attribute in sorted(set(codec.attributes) - {"normalizes"}):
        diagnostics.error(
            f"'{attribute}' is not an attribute of codecs, which have ': normalizes' only", codec.location
        )
    if codec.state is not None:
        Inference(module, diagnostics).check(codec.state.initial, {})
        local = {**local, codec.state.name: of_wire_type(codec.state.type, module)}
        before.append((codec.state.name, codec.state.location))
    if codec.fields is None:
        if isinstance(codec.value, Extern):
            check_parameters(codec, local, diagnostics)
        else:
            check_codec(codec.value, local, module, diagnostics, [result], is_chosen=True)
        return
    body = BodyChecker(module, codec.fields, {**local, "value": result}, diagnostics)
    body.run(before)
    for field in codec.fields:
        if field.derived is None:
            diagnostics.error(f"'{field.name}' of a codec needs a value: = expr", field.location)
        _refuse_value(field, diagnostics)
    order_rule = (
        "a codec has the byte order of the records that use it: write `bytes x[4] = big_bytes(value, 4)` for another"
    )
    _refuse_record_clauses(codec.fields, "a codec", order_rule, diagnostics)
    assert not isinstance(codec.value, Extern)
    found = Inference(module, diagnostics).check(codec.value, body.local)
    if not accepts(result, found):
        diagnostics.error(f"the value of '{codec.name}' must be {result.name}, not {found.name}", codec.value.location)
    for name in names(codec.value):
        if name.name == "value":
            diagnostics.error("a codec's value must be computed from its fields", name.location)


def _refuse_value(field: RecordField, diagnostics: Diagnostics) -> None:
    """Refuses `value` in clauses that are also used for reading, when it is known only after the last field."""
    rules = [where.condition for where in field.invariants]
    whens = [where.setting.when for where in field.invariants if where.setting is not None]
    lengths = [each.expression for each in field.dimensions]
    for expression in (*rules, *whens, *lengths, *field.via, *(field.type.arguments or ())):
        for name in names(expression) if expression is not None else ():
            if name.name == "value":
                message = (
                    "a codec's value is not known before its fields are read: name a field that is derived from it"
                )
                diagnostics.error(message, name.location)


def _refuse_record_clauses(fields: Sequence[RecordField], kind: str, order_rule: str, diagnostics: Diagnostics) -> None:
    """Refuses bit fields, and clauses only for fields of records and variants; ``order_rule`` is said of a byte order."""
    for field in fields:
        if field.type.order:
            diagnostics.error(order_rule, field.type.location)
        if field.bits is not None:
            diagnostics.error(f"bit fields belong to records and variants, not to {kind}", field.location)
        for word, expression in _record_clauses(field):
            if expression is not None:
                message = f"`{word}` belongs to fields of records and variants, not to those of {kind}"
                diagnostics.error(message, expression.location)


def _record_clauses(field: RecordField) -> tuple[tuple[str, Expr | None], ...]:
    setting = next((where.setting for where in field.invariants if where.setting is not None), None)
    inside, when = (setting.value, setting.when) if setting is not None else (None, None)
    clauses = (("at", field.at), ("size", field.size), ("if", field.present), ("until", field.until))
    return (
        *clauses,
        ("default", field.default),
        ("align", field.align),
        ("when", when),
        ("with", None if when is not None else inside),
    )


def _check_encoding(encoding: EncodingDef, module: Module, local: dict[str, Target], diagnostics: Diagnostics) -> None:
    """Checks an encoding, whose pattern variables are the fields of an alternative or the arguments of an Arrow type."""
    found = module.find(encoding.over)
    variant = found.syntax if isinstance(found, Extension) and isinstance(found.syntax, VariantDef) else None
    for argument in encoding.attributes.get("big", ()):
        diagnostics.error("the byte order of an encoding takes no condition", argument.location)
    for shape in encoding.shapes:
        if variant is not None:
            _check_patterns(shape, variant, diagnostics)
        _check_variables(shape, diagnostics)
        bound = {name: ANYTHING for pattern in shape.patterns for name in pattern.variables}
        names_of_shape = {**local, **bound, "width": INTEGER}
        for fields in (shape.fields, shape.null_fields or ()):
            BodyChecker(module, fields, names_of_shape, diagnostics).run()
            order_rule = "a byte order is written after the name of an encoding, not after the types of its fields"
            _refuse_record_clauses(fields, "an encoding", order_rule, diagnostics)
        if shape.condition is not None:
            Inference(module, diagnostics).check(shape.condition, names_of_shape)


def _check_patterns(shape: Shape, variant: VariantDef, diagnostics: Diagnostics) -> None:
    cases = {case.name: case for case in variant.cases}
    for pattern in shape.patterns:
        case = cases.get(pattern.name)
        # Arrow's own types, in lower case, are allowed beside the alternatives.
        if case is None and not pattern.name.islower():
            hint = did_you_mean(pattern.name, cases)
            diagnostics.error(f"'{variant.name}' has no case '{pattern.name}'{hint}", pattern.location)
        elif case is not None and len(pattern.variables) > len(case.fields or ()):
            count = len(case.fields or ())
            message = f"'{pattern.name}' has {count} field{'' if count == 1 else 's'}, not {len(pattern.variables)}"
            diagnostics.error(message, pattern.location)


def _check_variables(shape: Shape, diagnostics: Diagnostics) -> None:
    """Reports variables in a shape's expressions that not all of its patterns bind."""
    bound = set.intersection(*(set(pattern.variables) for pattern in shape.patterns))
    some = set().union(*(pattern.variables for pattern in shape.patterns)) - bound
    for name in (name for each in _expressions(shape) for name in names(each) if name.name in some):
        pattern = next(each for each in shape.patterns if name.name not in each.variables)
        diagnostics.error(f"'{pattern.name}' does not bind '{name.name}'", name.location)


def _expressions(shape: Shape) -> Iterator[Expr]:
    """Yields the expressions of a shape in which its patterns' variables are allowed."""
    if shape.condition is not None:
        yield shape.condition
    for field in (*shape.fields, *(shape.null_fields or ())):
        yield from field.via
        yield from field.type.arguments or ()
        yield from (each.expression for each in field.dimensions if each.expression is not None)
        yield from (each.condition for each in field.invariants)
        if field.derived is not None:
            yield field.derived


def _check_function(function: FnDef, module: Module, local: dict[str, Target], diagnostics: Diagnostics) -> None:
    report_unknown_types(type_text(function.result), function.result.location, module, diagnostics)
    if isinstance(function.value, Extern):
        check_parameters(function, local, diagnostics)
        return
    check_peeks((), [function.value], diagnostics)
    wanted = of_parameter(type_text(function.result), module)
    found = Inference(module, diagnostics).check(function.value, local, wanted)
    if not accepts(wanted, found):
        message = f"'{function.name}' must give {wanted.name}, not {found.name}"
        diagnostics.error(message, function.value.location)
