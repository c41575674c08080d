"""Values of new columns and conditions of merges: SQL text, computed over the rows of a batch as Spark does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from lark import Tree
from lark.exceptions import LarkError, VisitError

from ...runtime.errors import EncodeError
from .bind import find_column
from .casts import Refused, cast_to, doubles
from .functions import FUNCTIONS
from .sql import Builder, Literal, grammar

#: A function from the parts of a column's name to its values; raises KeyError for an unknown column.
Lookup = Callable[[tuple[str, ...]], Any]

_INT32 = 1 << 31


class SqlValue:
    """An SQL expression: literals, columns, ``+ - * /``, comparisons, AND, OR, NOT, IS NULL, IN, BETWEEN, CAST, and functions.

    Args:
        text: the expression.
        argument: name of the argument, for errors.

    Raises:
        ValueError: the expression uses anything else.
    """

    def __init__(self, text: str, argument: str) -> None:
        self._text, self._argument = text, argument
        try:
            self._tree: Tree[Any] = grammar().parse(text)
        except (LarkError, RecursionError):
            raise ValueError(f"{argument}: {text!r} is not a supported expression; Spark may compute it") from None

    def of(self, lookup: Lookup, rows: int) -> pa.Array:
        """Returns one value per row.

        Raises:
            ValueError, KeyError: the expression is unsupported, or names an unknown column.
            EncodeError: a value is out of its type's range.
        """
        try:
            found = _array(_Computed(lookup).transform(self._tree))
        except VisitError as error:
            cause = error.orig_exc
            if isinstance(cause, KeyError):
                raise KeyError(f"{self._argument}: {cause.args[0]}") from None
            if isinstance(cause, pa.ArrowInvalid):
                raise EncodeError(f"{self._text!r} cannot be computed: {cause}", format="delta") from None
            if isinstance(cause, Refused | pa.ArrowNotImplementedError | pa.ArrowTypeError):
                reason = str(cause).partition("\n")[0]
                raise ValueError(
                    f"{self._argument}: {self._text!r} is not computed here ({reason}); Spark may compute it"
                ) from None
            if isinstance(cause, ValueError):
                raise ValueError(f"{self._argument}: {self._text!r}: {cause}") from None
            raise
        if isinstance(found, pa.ChunkedArray):
            found = found.combine_chunks()
        return pa.repeat(found, rows) if isinstance(found, pa.Scalar) else found


def _integer(value: int) -> Any:
    """Returns a whole number in the narrowest type that SQL has for it: int, bigint or a decimal."""
    if -(1 << 63) <= value < 1 << 63:
        return pa.scalar(value, pa.int32() if -_INT32 <= value < _INT32 else pa.int64())
    return pa.scalar(Decimal(value), pa.decimal128(len(str(abs(value)))))


def _array(item: Any) -> Any:
    """Returns an array or scalar for the value of a grammar's part."""
    if not isinstance(item, Literal):
        return item
    value = item.value
    if isinstance(value, int) and not isinstance(value, bool):
        return _integer(value)
    if isinstance(value, datetime):
        zone = None if value.tzinfo is None else "UTC"
        return pa.scalar(value if zone is None else value.astimezone(UTC), pa.timestamp("us", zone))
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        scale = max(0, -int(exponent))
        return pa.scalar(value, pa.decimal128(max(len(digits), scale, 1), scale))
    return pa.scalar(value)


def _family(kind: Any) -> str:
    types = pa.types
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    return "null" if types.is_null(kind) else "time zone" if types.is_timestamp(kind) and kind.tz else str(kind)


def _same_family(*items: Any) -> None:
    kinds = {_family(item.type) for item in items} - {"null"}
    if len(kinds) > 1:
        raise Refused(f"{' and '.join(sorted(kinds))} cannot be combined")


