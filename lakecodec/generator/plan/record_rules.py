"""What the plans of reading and writing share: rules of fields, codecs, layouts."""

from __future__ import annotations

from ..builtin_names import FIXED_WIDTHS
from ..expressions import called_name, names, walk
from ..model import Extension, Record
from ..paths import Target, of_field
from ..syntax import Call, CodecDef, Dimension, Expr, Literal_, Name, RecordField, Ternary, Where
from . import types
from .expressions import UnsupportedExpression
from .idl_text import text_of
from .record_scope import RecordScope
from .shapes import FieldShape
from .units import Unit, unit_of_record


def has_states(shape: FieldShape) -> bool:
    """Whether the elements of a list share states of codecs."""
    return isinstance(shape.target, Record) and bool(unit_of_record(shape.target, nests=False).states)


def codec_use(step: Expr, scope: RecordScope) -> str:
    """The text of a `Use`."""
    if isinstance(step, Ternary):
        then, otherwise = codec_use(step.then, scope), codec_use(step.otherwise, scope)
        return f"({then} if {scope.grouped(step.condition)} else {otherwise})"
    found = scope.module.find(called_name(step))
    if called_name(step) == "identity":
        return "_decl.identity()"
    if not isinstance(found, Extension) or not isinstance(found.syntax, CodecDef):
        raise UnsupportedExpression("a codec is needed here", step)
    return scope.user_call(found, [scope.render(argument) for argument in codec_arguments(step)])


def codec_arguments(step: Expr) -> tuple[Expr, ...]:
    return step.arguments if isinstance(step, Call) else ()


def layout_text(shape: FieldShape, scope: RecordScope) -> str:
    """The layout of a field's encoded values: the last argument is the type, the others are the encoding's."""
    *params, type_ = (scope.render(argument) for argument in shape.field.type.arguments or ())
    encoding = f"{shape.cls}({', '.join(params)})" if params else shape.cls
    return f"_col.layout_of({encoding}, {type_})"


def enum_lookup(shape: FieldShape, unit: Unit) -> str:
    assert shape.enum is not None
    return enum_table(types.class_expression(shape.enum, unit.module))


def enum_table(cls: str) -> str:
    """The function that gives a number its member; one a class, next to the module's constants."""
    return f"_{cls.strip('_').replace('.', '_')}_of"


def codec_value(unit: Unit, scope: RecordScope) -> list[str]:
    """The statements that compute a codec's value from its fields."""
    assert unit.codec is not None
    assert isinstance(unit.codec.value, Expr)
    kind = unit.kinds["value"]
    text = scope.render(unit.codec.value, kind)
    name = unit.codec.result.name
    if name in FIXED_WIDTHS and kind.kind == "int":
        bits = 8 * FIXED_WIDTHS[name]
        low, high = (f"-(1 << {bits - 1})", f"(1 << {bits - 1}) - 1") if name[0] == "i" else ("0", f"(1 << {bits}) - 1")
        return [f"made.value = _fn.in_range({text}, {low}, {high})"]
    return [f"made.value = {text}"]


def element_kind(field: RecordField, unit: Unit) -> Target:
    """The kind of the value that `= expr` gives: an element for `[i < n]`."""
    found = of_field(field, unit.module)
    if index_dimension(field) is not None and found.lists:
        return Target(found.kind, found.holder, found.lists - 1)
    return found


def derived_text(field: RecordField, unit: Unit, scope: RecordScope, *, operand: bool = False, count: str = "") -> str:
    """What a derived field, or an element of it, must be; a number that bytes are derived from fills them.

    As an ``operand`` it stands in parentheses where it is made of operands itself. ``count`` is the number of bytes
    where they are there already.
    """
    assert field.derived is not None
    wanted = element_kind(field, unit)
    found = scope.kind(field.derived)
    if wanted.kind == "bytes" and found.kind == "int" and field.dimensions[-1:] and field.dimensions[-1].expression:
        text = f"bytes([{scope.render(field.derived)}]) * {count or scope.grouped(field.dimensions[-1].expression)}"
        return f"({text})" if operand else text
    if wanted.kind == "int" and found.kind == "bool":
        return f"int({scope.render(field.derived, wanted)})"
    return scope.grouped(field.derived, wanted) if operand else scope.render(field.derived, wanted)


def index_dimension(field: RecordField) -> Dimension | None:
    return next((each for each in field.dimensions if each.kind == "index"), None)


def read_rules(field: RecordField, unit: Unit) -> list[tuple[Expr, str, bool]]:
    """(expression, rule, whether it is a derivation) of what a field must keep when it is read.

    The fields of a codec take every value from which the codec's own follows, so theirs are not verified.
    """
    found: list[tuple[Expr, str, bool]] = []
    if field.derived is not None and unit.codec is None:
        found.append((field.derived, derived_rule(field), True))
    return found + [(where.condition, rule_of(where), False) for where in field.invariants]


def derived_rule(field: RecordField) -> str:
    assert field.derived is not None
    return field.derived_message or f"{field.name} must be {text_of(field.derived)}"


def rule_of(where: Where) -> str:
    return where.message or f"{text_of(where.condition)} does not hold"


def last_needed(unit: Unit, field: RecordField, expr: Expr) -> RecordField:
    """The last field that an expression about ``field`` needs."""
    used = {name.name for name in names(expr)} | {field.name}
    return [each for each in unit.fields if each.name in used][-1]


def noted(unit: Unit) -> set[tuple[str, str]]:
    """(field, what) of the measures that must be kept while reading."""
    found: set[tuple[str, str]] = set()
    expressions = [where.condition for where in unit.checks]
    for field in unit.fields:
        expressions += [expr for expr, _, _ in read_rules(field, unit)]
        expressions += [expr for expr in (field.present, field.size) if expr is not None]
        for expr, _, _ in read_rules(field, unit):
            if last_needed(unit, field, expr) is not field:
                found.add((field.name, "start"))
    for part in (part for expr in expressions for part in walk(expr)):
        if (measure := unit.measure(part)) is not None:
            found.add((measure.field, "start" if measure.note == "offset" else measure.note))
    return found


def run_size(shape: FieldShape) -> int:
    code = shape.run_code or ""
    return int(code[:-1]) if code.endswith("s") else FIXED_WIDTHS[shape.type]


def counts_what_exists(expr: Expr, scope: RecordScope) -> bool:
    """Whether a count is that of a list in memory, and so bounded already."""
    return isinstance(expr, Literal_) or (
        isinstance(expr, Call)
        and isinstance(expr.function, Name)
        and expr.function.name == "count"
        and scope.kind(expr.arguments[0]).kind not in ("bytes", "text")
    )
