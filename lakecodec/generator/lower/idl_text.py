"""Expressions as an IDL reader would write them, for messages."""

from __future__ import annotations

from ..names import quoted
from ..syntax import Binary, Call, Compare, Each, Expr, Index, IsCase, Literal_, Member, Name, Slice, Ternary, Unary

#: The precedence of the IDL's operators.
_TERNARY, _NOT, _COMPARISON, _SUM, _UNARY, _POSTFIX = 0, 3, 4, 5, 11, 12
_LEVELS = {
    "or": 1, "and": 2, "|": _SUM, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


def text_of(expr: Expr) -> str:
    """Returns the text of an expression, with parentheses where they are needed."""
    match expr:
        case Name():
            return expr.name
        case Member():
            return f"{_operand(expr.base, _POSTFIX)}.{expr.name}"
        case Literal_():
            return quoted(expr.value) if isinstance(expr.value, str | bytes) else str(expr.value)
        case Binary():
            level = _LEVELS[expr.operator]
            return f"{_operand(expr.left, level)} {expr.operator} {_operand(expr.right, level + 1)}"
        case Unary() if expr.operator == "not":
            return f"not {_operand(expr.operand, _NOT)}"
        case Unary():
            return f"-{_operand(expr.operand, _UNARY)}"
        case Compare():
            words = [_operand(expr.operands[0], _SUM)]
            for operator, operand in zip(expr.operators, expr.operands[1:], strict=True):
                words += [operator, _operand(operand, _SUM)]
            return " ".join(words)
        case Call():
            text = ", ".join(map(text_of, expr.arguments))
            is_list = len(expr.arguments) == 1 and isinstance(expr.arguments[0], Each) and text.startswith("(")
            return f"{text_of(expr.function)}{text if is_list else f'({text})'}"
        case Ternary():
            return f"{_operand(expr.condition, 1)} ? {_operand(expr.then, 1)} : {_operand(expr.otherwise, 1)}"
        case Index():
            return f"{_operand(expr.base, _POSTFIX)}[{text_of(expr.index)}]"
        case Slice():
            low, high = ("" if bound is None else text_of(bound) for bound in (expr.low, expr.high))
            return f"{_operand(expr.base, _POSTFIX)}[{low}:{high}]"
        case Each():
            condition = "" if expr.condition is None else f" where {text_of(expr.condition)}"
            first = "" if expr.initial is None else f", {expr.accumulator} = {text_of(expr.initial)}"
            value = "" if expr.value is None else f" : {text_of(expr.value)}"
            text = f"({expr.variable} in {text_of(expr.base)}{condition}{first}{value})"
            return text if expr.initial is None else f"fold{text}"
        case IsCase():
            return f"{_operand(expr.value, _SUM)} is {expr.case}"


def _operand(expr: Expr, level: int) -> str:
    text = text_of(expr)
    return f"({text})" if _level(expr) < level else text


def _level(expr: Expr) -> int:
    match expr:
        case Ternary():
            return _TERNARY
        case Binary():
            return _LEVELS[expr.operator]
        case Unary():
            return _NOT if expr.operator == "not" else _UNARY
        case Compare() | IsCase():
            return _COMPARISON
    return _POSTFIX
