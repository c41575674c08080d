"""Rules for constant values of fields: `default`, for fields that the maker of a record sets, and `=`."""

from __future__ import annotations

from ...runtime.records.functions import count
from ..builtin_names import FIXED_WIDTHS, FLOAT_TYPES, VARINT_BITS
from ..diagnostics import Diagnostics
from ..infer import Inference, accepts
from ..model import Const, EnumMember, Module
from ..paths import Target
from ..syntax import Binary, Call, Expr, Literal_, Member, Name, RecordField, Ternary, Unary
from ..syntax.walk import walk


def check_default(field: RecordField, module: Module, names: dict[str, Target], diagnostics: Diagnostics) -> None:
    """Reports a default that is not a constant, that the field cannot hold, or that comes with another clause for the
    value."""
    default = field.default
    if default is None:
        return
    for clause, gives in (("= expr", field.derived is not None), ("if", field.present is not None)):
        if gives:
            message = (
                f"'{field.name}' has `{clause}`: if it is not given, it is {'computed' if clause != 'if' else 'absent'}"
            )
            diagnostics.error(f"{message}, so it cannot have a default", default.location)
            return
    if any(where.setting is not None and not any(where.setting.path) for where in field.invariants):
        message = f"'{field.name}' is computed if it is not given, so it cannot have a default"
        diagnostics.error(message, default.location)
        return
    wanted: Target = field.kind
    if wanted.lists or wanted.kind in ("object", "values"):
        diagnostics.error(
            f"a default must be a number, a bool, a text or bytes: '{field.name}' is {wanted.name}", default.location
        )
        return
    for part in walk(default):
        is_constant = isinstance(part, Literal_ | Unary | Binary | Member) or (
            isinstance(part, Name) and part.name not in names
        )
        if not is_constant:
            diagnostics.error(f"the default of '{field.name}' must be a constant", part.location)
            return
    found = Inference(module, diagnostics).check(default, {}, wanted)
    is_fill = wanted.kind == "bytes" and found.kind == "int" and fill_count(field) is not None
    if not accepts(wanted, found) and {wanted.kind, found.kind} != {"bytes", "text"} and not is_fill:
        diagnostics.error(f"'{field.name}' must be {wanted.name}, not {found.name}", default.location)
        return
    _check_range(field, wanted, default, module, diagnostics, is_fill=is_fill)


def check_derived(
    field: RecordField,
    wanted: Target,
    found: Target,
    module: Module,
    names: dict[str, Target],
    diagnostics: Diagnostics,
) -> None:
    """Reports a field that is derived from a constant which does not fit it."""
    derived = field.derived
    if derived is None or any(isinstance(part, Name) and part.name in names for part in walk(derived)):
        return
    _check_range(field, wanted, derived, module, diagnostics, is_fill=wanted.kind == "bytes" and found.kind == "int")
    text = derived.value if isinstance(derived, Literal_) else getattr(_constant(derived, module), "value", None)
    lengths = [each.expression for each in field.dimensions if each.expression is not None]
    if isinstance(text, str | bytes) and field.present is None and any(map(_varies, lengths)):
        message = f"'{field.name}' is refused wherever its length is not {count(text)}, that of its constant"
        diagnostics.warning(f"{message}: add `if` with the condition under which it is there", derived.location)


def _varies(length: Expr) -> bool:
    """Returns whether a length takes several values by itself, such as a remainder; a count that is read may be constant."""
    match length:
        case Ternary() | Binary(operator="%" | "&"):
            return True
        case Call(function=Name(name="padding")):
            return True
    return False


def _constant(expr: Expr, module: Module) -> Const | None:
    return module.constant(expr.name) if isinstance(expr, Name) else None


def _check_range(
    field: RecordField, wanted: Target, expr: Expr, module: Module, diagnostics: Diagnostics, *, is_fill: bool
) -> None:
    """Reports a constant number that does not fit the field."""
    value, name = number_of(expr, module, wanted), field.type.name
    if value is None or wanted.lists or (wanted.kind not in ("int", "enum") and not is_fill):
        return
    bits = field.bits[2] if field.bits is not None else 8 * FIXED_WIDTHS.get(name, 0) or VARINT_BITS.get(name, 0)
    bits = 8 if is_fill else bits
    is_signed = field.bits is None and name[0] in "is"
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if is_signed and bits else (0, 1 << bits)
    if bits and name not in FLOAT_TYPES and not low <= value < high:
        what = "a byte" if is_fill else f"{bits} bits" if field.bits is not None else name
        word = "value" if expr is field.derived else "default"
        diagnostics.error(f"the {word} {value} of '{field.name}' does not fit {what}", expr.location)


def number_of(expr: Expr, module: Module, wanted: Target) -> int | None:
    """Returns the integer value of a constant expression; None if there is none or it is unknown here."""
    match expr:
        case Literal_(value=int(value)):
            return value
        case Unary(operator="-"):
            value = number_of(expr.operand, module, wanted)  # type: ignore[assignment]
            return None if value is None else -value
        case Binary(operator="+" | "-" | "*" | "<<" | "|" | "&"):
            left, right = (number_of(each, module, wanted) for each in (expr.left, expr.right))
            if left is None or right is None or (expr.operator == "<<" and right not in range(65)):
                return None
            operations = {
                "+": int.__add__,
                "-": int.__sub__,
                "*": int.__mul__,
                "|": int.__or__,
                "&": int.__and__,
                "<<": int.__lshift__,
            }
            return operations[expr.operator](left, right)
        case Name():
            constant = module.constant(expr.name)
            pair = Inference(module).enum_member(expr.name, wanted) if constant is None else None
            return pair[1].number if pair is not None else _plain(constant)
        case Member(base=Name(name=prefix)):
            found = module.find(f"{prefix}.{expr.name}")
            return _plain(found if isinstance(found, Const) else None)
    return None


def fill_count(field: RecordField) -> int | None:
    """Returns the number of bytes that a number fills; None if it is not a constant."""
    if field.type.name != "bytes" or len(field.dimensions) != 1 or field.until is not None:
        return None
    count = field.dimensions[0].expression
    return count.value if isinstance(count, Literal_) and isinstance(count.value, int) else None


def _plain(constant: Const | None) -> int | None:
    value = None if constant is None else constant.value
    value = value.number if isinstance(value, EnumMember) else value
    return value if isinstance(value, int) and not isinstance(value, bool) else None
