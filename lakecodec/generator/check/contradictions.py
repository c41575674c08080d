"""Checks for clauses of one body that contradict each other, so that values or bytes never, or not always, satisfy them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..builtin_names import FIXED_WIDTHS, TEXT_TYPES
from ..diagnostics import Diagnostics
from ..graph import Body, always
from ..model import Extension, Record
from ..paths import Target, field_lists, own_codec
from ..syntax import Binary, Call, Dimension, Expr, Literal_, Member, Name, RecordField
from ..syntax.walk import called_name, names, span_words
from .wire_forms import is_message


def check_contradictions(fields: Sequence[RecordField], kinds: dict[str, Target], diagnostics: Diagnostics) -> None:
    """Reports contradictions for the fields of a record or an alternative; ``kinds`` are the kinds of the fields' names."""
    by_name = {each.name: each for each in fields}
    placed = {each.name for each in fields if each.at is not None}
    for field, behind in zip(fields, _followers(fields), strict=True):
        _check_constant(field, diagnostics)
        _check_condition(field, kinds, diagnostics)
        _check_place(field, placed, diagnostics)
        _check_count(field, by_name, diagnostics)
        if behind is None or field.at is not None:
            continue
        if _takes_rest(field):
            message = f"'{field.name}' takes all remaining bytes and leaves none for '{behind.name}'"
            diagnostics.error(f"{message}: give it a length or a `size`", field.location)
        elif field.present is not None and "at_end" in span_words(field.present, kinds):
            message = (
                f"'{field.name}' is present only if bytes are left, and '{behind.name}' after it always takes some"
            )
            diagnostics.error(f"{message}: let another field tell whether it is present", field.present.location)


def _followers(fields: Sequence[RecordField]) -> list[RecordField | None]:
    """Returns a dict of field -> next field that always takes bytes."""
    found: list[RecordField | None] = []
    follower = None
    for field in reversed(fields):
        found.append(follower)
        follower = field if takes_bytes(field) else follower
    return found[::-1]


def _check_constant(field: RecordField, diagnostics: Diagnostics) -> None:
    """Reports a constant for bytes or a text whose constant length differs."""
    length = _length(field)
    value = field.derived.value if isinstance(field.derived, Literal_) else None
    if length is None or field.derived is None or not isinstance(value, str | bytes):
        return
    data = value.encode(errors="replace") if isinstance(value, str) else value
    if len(data) == length:
        return
    message = f"'{field.name}' has {_bytes(length)}, its constant {_bytes(len(data))}"
    if isinstance(value, str) and not value.isascii() and max(value) <= "\xff":
        message += ' in UTF-8; bytes have a b in front: b"..."'
    diagnostics.error(message, field.derived.location)


def _check_condition(field: RecordField, kinds: dict[str, Target], diagnostics: Diagnostics) -> None:
    """Refuses `if flags = 1`, which is `if flags` and the derivation `= 1`."""
    condition, value = field.present, field.derived
    if not isinstance(condition, Name | Member) or not isinstance(value, Literal_ | Name):
        return
    known = kinds.get(condition.name) if isinstance(condition, Name) else None
    follows = (condition.location.line, condition.location.column) < (value.location.line, value.location.column)
    if follows and (known is None or known.kind != "bool"):
        message = "a comparison is written with ==: `if x == 1`; the field's value is written before its `if`"
        diagnostics.error(message, value.location)


def _check_place(field: RecordField, placed: Collection[str], diagnostics: Diagnostics) -> None:
    """Reports sequential fields that cannot be read without fields placed with `at`."""
    is_whole = field.at is not None or field.size is not None
    if field.dimensions and is_located(field.target) and not (is_whole and _is_single(field)):
        message = f"'{field.type.name}' takes all bytes to the end of its span, since it places fields with `at`"
        diagnostics.error(f"{message}: give each element a `size`, or a place with [i < n]", field.type.location)
    if field.at is not None:
        return
    counts = [each.expression for each in field.dimensions if each.kind in ("count", "index")]
    arguments = [each for step in field.via if isinstance(step, Call) for each in step.arguments]
    for expr in (field.size, field.present, *counts, *(field.type.arguments or ()), *arguments):
        for name in names(expr) if expr is not None else ():
            if name.name in placed:
                message = f"'{field.name}' is read right after the field before it, but '{name.name}' is found later, by its `at`"
                diagnostics.error(f"{message}: place '{field.name}', too", name.location)


def _is_single(field: RecordField) -> bool:
    return field.dimensions[0].kind == "index"


def is_located(definition: object) -> bool:
    """Returns whether a definition is a record that takes its whole span because it places fields with `at` inside."""
    if not isinstance(definition, Record):
        return False
    return definition.is_origin or any(each.at is not None and not each.from_source for each in definition.fields)


