"""Fields of bodies as layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ..check.field_defaults import fill_count, number_of
from ..model import Extension, Record, Struct
from ..names import quoted
from ..paths import enum_of, own_codec
from ..syntax import Binary, Call, Expr, Name, RecordField, Ternary, VariantDef, Where
from ..syntax import Dimension as DimensionSyntax
from ..syntax import Setting as SettingSyntax
from ..syntax.walk import called_name, walk
from ..syntax.walk import names as names_in
from . import nodes
from .end_clauses import follows_none
from .expressions import Scope, UnsupportedExpression
from .field_layout import CodecCall, Dimension, FieldCodec, FieldLayout, Rule, Setting, element_target
from .idl_text import text_of
from .nodes import Node
from .placed import implied_alignment
from .scopes import BodyScope, Names, codec_extension, normalizes
from .shapes import codecs_of, fixed_size, kind_of, lists_of, smallest_size

#: (field, step of its `via`, or None for the codec with fields) -> the number of the record's state.
Slots = Mapping[tuple[str, Expr | None], int]


def lower_field(
    field: RecordField, names: Names, scope: BodyScope, slots: Slots, shares_states: bool, captured: frozenset[str]
) -> FieldLayout:
    """Returns the layout of a field.

    Args:
        shares_states: elements of the field's list share states of codecs.
        captured: the measures that reading keeps of the field, of `captures`.

    Raises:
        UnsupportedExpression: something in its clauses cannot be compiled.
    """
    kind, (lists, length) = kind_of(field), lists_of(field)
    assert kind is not None
    _refuse_padding(field)
    _refuse_all_but(field)

    def lowered(expr: Expr | None) -> Node | None:
        return None if expr is None else scope.lower(expr)

    own, place = own_codec(field), lowered(field.at)
    arguments = () if own is not None else field.type.arguments or ()
    return FieldLayout(
        name=field.name,
        attribute=names.attribute(field.name),
        slot=names.slot(field.name),
        location=field.location,
        doc=field.doc,
        kind=kind,
        type=field.type.name,
        target=field.target if isinstance(field.target, Record | Struct | Extension) else None,
        arguments=tuple(map(scope.lower, arguments)),
        width=scope.lower(field.type.type_arguments[0]) if kind == "bits" else None,
        dimension=lower_dimension(lists[0], scope) if lists else None,
        length=None if length is None else lower_dimension(length, scope),
        terminator=field.ending,
        enum=enum_of(field),
        codecs=tuple(codec_call(step, scope, slots.get((field.name, step))) for step, _ in codecs_of(field)),
        coder=None if own is None else _coder(field, own, scope, slots),
        presence=lowered(field.present),
        size=lowered(field.size),
        place=place,
        alignment=implied_alignment(place) if field.align is None else lowered(field.align),
        from_source=field.from_source,
        origin=field.origin,
        derivation=_derivation(field, names, scope),
        rules=(*(_rule(field, where, names, scope) for where in field.invariants), *_after_none(field, names, scope)),
        captures=captured,
        keeps=not (names.normalizes or all(normalizes(step, names.module) for step, _ in codecs_of(field))),
        fixed=fixed_size(field),
        smallest=smallest_size(field),
        shares_states=shares_states and bool(lists),
        text=_text(field),
        bits=None if field.bits is None else (names.attribute(field.bits[0]), *field.bits[1:]),
        default=None if field.default is None else _default(field, field.default, names, scope),
        order=field.type.order,
        is_settled=names.is_settled(field.name),
    )


def _default(field: RecordField, default: Expr, names: Names, scope: BodyScope) -> Node:
    """Returns the default of a field; a number fills bytes."""
    kind = field.kind
    fills, count = number_of(default, names.module, kind), fill_count(field)
    if kind.kind == "bytes" and fills is not None and count is not None:
        return nodes.Constant(bytes([fills]) * count, kind=kind, location=default.location)
    return scope.lower(default, kind)


def _refuse_padding(field: RecordField) -> None:
    """Refuses `padding(n)` in a clause other than the length of a field, where it is not known."""
    rules = [where.condition for where in field.invariants]
    message = "`padding(n)` can only be the length of a field: bytes pad[padding(8)] = 0"
    found = [field.present, field.at, field.align, field.size, field.derived, *(field.type.arguments or ()), *rules]
    if field.size is not None and field.via:
        message = "`padding(n)` counts bytes of the source: it cannot be the length of what codecs with a `size` take"
        found += [each.expression for each in field.dimensions]
    for expr in found:
        for part in walk(expr) if expr is not None else ():
            if isinstance(part, Call) and called_name(part) == "padding":
                raise UnsupportedExpression(message, part)


def _refuse_all_but(field: RecordField) -> None:
    """Refuses `all_but(...)` in other clauses than the value of a field, since it is unknown until all is laid out."""
    lengths = [each.expression for each in field.dimensions]
    rules = [where.condition for where in field.invariants if where.setting is None]
    for expr in [field.present, field.at, field.size, *(field.type.arguments or ()), *lengths, *rules, *field.via]:
        for part in walk(expr) if expr is not None else ():
            if isinstance(part, Call) and called_name(part) == "all_but":
                raise UnsupportedExpression(
                    "`all_but(...)` can only be the value of a field: u32 check = crc32(all_but(check))", part
                )


def rule_of(where: Where) -> str:
    """Returns the error message of a false invariant."""
    return where.message or _condition(where) + (" does not hold" if where.setting is None else "")


def _condition(where: Where) -> str:
    setting = where.setting
    return (
        text_of(where.condition) if setting is None else f"{text_of(setting.target)} must be {text_of(setting.value)}"
    )


def _demand(condition: str, message: str | None) -> str:
    return condition if message is None else f"{condition}, else {quoted(message)}"


def lower_dimension(dimension: DimensionSyntax, scope: Scope) -> Dimension:
    value = None if dimension.expression is None else scope.lower(dimension.expression)
    return Dimension(dimension.kind, value, dimension.grows)


def codec_call(step: Expr, scope: Scope, slot: int | None = None) -> CodecCall:
    codec = codec_extension(step, scope.module)
    call = _codec(step, scope)
    return CodecCall(call, codec, call.operands if isinstance(call, nodes.FunctionCall) else (), slot)


def _codec(step: Expr, scope: Scope) -> Node:
    if isinstance(step, Ternary):
        then, otherwise = _codec(step.then, scope), _codec(step.otherwise, scope)
        return nodes.Conditional(scope.lower(step.condition), then, otherwise, location=step.location)
    if getattr(step, "name", "") == "identity":
        return nodes.Identity(location=step.location)
    codec = codec_extension(step, scope.module)
    if codec is None:
        raise UnsupportedExpression("a codec is needed here", step)
    return nodes.FunctionCall(codec, tuple(map(scope.lower, _arguments(step))), location=step.location)


def _arguments(step: Expr) -> tuple[Expr, ...]:
    return step.arguments if isinstance(step, Call) else ()


def _coder(field: RecordField, own: Extension, scope: BodyScope, slots: Slots) -> FieldCodec:
    state = own.syntax.state
    return FieldCodec(
        own,
        tuple(map(scope.lower, _arguments(field.via[-1]))),
        None if state is None else scope.lower(state.initial),
        slots.get((field.name, None)),
    )


# ---- rules ----


def _derivation(field: RecordField, names: Names, scope: BodyScope) -> Rule | None:
    """Returns the value of `= expr`; a number that bytes are derived from fills them."""
    if field.derived is None:
        return None
    indexed = any(each.kind == "index" for each in field.dimensions)
    wanted = element_target(field.kind, indexed)
    found = scope.kind(field.derived)
    last = field.dimensions[-1].expression if field.dimensions else None
    if wanted.kind == "bytes" and found.kind == "int" and last is not None:
        count = scope.lower(last)
        if nodes.span_words(count) and not names.normalizes:
            message = (
                f"nothing tells how many bytes of '{field.name}' are written: leave out `=`, and those that are read are kept; "
                "or declare the record `: normalizes`, and none are written"
            )
            raise UnsupportedExpression(message, last)
        node: Node = nodes.Fill(scope.lower(field.derived), count, kind=wanted)
    elif wanted.kind == "int" and found.kind == "bool":
        node = nodes.Int(scope.lower(field.derived, wanted), kind=wanted)
    else:
        node = scope.lower(field.derived, wanted)
    demand = f"{field.name} must be {text_of(field.derived)}"
    message, text = field.derived_message or demand, _demand(demand, field.derived_message)
    after, implied = _last_needed(field, field.derived, names), is_implied(field, names)
    return Rule(node, message, text, after, indexed, implied=implied)


def is_implied(field: RecordField, names: Names) -> bool:
    """Returns whether a field needs no check, since another one was read by it: `n = count(items)`, `kind = tag(content)`,
    `length = size(body)` of a record or text; or since its bits are read as fields.
    """
    if any(each.bits is not None and each.bits[0] == field.name for each in names.fields):
        return True
    match field.derived:
        case Call(arguments=(Name(name=measured),)) as call:
            other = next((each for each in names.fields if each.name == measured), None)
        case _:
            return False
    if other is None or other.at is not None or field.at is not None:
        return False
    match called_name(call):
        case "count":
            return _is_counted_by(other, field, names)
        case "tag":
            return _is_chosen_by(other, field, names)
        case "size":
            return _is_filled_by(other, field, names)
    return False


def _is_filled_by(other: RecordField, field: RecordField, names: Names) -> bool:
    """Returns whether ``field`` is the size of ``other``: a record that must fill its span, or a text of so many bytes."""
    if other.via or _presence(field) != _presence(other):
        return False
    if other.dimensions:
        return other.size is None and not lists_of(other)[0] and _is_counted_by(other, field, names)
    target = other.target
    is_whole = isinstance(target, Extension) or (isinstance(target, Record) and not target.is_lazy)
    return is_whole and isinstance(other.size, Name) and other.size.name == field.name


def _is_counted_by(other: RecordField, field: RecordField, names: Names) -> bool:
    if not other.dimensions:
        return False
    (lists, _), dimension = lists_of(other), other.dimensions[0]
    counter = dimension.expression
    if not (isinstance(counter, Name) and counter.name == field.name and dimension.kind in ("count", "index")):
        return False
    if lists:
        together = dimension.kind == "index" and field.present is None
        return lists[0] is dimension and (together or _presence(field) == _presence(other))
    return kind_of(other) in ("bytes", "utf8", "values") and not other.via and _presence(field) == _presence(other)


def _is_chosen_by(other: RecordField, field: RecordField, names: Names) -> bool:
    target, arguments = other.target, other.type.arguments or ()
    if not isinstance(target, Extension) or other.dimensions or _presence(field) != _presence(other):
        return False
    variant: VariantDef = target.syntax
    selects = [isinstance(variant.tag, Name) and each.name == variant.tag.name for each in variant.params]
    given = arguments[selects.index(True)] if True in selects and len(arguments) == len(selects) else None
    return isinstance(given, Name) and given.name == field.name


def _presence(field: RecordField) -> str:
    return "" if field.present is None else text_of(field.present)


def _rule(field: RecordField, where: Where, names: Names, scope: BodyScope) -> Rule:
    node = scope.lower(where.condition)
    if where.setting is not None and scope.kind(where.setting.target).kind == "float":
        node = nodes.replaced(node, _or_nan)
    setting = None if where.setting is None else _setting(where.setting, scope)
    text = _demand(_condition(where), where.message)
    after = _last_needed(field, where.condition, names)
    implied = field.bits is not None and where is field.invariants[0]
    return Rule(node, rule_of(where), text, after, nodes.names_index(node), setting, implied)


def _after_none(field: RecordField, names: Names, scope: BodyScope) -> Iterator[Rule]:
    """Yields the rule that a field is empty where the one before it is absent, since nothing was left for either."""
    behind = [each for each in names.fields if each.at is None and each.bits is None]
    for before in (one for one, other in pairwise(behind) if other is field and follows_none(one, other)):
        none, own = (scope.lower(Name(each.name, each.location)) for each in (before, field))
        empty = nodes.Comparison(("==",), (nodes.Count(own), nodes.Constant(0)))
        given = nodes.is_given(none)
        condition = given if field.present is not None else nodes.Logical("or", (given, empty))
        message = f"'{before.name}' is None, so that no bytes can follow it: they would be read as '{before.name}'"
        yield Rule(condition, message, after=field.name, implied=True)


def _or_nan(node: Node) -> Node | None:
    """Returns the condition that a float is what it is set to; a NaN, which equals nothing, if it is one too."""
    match node:
        case nodes.Comparison(operators=("==",), operands=operands):
            are_nan = (nodes.Comparison(("!=",), (each, each)) for each in operands)
            return nodes.Logical("or", (node, nodes.Logical("and", tuple(are_nan))))
        case nodes.Builtin(name="same_elements", operands=operands):
            return nodes.Builtin("same_float", (nodes.Constant("<d"), *operands), kind=node.kind)
    return node if isinstance(node, nodes.Not) else None


def _setting(setting: SettingSyntax, scope: BodyScope) -> Setting:
    wanted, found = scope.kind(setting.target), scope.kind(setting.value)
    value = scope.lower(setting.value, wanted)
    if wanted.kind == "int" and found.kind == "bool":
        value = nodes.Int(value, kind=wanted)
    own, when = scope.lower(setting.target), None if setting.when is None else scope.lower(setting.when)
    if when is not None:
        if isinstance(setting.target, Name) and any(part == own for part in nodes.walk(when)):
            # A missing value is derived; only a caller's value is checked.
            when = nodes.Logical("or", (nodes.is_null(own), when))
        value = nodes.Conditional(when, value, own, kind=wanted)
    over = None if setting.over is None else scope.lower(setting.over)
    return Setting(nodes.path_of(own)[1:], value, over, when)


def _last_needed(field: RecordField, expr: Expr, names: Names) -> str:
    """Returns the last field that an expression about a field needs."""
    used = {field.name, *(name.name for name in names_in(expr) if name.name in names.places)}
    return max(used, key=names.places.__getitem__)


def captures(names: Names, scope: BodyScope) -> dict[str, set[str]]:
    """Returns a dict of field -> the measures that reading must keep of it for expressions of the whole body."""
    found: dict[str, set[str]] = {each.name: set() for each in names.fields}
    placed = {each.name for each in names.fields if each.at is not None}
    needed = [where.condition for where in names.checks]
    for each in names.fields:
        rules = [where.condition for where in each.invariants]
        if each.derived is not None and names.codec is None and not is_implied(each, names):
            rules.append(each.derived)
        elif each.derived is not None and names.codec is not None and "normalizes" not in names.codec.attributes:
            needed.append(each.derived)
            if each is not names.fields[-1]:
                found[each.name].add("start")
        lengths = (dimension.expression for dimension in each.dimensions)
        clauses = [
            expr for expr in (each.present, each.size, *lengths, *(each.type.arguments or ())) if expr is not None
        ]
        if {_last_needed(each, expr, names) for expr in rules} - {each.name, *placed}:
            found[each.name].add("start")
        needed += [*rules, *(clauses if each.at is None else [])]
    for expr in needed:
        for name, measure in _measured(scope.lower(expr)):
            found[name].add(measure)
    return found


def _measured(node: Node) -> Iterator[tuple[str, str]]:
    """Yields (field, measure) that an expression needs from reading a field."""
    for part in nodes.walk(node):
        if isinstance(part, nodes.Measure) and part.fixed is None:
            yield part.field, "start" if part.capture == "offset" else part.capture
        elif isinstance(part, nodes.Encoded):
            yield part.fields[0], "start"
            yield part.fields[-1], "start"
            if part.fixed is None:
                yield part.fields[-1], "size"


# ---- text ----


def _text(field: RecordField) -> str:
    """Returns a field's type, dimensions and terminator as IDL text."""
    if field.bits is not None:
        return f"{field.bits[2]} bits of {field.bits[0]}"
    text = field.type.name + "".join(f"[{_dimension_text(each)}]" for each in field.dimensions)
    return text if field.until is None else f"{text} until {text_of(field.until)}"


def _dimension_text(dimension: DimensionSyntax) -> str:
    match dimension.expression:
        case Ternary(condition=Binary(right=ends)) if dimension.grows:
            return f"until {text_of(ends)}"
    text = text_of(dimension.expression) if dimension.expression is not None else ""
    return {"count": text, "rest": "..", "until": f"until {text}", "index": f"{dimension.variable} < {text}"}[
        dimension.kind
    ]
