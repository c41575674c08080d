"""Rules for variants, encodings, codecs and functions: the types they name, and the expressions of functions."""

from __future__ import annotations

from collections.abc import Sequence

from .check_names import ExpressionChecker, report_duplicates, report_unknown_types
from .diagnostics import Diagnostics
from .model import Extension
from .paths import of_parameter
from .syntax import CodecDef, EncodingDef, Extern, FnDef, ParamDef, VariantDef, type_text


def check_extension(extension: Extension, diagnostics: Diagnostics) -> None:
    syntax = extension.syntax
    assert isinstance(syntax, VariantDef | EncodingDef | CodecDef | FnDef)
    _check_params(syntax.params, extension, diagnostics)
    match syntax:
        case VariantDef():
            report_duplicates(((case.name, case.location) for case in syntax.cases), "case", diagnostics)
        case FnDef():
            _check_function(syntax, extension, diagnostics)
        case _:
            pass


def _check_params(params: Sequence[ParamDef], extension: Extension, diagnostics: Diagnostics) -> None:
    report_duplicates(((param.name, param.location) for param in params), "parameter", diagnostics)
    expressions = ExpressionChecker(extension.module, diagnostics)
    for param in params:
        report_unknown_types(type_text(param.type), param.type.location, extension.module, diagnostics)
        if param.default is not None:
            expressions.check(param.default, {})


def _check_function(function: FnDef, extension: Extension, diagnostics: Diagnostics) -> None:
    module = extension.module
    report_unknown_types(type_text(function.result), function.result.location, module, diagnostics)
    if not isinstance(function.value, Extern):
        local = {param.name: of_parameter(type_text(param.type), module) for param in function.params}
        ExpressionChecker(module, diagnostics).check(function.value, local)