def _check_count(field: RecordField, by_name: Mapping[str, RecordField], diagnostics: Diagnostics) -> None:
    """Reports a derived number of elements whose formula contradicts the list's dimension."""
    dimension = field.dimensions[0] if len(field.dimensions) == 1 else None
    if dimension is None or dimension.kind not in ("count", "index") or dimension.expression is None:
        return
    for name in dict.fromkeys(each.name for each in names(dimension.expression)):
        counting = by_name.get(name)
        wanted = _linear(dimension.expression, lambda expr, name=name: isinstance(expr, Name) and expr.name == name)
        if counting is None or counting.derived is None or wanted is None or wanted[0] == 0:
            continue
        found = _linear(counting.derived, lambda expr: _counts(expr, field, "count"))
        if found is None or found[0] == 0:
            found = _linear(counting.derived, lambda expr: _counts(expr, field, "size"))
            width = _width(field)
            found = None if found is None or width is None else (found[0] * width, found[1])
        if found is None or found[0] == 0:
            continue
        factor, rest = wanted[0] * found[0], wanted[0] * found[1] + wanted[1]
        if (factor, rest) != (1, 0):
            many = f"{factor} * count({field.name})" if factor != 1 else f"count({field.name})"
            many += f" {'+' if rest > 0 else '-'} {abs(rest)}" if rest else ""
            message = f"'{field.name}' can never be written: by '{name}', it has {many} elements"
            diagnostics.error(message, counting.derived.location)


def _linear(expr: Expr, is_unknown: object) -> tuple[int, int] | None:
    """Returns whole numbers (a, b) for an expression a * unknown + b; None if it does not have this form."""
    if is_unknown(expr):  # type: ignore[operator]
        return 1, 0
    if isinstance(expr, Literal_) and isinstance(expr.value, int):
        return 0, expr.value
    if not isinstance(expr, Binary) or expr.operator not in ("+", "-", "*"):
        return None
    left, right = _linear(expr.left, is_unknown), _linear(expr.right, is_unknown)
    if left is None or right is None:
        return None
    if expr.operator == "*":
        if left[0] and right[0]:
            return None
        return left[0] * right[1] + right[0] * left[1], left[1] * right[1]
    sign = 1 if expr.operator == "+" else -1
    return left[0] + sign * right[0], left[1] + sign * right[1]


def _counts(expr: Expr, field: RecordField, function: str) -> bool:
    """Returns whether an expression is `count(field)` or `size(field)`."""
    if not isinstance(expr, Call) or called_name(expr) != function or len(expr.arguments) != 1:
        return False
    return isinstance(expr.arguments[0], Name) and expr.arguments[0].name == field.name


def _width(field: RecordField) -> int | None:
    """Returns the size in bytes of an element of a list without codecs."""
    if field.via or field.until is not None:
        return None
    return 1 if field.type.name in ("bytes", "utf8") else FIXED_WIDTHS.get(field.type.name)


def _length(field: RecordField) -> int | None:
    """Returns the constant length of bytes or of a text."""
    if field.type.name not in TEXT_TYPES or field.via or field.until is not None or len(field.dimensions) != 1:
        return None
    expression = field.dimensions[0].expression
    return expression.value if isinstance(expression, Literal_) and isinstance(expression.value, int) else None


@always
def _body_takes_rest(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether a record always takes all bytes to the end of the span around it."""
    fields = body.fields if isinstance(body, Record) else ()
    return is_located(body) or any(_takes_rest(each, holds) for each in fields)


def _takes_rest(field: RecordField, holds: Callable[[Body], bool] = _body_takes_rest) -> bool:
    """Returns whether a field always takes all bytes to the end of the span. ``holds`` answers this for records."""
    if field.size is not None or field.at is not None or field.present is not None or own_codec(field):
        return False
    if field.dimensions and not is_located(field.target):
        return _is_open(field.dimensions[0]) and field.until is None
    if is_message(field):
        return True
    found = field.target
    return isinstance(found, Record) and holds(found)


def _is_open(dimension: Dimension) -> bool:
    return dimension.kind == "rest"


@always
def _body_takes_bytes(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether a record or variant takes at least one byte, whatever its value."""
    bodies = field_lists(body)
    return bool(bodies) and all(any(takes_bytes(each, holds) for each in fields) for fields in bodies)


def takes_bytes(field: RecordField, holds: Callable[[Body], bool] = _body_takes_bytes) -> bool:
    """Returns whether a field takes at least one byte; ``holds`` answers this for records and variants."""
    through = any(called_name(step) != "compact" for step in field.via)
    if field.bits is not None:
        return False
    if field.present is not None or field.at is not None or field.size is not None or through:
        return False
    if any(_constant_count(each) is None for each in field.dimensions):
        return field.until is not None and len(field.dimensions) == 0
    found = field.target
    return holds(found) if isinstance(found, Record | Extension) else field.type.name != "bits"


def _constant_count(dimension: Dimension) -> int | None:
    """Returns a constant number of elements other than 0."""
    expression = dimension.expression
    is_number = isinstance(expression, Literal_) and isinstance(expression.value, int) and expression.value > 0
    return expression.value if is_number and dimension.kind == "count" else None  # type: ignore[union-attr,return-value]


def _bytes(count: int) -> str:
    return f"{count} byte{'' if count == 1 else 's'}"