class _Computed(Builder):
    """An evaluator from the bottom up; conditions are nullable booleans."""

    def __init__(self, lookup: Lookup) -> None:
        super().__init__("UTC")
        self._lookup = lookup

    def column(self, items: list[Any]) -> Any:
        return self._lookup(tuple(items[0]))

    def literal(self, items: list[Any]) -> Any:
        return _array(items[0])

    def or_(self, items: list[Any]) -> Any:
        return reduce(pc.or_kleene, map(_truth, items[::2]))

    def and_(self, items: list[Any]) -> Any:
        return reduce(pc.and_kleene, map(_truth, items[::2]))

    def not_(self, items: list[Any]) -> Any:
        return pc.invert(_truth(items[1]))

    def comparison(self, items: list[Any]) -> Any:
        sign = str(items[1])
        left, right = doubles(_array(items[0]), _array(items[2]))
        _same_family(left, right)
        equal = _equal(left, right)
        match sign:
            case "=" | "==":
                return equal
            case "!=" | "<>":
                return pc.invert(equal)
            case "<=>":
                both = pc.and_(pc.is_null(left), pc.is_null(right))
                return pc.or_(pc.coalesce(equal, False), both)
            case "<":
                return _less(left, right)
            case ">":
                return _less(right, left)
            case "<=":
                return pc.invert(_less(right, left))
            case _:
                return pc.invert(_less(left, right))

    def is_null(self, items: list[Any]) -> Any:
        return pc.is_null(_array(items[0]))

    def is_not_null(self, items: list[Any]) -> Any:
        return pc.is_valid(_array(items[0]))

    def in_(self, items: list[Any]) -> Any:
        value, _, *others = items
        return reduce(pc.or_kleene, [self.comparison([value, "=", other]) for other in others])

    def between(self, items: list[Any]) -> Any:
        value, _, low, _, high = items
        return pc.and_kleene(self.comparison([value, ">=", low]), self.comparison([value, "<=", high]))

    def not_in(self, items: list[Any]) -> Any:
        column, _, *rest = items
        return pc.invert(self.in_([column, *rest]))

    def not_between(self, items: list[Any]) -> Any:
        value, _, *rest = items
        return pc.invert(self.between([value, *rest]))

    def like(self, items: list[Any]) -> Any:
        raise Refused("LIKE")

    not_like = like

    def arithmetic(self, items: list[Any]) -> Any:
        found = _array(items[0])
        for sign, item in zip(items[1::2], items[2::2], strict=True):
            found = _arithmetic(str(sign), found, _array(item))
        return found

    def signed(self, items: list[Any]) -> Any:
        sign, item = items
        if sign == "-" and isinstance(item, Literal) and type(item.value) is int:
            return _integer(-item.value)
        return pc.negate_checked(_array(item)) if sign == "-" else _array(item)

    def cast_(self, items: list[Any]) -> Any:
        return cast_to(_array(items[1]), items[3])

    def call(self, items: list[Any]) -> Any:
        name, *arguments = items
        function = FUNCTIONS.get(".".join(name).lower())
        if function is None:
            raise Refused(f"the function {'.'.join(name)}")
        values = doubles(*map(_array, arguments))
        try:
            return function(*values)
        except TypeError as error:
            raise Refused(str(error)) from None


def _truth(item: Any) -> Any:
    found = _array(item)
    if pa.types.is_null(found.type):
        return pc.cast(found, pa.bool_())
    if not pa.types.is_boolean(found.type):
        raise Refused(f"{found.type} in place of a condition")
    return found


def _equal(left: Any, right: Any) -> Any:
    equal = pc.equal(left, right)
    if pa.types.is_floating(left.type) and pa.types.is_floating(right.type):
        return pc.or_kleene(equal, pc.and_kleene(pc.is_nan(left), pc.is_nan(right)))
    return equal


def _less(left: Any, right: Any) -> Any:
    less = pc.less(left, right)
    if pa.types.is_floating(right.type):  # NaN is above all numbers
        number = pc.invert(pc.is_nan(left)) if pa.types.is_floating(left.type) else pc.is_valid(left)
        return pc.or_kleene(less, pc.and_kleene(number, pc.is_nan(right)))
    return less


def _arithmetic(sign: str, left: Any, right: Any) -> Any:
    for item in (left, right):
        if _family(item.type) not in ("number", "null"):
            raise Refused(f"{sign} of {item.type}")
    left, right = doubles(left, right)
    if sign == "/":
        if pa.types.is_decimal(left.type) or pa.types.is_decimal(right.type):
            raise Refused("division of decimals")
        left, right = (pc.cast(item, pa.float64(), safe=False) for item in (left, right))
        if pc.any(pc.equal(right, 0.0) if isinstance(right, pa.Array) else pa.array([right.as_py() == 0])).as_py():
            raise pa.ArrowInvalid("division by zero")
        return pc.divide(left, right)
    if sign == "%" and pa.types.is_integer(left.type) and pa.types.is_integer(right.type):
        return pc.subtract(left, pc.multiply(pc.divide_checked(left, right), right))
    kernels: dict[str, Any] = {"+": pc.add_checked, "-": pc.subtract_checked, "*": pc.multiply_checked}
    if sign not in kernels:
        raise Refused(sign)
    return kernels[sign](left, right)


def attribute(array: Any, path: tuple[str, ...]) -> Any:
    """Returns a field of nested structs by its path of names."""
    return reduce(lambda found, name: pc.struct_field(found, name), path, array)


def column_of(rows: pa.RecordBatch | pa.Table, schema: pa.Schema, path: tuple[str, ...]) -> Any:
    """Returns a column or a field of structs by its name; raises KeyError for an unknown one."""
    found = find_column(schema, path)
    if found is None:
        raise KeyError(f"{'.'.join(path)!r} is not a column, there are {', '.join(schema.names)}")
    (name, *rest), _ = found
    return attribute(rows.column(rows.schema.get_field_index(name)), tuple(rest))
