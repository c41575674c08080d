"""Rules about names: duplicates, types that nothing declares, codecs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...runtime.suggest import did_you_mean
from ..builtin_names import CODECS, PARAMETER_TYPES
from ..diagnostics import Diagnostics, Location, argument_count
from ..infer import Inference, accepts
from ..model import Enum, Extension, Module
from ..paths import Target, of_wire_type, type_names
from ..resolve.scope import BASE_TYPES
from ..syntax import Call, CodecDef, Expr, Name, Ternary


def report_unknown_types(type_text: str, location: Location, module: Module, diagnostics: Diagnostics) -> None:
    """Reports unknown names in the type of a parameter."""
    for name in re.findall(r"[A-Za-z_][\w.]*", type_text):
        if name in PARAMETER_TYPES or name in BASE_TYPES or name in module.broken:
            continue
        prefix, _, rest = name.rpartition(".")
        owner = module.includes.get(prefix, module)
        if module.find(name) is not None or rest in owner.typedefs:
            continue
        known = [*PARAMETER_TYPES, *BASE_TYPES, *type_names(module)]
        diagnostics.error(f"unknown type '{name}'{did_you_mean(name, known)}", location)


def check_codec(
    expression: Expr,
    local: Mapping[str, Target],
    module: Module,
    diagnostics: Diagnostics,
    wanted: Sequence[Target],
    *,
    is_chosen: bool = False,
) -> None:
    """Checks a step of `via`: a codec, with arguments or chosen by a condition, whose value has one of the ``wanted`` kinds.

    Args:
        is_chosen: whether the codec is another codec's value or chosen by a condition, and so must not have fields.
    """
    inference = Inference(module, diagnostics)
    if isinstance(expression, Ternary):
        inference.check(expression.condition, local)
        for each in (expression.then, expression.otherwise):
            check_codec(each, local, module, diagnostics, wanted, is_chosen=True)
        return
    called = expression.function if isinstance(expression, Call) else expression
    arguments = expression.arguments if isinstance(expression, Call) else ()
    if not isinstance(called, Name):
        diagnostics.error("a codec of this file is needed here", expression.location)
        return
    found = module.find(called.name)
    if called.name in CODECS:
        _check_built_in(arguments, called, module, diagnostics)
    elif isinstance(found, Extension) and isinstance(found.syntax, CodecDef):
        params = found.syntax.params
        _check_count(called, sum(param.default is None for param in params), len(params), arguments, diagnostics)
        inference.check(expression, local)
        if is_chosen and found.syntax.fields is not None:
            message = (
                f"'{called.name}' has fields: name it after `via` without a condition, not as another codec's value"
            )
            diagnostics.error(message, expression.location)
        result = of_wire_type(found.syntax.result, found.module)
        if not any(accepts(each, result) or {each.kind, result.kind} == {"bytes", "text"} for each in wanted):
            diagnostics.error(f"'{called.name}' is for {result.name}, not for {wanted[0].name}", expression.location)
    elif called.name not in module.broken:
        codecs = [item.name for item in module.definitions if isinstance(item, Extension) and item.kind == "codec"]
        hint = did_you_mean(called.name, [*CODECS, *codecs])
        diagnostics.error(f"unknown codec '{called.name}'{hint}", called.location)
        for argument in arguments:
            inference.check(argument, local)


def _check_count(codec: Name, least: int, most: int, given: tuple[Expr, ...], diagnostics: Diagnostics) -> None:
    if not least <= len(given) <= most:
        diagnostics.error(f"'{codec.name}' takes {argument_count(least, most)}, not {len(given)}", codec.location)


def _check_built_in(arguments: tuple[Expr, ...], codec: Name, module: Module, diagnostics: Diagnostics) -> None:
    types = CODECS[codec.name]
    _check_count(codec, types, types, arguments, diagnostics)
    for argument in arguments[:types]:
        target = Inference(module, diagnostics).check(argument, {})
        if not isinstance(target.holder, Enum) and target.kind != "any":
            diagnostics.error(f"'{codec.name}' takes the name of an enum", argument.location)
