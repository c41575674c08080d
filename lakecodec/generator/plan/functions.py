"""Calls of the IDL's own functions as Python text."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Extension
from ..syntax import Call, CodecDef, EncodingDef, FnDef
from .expressions import Scope, UnsupportedExpression

_RUNTIME = ("ascending", "common_prefix", "contains", "is_permutation", "unique")


def call_text(scope: Scope, function: str, expr: Call) -> str:
    """A call of a builtin function, or of a function, codec or encoding of the IDL."""
    if function in _WRITERS:
        return _WRITERS[function](scope, expr)
    if function in _RUNTIME:
        return f"_fn.{function}({', '.join(scope.render(argument) for argument in expr.arguments)})"
    found = scope.module.find(function)
    if isinstance(found, Extension) and isinstance(found.syntax, FnDef | CodecDef | EncodingDef):
        return scope.user_call(found, [scope.render(argument) for argument in expr.arguments])
    raise UnsupportedExpression(f"{function!r} is not a function that means something here", expr)


def _count(scope: Scope, expr: Call) -> str:
    argument = expr.arguments[0]
    kind = scope.kind(argument)
    if kind.lists or kind.kind in ("bytes", "values"):
        return f"len({scope.render(argument)})"
    return f"len({scope.grouped(argument)}.encode())" if kind.kind == "text" else f"_fn.count({scope.render(argument)})"


def _extreme(name: str, of_list: str) -> Callable[[Scope, Call], str]:
    def text(scope: Scope, expr: Call) -> str:
        arguments = ", ".join(scope.render(argument) for argument in expr.arguments)
        return f"{name}({arguments})" if len(expr.arguments) > 1 else f"_fn.{of_list}({arguments})"

    return text


def _suffixed(suffix: str) -> Callable[[Scope, Call], str]:
    return lambda scope, expr: f"{scope.grouped(expr.arguments[0])}{suffix}"


_WRITERS: dict[str, Callable[[Scope, Call], str]] = {
    "count": _count,
    "max": _extreme("max", "largest"),
    "min": _extreme("min", "smallest"),
    "sum": lambda scope, expr: f"_fn.total({scope.render(expr.arguments[0])})",
    "bit_length": _suffixed(".bit_length()"),
    "present": _suffixed(" is not None"),
    "tag": _suffixed(".tag"),
    "tag_name": _suffixed(".kind"),
    "last": _suffixed("[-1]"),
}
