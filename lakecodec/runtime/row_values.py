"""Columns of tables over structs value by value, as records compute: for what arrays refuse, such as numbers over 64 bits."""

from __future__ import annotations

import operator as _op
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .records.functions import shift_left

if TYPE_CHECKING:
    from .table import Rows

DIVISION_BY_ZERO = "a division by zero: divide where the divisor is not 0, as in b == 0 ? 0 : a / b"
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": _op.add, "-": _op.sub, "*": _op.mul, "/": _op.floordiv, "%": _op.mod, "==": _op.eq, "!=": _op.ne, "<": _op.lt,
    "<=": _op.le, ">": _op.gt, ">=": _op.ge, "&": _op.and_, "|": _op.or_, "^": _op.xor, "<<": shift_left, ">>": _op.rshift,
}  # fmt: skip


class RowValues:
    """The methods of `Rows`, on lists with one value per row. A value that cannot be computed is an exception.

    An exception counts only where the value is used: not in the other branch, nor beside a side that decides.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def ordinal(self, level: int) -> list[Any]:
        return self._listed(self._rows.ordinal(level))

    def leaf(self, number: int) -> list[Any]:
        return self._listed(self._rows.leaf(number, is_decoded=True))

    def literal(self, value: Any) -> list[Any]:
        return [value] * self._rows.count

    def names(self, numbers: list[Any], cls: Any) -> list[Any]:
        return [_name(each, cls) for each in numbers]

    def present(self, values: list[Any]) -> list[Any]:
        return [each if isinstance(each, Exception) else each is not None for each in values]

    def choose(self, condition: list[Any], then: list[Any], otherwise: list[Any]) -> list[Any]:
        choices = zip(condition, then, otherwise, strict=True)
        return [asked if _is_unknown(asked) else a if asked else b for asked, a, b in choices]

    def binary(self, operator: str, left: list[Any], right: list[Any]) -> list[Any]:
        compute = _logical if operator in ("and", "or") else _computed
        return [compute(operator, a, b) for a, b in zip(left, right, strict=True)]

    def unary(self, operator: str, operand: list[Any]) -> list[Any]:
        compute = _op.not_ if operator == "not" else _op.neg
        return [each if _is_unknown(each) else compute(each) for each in operand]

    def _listed(self, array: Any) -> list[Any]:
        found: list[Any] = array.to_pylist()
        return found


def checked(values: Iterable[Any], wanted: Iterable[Any] | None, name: str) -> list[Any]:
    """Returns the values of a column; null in rows that are not wanted.

    Raises:
        ValueError: a value could not be computed.
    """
    found = list(values)
    if wanted is not None:
        found = [each if holds else None for each, holds in zip(found, wanted, strict=True)]
    for row, each in enumerate(found):
        if isinstance(each, Exception):
            raise ValueError(f"column {name!r}, row {row}: {each}")
    return found


def _is_unknown(value: Any) -> bool:
    return value is None or isinstance(value, Exception)


def _logical(operator: str, left: Any, right: Any) -> Any:
    decides = operator == "or"
    unknown = [each for each in (left, right) if _is_unknown(each)]
    if any(bool(each) == decides for each in (left, right) if not _is_unknown(each)):
        return decides
    return next((each for each in unknown if each is not None), None) if unknown else not decides


def _computed(operator: str, left: Any, right: Any) -> Any:
    for each in (left, right):
        if isinstance(each, Exception):
            return each
    if left is None or right is None:
        return None
    if isinstance(left, bytes) and isinstance(right, str):
        right = right.encode()
    elif isinstance(left, str) and isinstance(right, bytes):
        left = left.encode()
    try:
        return _OPERATORS[operator](left, right)
    except ZeroDivisionError:
        return ValueError(DIVISION_BY_ZERO)
    except (ArithmeticError, ValueError, TypeError) as error:
        return error


def _name(number: Any, cls: Any) -> Any:
    if isinstance(number, list):
        return [_name(each, cls) for each in number]
    member = cls._value2member_map_.get(number)
    return None if number is None else str(number) if member is None else member.name
